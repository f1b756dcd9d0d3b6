/** Replaces the name of a PLC data type or block in a data type. */

/**
 * Returns a data type as it is written with a member or tag, with `from` (ignoring case) replaced by `to`: `"Motor"`,
 * `Array[0..9] of "Motor"`, `_.ns.Motor`.
 */
export function renameInType(text: string, from: string, to: string): string {
  if (!/["._]/.test(text)) return text
  const wanted = from.toUpperCase()
  return text
    .replace(/"([^"]+)"/g, (all, name: string) => (name.toUpperCase() === wanted ? `"${to}"` : all))
    .replace(/((?:^|\s)_\.(?:[^\s.";]+\.)*)([^\s.";]+)\s*$/, (all, space: string, name: string) =>
      name.toUpperCase() === wanted ? `${space}${to}` : all,
    )
}
