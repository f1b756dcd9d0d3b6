/** Uses in statement lists (STL). */
import type { Statement } from '../model/network.ts'
import { addInstance, addOperand } from './operand-uses.ts'
import type { Use, UseAccess, UsePlace } from './use.ts'

/** What statements do to their operand when they do not read it; international mnemonics, without bracket. */
const ACCESS: Readonly<Record<string, UseAccess>> = {
  '=': 'Write',
  S: 'Write',
  R: 'Write',
  T: 'Write',
  TAR1: 'Write',
  TAR2: 'Write',
  // Edge memories and counters are read and written.
  FP: 'ReadWrite',
  FN: 'ReadWrite',
  CU: 'ReadWrite',
  CD: 'ReadWrite',
  SP: 'Write',
  SE: 'Write',
  SD: 'Write',
  SS: 'Write',
  SF: 'Write',
  FR: 'Write',
  OPN: 'Read',
  OPNDI: 'Read',
  UC: 'Call',
  CC: 'Call',
  CALL: 'Call',
}

/** Adds what statements use; the line is that of the statement, counted from 1. */
export function addStatements(into: Use[], statements: readonly Statement[], place: UsePlace): void {
  for (const [index, { mnemonic, operand, call }] of statements.entries()) {
    const here = { ...place, line: index + 1 }
    if (operand !== undefined)
      addOperand(into, operand, { access: ACCESS[mnemonic.toUpperCase()] ?? 'Read', place: here })
    if (call === undefined) continue
    const { target, name, blockType, blockNumber, instance, parameters } = call
    if (target === 'block') {
      // `CALL FC 1`: the block is told by its number.
      const numbered = name === '' && blockType !== undefined && blockNumber !== undefined
      into.push({
        name,
        path: [],
        text: numbered ? `${blockType} ${blockNumber}` : `"${name}"`,
        access: 'Call',
        place: here,
        ...(numbered ? { address: { area: blockType, number: blockNumber } } : {}),
      })
    }
    if (instance !== undefined) addInstance(into, instance, here)
    for (const parameter of parameters)
      if (parameter.value !== undefined)
        addOperand(into, parameter.value, {
          access: 'Read',
          place: here,
          ...(target === 'block' ? { argument: { callee: name, parameter: parameter.name } } : {}),
        })
  }
}
