/** Orders of names and addresses, as people count. */

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'accent' })

/** Orders texts with their numbers as numbers: `Motor_2` before `Motor_10`; upper and lower case stand together. */
export const naturally = (a: string, b: string): number => byName.compare(a, b)

/** Rows in the order of their names. */
export const inOrder = <T extends { readonly name: string }>(rows: readonly T[]): T[] =>
  [...rows].sort((a, b) => naturally(a.name, b.name))

/** Operand areas in the order of tables of tags: inputs, outputs, flags, then the others. */
const areas = ['I', 'Q', 'M', 'L', 'DB', 'T', 'C', 'P']
const widths = ['X', 'B', 'W', 'D', 'L']

/**
 * What an address is sorted by: its area, then byte and bit as numbers, then the width; other texts come last, and none
 * at all at the end: `%I0.7`, `%IB1`, `%I10.0`, `%QW64`, `%M0.0`.
 */
export function addressOrder(address: string): string {
  const text = address
    .trim()
    .toUpperCase()
    .replace(/^%/, '')
    .replace(/^E(?=[BWD\d])/, 'I')
    .replace(/^A(?=[BWD\d])/, 'Q')
  const [, area = '', width = '', first = '', second = ''] =
    /^(I|Q|M|L|P|T|C|Z)([XBWDL]?)(\d+)(?:\.(\d+))?(?::P)?$/.exec(text) ?? []
  const digits = (number: string) => number.padStart(10, '0')
  if (area !== '') {
    const rank = Math.max(0, areas.indexOf(area === 'Z' ? 'C' : area))
    return `a${rank}${digits('')}${digits(first)}${digits(second)}${widths.indexOf(width || 'X')}`
  }
  const data = /^DB(\d+)\.DB([XBWDL])(\d+)(?:\.(\d+))?$/.exec(text)
  if (data !== null) {
    const [, block = '', kind = '', byte = '', bit = ''] = data
    return `a${areas.indexOf('DB')}${digits(block)}${digits(byte)}${digits(bit)}${widths.indexOf(kind)}`
  }
  return text === '' ? 'c' : `b${text}`
}
