/** Generates random programs of the reference. */
import fc, { type Arbitrary } from 'fast-check'
import type { RefBlock } from './evaluate.ts'
import type { Arithmetic, BlockCall, Comparison, Logic, Node, Reference, Step } from './tree.ts'
import {
  allTypes,
  Bool,
  bitStrings,
  common,
  implicit,
  integers,
  LReal,
  LTime,
  limits,
  Real,
  type RefType,
  Time,
  typeNamed,
  type Value,
} from './types.ts'

const DInt = typeNamed('DInt')
const LInt = typeNamed('LInt')
const UInt = typeNamed('UInt')

/** The names that a body may use. */
interface Names {
  readonly readable: readonly Reference[]
  readonly writable: readonly Reference[]
  readonly isIecCheckOn: boolean
}

function variable(name: string, type: RefType): Reference {
  return { kind: 'variable', type, name, indices: [], dimensions: [], member: '' }
}

function literal(type: RefType, value: Value, isTyped = true): Node {
  return { kind: 'literal', type, value, isTyped }
}

/** Values of a type, including the ends of its range and small numbers. */
export function valueIn(type: RefType): Arbitrary<Value> {
  if (type.family === 'real') {
    const special = [0, 1, -1, 0.5, 1.5, 2.5, -2.5, 16777217, 3.4e38, 1e-45, 1e300, Infinity, NaN]
    const any = type.bits === 32 ? fc.float() : fc.double()
    return fc.oneof(
      fc.constantFrom(...special).map((one) => (type.bits === 32 ? Math.fround(one) : one)),
      any,
    )
  }
  if (type.family === 'bool') return fc.constantFrom(0n, 1n)
  if (type.family === 'clock') return fc.bigInt({ min: 0n, max: type.bits === 32 ? 86_399_999n : 86_399_999_999_999n })
  const [min, max] = limits(type)
  const small = fc.bigInt({ min: min < 0n ? -9n : 0n, max: 20n })
  return fc.oneof(fc.constantFrom(min, max, max - 1n), small, fc.bigInt({ min, max }))
}

function literalOf(type: RefType): Arbitrary<Node> | undefined {
  if (!['bool', 'bits', 'integer', 'real', 'duration'].includes(type.family)) return undefined
  return valueIn(type)
    .filter((value) => (typeof value === 'number' ? Number.isFinite(value) && !Object.is(value, -0) : true))
    .filter((value) => type.family !== 'duration' || value !== limits(type)[0])
    .map((value) => literal(type, value))
}

/** Expressions of every type, over the names of one body. */
export class Expressions {
  readonly names: Names
  readonly #known = new Map<string, Arbitrary<Node>>()

  constructor(names: Names) {
    this.names = names
  }

  /** Expressions of exactly this type. */
  of(type: RefType, depth: number): Arbitrary<Node> {
    const key = `${type.name} ${depth}`
    const known = this.#known.get(key)
    if (known) return known
    const made = this.#make(type, depth)
    this.#known.set(key, made)
    return made
  }

  /** Expressions that are valid where a value of the type is expected. */
  as(type: RefType, depth: number): Arbitrary<Node> {
    const others = allTypes.filter((one) => one !== type && implicit(one, type, this.names.isIecCheckOn))
    return fc.oneof(
      { weight: 4, arbitrary: this.of(type, depth) },
      ...others.map((one) => ({ weight: 1, arbitrary: this.of(one, depth) })),
    )
  }

