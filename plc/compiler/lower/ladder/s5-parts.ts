/** S5 timers as boxes and coils. */

import { convert } from '../../../ir/build.ts'
import type { Expression } from '../../../ir/ir.ts'
import type { InstructionNode } from '../../../model/network.ts'
import { Word } from '../../../program/scalars.ts'
import { readScalar } from '../reading.ts'
import {
  type S5Element,
  type S5TimerMode,
  s5Count,
  s5CounterReset,
  s5CounterSet,
  s5State,
  s5Timer,
  s5TimerReset,
  s5Value,
} from '../s5.ts'
import { flowValue, type InstructionLowering, type NetworkValues } from './network-values.ts'

/** The time at a pin as a word of an S5 time. */
function timeAt(graph: NetworkValues, part: InstructionNode, pin: string): Expression | undefined {
  const operand = graph.input(part, pin)
  const value = readScalar(graph.context, operand, graph.at(part))
  if (!value) return undefined
  const { type, expression } = value
  if (type.name === 'S5Time' || type.name === 'Word') return convert(expression, type, Word, 'bits')
  graph.report(
    part,
    'wrong-operand',
    `At ${pin} of ${part.name} an S5Time is wanted, e.g. S5T#2s; this is ${type.name}.`,
  )
  return undefined
}

/** Starts at `s`, stands still while `r`; the time left is given as a number and with its unit in digits. */
function box(mode: S5TimerMode): InstructionLowering {
  return (graph, part) => {
    const timer = graph.s5Timer(part, 'timer')
    const start = graph.flow(part, 's')
    const time = timeAt(graph, part, 'tv')
    const reset = graph.isConnected(part, 'r') ? graph.flow(part, 'r') : undefined
    if (!timer || !start || !time) return
    graph.emit(...s5Timer(graph.context, mode, timer, start, time))
    if (reset) graph.emit(...s5TimerReset(timer, reset))
    const state = s5State(timer)
    graph.emit(...state.before)
    graph.deliver(part, 'q', flowValue(state.value))
    const outputs = graph.index.outputs(part.uId)
    if (!outputs.includes('rt') && !outputs.includes('rtbcd')) return
    const left = s5Value(graph.context, timer)
    graph.emit(...left.before)
    graph.deliver(part, 'rt', { kind: 'result', type: Word, expression: left.binary })
    graph.deliver(part, 'rtbcd', { kind: 'result', type: Word, expression: left.bcd })
  }
}

function coil(mode: S5TimerMode): InstructionLowering {
  return (graph, part) => {
    const timer = graph.s5Timer(part, 'operand')
    const flow = graph.coilFlow(part)
    const time = timeAt(graph, part, 'value')
    if (!timer || !flow || !time) return
    const kept = graph.through(part, flow)
    graph.emit(...s5Timer(graph.context, mode, timer, kept, time))
    graph.deliver(part, 'out', flowValue(kept))
  }
}

/** The coil R on an S5 timer or counter; false when its operand is something else. */
export function resetS5(graph: NetworkValues, part: InstructionNode): boolean {
  const element = graph.s5(part, 'operand')
  if (!element) return false
  const flow = graph.coilFlow(part)
  if (!flow) return true
  const kept = graph.settle(flow)
  graph.emit(...(element.kind === 'T' ? s5TimerReset(element, kept) : s5CounterReset(element, kept)))
  graph.deliver(part, 'out', flowValue(kept))
  return true
}

/** The preset of a counter as a word of three BCD digits: `C#100`. */
function presetAt(graph: NetworkValues, part: InstructionNode, pin: string): Expression | undefined {
  const value = readScalar(graph.context, graph.input(part, pin), graph.at(part))
  if (!value) return undefined
  if (value.type.bits === 16 && value.type.family !== 'real') return convert(value.expression, value.type, Word, 'bits')
  graph.report(
    part,
    'wrong-operand',
    `At ${pin} of ${part.name} a Word of BCD digits is wanted, e.g. C#100; this is ${value.type.name}.`,
  )
  return undefined
}

/** The counter at a pin; `undefined`: there is none, which was reported. */
function counterAt(graph: NetworkValues, part: InstructionNode, pin: string): S5Element | undefined {
  const counter = graph.s5(part, pin)
  if (counter?.kind === 'C') return counter
  if (counter || graph.target(part, pin).kind !== 'wrong')
    graph.report(part, 'wrong-operand', `${part.name} works on an S5 counter.`)
  return undefined
}

/** Counts at `cu` and `cd`, is set at `s` to `pv`, stands at 0 while `r`; the count is given as a number and in digits. */
function counterBox(directions: readonly ('up' | 'down')[]): InstructionLowering {
  return (graph, part) => {
    const counter = counterAt(graph, part, 'counter')
    const flows = directions.map((direction) => ({
      direction,
      flow: graph.flow(part, direction === 'up' ? 'cu' : 'cd'),
    }))
    const set = graph.isConnected(part, 's') ? graph.flow(part, 's') : undefined
    const preset = set && presetAt(graph, part, 'pv')
    const reset = graph.isConnected(part, 'r') ? graph.flow(part, 'r') : undefined
    if (!counter) return
    for (const { direction, flow } of flows) if (flow) graph.emit(...s5Count(counter, direction, graph.settle(flow)))
    if (set && preset) graph.emit(...s5CounterSet(counter, graph.settle(set), preset))
    if (reset) graph.emit(...s5CounterReset(counter, reset))
    const state = s5State(counter)
    const count = s5Value(graph.context, counter)
    graph.deliver(part, 'q', flowValue(state.value))
    graph.deliver(part, 'cv', { kind: 'result', type: Word, expression: count.binary })
    graph.deliver(part, 'cv_bcd', { kind: 'result', type: Word, expression: count.bcd })
  }
}

function counterCoil(direction: 'up' | 'down' | 'set'): InstructionLowering {
  return (graph, part) => {
    const counter = counterAt(graph, part, 'operand')
    const flow = graph.coilFlow(part)
    const preset = direction === 'set' ? presetAt(graph, part, 'value') : undefined
    if (!counter || !flow || (direction === 'set' && !preset)) return
    const kept = graph.settle(flow)
    graph.emit(...(direction === 'set' && preset ? s5CounterSet(counter, kept, preset) : []))
    if (direction !== 'set') graph.emit(...s5Count(counter, direction, kept))
    graph.deliver(part, 'out', flowValue(kept))
  }
}

/** Boxes of counters; in capitals as TIA Portal writes them at the box, and as source documents do. */
const counterBoxes = (
  [
    ['S_CU', ['up']],
    ['S_CD', ['down']],
    ['S_CUD', ['up', 'down']],
  ] as const
).flatMap(([name, directions]): [string, InstructionLowering][] => {
  const lowering = counterBox(directions)
  return [
    [name, lowering],
    [`S_C${name.slice(3).toLowerCase()}`, lowering],
  ]
})

export const s5Parts: Readonly<Record<string, InstructionLowering>> = Object.fromEntries([
  ...counterBoxes,
  ['CuCoil', counterCoil('up')] as const,
  ['CdCoil', counterCoil('down')] as const,
  ['ScCoil', counterCoil('set')] as const,
  ...(['SP', 'SE', 'SD', 'SS', 'SF'] as const).flatMap((mode) => {
    const name = `S${mode.slice(1).toLowerCase()}`
    return [
      [name, box(mode)],
      [`${name}Coil`, coil(mode)],
    ]
  }),
])
