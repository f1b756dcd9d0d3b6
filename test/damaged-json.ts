/** JSON files of projects with one fault each. */

/** All places of a value, as lists of keys. */
function* places(value: object, at: readonly string[] = []): Generator<readonly string[]> {
  for (const [key, one] of Object.entries(value)) {
    yield [...at, key]
    if (typeof one === 'object' && one !== null) yield* places(one, [...at, key])
  }
}

const values = [
  ['missing', undefined],
  ['5', 5],
  ['0.5', 0.5],
  ['null', null],
  ['empty', ''],
  ['a list', []],
] as const

/** Copies of a value in which one field is missing, or of another kind, with what was done: `network.id missing`. */
export function* damagedJson(data: object): Generator<readonly [what: string, text: string]> {
  for (const way of places(data))
    for (const [how, value] of values) {
      const copy = structuredClone(data)
      const holder = way
        .slice(0, -1)
        .reduce((one, key) => one[key] as Record<string, unknown>, copy as Record<string, unknown>)
      const key = way.at(-1)!
      if (value === undefined) delete holder[key]
      else holder[key] = value
      yield [`${way.join('.')} ${how}`, JSON.stringify(copy)]
    }
}