  #leaf(type: RefType): Arbitrary<Node> {
    const found = this.names.readable.filter((one) => one.type === type)
    const literals = literalOf(type)
    const all = [...(found.length > 0 ? [fc.constantFrom<Node>(...found)] : []), ...(literals ? [literals] : [])]
    if (all.length === 0) throw new Error(`nothing of type ${type.name}`)
    return fc.oneof(...all)
  }

  #make(type: RefType, depth: number): Arbitrary<Node> {
    if (depth <= 0) return this.#leaf(type)
    const d = depth - 1
    const choices: Arbitrary<Node>[] = [this.#leaf(type)]
    const { family } = type
    if (family === 'integer') choices.push(this.#arithmetic(type, ['+', '-', '*', '/', 'MOD'], d))
    if (family === 'real') choices.push(this.#arithmetic(type, ['+', '-', '*', '/'], d))
    if (family === 'duration') {
      choices.push(this.#same(type, ['+', '-'], d))
      const factor = fc.oneof(
        ...integers.filter((one) => implicit(one, type.bits === 64 ? LInt : DInt, true)).map((one) => this.of(one, d)),
      )
      choices.push(
        fc.record({
          kind: fc.constant('scaled' as const),
          operator: fc.constantFrom('*', '/'),
          type: fc.constant(type),
          left: this.of(type, d),
          right: factor,
        }),
      )
    }
    if (['integer', 'real', 'duration'].includes(family) && type.isSigned) choices.push(this.#unary('-', type, d))
    if (family === 'bits' || family === 'bool') {
      choices.push(this.#unary('NOT', type, d), this.#logic(type, d))
    }
    if (family === 'bits') for (const name of ['ROL', 'ROR']) choices.push(this.#shift(name, type, d))
    if (family === 'bits' || family === 'integer')
      for (const name of ['SHL', 'SHR']) choices.push(this.#shift(name, type, d))
    if (type === Bool) choices.push(this.#comparison(d))
    if (family === 'bits' || family === 'bool') choices.push(...this.#slices(type))
    if (family === 'integer' || family === 'real') {
      const one = this.of(type, d)
      choices.push(call('ABS', type, [['IN', one]]))
      choices.push(
        call('MIN', type, [
          ['IN1', one],
          ['IN2', one],
        ]),
        call('MAX', type, [
          ['IN1', one],
          ['IN2', one],
        ]),
      )
      choices.push(
        call('LIMIT', type, [
          ['MN', literalOf(type) as Arbitrary<Node>],
          ['IN', one],
          ['MX', literalOf(type) as Arbitrary<Node>],
        ]),
      )
    }
    if (family === 'real') choices.push(call('SQRT', type, [['IN', this.of(type, d)]]))
    choices.push(
      call('SEL', type, [
        ['G', this.of(Bool, d)],
        ['IN0', this.of(type, d)],
        ['IN1', this.of(type, d)],
      ]),
    )
    choices.push(...this.#conversions(type, d))
    return fc.oneof({ withCrossShrink: true }, ...choices)
  }

  #arithmetic(type: RefType, operators: readonly Arithmetic[], depth: number): Arbitrary<Node> {
    const operator = fc.constantFrom(...operators)
    // With the IEC check, numbers with and without a sign are not calculated together in a larger type.
    const isCovered = ([a, b]: readonly [RefType, RefType]) =>
      a.family === 'integer' && b.family === 'integer' && a !== type && b !== type
    const meeting = pairsMeetingIn(type, this.names.isIecCheckOn)
    const pairs = this.names.isIecCheckOn ? meeting.filter((pair) => !isCovered(pair)) : meeting
    const mixed = pairs.map(([a, b]) => this.#binary(operator, type, type, this.of(a, depth), this.of(b, depth)))
    // A number without a type takes the type of the other operand.
    const plain = valueIn(type)
      .filter((value) =>
        typeof value === 'number'
          ? Number.isFinite(value) && value >= 0 && !Object.is(value, -0)
          : value >= 0n && (value < 128n || type.bits > 8),
      )
      .map((value) => literal(type, value, false))
    return fc.oneof(
      ...mixed,
      this.#binary(operator, type, type, this.of(type, depth), plain),
      this.#binary(operator, type, type, plain, this.of(type, depth)),
    )
  }

  #same(type: RefType, operators: readonly Arithmetic[], depth: number): Arbitrary<Node> {
    return this.#binary(
      fc.constantFrom(...operators),
      type,
      type,
      this.as(type, depth).filter(({ type: own }) => own.family === 'duration'),
      this.of(type, depth),
    )
  }

  #binary(
    operator: Arbitrary<Arithmetic | Logic | Comparison>,
    type: RefType,
    at: RefType,
    left: Arbitrary<Node>,
    right: Arbitrary<Node>,
  ): Arbitrary<Node> {
    return fc.record({
      kind: fc.constant('binary' as const),
      operator,
      type: fc.constant(type),
      at: fc.constant(at),
      left,
      right,
    })
  }

  #unary(operator: '-' | 'NOT', type: RefType, depth: number): Arbitrary<Node> {
    // A minus before a number is part of the number; two must not follow each other.
    const operand = this.of(type, depth).filter(
      (one) => operator === 'NOT' || (one.kind !== 'literal' && one.kind !== 'unary'),
    )
    return fc.record({
      kind: fc.constant('unary' as const),
      operator: fc.constant(operator),
      type: fc.constant(type),
      operand,
    })
  }

  #logic(type: RefType, depth: number): Arbitrary<Node> {
    const operator = fc.constantFrom('AND' as const, 'OR' as const, 'XOR' as const)
    const shorter = bitStrings.filter((one) => type.family === 'bits' && one.bits <= type.bits)
    const other = shorter.length > 0 ? fc.oneof(...shorter.map((one) => this.of(one, depth))) : this.of(type, depth)
    return fc.oneof(
      this.#binary(operator, type, type, this.of(type, depth), other),
      this.#binary(operator, type, type, other, this.of(type, depth)),
    )
  }

  #comparison(depth: number): Arbitrary<Node> {
    const { isIecCheckOn } = this.names
    const families = allTypes.filter(({ family }) => family !== 'bool')
    const mixed = families.flatMap((at) => pairsMeetingIn(at, isIecCheckOn).map(([a, b]) => [at, a, b] as const))
    const any = fc
      .constantFrom(...mixed)
      .chain(([at, a, b]) =>
        this.#binary(fc.constantFrom('=', '<>', '<', '<=', '>', '>='), Bool, at, this.of(a, depth), this.of(b, depth)),
      )
    return fc.oneof(
      any,
      this.#binary(fc.constantFrom('=', '<>'), Bool, Bool, this.of(Bool, depth), this.of(Bool, depth)),
    )
  }

  #shift(name: string, type: RefType, depth: number): Arbitrary<Node> {
    const counts = fc.oneof(
      fc.nat(70).map((n) => literal(UInt, BigInt(n))),
      fc.nat(70).map((n) => literal(typeNamed('USInt'), BigInt(n))),
      this.of(UInt, depth),
    )
    return call(name, type, [
      ['IN', this.of(type, depth)],
      ['N', counts],
    ])
  }

  #slices(type: RefType): Arbitrary<Node>[] {
    return slicesOf(this.names.readable, type).map((one) => one)
  }

  #conversions(type: RefType, depth: number): Arbitrary<Node>[] {
    const from = allTypes.filter((one) => one !== type && isConverted(one, type))
    const named = from.map((one) => {
      const operand =
        one.family === 'real' && type.family === 'integer' ? this.#within(one, type, depth) : this.of(one, depth)
      return conversion(`${short(one)}_TO_${short(type)}`, type, operand)
    })
    if (type.family !== 'integer') return named
    const roundings = ['ROUND', 'TRUNC', 'CEIL', 'FLOOR'].flatMap((name) =>
      [Real, LReal].map((one) =>
        conversion(type === DInt ? name : `${name}_${type.name.toUpperCase()}`, type, this.#within(one, type, depth)),
      ),
    )
    return [...named, ...roundings.map((one) => one.map((node) => node))]
  }

  /** Reals in the range of the type: of others only the fault is known, not the value. */
  #within(real: RefType, type: RefType, depth: number): Arbitrary<Node> {
    const [low, high] = limits(type)
    const clip = (value: bigint) => Math.max(-1e9, Math.min(1e9, Number(value) * 0.9))
    const one = this.of(real, depth)
    const number = (value: number) => literal(real, real.bits === 32 ? Math.fround(value) : value)
    return one.map((operand) => {
      const compare = (operator: Comparison, right: Node): Node => ({
        kind: 'binary',
        operator,
        type: Bool,
        at: real,
        left: operand,
        right,
      })
      const isInside: Node = {
        kind: 'binary',
        operator: 'AND',
        type: Bool,
        at: Bool,
        left: compare('>=', number(clip(low))),
        right: compare('<=', number(clip(high))),
      }
      return {
        kind: 'call',
        name: 'SEL',
        type: real,
        given: [
          ['G', isInside],
          ['IN0', number(2.5)],
          ['IN1', operand],
        ],
      }
    })
  }
}

