/** Coils, flip-flops, coils of timers, jumps and returns. */

import { isFalse, isTrue, not, when } from '../../../ir/build.ts'
import type { Expression, Place, Statement } from '../../../ir/ir.ts'
import type { InstructionNode } from '../../../model/network.ts'
import { operandText } from '../../../model/operand-text.ts'
import { extentOf } from '../../../program/layout.ts'
import { defaultAreas } from '../../../program/memory-areas.ts'
import { Bool } from '../../../program/scalars.ts'
import { typeName } from '../../../program/type-name.ts'
import { callFunction } from '../calls.ts'
import { findInstruction } from '../instructions.ts'
import { wholeVariable } from '../operands.ts'
import { assign, requireWritable } from '../reading.ts'
import { callSystemInstance, isTimer } from '../system-instances.ts'
import type { Operand } from '../values.ts'
import { edge } from './flow-parts.ts'
import { flowValue, type InstructionLowering, type NetworkValues } from './network-values.ts'
import { resetS5 } from './s5-parts.ts'

/** `target := value` where the flow is there. */
function setWhen(
  graph: NetworkValues,
  part: InstructionNode,
  flow: Expression,
  target: Operand,
  value: Expression,
): void {
  const at = graph.at(part)
  const statements = assign(graph.context, target, flowValue(value), at, at)
  graph.emit(...conditional(flow, statements))
}

/** Statements that are done when the flow is there. */
export function conditional(flow: Expression, statements: readonly Statement[]): readonly Statement[] {
  if (flow.kind === 'constant') return flow.value === 1n ? statements : []
  return statements.length === 0 ? [] : [when(flow, statements)]
}

const assignCoil: InstructionLowering = (graph, part) => {
  const flow = graph.coilFlow(part)
  const target = graph.target(part, 'operand')
  if (!flow) return
  const value = graph.through(part, flow)
  graph.write(part, target, flowValue(part.negated.includes('operand') ? not(value) : value))
  graph.deliver(part, 'out', flowValue(value))
}

function storeCoil(value: Expression): InstructionLowering {
  return (graph, part) => {
    const flow = graph.coilFlow(part)
    const target = graph.target(part, 'operand')
    if (!flow) return
    const kept = graph.through(part, flow)
    setWhen(graph, part, kept, target, value)
    graph.deliver(part, 'out', flowValue(kept))
  }
}

const storeFalse = storeCoil(isFalse)

/** Resets a Bool, or an S5 timer or counter. */
const resetCoil: InstructionLowering = (graph, part) => {
  if (!resetS5(graph, part)) storeFalse(graph, part)
}

/** Bytes of the area or data block that a place lies in; 0 where its end is not known. */
function bytesAround({ context }: NetworkValues, { base }: Place): number {
  if (base.kind === 'area') {
    if (base.area === 'M') return defaultAreas.M
    return base.area === 'T' || base.area === 'C' ? 0 : defaultAreas.Q
  }
  const block = base.kind === 'block' ? context.program.blocks.get(base.block.toLowerCase()) : undefined
  return block?.type ? extentOf(block.type, block.access).size : 0
}

/** `n` bits from the operand on, an element of an array of Bool or an address, become `value`; `undefined`: what is wrong was reported. */
function bitField(graph: NetworkValues, part: InstructionNode, value: Expression): readonly Statement[] | undefined {
  const at = graph.at(part)
  const target = graph.target(part, 'operand')
  const count = graph.input(part, 'n')
  if (target.kind === 'wrong' || count.kind === 'wrong') return undefined
  const number = count.kind === 'constant' ? Number(count.value) : Number.NaN
  if (!(number >= 1 && number <= 65_535)) {
    graph.report(part, 'wrong-operand', `At n of ${part.name} the number of bits is wanted, a constant from 1 on.`)
    return undefined
  }
  if (target.kind === 'variable' && target.element) {
    const given = [
      { name: 'IN', isOutput: false, operand: flowValue(value), at },
      { name: 'COUNT', isOutput: false, operand: count, at },
      { name: 'OUT', isOutput: true, operand: target, at },
    ]
    return findInstruction('FILL_BLK')?.({ context: graph.context, name: 'FILL_BLK', at, arguments: given }).statements
  }
  if (target.kind === 'variable' && target.at.kind === 'place' && target.at.place.bit !== undefined) {
    const { place } = target.at
    const first = place.offset * 8 + (place.bit ?? 0)
    if (place.indices.length > 0 || Math.ceil((first + number) / 8) > bytesAround(graph, place)) {
      const message = `${number} bits from ${target.text} on lie outside of what they are part of.`
      graph.report(part, 'address-outside', message)
      return undefined
    }
    const site = graph.context.site(at)
    return Array.from({ length: number }, (_one, i): Statement => {
      const bit = first + i
      return { kind: 'store', type: Bool, place: { ...place, offset: bit >> 3, bit: bit & 7 }, value, site }
    })
  }
  graph.report(part, 'wrong-operand', `${part.name} works on an element of an array of Bool, or on an address.`)
  return undefined
}

/** SET_BF and RESET_BF as coils. */
function bitFieldCoil(value: Expression): InstructionLowering {
  return (graph, part) => {
    const flow = graph.coilFlow(part)
    const kept = flow && graph.through(part, flow)
    const statements = bitField(graph, part, value)
    if (!kept) return
    graph.emit(...conditional(kept, statements ?? []))
    graph.deliver(part, 'out', flowValue(kept))
  }
}

/** SET_BF and RESET_BF as boxes with EN. */
function bitFieldBox(value: Expression): InstructionLowering {
  return (graph, part) =>
    graph.enabled(part, { cannotFail: true }, () => graph.emit(...(bitField(graph, part, value) ?? [])))
}

