/** Finds an instruction by the name used in a text. */

import { distance } from 'fastest-levenshtein'
import { coilInstructions, edgeBoxes, flowElements, valueBoxes } from './elements.ts'

/** Boxes without EN: their first input takes the power flow. */
export const withoutEnable: ReadonlySet<string> = new Set(
  'TON TOF TP TONR CTU CTD CTUD Sr Rs Sd Se Sf Sp Ss GetBlockName'.split(' '),
)

/** Instructions that keep their data in an instance. */
export const withInstance: ReadonlySet<string> = new Set('TON TOF TP TONR CTU CTD CTUD R_TRIG F_TRIG'.split(' '))

const instanceTypes = /^(TON|TOF|TP|TONR)(?:_L?TIME)?$|^(CTU|CTD|CTUD)_U?[SDL]?INT$|^([RF]_TRIG)$/

/** The instruction whose data a system type holds: `TON_TIME` and `TON` of TON, `CTU_DINT` of CTU. */
export function instructionOfType(type: string): string | undefined {
  return instanceTypes.exec(type.toUpperCase())?.slice(1).find(Boolean)
}

const knownNames: readonly string[] = [
  ...valueBoxes.keys(),
  ...flowElements.keys(),
  ...edgeBoxes.keys(),
  ...withoutEnable,
  ...withInstance,
  ...['SBitfield', 'RBitfield'],
  ...['O', 'A', 'X', 'Not', 'Inc', 'Dec', 'SEL', 'MUX', 'LIMIT', 'Serialize', 'Deserialize', 'UNSCALE', 'SCALE'],
  ...['RD_SYS_T', 'WR_SYS_T', 'RD_LOC_T', 'DPRD_DAT', 'DPWR_DAT', 'MOVE_BLK', 'UMOVE_BLK', 'FILL_BLK', 'T_CONV'],
]
const byUpper = new Map(knownNames.map((name) => [name.toUpperCase(), name]))

/** Returns the instruction's name as TIA Portal writes it; `undefined` when it is not known. */
export function knownInstruction(name: string): string | undefined {
  return knownNames.includes(name) ? name : byUpper.get(name.toUpperCase())
}

/** Returns the known instruction or coil whose name is most similar to a word. */
export function nearestInstruction(name: string): string | undefined {
  let nearest: string | undefined
  let least = Math.max(2, Math.ceil(name.length / 3)) + 1
  for (const known of [...knownNames, ...coilInstructions.keys()]) {
    const steps = distance(known.toUpperCase(), name.toUpperCase())
    if (steps >= least) continue
    nearest = known
    least = steps
  }
  return nearest
}