function pairsMeetingIn(type: RefType, isIecCheckOn: boolean): (readonly [RefType, RefType])[] {
  return allTypes.flatMap((a) =>
    allTypes
      .filter(
        (b) => common(a, b, isIecCheckOn) === type && (a.family !== 'bits' || b.family === 'bits' || !isIecCheckOn),
      )
      .map((b) => [a, b] as const),
  )
}

/** Conversions by name whose result docs/plc-semantics.md states. */
function isConverted(from: RefType, to: RefType): boolean {
  const isNumber = ({ family }: RefType) => family === 'integer' || family === 'real'
  if (isNumber(from) && isNumber(to)) return true
  if (from.family === 'bits' && to.family === 'real') return from.bits === to.bits
  if (from.family === 'real' && to.family === 'bits') return from.bits === to.bits
  if (from.family === 'bits' && to.family === 'bits') return true
  if (from.family === 'bits' && to.family === 'integer') return from.bits <= to.bits
  if (from.family === 'integer' && to.family === 'bits')
    return from.bits === to.bits || (!from.isSigned && from.bits < to.bits)
  if (from.family === 'bool') return to.family === 'integer' || to.family === 'bits'
  if (from === Time && to === LTime) return true
  if (from.family === 'duration' && to.family === 'integer') return to.bits === from.bits && to.isSigned
  if (from.family === 'integer' && to.family === 'duration') return to.bits === from.bits && from.isSigned
  return false
}

