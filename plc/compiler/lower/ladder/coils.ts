/** Coils, flip-flops, coils of timers, jumps and returns. */

import { binary, constant, isFalse, isTrue, not, when } from '../../../ir/build.ts'
import type { Expression, Place, Statement } from '../../../ir/ir.ts'
import type { InstructionNode } from '../../../model/logic-network.ts'
import { operandText } from '../../../model/operand-text.ts'
import { countOf, extentOf } from '../../../program/layout.ts'
import { defaultAreas } from '../../../program/memory-areas.ts'
import { Bool, DInt } from '../../../program/scalars.ts'
import { typeName } from '../../../program/type-name.ts'
import { assign } from '../assignments.ts'
import { callFunction } from '../calls.ts'
import { findInstruction } from '../instructions.ts'
import { lowerPath } from '../model-operand.ts'
import { wholeVariable } from '../operands.ts'
import { requireWritable } from '../reading.ts'
import { isTimer } from '../system-functions.ts'
import { callSystemInstance } from '../system-instances.ts'
import type { Operand, Variable } from '../values.ts'
import { edge } from './contacts.ts'
import { flowValue, type InstructionLowering, type NetworkValues } from './network-values.ts'
import { resetS5 } from './s5-boxes.ts'

/** `target := value` when there is flow. */
function setWhen(
  network: NetworkValues,
  box: InstructionNode,
  flow: Expression,
  target: Operand,
  value: Expression,
): void {
  const at = network.at(box)
  const statements = assign(network.context, target, flowValue(value), at, at)
  network.emit(...conditional(network, box, flow, statements))
}

/** Statements that run when there is flow to a box or coil. */
export function conditional(
  network: NetworkValues,
  box: InstructionNode,
  flow: Expression,
  statements: readonly Statement[],
): readonly Statement[] {
  if (flow.kind === 'constant') return flow.value === 1n ? statements : []
  return statements.length === 0 ? [] : [network.context.noted(when(flow, statements), network.at(box), box.name)]
}

const assignCoil: InstructionLowering = (network, box) => {
  const flow = network.coilFlow(box)
  const target = network.target(box, 'operand')
  if (!flow) return
  const value = network.through(box, flow)
  network.write(box, target, flowValue(box.negated.includes('operand') ? not(value) : value))
  network.deliver(box, 'out', flowValue(value))
}

function storeCoil(value: Expression): InstructionLowering {
  return (network, box) => {
    const flow = network.coilFlow(box)
    const target = network.target(box, 'operand')
    if (!flow) return
    const kept = network.through(box, flow)
    setWhen(network, box, kept, target, value)
    network.deliver(box, 'out', flowValue(kept))
  }
}

const storeFalse = storeCoil(isFalse)

/** Resets a Bool, or an S5 timer or counter. */
const resetCoil: InstructionLowering = (network, box) => {
  if (!resetS5(network, box)) storeFalse(network, box)
}

/** Size in bytes of the area or data block that contains a place; 0 when its end is not known. */
function bytesAround({ context }: NetworkValues, { base }: Place): number {
  if (base.kind === 'area') {
    if (base.area === 'M') return defaultAreas.M
    return base.area === 'T' || base.area === 'C' ? 0 : defaultAreas.Q
  }
  const block = base.kind === 'block' ? context.program.blocks.get(base.block.toLowerCase()) : undefined
  return block?.type ? extentOf(block.type, block.access).size : 0
}

type Element = NonNullable<Variable['element']>

/**
 * The smaller of `count` and the number of elements from one on: SET_BF works on the bits that there are (TIA help V19,
 * "SET_BF", bit fields of the type ARRAY).
 */
function atMost(network: NetworkValues, count: number, { of, number, limits }: Element): Expression {
  const wanted = constant(DInt, BigInt(count))
  // Of an Array[*] the end is known when it runs: FILL_BLK then says what is too much.
  if (limits) return wanted
  const rest = network.settle(binary('subtract', DInt, constant(DInt, BigInt(countOf(of))), number), DInt)
  return {
    kind: 'select',
    type: DInt,
    condition: binary('less', DInt, rest, wanted),
    whenTrue: rest,
    otherwise: wanted,
  }
}

/**
 * The bits of a structure from the operand on, as many as there are; `undefined`: the operand is no member of one (TIA
 * help V19, "SET_BF", bit fields of the type STRUCT).
 */
function structureField(
  network: NetworkValues,
  box: InstructionNode,
  count: number,
  value: Expression,
): readonly Statement[] | undefined {
  const { context } = network
  const operand = network.index.operandAt(box.uId, 'operand')
  if (operand?.kind !== 'symbol' || operand.path.length < 2) return undefined
  const at = network.at(box)
  const [outer, last] = [operand.path.slice(0, -1), operand.path.at(-1)!]
  const isMember = last.indices === undefined && last.slice === undefined
  const around = isMember ? lowerPath(context, operand.scope, outer, at) : undefined
  if (around?.kind !== 'variable' || around.type.kind !== 'struct') return undefined
  const { members } = around.type
  const first = members.findIndex(({ name }) => name.toLowerCase() === last.name.toLowerCase())
  const others = members.slice(first).findIndex(({ type }) => type !== Bool)
  const bits = members.slice(first, others < 0 ? undefined : first + others).slice(0, count)
  return bits.flatMap(({ name }) => {
    const bit = lowerPath(context, operand.scope, [...outer, { name }], at)
    return assign(context, bit, { kind: 'result', type: Bool, expression: value }, at, at)
  })
}