/** `---(CALL)`: calls a function without parameters where the flow is there. */
const callCoil: InstructionLowering = (graph, part) => {
  const flow = graph.coilFlow(part)
  const called = graph.target(part, 'block')
  if (!flow || called.kind === 'wrong') return
  if (called.kind !== 'block' || called.block.kind !== 'FC') {
    graph.report(part, 'not-callable', 'The coil CALL names a function.', 'Call function blocks with a box.')
    return
  }
  const at = graph.at(part)
  graph.emit(...conditional(flow, callFunction(graph.context, called.block, [], at).statements))
}

/** The operand is TRUE for the one cycle in which the flow comes or goes. */
function edgeCoil(isRising: boolean): InstructionLowering {
  return (graph, part) => {
    const flow = graph.coilFlow(part)
    const kept = flow && graph.settle(flow)
    const value = edge(graph, part, kept, isRising)
    const target = graph.target(part, 'operand')
    if (!value || !kept) return
    graph.write(part, target, flowValue(value))
    graph.deliver(part, 'out', flowValue(kept))
  }
}

/** SR: reset wins. RS: set wins. The one that wins is worked on last. */
function flipFlop(set: string, reset: string, isSetDominant: boolean): InstructionLowering {
  return (graph, part) => {
    const [s, r] = [graph.flow(part, set), graph.flow(part, reset)]
    const target = graph.target(part, 'operand')
    if (!s || !r || !requireWritable(graph.context, target, graph.at(part))) return
    const [first, second] = isSetDominant ? [r, s] : [s, r]
    const [one, two] = [graph.settle(first), graph.settle(second)]
    setWhen(graph, part, one, target, isSetDominant ? isFalse : isTrue)
    setWhen(graph, part, two, target, isSetDominant ? isTrue : isFalse)
    graph.deliver(part, 'q', target)
  }
}

/** The coil of a timer: like its box, but the timer stands as the operand. */
function timerCoil(instruction: string): InstructionLowering {
  return (graph, part) => {
    const { context } = graph
    const at = graph.at(part)
    const flow = graph.coilFlow(part)
    const value = graph.input(part, 'value')
    const operand = graph.target(part, 'operand')
    const timer = wholeVariable(operand)
    if (!flow || operand.kind === 'wrong' || value.kind === 'wrong') return
    if (!timer || !isTimer(timer.type)) {
      const of = timer ? `, not ${typeName(timer.type)}` : ''
      context.report('wrong-operand', at, `${part.name} works on an IEC timer${of}.`)
      return
    }
    const kept = graph.settle(flow)
    const given = [
      { name: 'IN', isOutput: false, operand: flowValue(kept), at },
      { name: 'PT', isOutput: false, operand: value, at },
    ]
    graph.emit(...callSystemInstance(context, timer, instruction, given, at).statements)
    graph.deliver(part, 'out', flowValue(kept))
  }
}

/** RT and PT: done while the flow is there. */
function timerService(instruction: 'RESET_TIMER' | 'PRESET_TIMER'): InstructionLowering {
  return (graph, part) => {
    const at = graph.at(part)
    const flow = graph.coilFlow(part)
    const timer = { name: 'TIMER', isOutput: false, operand: graph.target(part, 'operand'), at }
    const preset =
      instruction === 'PRESET_TIMER' ? [{ name: 'PT', isOutput: false, operand: graph.input(part, 'value'), at }] : []
    const called = findInstruction(instruction)?.({
      context: graph.context,
      name: instruction,
      at,
      arguments: [...preset, timer],
    })
    if (!flow || !called) return
    const kept = graph.through(part, flow)
    graph.emit(...conditional(kept, called.statements))
    graph.deliver(part, 'out', flowValue(kept))
  }
}

function jump(isInverted: boolean): InstructionLowering {
  return (graph, part) => {
    const flow = graph.coilFlow(part)
    const label = graph.index.operandAt(part.uId, 'label')
    if (label?.kind !== 'label') {
      const text = label ? operandText(label) : 'nothing'
      graph.report(part, 'no-label', `A jump needs a label; ${text} is given.`)
      return
    }
    const target = graph.surroundings.jumps?.get(label.name.toUpperCase())
    if (!target) {
      const hint = 'A label stands at the beginning of a network.'
      graph.report(part, 'no-label', `There is no label ${label.name} in "${graph.context.block.name}".`, hint)
      return
    }
    if (flow) graph.emit(...conditional(isInverted ? inverted(flow) : flow, [target]))
  }
}

function inverted(flow: Expression): Expression {
  return flow.kind === 'constant' ? (flow.value === 1n ? isFalse : isTrue) : not(flow)
}

/** Leaves the block; its ENO says how it went. */
function leave(eno: (graph: NetworkValues, part: InstructionNode) => Expression | undefined): InstructionLowering {
  return (graph, part) => {
    const flow = graph.coilFlow(part)
    const value = eno(graph, part)
    if (flow && value) graph.emit(...conditional(flow, [{ kind: 'setEno', value }, graph.context.returns()]))
  }
}

function condition(name: 'TrCoil' | 'SvCoil' | 'IlCoil'): InstructionLowering {
  return (graph, part) => {
    const flow = graph.coilFlow(part)
    const { condition: use } = graph.surroundings
    if (!use) graph.report(part, 'unknown-part', `${name} stands only in the conditions of a GRAPH block.`)
    else if (flow) graph.emit(...use(name, graph.settle(flow)))
  }
}

export const coilParts: Readonly<Record<string, InstructionLowering>> = {
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
  ReturnValue: leave((graph, part) => graph.flow(part, 'operand')),
  TrCoil: condition('TrCoil'),
  SvCoil: condition('SvCoil'),
  IlCoil: condition('IlCoil'),
}