function short({ name }: RefType): string {
  return name.toUpperCase()
}

function conversion(name: string, type: RefType, operand: Arbitrary<Node>): Arbitrary<Node> {
  return fc.record({ kind: fc.constant('convert' as const), name: fc.constant(name), type: fc.constant(type), operand })
}

function call(name: string, type: RefType, given: readonly (readonly [string, Arbitrary<Node>])[]): Arbitrary<Node> {
  return fc.tuple(...given.map(([, one]) => one)).map((values) => ({
    kind: 'call' as const,
    name,
    type,
    given: values.map((value, i) => [given[i]?.[0] ?? '', value] as const),
  }))
}

function slicesOf(references: readonly Reference[], type: RefType): Arbitrary<Reference>[] {
  if (type.family !== 'bits' && type.family !== 'bool') return []
  const width = type.bits as 1 | 8 | 16 | 32
  const longer = references.filter((one) => one.type.family === 'bits' && one.type.bits > width && !one.slice)
  if (longer.length === 0) return []
  return [
    fc
      .constantFrom(...longer)
      .chain((one) =>
        fc.nat(one.type.bits / width - 1).map((number): Reference => ({ ...one, type, slice: [width, number] })),
      ),
  ]
}

// ── The frame of the programs ───────────────────────────────────────────────────────────────────────────────────────

/** Elements of an array with an index that is usually inside, and sometimes outside. */
function element(array: Reference, index: Arbitrary<Node>): Arbitrary<Reference> {
  return fc.tuple(...array.dimensions.map(() => index)).map((indices) => ({ ...array, indices }))
}

const indexOf = (expressions: Expressions): Arbitrary<Node> =>
  fc.oneof(
    fc.integer({ min: 0, max: 2 }).map((n) => literal(DInt, BigInt(n), false)),
    // UInt MOD 3 is between 0 and 2.
    expressions
      .of(UInt, 1)
      .map((left): Node => ({ kind: 'binary', operator: 'MOD', type: UInt, at: UInt, left, right: literal(UInt, 3n) })),
    expressions.of(DInt, 0).filter(({ kind }) => kind === 'variable'),
  )

