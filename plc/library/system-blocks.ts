/**
 * Timers, counters and edges as functions of the intermediate form: compiled once and linked where they are called, so
 * that a call never leaves WebAssembly. Rules: docs/plc-semantics.md#timers, docs/plc-semantics.md#counters,
 * docs/plc-semantics.md#edges.
 *
 * A function takes the address of the instance and the values of the inputs. Its name contains everything it depends
 * on: what it does, the type it counts or measures in, the layout of the instance, and the offsets of its members:
 * `$TON:Time:optimized:0,4,8,12,13,14`. So the linker can make it from its name alone, and equal instances share one
 * function.
 */

import {
  and,
  behind,
  binary,
  constant,
  convert,
  isFalse,
  isTrue,
  load,
  local,
  not,
  setLocal,
  store,
  when,
} from '../ir/build.ts'
import type { BlockCode, Expression, Place, Statement } from '../ir/ir.ts'
import { Bool, DInt, LInt, rangeOf, scalarNamed } from '../program/scalars.ts'
import type { ScalarType } from '../program/type.ts'
import { s5Functions } from './s5-blocks.ts'
import { textBlock } from './text-blocks.ts'

/** The purpose of a member of an instance, and the names that members with that purpose have. */
export interface Role {
  readonly names: readonly string[]
  /** `T` is the type that the instruction counts or measures in. */
  readonly type: 'Bool' | 'T'
}

/** A library function: the members it works on in the order of its name, and its inputs. */
export interface SystemFunction {
  readonly roles: readonly Role[]
  /** Inputs, passed by value in this order. */
  readonly inputs: readonly { readonly name: string; readonly type: 'Bool' | 'T' }[]
  body(parts: Parts): Statement[]
}

interface Parts {
  readonly type: ScalarType
  readonly members: readonly Place[]
  readonly inputs: readonly Expression[]
  /** Takes a register. */
  take(type: ScalarType): number
}

const bool = (...names: string[]): Role => ({ names, type: 'Bool' })
const counted = (...names: string[]): Role => ({ names, type: 'T' })

const timerRoles = [counted('ST', 'START'), counted('PT', 'PRESET'), counted('ET', 'ELAPSED')].concat([
  bool('RU', 'RUNNING'),
  bool('IN'),
  bool('Q'),
  bool('IN_OLD'),
])

interface Timer {
  readonly start: Place
  readonly preset: Place
  readonly elapsed: Place
  readonly running: Place
  readonly input: Place
  readonly output: Place
  /** The input at the last call, stored apart because programs may write to the input itself. */
  readonly before: Place
}

function timerOf({ members }: Parts): Timer {
  // One place for each member that is declared above, in that order.
  const [start, preset, elapsed, running, input, output, before] = members as unknown as readonly [
    Place,
    Place,
    Place,
    Place,
    Place,
    Place,
    Place,
  ]
  return { start, preset, elapsed, running, input, output, before }
}

/** The clock in the unit of the type: milliseconds that wrap after 49 days, or nanoseconds. */
function nowIn(type: ScalarType): Expression {
  const now: Expression = { kind: 'now' }
  if (type.bits === 64) return convert(now, LInt, type)
  return convert(binary('divide', LInt, now, constant(LInt, 1_000_000n)), LInt, type)
}

function zero(type: ScalarType): Expression {
  return constant(type, 0n)
}

/**
 * Updates a running timer. The elapsed time is the distance on the clock as an unsigned number, so the wrap of the
 * clock does not matter. At the preset the timer stops and its output changes: TON and TONR switch on, TOF and TP off.
 */
function update(parts: Parts): Statement[] {
  const { type } = parts
  const timer = timerOf(parts)
  const unsigned: ScalarType = { ...type, isSigned: false }
  const elapsed = parts.take(unsigned)
  const since = binary('subtract', unsigned, nowIn(type), load(type, timer.start))
  const preset = load(type, timer.preset)
  return [
    when(load(Bool, timer.running), [
      setLocal(elapsed, since),
      when(
        binary('greaterOrEqual', unsigned, local(unsigned, elapsed), preset),
        [
          store(type, timer.elapsed, preset),
          store(Bool, timer.running, isFalse),
          store(Bool, timer.output, not(load(Bool, timer.output))),
        ],
        [store(type, timer.elapsed, local(type, elapsed))],
      ),
    ]),
  ]
}

