/**
 * What is wrong with `.` and `..` as the name of something that an address names, or undefined. Clients take them out
 * of a path before they send it (RFC 3986, 5.2.4; the URL Standard also `%2e`): `DELETE …/PLC_1/blocks/..` would
 * delete the device.
 */
export function dotSegmentFault(name: string): string | undefined {
  return name === '.' || name === '..' ? 'must not be a dot or two, which no address can name' : undefined
}