export interface RefProgram {
  readonly isIecCheckOn: boolean
  readonly isOptimized: boolean
  readonly start: readonly (readonly [path: string, type: RefType, value: Value])[]
  readonly blocks: Readonly<Record<string, RefBlock>>
  readonly body: readonly Step[]
}

const plainNames = allTypes.flatMap((type) => [0, 1].map((n) => [`v${n}_${type.name}`, type] as const))
const structMembers = ['Bool', 'Int', 'LReal', 'Byte', 'LInt'].map((name, i) => [`m${i}`, typeNamed(name)] as const)
const arrays = ['Int', 'Bool', 'LReal', 'Byte', 'ULInt', 'Time'].map((name) => [`a_${name}`, typeNamed(name)] as const)

/** Parameters of the blocks that are called. */
export const functionInterface = {
  inputs: ['Int', 'Real', 'ULInt', 'Bool', 'Word'].map((name) => [`i_${name}`, typeNamed(name)] as const),
  outputs: ['DInt', 'LReal', 'Byte'].map((name) => [`o_${name}`, typeNamed(name)] as const),
  inOuts: ['LInt', 'Bool', 'DWord'].map((name) => [`x_${name}`, typeNamed(name)] as const),
  kept: allTypes.map((type) => [`t_${type.name}`, type] as const),
}

function each<T>(list: readonly (readonly [string, T])[]): Reference[] {
  return list.map(([name, type]) => variable(name, type as RefType))
}

const loopTypes = integers
const loopVariables = [0, 1, 2].flatMap((level) => loopTypes.map((type) => [`f${level}_${type.name}`, type] as const))
const counters = [0, 1, 2].map((level) => [`w${level}`, DInt] as const)

/** Statements of a body. */
class Bodies {
  readonly names: Names
  readonly expressions: Expressions
  readonly hasCalls: boolean
  readonly #targets: Arbitrary<Reference>

