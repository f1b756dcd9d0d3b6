/** S5 timers and counters as boxes and coils. */

import { convert } from '../../../ir/build.ts'
import type { Expression } from '../../../ir/ir.ts'
import type { InstructionNode } from '../../../model/logic-network.ts'
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

/** The time at a pin as a word in S5 format. */
function timeAt(network: NetworkValues, box: InstructionNode, pin: string): Expression | undefined {
  const operand = network.input(box, pin)
  const value = readScalar(network.context, operand, network.at(box))
  if (!value) return undefined
  const { type, expression } = value
  if (type.name === 'S5Time' || type.name === 'Word') return convert(expression, type, Word, 'bits')
  network.report(
    box,
    'wrong-operand',
    `At ${pin} of ${box.name} an S5Time is wanted, e.g. S5T#2s; this is ${type.name}.`,
  )
  return undefined
}

/**
 * Box of a timer: `s` starts it, `r` stops it; it gives the remaining time as a number, and with its unit in BCD
 * digits.
 */
function box(mode: S5TimerMode): InstructionLowering {
  return (network, box) => {
    const timer = network.s5Timer(box, 'timer')
    const start = network.flow(box, 's')
    const time = timeAt(network, box, 'tv')
    const reset = network.isConnected(box, 'r') ? network.flow(box, 'r') : undefined
    if (!timer || !start || !time) return
    network.emit(...s5Timer(network.context, mode, timer, start, time))
    if (reset) network.emit(...s5TimerReset(timer, reset))
    const state = s5State(timer)
    network.emit(...state.before)
    network.deliver(box, 'q', flowValue(state.value))
    const outputs = network.index.outputs(box.uId)
    if (!outputs.includes('rt') && !outputs.includes('rtbcd')) return
    const left = s5Value(network.context, timer)
    network.emit(...left.before)
    network.deliver(box, 'rt', { kind: 'result', type: Word, expression: left.binary })
    network.deliver(box, 'rtbcd', { kind: 'result', type: Word, expression: left.bcd })
  }
}

function coil(mode: S5TimerMode): InstructionLowering {
  return (network, box) => {
    const timer = network.s5Timer(box, 'operand')
    const flow = network.coilFlow(box)
    const time = timeAt(network, box, 'value')
    if (!timer || !flow || !time) return
    const kept = network.through(box, flow)
    network.emit(...s5Timer(network.context, mode, timer, kept, time))
    network.deliver(box, 'out', flowValue(kept))
  }
}

/** The coil R on an S5 timer or counter; returns false for any other operand. */
export function resetS5(network: NetworkValues, box: InstructionNode): boolean {
  const element = network.s5(box, 'operand')
  if (!element) return false
  const flow = network.coilFlow(box)
  if (!flow) return true
  const kept = network.settle(flow)
  network.emit(...(element.kind === 'T' ? s5TimerReset(element, kept) : s5CounterReset(element, kept)))
  network.deliver(box, 'out', flowValue(kept))
  return true
}

/** The preset of a counter as a word of three BCD digits: `C#100`. */
function presetAt(network: NetworkValues, box: InstructionNode, pin: string): Expression | undefined {
  const value = readScalar(network.context, network.input(box, pin), network.at(box))
  if (!value) return undefined
  if (value.type.bits === 16 && value.type.family !== 'real') return convert(value.expression, value.type, Word, 'bits')
  network.report(
    box,
    'wrong-operand',
    `At ${pin} of ${box.name} a Word of BCD digits is wanted, e.g. C#100; this is ${value.type.name}.`,
  )
  return undefined
}

/** Returns the counter at a pin; `undefined`: there is none, which is then reported. */
function counterAt(network: NetworkValues, box: InstructionNode, pin: string): S5Element | undefined {
  const counter = network.s5(box, pin)
  if (counter?.kind === 'C') return counter
  if (counter || network.target(box, pin).kind !== 'wrong')
    network.report(box, 'wrong-operand', `${box.name} works on an S5 counter.`)
  return undefined
}

/**
 * Box of a counter: counts at `cu` and `cd`, `s` sets it to `pv`, `r` keeps it at 0; it gives the count as a number and
 * in BCD digits.
 */
function counterBox(directions: readonly ('up' | 'down')[]): InstructionLowering {
  return (network, box) => {
    const counter = counterAt(network, box, 'counter')
    const flows = directions.map((direction) => ({
      direction,
      flow: network.flow(box, direction === 'up' ? 'cu' : 'cd'),
    }))
    const set = network.isConnected(box, 's') ? network.flow(box, 's') : undefined
    const preset = set && presetAt(network, box, 'pv')
    const reset = network.isConnected(box, 'r') ? network.flow(box, 'r') : undefined
    if (!counter) return
    for (const { direction, flow } of flows)
      if (flow) network.emit(...s5Count(counter, direction, network.settle(flow)))
    if (set && preset) network.emit(...s5CounterSet(counter, network.settle(set), preset))
    if (reset) network.emit(...s5CounterReset(counter, reset))
    const state = s5State(counter)
    const count = s5Value(network.context, counter)
    network.deliver(box, 'q', flowValue(state.value))
    network.deliver(box, 'cv', { kind: 'result', type: Word, expression: count.binary })
    network.deliver(box, 'cv_bcd', { kind: 'result', type: Word, expression: count.bcd })
  }
}

function counterCoil(direction: 'up' | 'down' | 'set'): InstructionLowering {
  return (network, box) => {
    const counter = counterAt(network, box, 'operand')
    const flow = network.coilFlow(box)
    const preset = direction === 'set' ? presetAt(network, box, 'value') : undefined
    if (!counter || !flow || (direction === 'set' && !preset)) return
    const kept = network.settle(flow)
    network.emit(...(direction === 'set' && preset ? s5CounterSet(counter, kept, preset) : []))
    if (direction !== 'set') network.emit(...s5Count(counter, direction, kept))
    network.deliver(box, 'out', flowValue(kept))
  }
}

/** Boxes of counters; names in capitals as TIA Portal and source documents write them. */
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

export const s5Boxes: Readonly<Record<string, InstructionLowering>> = Object.fromEntries([
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
