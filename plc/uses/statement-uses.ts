/** Uses in statement lists (STL). */

import { defined } from '../../lib/optional.ts'
import type { InterfaceSection } from '../model/object.ts'
import { type PlacedStatements, placesOfStatements, type StatementCall } from '../model/statement.ts'
import { addInstance, addOperand } from './operand-uses.ts'
import type { Use, UseAccess, UsedAddress, UsePlace } from './use.ts'

/** How statements access their operand when they do not read it; international mnemonics, without bracket. */
const accessOf: Readonly<Record<string, UseAccess>> = {
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

/**
 * Adds what statements use.
 * @param sections interface of the block: calls of local instances are calls of their types
 */
export function addStatements(
  into: Use[],
  network: PlacedStatements,
  sections: readonly InterfaceSection[],
  place: UsePlace,
): void {
  const places = placesOfStatements(network)
  for (const [index, { mnemonic, operand, call }] of (network.statements ?? []).entries()) {
    const here = { ...place, ...places[index] }
    if (operand !== undefined)
      addOperand(into, operand, { access: accessOf[mnemonic.toUpperCase()] ?? 'Read', place: here })
    if (call !== undefined) addCall(into, call, sections, here)
  }
}

function addCall(into: Use[], call: StatementCall, sections: readonly InterfaceSection[], place: UsePlace): void {
  const { target, name, blockType, blockNumber, instance, parameters } = call
  let callee: string | undefined
  if (target === 'block') {
    callee = name
    const address = numbered(name, blockType, blockNumber)
    into.push({
      name,
      path: [],
      text: address === undefined ? `"${name}"` : `${address.area} ${address.number}`,
      access: 'Call',
      place,
      ...defined({ address }),
    })
  } else if (target === 'multiInstance') {
    callee = typeOfLocal(sections, name)
    if (callee !== undefined) into.push({ name: callee, path: [], text: `#${name}`, access: 'Call', place })
  }
  if (instance !== undefined) {
    const [first] = instance.path
    const address = instance.path.length === 1 ? numbered(first?.name ?? '', 'DB', undefined) : undefined
    if (address === undefined) addInstance(into, instance, place)
    else
      into.push({ name: first?.name ?? '', path: [], text: `DB ${address.number}`, access: 'Instance', place, address })
  }
  for (const { name: parameter, value } of parameters)
    if (value !== undefined)
      addOperand(into, value, {
        access: 'Read',
        place,
        ...(callee === undefined || callee === '' ? {} : { argument: { callee, parameter } }),
      })
}

/**
 * `FC 7`, `DB 2`: a block given by its number. A name may look the same: it takes precedence when the program has it.
 */
function numbered(name: string, type: string | undefined, number: number | undefined): UsedAddress | undefined {
  const written = /^(FB|FC|DB|SFB|SFC)\s*(\d{1,5})$/i.exec(name)
  const area = written?.[1]?.toUpperCase() ?? (name === '' ? type : undefined)
  const found = written === null ? number : Number(written[2])
  return area === undefined || found === undefined ? undefined : { area, number: found }
}

/** Type of a local instance, when it is one of the program. */
function typeOfLocal(sections: readonly InterfaceSection[], name: string): string | undefined {
  const wanted = name.toUpperCase()
  for (const { members } of sections)
    for (const member of members)
      if (member.name.toUpperCase() === wanted) return /^"([^"]+)"$/.exec(member.dataType)?.[1]
  return undefined
}