  constructor(names: Names, hasCalls: boolean) {
    this.names = names
    this.expressions = new Expressions(names)
    this.hasCalls = hasCalls
    const plain = fc.constantFrom(...names.writable)
    const sliced = [...bitStrings, Bool].flatMap((type) => slicesOf(names.writable, type))
    const elements = hasCalls
      ? [...arrayReferences, ...structArrays].map((one) => element(one, indexOf(this.expressions)))
      : []
    this.#targets = fc.oneof(
      { weight: 6, arbitrary: plain },
      { weight: 2, arbitrary: fc.oneof(...sliced) },
      ...(elements.length > 0 ? [{ weight: 3, arbitrary: fc.oneof(...elements) }] : []),
    )
  }

  list(depth: number, level: number): Arbitrary<Step[]> {
    return fc.array(this.step(depth, level), { minLength: 1, maxLength: depth > 1 ? 5 : 3 })
  }

  step(depth: number, level: number): Arbitrary<Step> {
    const { expressions } = this
    const assign = this.#targets.chain(
      (target): Arbitrary<Step> =>
        fc.record({
          kind: fc.constant('assign' as const),
          target: fc.constant(target),
          value: expressions.as(target.type, 3),
        }),
    )
    const counted = fc
      .constantFrom(...this.names.writable.filter(({ type }) => type.family === 'integer' || type.family === 'real'))
      .chain(
        (target): Arbitrary<Step> =>
          fc.record({
            kind: fc.constant('assign' as const),
            target: fc.constant(target),
            value: expressions.of(target.type, 1),
            operator: fc.constantFrom('+' as const, '-' as const, '*' as const, '/' as const),
          }),
      )
    const choices = [
      { weight: 6, arbitrary: assign },
      { weight: 1, arbitrary: counted },
    ]
    if (this.hasCalls) {
      choices.push({ weight: 1, arbitrary: this.#functionCall() }, { weight: 1, arbitrary: this.#instanceCall() })
      const structures = [variable('s0', Bool), variable('s1', Bool)]
      const source = fc.oneof(
        fc.constantFrom(...structures),
        element(
          structArray,
          indexOf(expressions).filter(({ kind }) => kind === 'literal'),
        ),
      )
      choices.push({ weight: 1, arbitrary: fc.record({ kind: fc.constant('copy' as const), target: source, source }) })
    }
    if (depth > 0) {
      const body = this.list(depth - 1, level)
      const condition = expressions.of(Bool, 2)
      choices.push({
        weight: 2,
        arbitrary: fc.record(
          {
            kind: fc.constant('if' as const),
            branches: fc.array(fc.tuple(condition, body), { minLength: 1, maxLength: 3 }),
            otherwise: body,
          },
          { requiredKeys: ['kind', 'branches'] },
        ),
      })
      choices.push({ weight: 1, arbitrary: this.#case(body) })
      if (level < 3) {
        choices.push({ weight: 2, arbitrary: this.#for(depth, level) })
        choices.push({
          weight: 1,
          arbitrary: fc.record({
            kind: fc.constantFrom('while' as const, 'repeat' as const),
            counter: fc.constant(variable(`w${level}`, DInt)),
            rounds: fc.bigInt({ min: 1n, max: 4n }),
            condition,
            body: this.list(depth - 1, level + 1),
          }),
        })
      }
      if (level > 0) choices.push({ weight: 1, arbitrary: this.#leave(fc.constantFrom('exit', 'continue')) })
      choices.push({ weight: 1, arbitrary: this.#leave(fc.constant('return')) })
    }
    return fc.oneof(...choices)
  }

  #leave(kind: Arbitrary<'exit' | 'continue' | 'return'>): Arbitrary<Step> {
    return fc
      .tuple(this.expressions.of(Bool, 2), kind)
      .map(([condition, one]): Step => ({ kind: 'if', branches: [[condition, [{ kind: one }]]] }))
  }

  #case(body: Arbitrary<Step[]>): Arbitrary<Step> {
    return fc.constantFrom(...integers).chain((type) => {
      const [low, high] = limits(type)
      const cuts = fc.uniqueArray(
        fc.oneof(fc.bigInt({ min: low < 0n ? -9n : 0n, max: 20n }), fc.constantFrom(low, high)),
        { minLength: 2, maxLength: 8 },
      )
      // Between two cuts a range, or one value; no value twice.
      const labels = fc.tuple(cuts, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 })).map(([all, isRange]) => {
        const sorted = [...all].sort((a, b) => (a < b ? -1 : 1))
        const made: [bigint, bigint][] = []
        for (let i = 0; i < sorted.length; i++) {
          const from = sorted[i] as bigint
          const next = sorted[i + 1]
          made.push([from, next !== undefined && isRange[i] ? next - 1n : from])
        }
        return made
      })
      return fc
        .tuple(
          this.expressions.of(type, 2),
          labels,
          fc.array(body, { minLength: 1, maxLength: 4 }),
          fc.option(body, { nil: undefined }),
        )
        .map(
          ([selector, all, bodies, otherwise]): Step => ({
            kind: 'case',
            selector,
            branches: bodies.flatMap((one, i) => {
              const own = all.filter((_label, n) => n % bodies.length === i)
              return own.length > 0 ? [[own, one] as const] : []
            }),
            ...(otherwise ? { otherwise } : {}),
          }),
        )
    })
  }

  #for(depth: number, level: number): Arbitrary<Step> {
    return fc.constantFrom(...loopTypes).chain((type) => {
      const [low, high] = limits(type)
      const name = variable(`f${level}_${type.name}`, type)
      const inner = new Bodies({ ...this.names, readable: [...this.names.readable, name] }, this.hasCalls)
      const near = fc.oneof(fc.constantFrom(low, high), fc.bigInt({ min: low < 0n ? -5n : 0n, max: 9n }))
      return fc
        .tuple(
          near,
          fc.bigInt({ min: -1n, max: 5n }),
          fc.constantFrom(1n, 1n, 2n, 3n, -1n, -2n),
          fc.boolean(),
          this.expressions.of(type, 1),
          inner.list(depth - 1, level + 1),
        )
        .map(([from, length, step, isVariable, value, body]): Step => {
          const by = type.isSigned || step > 0n ? step : -step
          const clamp = (one: bigint) => (one < low ? low : one > high ? high : one)
          const to = clamp(from + length * by)
          const [a, b] = from < to ? [from, to] : [to, from]
          const end: Node = isVariable
            ? {
                kind: 'call',
                name: 'LIMIT',
                type,
                given: [
                  ['MN', literal(type, a)],
                  ['IN', value],
                  ['MX', literal(type, b)],
                ],
              }
            : literal(type, to)
          return {
            kind: 'for',
            variable: name,
            from: literal(type, from),
            to: end,
            ...(by === 1n ? {} : { by: literal(type, by) }),
            body,
          }
        })
    })
  }

  #different(types: readonly RefType[]): Arbitrary<Reference[]> {
    // One variable for two parameters that are both written has no defined order.
    const plain = (type: RefType) =>
      this.names.writable.filter((one) => one.type === type && one.name.startsWith('v') && one.member === '')
    return fc.tuple(...types.map((type) => fc.nat(plain(type).length - 1))).map((numbers) => {
      const used = new Set<Reference>()
      return types.map((type, i) => {
        const all = plain(type)
        const at = numbers[i] ?? 0
        const free = [...all.slice(at), ...all.slice(0, at)].find((one) => !used.has(one))
        if (!free) throw new Error(`no variable of type ${type.name} is left`)
        used.add(free)
        return free
      })
    })
  }

  #functionCall(): Arbitrary<BlockCall> {
    const { inputs, outputs, inOuts } = functionInterface
    const values = fc.tuple(...inputs.map(([, type]) => this.expressions.as(type, 1)))
    const written = this.#different([...inOuts, ...outputs].map(([, type]) => type).concat(DInt, Bool))
    return fc.tuple(values, written).map(
      ([given, all]): BlockCall => ({
        kind: 'blockCall',
        block: 'F1',
        inputs: inputs.map(([name], i) => [name, given[i] as Node] as const),
        inOuts: inOuts.map(([name], i) => [name, all[i] as Reference] as const),
        outputs: outputs.map(([name], i) => [name, all[inOuts.length + i] as Reference] as const),
        result: all.at(-2) as Reference,
        eno: all.at(-1) as Reference,
      }),
    )
  }

  #instanceCall(): Arbitrary<BlockCall> {
    const { inputs, outputs, inOuts } = functionInterface
    const values = fc.tuple(
      ...inputs.map(([, type]) => fc.option(this.expressions.as(type, 1), { nil: undefined, freq: 3 })),
    )
    const written = this.#different([...inOuts, ...outputs].map(([, type]) => type).concat(Bool))
    const condition = fc.option(this.expressions.of(Bool, 1), { nil: undefined })
    return fc.tuple(values, written, condition, fc.constantFrom('fb0', 'fb1')).map(
      ([given, all, en, instance]): BlockCall => ({
        kind: 'blockCall',
        block: 'B1',
        instance,
        // An input that is not given keeps the value of the instance.
        inputs: inputs.flatMap(([name], i) => (given[i] ? [[name, given[i] as Node] as const] : [])),
        inOuts: inOuts.map(([name], i) => [name, all[i] as Reference] as const),
        outputs: outputs.map(([name], i) => [name, all[inOuts.length + i] as Reference] as const),
        ...(en ? { en } : {}),
        eno: all.at(-1) as Reference,
      }),
    )
  }
}