/** Starts the timer with `elapsed` already passed; a timer with nothing to wait for is done at once. */
function begin(parts: Parts, preset: Expression, from: Expression, outputWhileRunning: boolean): Statement[] {
  const { type } = parts
  const timer = timerOf(parts)
  return [
    store(type, timer.preset, binary('maximum', type, preset, zero(type))),
    store(type, timer.start, binary('subtract', type, nowIn(type), from)),
    store(Bool, timer.running, isTrue),
    store(Bool, timer.output, outputWhileRunning ? isTrue : isFalse),
    ...update(parts),
  ]
}

function reset(parts: Parts, output: Expression): Statement[] {
  const timer = timerOf(parts)
  return [
    store(parts.type, timer.elapsed, zero(parts.type)),
    store(Bool, timer.running, isFalse),
    store(Bool, timer.output, output),
  ]
}

function timer(
  name: 'IN,PT' | 'IN,R,PT',
  rules: (parts: Parts, timer: Timer, input: Expression, preset: Expression, resetInput: Expression) => Statement[],
): SystemFunction {
  const inputs = name.split(',').map((one) => ({ name: one, type: one === 'PT' ? ('T' as const) : ('Bool' as const) }))
  return {
    roles: timerRoles,
    inputs,
    body(parts) {
      const own = timerOf(parts)
      const input = parts.inputs[0] as Expression
      const preset = parts.inputs.at(-1) as Expression
      return [
        ...update(parts),
        ...rules(parts, own, input, preset, inputs.length === 3 ? (parts.inputs[1] as Expression) : isFalse),
        store(Bool, own.input, input),
        store(Bool, own.before, input),
        // A later call may leave PT out: its value is stored, unless a running timer keeps its own.
        when(not(load(Bool, own.running)), [
          store(parts.type, own.preset, binary('maximum', parts.type, preset, zero(parts.type))),
        ]),
      ]
    },
  }
}

const ton = timer('IN,PT', (parts, { before, elapsed }, input, preset) => [
  when(
    input,
    [
      when(not(load(Bool, before)), [
        store(parts.type, elapsed, zero(parts.type)),
        ...begin(parts, preset, zero(parts.type), false),
      ]),
    ],
    reset(parts, isFalse),
  ),
])

const tof = timer('IN,PT', (parts, { before, elapsed }, input, preset) => [
  when(input, reset(parts, isTrue), [
    when(load(Bool, before), [
      store(parts.type, elapsed, zero(parts.type)),
      ...begin(parts, preset, zero(parts.type), true),
    ]),
  ]),
])

/** A pulse is neither extended nor cut: the input counts only when no pulse runs. */
const tp = timer('IN,PT', (parts, { before, running, elapsed }, input, preset) => [
  when(not(load(Bool, running)), [
    when(
      input,
      [
        when(not(load(Bool, before)), [
          store(parts.type, elapsed, zero(parts.type)),
          ...begin(parts, preset, zero(parts.type), true),
        ]),
      ],
      reset(parts, isFalse),
    ),
  ]),
])

/** Keeps its elapsed time while the input is off; a new preset counts from the next resume on. */
const tonr = timer('IN,R,PT', (parts, { running, output, elapsed }, input, preset, resetInput) => [
  when(
    resetInput,
    [...reset(parts, isFalse)],
    [
      when(
        input,
        [
          when(and(not(load(Bool, running)), not(load(Bool, output))), [
            ...begin(parts, preset, load(parts.type, elapsed), false),
          ]),
        ],
        [store(Bool, running, isFalse)],
      ),
    ],
  ),
])

/** RESET_TIMER, the RT coil: sets all parts of the timer except its preset to 0. */
const resetTimer: SystemFunction = {
  roles: timerRoles,
  inputs: [],
  body(parts) {
    const own = timerOf(parts)
    return [
      store(parts.type, own.start, zero(parts.type)),
      ...reset(parts, isFalse),
      store(Bool, own.input, isFalse),
      store(Bool, own.before, isFalse),
    ]
  },
}

/** PRESET_TIMER, the PT coil: the new time is valid at once, also for a running timer. */
const presetTimer: SystemFunction = {
  roles: timerRoles,
  inputs: [{ name: 'PT', type: 'T' }],
  body(parts) {
    const preset = binary('maximum', parts.type, parts.inputs[0] as Expression, zero(parts.type))
    return [...update(parts), store(parts.type, timerOf(parts).preset, preset)]
  },
}

