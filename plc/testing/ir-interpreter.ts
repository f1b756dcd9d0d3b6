/**
 * Runs the intermediate form directly, plainly and slowly: an independent reference for the code generator. Numbers are
 * exact (BigInt) and cut to their type; reals are numbers, rounded to single precision where they are a Real. Addresses
 * are those of the linked program, so that its memory can be compared with the memory of the generated code.
 */
import type { LinkedProgram } from '../compiler/codegen/linked-program.ts'
import type { BlockCode, Expression, Place, Statement } from '../ir/ir.ts'
import { accessInside, countOf, extentOf, layoutOf, strideOf } from '../program/layout.ts'
import { Bool, Byte, Char, UInt, WChar } from '../program/scalars.ts'
import type { Access, ScalarType, Type } from '../program/type.ts'

type Value = bigint | number

class Leave {
  readonly label: number
  constructor(label: number) {
    this.label = label
  }
}
class Repeat extends Leave {}
class Goto extends Leave {
  readonly section: number
  constructor(label: number, section: number) {
    super(label)
    this.section = section
  }
}
class Return {}

/** A place that was found: `undefined` where an index is wrong. */
interface At {
  readonly address: number
  readonly bit: number | undefined
}

export class Interpreter {
  /** Wrong indices in the order they occurred, as `block:site`. */
  readonly faults: string[] = []
  /** Rounds of loops that may still run. */
  rounds = 4000
  readonly #blocks: ReadonlyMap<string, BlockCode>
  readonly #program: LinkedProgram
  readonly #memory: DataView
  readonly #routines: Readonly<Record<string, (...values: number[]) => number>>
  #stack: number
  #calleeEno = 1n

  constructor(
    blocks: readonly BlockCode[],
    program: LinkedProgram,
    memory: DataView,
    routines: Readonly<Record<string, (...values: number[]) => number>> = {},
  ) {
    this.#blocks = new Map(blocks.map((block) => [block.name.toLowerCase(), block]))
    this.#program = program
    this.#memory = memory
    this.#routines = routines
    this.#stack = program.stackTop
  }