const bounds: readonly [number, number] = [-1, 2]
const arrayReferences = arrays.map(
  ([name, type]): Reference => ({
    ...variable(name, type),
    dimensions: name === 'a_Int' ? [bounds, [0, 3]] : [bounds],
  }),
)
const structArray: Reference = { ...variable('as', Bool), dimensions: [bounds] }
const structArrays = structMembers.map(([name, type]): Reference => ({ ...structArray, type, member: `.${name}` }))
const structReferences = ['s0', 's1'].flatMap((name) =>
  structMembers.map(([member, type]): Reference => ({ ...variable(name, type), member: `.${member}` })),
)

/** Every path of the main block's data with its type. */
export const mainPaths: readonly (readonly [string, RefType])[] = [
  ...plainNames,
  ...arrayReferences.flatMap(({ name, type, dimensions }) =>
    elementPaths(dimensions).map((at) => [`${name}[${at}]`, type] as const),
  ),
  ...elementPaths([bounds]).flatMap((at) =>
    structMembers.map(([member, type]) => [`as[${at}].${member}`, type] as const),
  ),
  ...structReferences.map(({ name, member, type }) => [`${name}${member}`, type] as const),
  ...['fb0', 'fb1'].flatMap((name) =>
    [...Object.values(functionInterface).flat(), ...loopVariables, ...counters].map(
      ([member, type]) => [`${name}.${member}`, type] as const,
    ),
  ),
  ...loopVariables,
  ...counters,
]

