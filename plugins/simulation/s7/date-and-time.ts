/**
 * DATE_AND_TIME: eight bytes of BCD digits from year to milliseconds, with the day of the week (1 is Sunday) in the
 * last four bits.
 */

const bcd = (value: number) => (Math.floor(value / 10) << 4) | (value % 10)

/**
 * Encodes a time.
 * @param time milliseconds since 1970 UTC; years outside 1990 to 2089 have the same two digits as years inside
 */
export function dateAndTime(time: number): Buffer {
  const date = new Date(time)
  const milliseconds = date.getUTCMilliseconds()
  return Buffer.from([
    bcd(date.getUTCFullYear() % 100),
    bcd(date.getUTCMonth() + 1),
    bcd(date.getUTCDate()),
    bcd(date.getUTCHours()),
    bcd(date.getUTCMinutes()),
    bcd(date.getUTCSeconds()),
    bcd(Math.floor(milliseconds / 10)),
    ((milliseconds % 10) << 4) | (date.getUTCDay() + 1),
  ])
}

/**
 * Decodes eight bytes to milliseconds since 1970 UTC; `undefined` when they are not a date. The day of the week is
 * ignored.
 */
export function readDateAndTime(bytes: Uint8Array): number | undefined {
  if (bytes.length < 8) return undefined
  const nibbles = [...bytes.subarray(0, 8)].flatMap((byte) => [byte >> 4, byte & 15])
  if (nibbles.slice(0, 15).some((digit) => digit > 9)) return undefined
  const pair = (i: number) => nibbles[i * 2]! * 10 + nibbles[i * 2 + 1]!
  const [year, month, day, hour, minute, second] = [0, 1, 2, 3, 4, 5].map(pair) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const milliseconds = pair(6) * 10 + nibbles[14]!
  const time = Date.UTC(year < 90 ? 2000 + year : 1900 + year, month - 1, day, hour, minute, second, milliseconds)
  // An invalid digit would give another date.
  return dateAndTime(time).subarray(0, 7).equals(bytes.subarray(0, 7)) ? time : undefined
}