  /** Runs a block; returns its results. */
  run(name: string, instance: number, given: readonly Value[]): Value[] {
    const block = this.#blocks.get(name.toLowerCase())
    if (!block) throw new Error(`no block ${name}`)
    this.#stack -= block.frameSize
    const call = new Call(this, block, instance, this.#stack, given)
    try {
      call.list(block.body)
    } catch (error) {
      if (!(error instanceof Return)) throw error
    }
    this.#stack += block.frameSize
    this.#calleeEno = call.eno
    const first = block.signature.parameters.length
    return block.signature.results.map((_one, i) => call.locals[first + i] as Value)
  }

  get calleeEno(): bigint {
    return this.#calleeEno
  }

  routine(name: string, values: readonly Value[], type: ScalarType | 'address' | undefined): Value {
    const found = this.#routines[name.replace(/\..*$/, '')]
    if (!found || type === undefined || type === 'address') throw new Error(`no routine ${name}`)
    return rounded(type, found(...values.map(Number)))
  }

  addressOf(base: Place['base']): number {
    const { areas, dataBlocks, constants, startInformation } = this.#program
    switch (base.kind) {
      case 'area':
        return areas[base.area].address
      case 'block':
        return dataBlocks.get(base.block.toLowerCase())?.address ?? Number.NaN
      case 'startInformation':
        return startInformation.address
      case 'constant': {
        const wanted = Buffer.from(base.bytes)
        const found = constants.find(({ bytes }) => wanted.equals(bytes))
        return found?.address ?? Number.NaN
      }
      default:
        throw new Error(`${base.kind} belongs to a call`)
    }
  }

  load(type: ScalarType, { address, bit }: At, isStandard: boolean): Value {
    const little = !isStandard
    const view = this.#memory
    switch (type.bits) {
      case 1:
        return BigInt((view.getUint8(address) >> (bit ?? 0)) & 1)
      case 8:
        return BigInt(type.isSigned ? view.getInt8(address) : view.getUint8(address))
      case 16:
        return BigInt(type.isSigned ? view.getInt16(address, little) : view.getUint16(address, little))
      case 32:
        if (type.family === 'real') return view.getFloat32(address, little)
        return BigInt(type.isSigned ? view.getInt32(address, little) : view.getUint32(address, little))
      case 64:
        if (type.family === 'real') return view.getFloat64(address, little)
        return type.isSigned ? view.getBigInt64(address, little) : view.getBigUint64(address, little)
    }
  }

  store(type: ScalarType, { address, bit }: At, isStandard: boolean, value: Value): void {
    const little = !isStandard
    const view = this.#memory
    if (type.family === 'real') {
      if (type.bits === 32) view.setFloat32(address, Number(value), little)
      else view.setFloat64(address, Number(value), little)
      return
    }
    const pattern = BigInt.asUintN(type.bits, BigInt(value))
    switch (type.bits) {
      case 1: {
        const [old, mask] = [view.getUint8(address), 1 << (bit ?? 0)]
        view.setUint8(address, bit === undefined ? Number(pattern) : pattern ? old | mask : old & ~mask)
        return
      }
      case 8:
        view.setUint8(address, Number(pattern))
        return
      case 16:
        view.setUint16(address, Number(pattern), little)
        return
      case 32:
        view.setUint32(address, Number(pattern), little)
        return
      case 64:
        view.setBigUint64(address, pattern, little)
        return
    }
  }

  /** Copies a whole value; all of it is read before any of it is written. */
  copy(type: Type, from: At, fromAccess: Access, to: At, toAccess: Access): void {
    const pieces = [...this.#pieces(type, from, fromAccess)]
    const targets = [...this.#pieces(type, to, toAccess)]
    const values = pieces.map(({ type: one, at, access }) => this.load(one, at, access === 'standard'))
    for (const [i, { type: one, at, access }] of targets.entries())
      this.store(one, at, access === 'standard', values[i] as Value)
  }

  /** The scalars of a value, in order. */
  *#pieces(type: Type, at: At, access: Access): Generator<{ type: ScalarType; at: At; access: Access }> {
    const { address } = at
    const bytes = function* (count: number) {
      for (let i = 0; i < count; i++) yield { type: Byte, at: { address: address + i, bit: undefined }, access }
    }
    switch (type.kind) {
      case 'scalar':
        yield { type, at, access }
        return
      case 'string': {
        const [head, unit] = type.isWide ? [UInt, WChar] : [Byte, Char]
        const width = type.isWide ? 2 : 1
        for (let i = 0; i < (type.length < 0 ? 254 : type.length) + 2; i++)
          yield { type: i < 2 ? head : unit, at: { address: address + i * width, bit: undefined }, access }
        return
      }
      case 'dateAndTime':
        yield* bytes(8)
        return
      case 'struct':
      case 'instance': {
        const inside = accessInside(type, access)
        const { offsets } = layoutOf(type.members, inside)
        for (const [i, member] of type.members.entries()) {
          const offset = offsets[i]
          if (offset && member.overlays === undefined)
            yield* this.#pieces(member.type, { address: address + offset.byte, bit: offset.bit }, inside)
        }
        return
      }
      case 'array': {
        const { size, isBits } = strideOf(type, access)
        for (let i = 0; i < countOf(type); i++) {
          const bits = (at.bit ?? 0) + i
          const element = isBits
            ? { address: address + (bits >> 3), bit: bits & 7 }
            : { address: address + i * size, bit: undefined }
          yield* this.#pieces(type.element, element, access)
        }
        return
      }
      default:
        yield* bytes(extentOf(type, access).size)
    }
  }

  clear(address: number, size: number): void {
    for (let i = 0; i < size; i++) this.#memory.setUint8(address + i, 0)
  }
}

/** Cuts a number to its type. */
function wrapped({ bits, isSigned }: ScalarType, value: bigint): bigint {
  return isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)
}

function rounded({ bits }: ScalarType, value: number): number {
  return bits === 32 ? Math.fround(value) : value
}

/** To the nearest whole number, halves to the even one. */
function toEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}