function elementPaths(dimensions: readonly (readonly [number, number])[]): string[] {
  return dimensions.reduce<string[]>(
    (done, [low, high]) =>
      done.flatMap((before) =>
        Array.from({ length: high - low + 1 }, (_one, i) => (before === '' ? `${low + i}` : `${before},${low + i}`)),
      ),
    [''],
  )
}

const resultType = DInt

/**
 * Generates a program: its properties, start values, and the bodies of its blocks.
 * @param depth how deep its statements are nested at most
 */
export function program(isIecCheckOn: boolean, depth = 3): Arbitrary<RefProgram> {
  const { inputs, outputs, inOuts, kept } = functionInterface
  const inner = [...inputs, ...outputs, ...inOuts, ...kept]
  const innerNames: Names = { readable: each(inner), writable: each([...outputs, ...inOuts, ...kept]), isIecCheckOn }
  const main: Names = {
    readable: [
      ...each(plainNames),
      ...structReferences,
      ...each(functionInterface.outputs).map((one) => ({ ...one, name: 'fb0', member: `.${one.name}` })),
    ],
    writable: [...each(plainNames), ...structReferences],
    isIecCheckOn,
  }
  const own = [...innerNames.readable, ...each([...loopVariables, ...counters])].map(
    ({ name, type }) => [name, type] as const,
  )
  const innerBodies = new Bodies(innerNames, false)
  // A function's outputs and temporaries are undefined at first: it writes them before anything else.
  const cleared: Step[] = each([...outputs, ...kept]).flatMap((target) =>
    target.type.family === 'date' ||
    target.type.family === 'clock' ||
    target.type.family === 'moment' ||
    target.type.family === 'character'
      ? []
      : [{ kind: 'assign' as const, target, value: literal(target.type, target.type.family === 'real' ? 0 : 0n) }],
  )
  const returned = new Expressions(innerNames).as(resultType, 2)
  const mainBodies = new Bodies(main, true)
  return fc
    .record({
      isOptimized: fc.boolean(),
      start: fc.tuple(...mainPaths.map(([, type]) => valueIn(type))),
      function: innerBodies.list(1, 0),
      returned,
      instance: innerBodies.list(1, 0),
      body: mainBodies.list(depth, 0),
    })
    .map((one) => ({
      isIecCheckOn,
      isOptimized: one.isOptimized,
      start: mainPaths.map(([path, type], i) => [path, type, one.start[i] as Value] as const),
      blocks: {
        F1: {
          isInstance: false,
          returns: 'F1',
          variables: [...own, ['F1', resultType]],
          body: [
            ...cleared,
            { kind: 'assign', target: variable('F1', resultType), value: one.returned },
            ...one.function,
          ],
        },
        B1: { isInstance: true, variables: own, body: one.instance },
      },
      body: one.body,
    }))
}

export { arrays, bounds, counters, loopVariables, plainNames, structMembers }
