/** What calls in SCL call; the XML says it, the text does not. */

/**
 * What `"name"(…)` calls: an FC, or the instance DB of the FB named. Calls of other names are written as TIA Portal
 * writes calls that it cannot resolve (docs/formats.md#scl-and-stl-networks).
 */
export type CalleeLookup = (name: string) => Callee | undefined
export type Callee = { readonly kind: 'FC' } | { readonly kind: 'FB'; readonly name: string }

/** Instructions that are called through their instance: `"Timer_DB".TON(…)`. */
export const instanceInstructions = new Set(
  'TON TOF TP TONR TON_TIME TOF_TIME TP_TIME TONR_TIME CTU CTD CTUD R_TRIG F_TRIG'.split(' '),
)

/** Whether a data block of this type is an instance of the system: `"Edge_DB"(CLK := …)` has no block to call. */
export function isSystemInstance(type: string): boolean {
  return instanceInstructions.has(type) || /^(IEC_\w+|(TON|TOF|TP|TONR|CTU|CTD|CTUD)_\w+)$/.test(type)
}