const roundings = { value: toEven, round: toEven, truncate: Math.trunc, ceiling: Math.ceil, floor: Math.floor } as const

/** One call of a block. */
class Call {
  eno = 1n
  readonly locals: Value[]
  readonly #machine: Interpreter
  readonly #block: BlockCode
  readonly #instance: number
  readonly #frame: number

  constructor(machine: Interpreter, block: BlockCode, instance: number, frame: number, given: readonly Value[]) {
    this.#machine = machine
    this.#block = block
    this.#instance = instance
    this.#frame = frame
    this.locals = block.locals.map((type, i) => given[i] ?? (type !== 'address' && type.family === 'real' ? 0 : 0n))
  }

  list(statements: readonly Statement[]): void {
    for (const statement of statements) this.#statement(statement)
  }

  #round(): void {
    if (this.#machine.rounds-- <= 0) throw new Error('endless')
  }

  #statement(statement: Statement): void {
    switch (statement.kind) {
      case 'store': {
        const { place, type, value } = statement
        // The value comes first: its calls may change what the indices read.
        const result = this.#of(value)
        const at = this.#place(place)
        if (at) this.#machine.store(type, at, place.isStandard, result)
        return
      }
      case 'setLocal':
        this.locals[statement.local] = this.#of(statement.value)
        return
      case 'setEno':
        this.eno = BigInt(this.#of(statement.value))
        return
      case 'copy': {
        const { type, from, to } = statement
        const [source, target] = [this.#place(from), this.#place(to)]
        if (!source || !target) return
        const accessOf = ({ isStandard }: Place): Access => (isStandard ? 'standard' : 'optimized')
        this.#machine.copy(type, source, accessOf(from), target, accessOf(to))
        return
      }
      case 'clear': {
        const at = this.#place(statement.place)
        if (at) this.#machine.clear(at.address, statement.size)
        return
      }
      case 'routine':
        this.#machine.routine(
          statement.routine,
          statement.arguments.map((one) => this.#of(one)),
          undefined,
        )
        return
      case 'call': {
        const { block, instance, arguments: given, results } = statement
        const address = instance ? Number(this.#of(instance)) : 0
        const values = this.#machine.run(
          block,
          address,
          given.map((one) => this.#of(one)),
        )
        for (const [i, local] of results.entries()) this.locals[local] = values[i] as Value
        return
      }
      case 'if':
        this.list(this.#of(statement.condition) === 1n ? statement.whenTrue : statement.otherwise)
        return
      case 'switch': {
        const value = BigInt(this.#of(statement.selector))
        const found = statement.branches.find(({ ranges }) =>
          ranges.some(([low, high]) => low <= value && value <= high),
        )
        this.list(found?.body ?? statement.otherwise)
        return
      }
      case 'loop':
        this.#leaving(statement.label, () => {
          for (;;) {
            this.#round()
            try {
              this.list(statement.body)
            } catch (signal) {
              if (!(signal instanceof Repeat) || signal.label !== statement.label) throw signal
            }
          }
        })
        return
      case 'group':
        this.#leaving(statement.label, () => this.list(statement.body))
        return
      case 'leave':
        throw new Leave(statement.label)
      case 'repeat':
        throw new Repeat(statement.label)
      case 'sections':
        this.#leaving(statement.label, () => {
          for (let i = 0; i < statement.sections.length; )
            try {
              this.#round()
              this.list(statement.sections[i] as readonly Statement[])
              i++
            } catch (signal) {
              if (!(signal instanceof Goto) || signal.label !== statement.label) throw signal
              i = signal.section
            }
        })
        return
      case 'goto':
        throw new Goto(statement.label, statement.section)
      case 'return':
        throw new Return()
    }
  }

