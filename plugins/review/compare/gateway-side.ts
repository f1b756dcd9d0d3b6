/** Sides of a compare that only a gateway has. */

/**
 * Whether a side names something of a gateway: `project:`, `device:PLC_1`, `device:PLC_1/Motor`, each with `@` and the
 * number of a record or a time behind it for the state of then; `snapshot:<id>`.
 */
export function isGatewaySide(text: string): boolean {
  return /^(project|device|snapshot):/.test(text)
}