/**
 * Sets `n` bits from the operand on (an element of an array of Bool, or an address) to `value`; `undefined`: there is a
 * fault, which is then reported.
 */
function bitField(network: NetworkValues, box: InstructionNode, value: Expression): readonly Statement[] | undefined {
  const at = network.at(box)
  const target = network.target(box, 'operand')
  const count = network.input(box, 'n')
  if (target.kind === 'wrong' || count.kind === 'wrong') return undefined
  const number = count.kind === 'constant' ? Number(count.value) : Number.NaN
  if (!(number >= 1 && number <= 65_535)) {
    network.report(box, 'wrong-operand', `At n of ${box.name} the number of bits is wanted, a constant from 1 on.`)
    return undefined
  }
  if (target.kind === 'variable' && target.element) {
    const inArray: Operand = { kind: 'result', type: DInt, expression: atMost(network, number, target.element) }
    const given = [
      { name: 'IN', isOutput: false, operand: flowValue(value), at },
      { name: 'COUNT', isOutput: false, operand: inArray, at },
      { name: 'OUT', isOutput: true, operand: target, at },
    ]
    return findInstruction('FILL_BLK')?.({ context: network.context, name: 'FILL_BLK', at, arguments: given })
      .statements
  }
  const inStructure = structureField(network, box, number, value)
  if (inStructure) return inStructure
  if (target.kind === 'variable' && target.at.kind === 'place' && target.at.place.bit !== undefined) {
    const { place } = target.at
    const first = place.offset * 8 + (place.bit ?? 0)
    if (place.indices.length > 0 || Math.ceil((first + number) / 8) > bytesAround(network, place)) {
      const message = `${number} bits from ${target.text} on lie outside of what they are part of.`
      network.report(box, 'address-outside', message)
      return undefined
    }
    const site = network.context.site(at)
    return Array.from({ length: number }, (_one, i): Statement => {
      const bit = first + i
      return { kind: 'store', type: Bool, place: { ...place, offset: bit >> 3, bit: bit & 7 }, value, site }
    })
  }
  network.report(
    box,
    'wrong-operand',
    `${box.name} works on an element of an array of Bool, a Bool of a structure, or an address.`,
  )
  return undefined
}

/** SET_BF and RESET_BF as coils. */
function bitFieldCoil(value: Expression): InstructionLowering {
  return (network, box) => {
    const flow = network.coilFlow(box)
    const kept = flow && network.through(box, flow)
    const statements = bitField(network, box, value)
    if (!kept) return
    network.emit(...conditional(network, box, kept, statements ?? []))
    network.deliver(box, 'out', flowValue(kept))
  }
}

/** SET_BF and RESET_BF as boxes with EN. */
function bitFieldBox(value: Expression): InstructionLowering {
  return (network, box) =>
    network.enabled(box, { cannotFail: true }, () => network.emit(...(bitField(network, box, value) ?? [])))
}

/** `---(CALL)`: calls a function without parameters when there is flow. */
const callCoil: InstructionLowering = (network, box) => {
  const flow = network.coilFlow(box)
  const called = network.target(box, 'block')
  if (!flow || called.kind === 'wrong') return
  if (called.kind !== 'block' || called.block.kind !== 'FC') {
    network.report(box, 'not-callable', 'The coil CALL names a function.', 'Call function blocks with a box.')
    return
  }
  const at = network.at(box)
  network.emit(...conditional(network, box, flow, callFunction(network.context, called.block, [], at).statements))
}

/** The operand is TRUE for one cycle when the flow begins or ends. */
function edgeCoil(isRising: boolean): InstructionLowering {
  return (network, box) => {
    const flow = network.coilFlow(box)
    const kept = flow && network.settle(flow)
    const value = edge(network, box, kept, isRising)
    const target = network.target(box, 'operand')
    if (!value || !kept) return
    network.write(box, target, flowValue(value))
    network.deliver(box, 'out', flowValue(kept))
  }
}

/** SR: reset wins. RS: set wins. The dominant input is evaluated last. */
function flipFlop(set: string, reset: string, isSetDominant: boolean): InstructionLowering {
  return (network, box) => {
    const [s, r] = [network.flow(box, set), network.flow(box, reset)]
    const target = network.target(box, 'operand')
    if (!s || !r || !requireWritable(network.context, target, network.at(box))) return
    const [first, second] = isSetDominant ? [r, s] : [s, r]
    const [one, two] = [network.settle(first), network.settle(second)]
    setWhen(network, box, one, target, isSetDominant ? isFalse : isTrue)
    setWhen(network, box, two, target, isSetDominant ? isTrue : isFalse)
    network.deliver(box, 'q', target)
  }
}