  #leaving(label: number, run: () => void): void {
    try {
      run()
    } catch (signal) {
      const isOwn = signal instanceof Leave && !(signal instanceof Repeat) && !(signal instanceof Goto)
      if (!isOwn || signal.label !== label) throw signal
    }
  }

  /** The place with its indices; undefined, and a fault, where one of them is wrong. */
  #place({ base, offset, bit, indices }: Place): At | undefined {
    const numbers = indices.map(({ value, low, high, stride, isBits }) => {
      const [index, from, to] = [value, low, high].map((one) => BigInt(typeof one === 'number' ? one : this.#of(one)))
      const isRight = index! >= from! && index! <= to!
      return { isRight, bits: Number(index! - from!) * stride * (isBits ? 1 : 8) }
    })
    if (numbers.some(({ isRight }) => !isRight)) {
      this.#machine.faults.push(`${this.#block.name}:${indices[0]?.site}`)
      return undefined
    }
    const all = numbers.reduce((sum, { bits }) => sum + bits, (bit ?? 0) + 8 * offset)
    const isPacked = bit !== undefined || indices.some(({ isBits }) => isBits)
    return { address: this.#base(base) + Math.floor(all / 8), bit: isPacked ? all % 8 : undefined }
  }

  #base(base: Place['base']): number {
    if (base.kind === 'instance') return this.#instance
    if (base.kind === 'frame') return this.#frame
    if (base.kind === 'pointer') return Number(this.#of(base.address))
    return this.#machine.addressOf(base)
  }

  #fail(isFailure: boolean): void {
    if (isFailure) this.eno = 0n
  }

  #of(expression: Expression): Value {
    switch (expression.kind) {
      case 'constant':
        return expression.type.family === 'real'
          ? rounded(expression.type, Number(expression.value))
          : wrapped(expression.type, BigInt(expression.value))
      case 'load': {
        const at = this.#place(expression.place)
        if (!at) return expression.type.family === 'real' ? 0 : 0n
        return this.#machine.load(expression.type, at, expression.place.isStandard)
      }
      case 'local':
        return this.locals[expression.local] as Value
      case 'unary':
        return this.#unary(expression)
      case 'binary':
        return this.#binary(expression)
      case 'convert':
        return this.#convert(expression)
      case 'select': {
        const [yes, no] = [this.#of(expression.whenTrue), this.#of(expression.otherwise)]
        return this.#of(expression.condition) === 1n ? yes : no
      }
      case 'address': {
        const at = this.#place(expression.place)
        if (!at) throw new Error('an address with a wrong index is not compared')
        return BigInt(at.address)
      }
      case 'routine': {
        const { routine, arguments: given, type, setsEno } = expression
        const result = this.#machine.routine(
          routine,
          given.map((one) => this.#of(one)),
          type,
        )
        this.#fail(setsEno && !Number.isFinite(Number(result)))
        return result
      }
      case 'eno':
        return this.eno
      case 'calleeEno':
        return this.#machine.calleeEno
      case 'now':
        return 0n
      case 'sequence':
        this.list(expression.statements)
        return this.#of(expression.value)
    }
  }

  #unary({ operator, type, operand, setsEno }: Extract<Expression, { kind: 'unary' }>): Value {
    const value = this.#of(operand)
    if (typeof value === 'number') {
      const result =
        operator === 'negate' ? -value : operator === 'abs' ? Math.abs(value) : rounded(type, Math.sqrt(value))
      this.#fail(setsEno === true && operator === 'sqrt' && !Number.isFinite(result))
      return result
    }
    if (operator === 'not') return wrapped(type, type.bits === 1 ? value ^ 1n : ~value)
    const exact = operator === 'negate' ? -value : value < 0n ? -value : value
    this.#fail(setsEno === true && type.isSigned && wrapped(type, exact) !== exact)
    return wrapped(type, exact)
  }

  #binary({ operator, type, left, right, setsEno }: Extract<Expression, { kind: 'binary' }>): Value {
    const [a, b] = [this.#of(left), this.#of(right)]
    const truth = (is: boolean) => (is ? 1n : 0n)
    switch (operator) {
      case 'equal':
        return truth(a === b)
      case 'notEqual':
        return truth(a !== b)
      case 'less':
        return truth(a < b)
      case 'lessOrEqual':
        return truth(a <= b)
      case 'greater':
        return truth(a > b)
      case 'greaterOrEqual':
        return truth(a >= b)
      default:
    }
    if (typeof a === 'number' || typeof b === 'number') {
      const [x, y] = [Number(a), Number(b)]
      const results: Partial<Record<typeof operator, number>> = {
        add: x + y,
        subtract: x - y,
        multiply: x * y,
        divide: x / y,
        minimum: Math.min(x, y),
        maximum: Math.max(x, y),
      }
      const result = rounded(type, results[operator] ?? Number.NaN)
      this.#fail(setsEno && !Number.isFinite(result))
      return result
    }
    const exact = this.#exact(operator, type, a, b)
    this.#fail(setsEno && (exact === undefined || wrapped(type, exact) !== exact))
    return wrapped(type, exact ?? 0n)
  }

  /** The exact result; undefined: divided by zero. */
  #exact(operator: string, { bits, isSigned }: ScalarType, a: bigint, b: bigint): bigint | undefined {
    const pattern = BigInt.asUintN(bits, a)
    const size = BigInt(bits)
    switch (operator) {
      case 'add':
        return a + b
      case 'subtract':
        return a - b
      case 'multiply':
        return a * b
      case 'divide':
        return b === 0n ? undefined : a / b
      case 'modulo':
        return b === 0n ? undefined : a % b
      case 'and':
        return a & b
      case 'or':
        return a | b
      case 'xor':
        return a ^ b
      case 'minimum':
        return a < b ? a : b
      case 'maximum':
        return a > b ? a : b
      case 'shiftLeft':
        return b >= size ? 0n : pattern << b
      case 'shiftRight':
        return b >= size ? (isSigned && a < 0n ? -1n : 0n) : a >> b
      case 'rotateLeft':
        return (pattern << (b % size)) | (pattern >> (size - (b % size)))
      case 'rotateRight':
        return (pattern >> (b % size)) | (pattern << (size - (b % size)))
      default:
        throw new Error(operator)
    }
  }

  #convert({ from, type, operand, mode, setsEno }: Extract<Expression, { kind: 'convert' }>): Value {
    const value = this.#of(operand)
    if (mode === 'bits') return bitsOf(from, type, value)
    if (typeof value === 'number') {
      if (type.family === 'real') {
        const result = rounded(type, mode === 'value' ? value : roundings[mode](value))
        const mayFail = mode !== 'value' || (from.bits === 64 && type.bits === 32)
        this.#fail(setsEno && mayFail && !Number.isFinite(result))
        return result
      }
      const whole = roundings[mode](value)
      if (!Number.isFinite(whole)) {
        this.#fail(setsEno)
        return 0n
      }
      this.#fail(setsEno && wrapped(type, BigInt(whole)) !== BigInt(whole))
      return wrapped(type, BigInt(whole))
    }
    if (type.family === 'real') return rounded(type, Number(value))
    if (type.bits === 1) return value === 0n ? 0n : 1n
    this.#fail(setsEno && wrapped(type, value) !== value)
    return wrapped(type, value)
  }
}

/** The same bits in another type; what is longer is filled with zeros. */
function bitsOf(from: ScalarType, type: ScalarType, value: Value): Value {
  const view = new DataView(new ArrayBuffer(8))
  if (typeof value === 'bigint') view.setBigUint64(0, BigInt.asUintN(from.bits, value), true)
  else if (from.bits === 32) view.setFloat32(0, value, true)
  else view.setFloat64(0, value, true)
  if (type.family === 'real') return type.bits === 32 ? view.getFloat32(0, true) : view.getFloat64(0, true)
  return wrapped(type === Bool ? Byte : type, view.getBigUint64(0, true))
}
