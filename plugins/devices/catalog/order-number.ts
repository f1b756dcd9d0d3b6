/** Order numbers (Siemens "MLFB") in any spelling, and type identifiers that contain them. Pure functions. */

/** The parts of an order number or type identifier. */
export interface ParsedOrderNumber {
  /** Upper case, a single blank where there were blanks, no prefix and no suffix; for example `6ES7 515-2AM02-0AB0`. */
  readonly orderNumber: string
  /** Only letters, digits and `*`, in upper case: equal for all spellings of a number. */
  readonly key: string
  /** For example `V2.8`, from `…/V2.8` or `…/2.8`. */
  readonly firmware?: string
}

const PREFIX = /^\s*OrderNumber\s*:/i

/**
 * Reads `6ES7 515-2AM02-0AB0`, `6es75152am02-0ab0`, `OrderNumber:6ES7 515-2AM02-0AB0/V2.8` and similar. Typographic
 * dashes and blanks are read as plain ones. Returns undefined when there is no letter or digit.
 */
export function parseOrderNumber(text: string): ParsedOrderNumber | undefined {
  const [number = '', firmware] = text.replace(PREFIX, '').split('/')
  const orderNumber = number
    .replace(/[\u2010-\u2015\u2212\uFE58\uFF0D]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .toUpperCase()
  const key = orderNumberKey(orderNumber)
  if (key === '') return undefined
  const version = normalizeFirmware(firmware ?? '')
  return { orderNumber, key, ...(version ? { firmware: version } : {}) }
}

/** The part of a number that does not depend on how it is written. */
export function orderNumberKey(orderNumber: string): string {
  return orderNumber.toUpperCase().replace(/[^A-Z0-9*]/g, '')
}

/**
 * `v2.8` and `2.8` become `V2.8`. Versions with four parts (`17.0.0.0`, of panels) and with three parts without V
 * (drives) are kept. Undefined for an empty text.
 */
export function normalizeFirmware(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (/^v\d/i.test(trimmed)) return `V${trimmed.slice(1)}`
  return /^\d+\.\d+$/.test(trimmed) ? `V${trimmed}` : trimmed
}

/** Compares versions by their numbers: V2.9 before V2.10 before V3.0. */
export function compareFirmware(a: string, b: string): number {
  const left = numbersOf(a)
  const right = numbersOf(b)
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Order numbers of the catalog may have open places: `x` (lower case, as SINAMICS and Unified panels write them) and
 * `*` match one letter or digit. Returns the pattern for keys, or undefined when no place is open.
 */
export function openPlacesPattern(catalogNumber: string): RegExp | undefined {
  if (!/[x*]/.test(catalogNumber)) return undefined
  const places = catalogNumber.replace(/[^A-Za-z0-9*]/g, '').replace(/[x*]/g, '[A-Z0-9*]')
  return new RegExp(`^${places}$`)
}

/**
 * Distance of two keys: replaced, missing, added and swapped neighbouring characters (optimal string alignment
 * distance). `I`/`1`, `O`/`0`, `S`/`5`, `B`/`8` and `Z`/`2`, often misread on type plates, count half.
 */
export function keyDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const x = a[i - 1]!
      const y = b[j - 1]!
      let best = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + replaceCost(x, y))
      if (i > 1 && j > 1 && x === b[j - 2] && y === a[i - 2]) best = Math.min(best, beforePrevious[j - 2]! + 1)
      row.push(best)
    }
    beforePrevious = previous
    previous = row
  }
  return previous[b.length]!
}

const MISREAD = new Set(['I1', '1I', 'O0', '0O', 'S5', '5S', 'B8', '8B', 'Z2', '2Z'])

function replaceCost(x: string, y: string): number {
  if (x === y) return 0
  return MISREAD.has(x + y) ? 0.5 : 1
}

function numbersOf(version: string): number[] {
  return (version.match(/\d+/g) ?? []).map(Number)
}
