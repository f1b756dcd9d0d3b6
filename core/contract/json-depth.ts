/** How deep arrays and objects are nested in a value. */

/** True when arrays and objects of a value are nested in more levels than `most`. Works by a loop. */
export function isDeeper(value: unknown, most: number): boolean {
  let level = [value].filter(isNested)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === most) return true
    const next: object[] = []
    for (const one of level) for (const item of Object.values(one)) if (isNested(item)) next.push(item)
    level = next
  }
  return false
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
}
