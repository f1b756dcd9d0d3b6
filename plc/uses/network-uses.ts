/** Uses in LAD and FBD networks. */
import { defined } from '../../lib/optional.ts'
import type { CallNode, InstructionNode, LogicNetwork } from '../model/logic-network.ts'
import type { Operand } from '../model/operand.ts'
import { addInstance, addOperand } from './operand-uses.ts'
import type { Use, UseAccess, UsedArgument, UsePlace } from './use.ts'

/*
 * A wire runs from its first end to the others, so an operand that a box writes is at the far end. Only pins that a box
 * both reads and writes, or that are drawn as if they were read, need an entry (pins: docs/flgnet-parts.tsv).
 */

/**
 * Boxes whose `operand` is not a plain input: coils write it, timer coils and counters of one operand read and write
 * it.
 */
const operandPinAccess: Readonly<Record<string, UseAccess>> = {
  Coil: 'Write',
  SCoil: 'Write',
  RCoil: 'Write',
  PCoil: 'Write',
  NCoil: 'Write',
  SetBF: 'Write',
  ResetBF: 'Write',
  SET_BF: 'Write',
  RESET_BF: 'Write',
  SBitfield: 'Write',
  RBitfield: 'Write',
  Sr: 'ReadWrite',
  Rs: 'ReadWrite',
  Inc: 'ReadWrite',
  Dec: 'ReadWrite',
  CoilTP: 'ReadWrite',
  CoilTON: 'ReadWrite',
  CoilTOF: 'ReadWrite',
  CoilTONR: 'ReadWrite',
  ResetIECTimerCoil: 'Write',
  PresetIECTimerCoil: 'Write',
  SpCoil: 'ReadWrite',
  SeCoil: 'ReadWrite',
  SdCoil: 'ReadWrite',
  SsCoil: 'ReadWrite',
  SfCoil: 'ReadWrite',
  CuCoil: 'ReadWrite',
  CdCoil: 'ReadWrite',
  ScCoil: 'Write',
}

/** Pins of any box: edge memories, S5 timers and counters, in-out parameters of system blocks. */
const pinAccess: Readonly<Record<string, UseAccess>> = {
  bit: 'ReadWrite',
  timer: 'ReadWrite',
  counter: 'ReadWrite',
  POS: 'ReadWrite',
  MB_DATA_PTR: 'ReadWrite',
  DATA_PTR: 'ReadWrite',
  CONNECT: 'ReadWrite',
}

const sectionAccess: Readonly<Record<string, UseAccess>> = {
  Input: 'Read',
  Output: 'Write',
  Return: 'Write',
  InOut: 'ReadWrite',
}

/** Adds what a network uses. */
export function addLogicUses(into: Use[], network: LogicNetwork, place: UsePlace): void {
  const operands = new Map<number, Operand>()
  const boxes = new Map<number, InstructionNode | CallNode>()
  for (const node of network.nodes) {
    if (node.kind === 'operand') operands.set(node.uId, node.operand)
    else boxes.set(node.uId, node)
  }
  const wired = new Set<number>()
  for (const { ends } of network.wires) {
    for (const [at, end] of ends.entries()) {
      if (end.kind !== 'operand') continue
      const operand = operands.get(end.uId)
      if (operand === undefined) continue
      wired.add(end.uId)
      // An operand at the beginning is read by every pin after it; elsewhere the pin at the beginning writes it.
      const pins = at === 0 ? ends.slice(1) : ends.slice(0, 1)
      const accesses = new Map<UseAccess, { uId: number; argument: UsedArgument | undefined }>()
      for (const pin of pins) {
        if (pin.kind !== 'pin') continue
        const box = boxes.get(pin.uId)
        const access = accessOf(box, pin.pin, at === 0)
        if (!accesses.has(access)) accesses.set(access, { uId: pin.uId, argument: argumentOf(box, pin.pin) })
      }
      if (accesses.size === 0) accesses.set(at === 0 ? 'Read' : 'Write', { uId: end.uId, argument: undefined })
      for (const [access, { uId, argument }] of accesses)
        addOperand(into, operand, {
          access,
          place: { ...place, uId },
          ...defined({ argument }),
        })
    }
  }
  // Unconnected operands are still in the text of the network.
  for (const [uId, operand] of operands)
    if (!wired.has(uId)) addOperand(into, operand, { access: 'Read', place: { ...place, uId } })
  for (const box of boxes.values()) addBox(into, box, { ...place, uId: box.uId })
}

function accessOf(box: InstructionNode | CallNode | undefined, pin: string, isSource: boolean): UseAccess {
  if (box?.kind === 'call') {
    const section = box.parameters.find(({ name }) => name === pin)?.section
    return sectionAccess[section ?? ''] ?? (isSource ? 'Read' : 'Write')
  }
  const own = pin === 'operand' && box !== undefined ? operandPinAccess[box.name] : pinAccess[pin]
  return own ?? (isSource ? 'Read' : 'Write')
}

/** Parameters of calls whose kind the file does not give are looked up later. */
function argumentOf(box: InstructionNode | CallNode | undefined, pin: string): UsedArgument | undefined {
  if (box?.kind !== 'call') return undefined
  const section = box.parameters.find(({ name }) => name === pin)?.section
  return section === undefined ? { callee: box.name, parameter: pin } : undefined
}

function addBox(into: Use[], box: InstructionNode | CallNode, place: UsePlace): void {
  if (box.kind === 'call') into.push({ name: box.name, path: [], text: `"${box.name}"`, access: 'Call', place })
  if (box.instance !== undefined) addInstance(into, box.instance, place)
  if (box.kind !== 'part') return
  for (const { type, value } of box.templates) {
    const name = type === 'Type' ? /"([^"]+)"/.exec(value)?.[1] : undefined
    if (name !== undefined) into.push({ name, path: [], text: value, access: 'Type', place })
  }
}