/** The coil of a timer: like its box, but the timer is the operand. */
function timerCoil(instruction: string): InstructionLowering {
  return (network, box) => {
    const { context } = network
    const at = network.at(box)
    const flow = network.coilFlow(box)
    const value = network.input(box, 'value')
    const operand = network.target(box, 'operand')
    const timer = wholeVariable(operand)
    if (!flow || operand.kind === 'wrong' || value.kind === 'wrong') return
    if (!timer || !isTimer(timer.type)) {
      const of = timer ? `, not ${typeName(timer.type)}` : ''
      context.report('wrong-operand', at, `${box.name} works on an IEC timer${of}.`)
      return
    }
    const kept = network.settle(flow)
    const given = [
      { name: 'IN', isOutput: false, operand: flowValue(kept), at },
      { name: 'PT', isOutput: false, operand: value, at },
    ]
    network.emit(...callSystemInstance(context, timer, instruction, given, at).statements)
    network.deliver(box, 'out', flowValue(kept))
  }
}

/** RT and PT: run while there is flow. */
function timerService(instruction: 'RESET_TIMER' | 'PRESET_TIMER'): InstructionLowering {
  return (network, box) => {
    const at = network.at(box)
    const flow = network.coilFlow(box)
    const timer = { name: 'TIMER', isOutput: false, operand: network.target(box, 'operand'), at }
    const preset =
      instruction === 'PRESET_TIMER' ? [{ name: 'PT', isOutput: false, operand: network.input(box, 'value'), at }] : []
    const called = findInstruction(instruction)?.({
      context: network.context,
      name: instruction,
      at,
      arguments: [...preset, timer],
    })
    if (!flow || !called) return
    const kept = network.through(box, flow)
    network.emit(...conditional(network, box, kept, called.statements))
    network.deliver(box, 'out', flowValue(kept))
  }
}

function jump(isInverted: boolean): InstructionLowering {
  return (network, box) => {
    const flow = network.coilFlow(box)
    const label = network.index.operandAt(box.uId, 'label')
    if (label?.kind !== 'label') {
      const text = label ? operandText(label) : 'nothing'
      network.report(box, 'no-label', `A jump needs a label; ${text} is given.`)
      return
    }
    const target = network.surroundings.jumps?.get(label.name.toUpperCase())
    if (!target) {
      const hint = 'A label stands at the beginning of a network.'
      network.report(box, 'no-label', `There is no label ${label.name} in "${network.context.block.name}".`, hint)
      return
    }
    if (flow) network.emit(...conditional(network, box, isInverted ? inverted(flow) : flow, [target]))
  }
}

function inverted(flow: Expression): Expression {
  return flow.kind === 'constant' ? (flow.value === 1n ? isFalse : isTrue) : not(flow)
}

/** Leaves the block and sets its ENO. */
function leave(eno: (network: NetworkValues, box: InstructionNode) => Expression | undefined): InstructionLowering {
  return (network, box) => {
    const flow = network.coilFlow(box)
    const value = eno(network, box)
    if (flow && value)
      network.emit(...conditional(network, box, flow, [{ kind: 'setEno', value }, network.context.returns()]))
  }
}

function condition(name: 'TrCoil' | 'SvCoil' | 'IlCoil'): InstructionLowering {
  return (network, box) => {
    const flow = network.coilFlow(box)
    const { condition: use } = network.surroundings
    if (!use) network.report(box, 'unknown-part', `${name} stands only in the conditions of a GRAPH block.`)
    else if (flow) network.emit(...use(name, network.settle(flow)))
  }
}

export const coils: Readonly<Record<string, InstructionLowering>> = {
  Coil: assignCoil,
  SCoil: storeCoil(isTrue),
  RCoil: resetCoil,
  SET_BF: bitFieldCoil(isTrue),
  RESET_BF: bitFieldCoil(isFalse),
  SetBF: bitFieldCoil(isTrue),
  ResetBF: bitFieldCoil(isFalse),
  SBitfield: bitFieldBox(isTrue),
  RBitfield: bitFieldBox(isFalse),
  FcCoil: callCoil,
  PCoil: edgeCoil(true),
  NCoil: edgeCoil(false),
  Sr: flipFlop('s', 'r1', false),
  Rs: flipFlop('s1', 'r', true),
  CoilTON: timerCoil('TON'),
  CoilTOF: timerCoil('TOF'),
  CoilTP: timerCoil('TP'),
  CoilTONR: timerCoil('TONR'),
  ResetIECTimerCoil: timerService('RESET_TIMER'),
  PresetIECTimerCoil: timerService('PRESET_TIMER'),
  Jump: jump(false),
  JumpNot: jump(true),
  Return: leave(() => isTrue),
  ReturnTrue: leave(() => isTrue),
  ReturnFalse: leave(() => isFalse),
  ReturnValue: leave((network, box) => network.flow(box, 'operand')),
  TrCoil: condition('TrCoil'),
  SvCoil: condition('SvCoil'),
  IlCoil: condition('IlCoil'),
}