function countUp(parts: Parts, value: Place): Statement {
  const [, high] = rangeOf(parts.type) as readonly [bigint, bigint]
  const { type } = parts
  const now = load(type, value)
  return when(binary('less', type, now, constant(type, high)), [
    store(type, value, binary('add', type, now, constant(type, 1n))),
  ])
}

function countDown(parts: Parts, value: Place): Statement {
  const [low] = rangeOf(parts.type) as readonly [bigint, bigint]
  const { type } = parts
  const now = load(type, value)
  return when(binary('greater', type, now, constant(type, low)), [
    store(type, value, binary('subtract', type, now, constant(type, 1n))),
  ])
}

function reachedPreset({ type }: Parts, value: Place, preset: Expression): Expression {
  return binary('greaterOrEqual', type, load(type, value), preset)
}

function isAtZero({ type }: Parts, value: Place): Expression {
  return binary('lessOrEqual', type, load(type, value), zero(type))
}

const ctu: SystemFunction = {
  roles: [bool('CU_OLD'), bool('R'), bool('Q', 'QU'), counted('PV'), counted('CV'), bool('CU')],
  inputs: [
    { name: 'CU', type: 'Bool' },
    { name: 'R', type: 'Bool' },
    { name: 'PV', type: 'T' },
  ],
  body(parts) {
    const [before, resetPlace, output, preset, value, input] = parts.members as [
      Place,
      Place,
      Place,
      Place,
      Place,
      Place,
    ]
    const [up, resets, limit] = parts.inputs as [Expression, Expression, Expression]
    return [
      when(
        resets,
        [store(parts.type, value, zero(parts.type))],
        [when(and(up, not(load(Bool, before))), [countUp(parts, value)])],
      ),
      store(Bool, before, up),
      store(Bool, input, up),
      store(Bool, resetPlace, resets),
      store(parts.type, preset, limit),
      store(Bool, output, reachedPreset(parts, value, limit)),
    ]
  },
}

const ctd: SystemFunction = {
  roles: [bool('CD_OLD'), bool('LD'), bool('Q', 'QD'), counted('PV'), counted('CV'), bool('CD')],
  inputs: [
    { name: 'CD', type: 'Bool' },
    { name: 'LD', type: 'Bool' },
    { name: 'PV', type: 'T' },
  ],
  body(parts) {
    const [before, loadPlace, output, preset, value, input] = parts.members as [
      Place,
      Place,
      Place,
      Place,
      Place,
      Place,
    ]
    const [down, loads, limit] = parts.inputs as [Expression, Expression, Expression]
    return [
      when(
        loads,
        [store(parts.type, value, limit)],
        [when(and(down, not(load(Bool, before))), [countDown(parts, value)])],
      ),
      store(Bool, before, down),
      store(Bool, input, down),
      store(Bool, loadPlace, loads),
      store(parts.type, preset, limit),
      store(Bool, output, isAtZero(parts, value)),
    ]
  },
}

/** Both edges in one cycle leave the value unchanged; R comes before LD. */
const ctud: SystemFunction = {
  roles: [
    ...[bool('CU_OLD'), bool('CD_OLD'), bool('R'), bool('LD'), bool('QU'), bool('QD')],
    ...[counted('PV'), counted('CV'), bool('CU'), bool('CD')],
  ],
  inputs: [
    { name: 'CU', type: 'Bool' },
    { name: 'CD', type: 'Bool' },
    { name: 'R', type: 'Bool' },
    { name: 'LD', type: 'Bool' },
    { name: 'PV', type: 'T' },
  ],
  body(parts) {
    // One place for each member and input that is declared above, in that order.
    const [upBefore, downBefore, resetPlace, loadPlace, upOut, downOut, preset, value, upIn, downIn] =
      parts.members as unknown as readonly [Place, Place, Place, Place, Place, Place, Place, Place, Place, Place]
    const [up, down, resets, loads, limit] = parts.inputs as unknown as readonly [
      Expression,
      Expression,
      Expression,
      Expression,
      Expression,
    ]
    const [rises, falls] = [parts.take(Bool), parts.take(Bool)]
    const [rise, fall] = [local(Bool, rises), local(Bool, falls)]
    return [
      setLocal(rises, and(up, not(load(Bool, upBefore)))),
      setLocal(falls, and(down, not(load(Bool, downBefore)))),
      when(
        resets,
        [store(parts.type, value, zero(parts.type))],
        [
          when(
            loads,
            [store(parts.type, value, limit)],
            [
              when(and(rise, not(fall)), [countUp(parts, value)]),
              when(and(fall, not(rise)), [countDown(parts, value)]),
            ],
          ),
        ],
      ),
      store(Bool, upBefore, up),
      store(Bool, upIn, up),
      store(Bool, downBefore, down),
      store(Bool, downIn, down),
      store(Bool, resetPlace, resets),
      store(Bool, loadPlace, loads),
      store(parts.type, preset, limit),
      store(Bool, upOut, reachedPreset(parts, value, limit)),
      store(Bool, downOut, isAtZero(parts, value)),
    ]
  },
}

function edge(isRising: boolean): SystemFunction {
  return {
    roles: [bool('STAT_BIT'), bool('Q'), bool('CLK')],
    inputs: [{ name: 'CLK', type: 'Bool' }],
    body({ members, inputs }) {
      const [before, output, input] = members as [Place, Place, Place]
      const [now] = inputs as [Expression]
      const was = load(Bool, before)
      return [
        store(Bool, output, isRising ? and(now, not(was)) : and(not(now), was)),
        store(Bool, before, now),
        store(Bool, input, now),
      ]
    },
  }
}

/** Library functions by name in upper case. */
export const systemFunctions: Readonly<Record<string, SystemFunction>> = {
  TON: ton,
  TOF: tof,
  TP: tp,
  TONR: tonr,
  /** Not an instruction: reading Q or ET calls it. */
  TIMER_UPDATE: { roles: timerRoles, inputs: [], body: update },
  RESET_TIMER: resetTimer,
  PRESET_TIMER: presetTimer,
  CTU: ctu,
  CTD: ctd,
  CTUD: ctud,
  R_TRIG: edge(true),
  F_TRIG: edge(false),
  ...s5Functions,
}

/** The place of a member in its instance. */
export interface MemberOffset {
  readonly byte: number
  readonly bit?: number
}

/** Returns the name of the function for instances with these member offsets. */
export function systemBlockName(
  instruction: string,
  type: ScalarType,
  isStandard: boolean,
  offsets: readonly MemberOffset[],
): string {
  const places = offsets.map(({ byte, bit }) => (bit === undefined ? `${byte}` : `${byte}.${bit}`))
  return `$${instruction}:${type.name}:${isStandard ? 'standard' : 'optimized'}:${places.join(',')}`
}

const made = new Map<string, BlockCode>()

/** Returns the function of a name that `systemBlockName` made, case ignored; `undefined` for any other name. */
export function systemBlock(name: string): BlockCode | undefined {
  if (!name.startsWith('$')) return undefined
  const known = made.get(name.toLowerCase())
  if (known) return known
  const text = textBlock(name)
  if (text) {
    made.set(name.toLowerCase(), text)
    return text
  }
  const [instruction = '', typeName = '', layout, places = ''] = name.slice(1).split(':')
  const own = systemFunctions[instruction.toUpperCase()]
  const type = scalarNamed(typeName) ?? DInt
  if (!own) return undefined
  const isStandard = layout?.toLowerCase() === 'standard'
  const members = places.split(',').map((text): Place => {
    const [byte, bit] = text.split('.').map(Number)
    return behind(local('address', 0), isStandard, byte, bit)
  })
  const typeOf = (kind: 'Bool' | 'T') => (kind === 'Bool' ? Bool : type)
  const locals: (ScalarType | 'address')[] = ['address', ...own.inputs.map((input) => typeOf(input.type))]
  const inputs = own.inputs.map((input, i) => local(typeOf(input.type), i + 1))
  const body = own.body({ type, members, inputs, take: (one) => locals.push(one) - 1 })
  const code: BlockCode = {
    name,
    kind: 'FC',
    locals,
    signature: {
      parameters: [
        { name: 'instance', type: 'address' },
        ...own.inputs.map((input) => ({ name: input.name, type: typeOf(input.type) })),
      ],
      results: [],
    },
    frameSize: 0,
    body,
    sites: [],
  }
  made.set(name.toLowerCase(), code)
  return code
}
