/**
 * The registers of STL, as registers of the call: result of logic operation, accumulators, address and data block
 * registers, condition codes. BR is the block's ENO. Facts: STEP 7 "Statement List for S7-300 and S7-400", chapters 1
 * and A.
 *
 * Choices where the S7-1500 manuals say nothing: two accumulators; a value of 8 or 16 bits leaves zeros above it in
 * ACCU 1; BR is TRUE when a block begins; a division by zero gives 0.
 */

import { binary, constant, convert, isFalse, local, setLocal } from '../../ir/build.ts'
import type { Expression, Place, Statement } from '../../ir/ir.ts'
import type { ProgramBlock } from '../../program/program.ts'
import { Bool, Byte, DInt, DWord, Real, UInt, Word } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import type { BlockContext } from './block-context.ts'
import { pattern } from './conversions.ts'
import type { JumpTargets } from './jumps.ts'
import type { SourceRange } from './source-range.ts'

/** Condition bits that the block uses; others are not computed. */
export interface Watched {
  readonly codes: boolean
  readonly overflow: boolean
  readonly stored: boolean
}

/**
 * Whether the next bit instruction begins a new string of logic; `unknown` after labels that are reached in both ways.
 */
export type First = 'first' | 'following' | 'unknown'

/** The state that an open bracket saves. */
export interface Bracket {
  readonly mnemonic: string
  /** RLO and OR before it; OR is absent when there was none. */
  readonly rlo: number
  readonly or: number | undefined
  readonly first: First
  readonly firstRegister: number | undefined
  readonly startsAnd: boolean
  /** Register with BR before it. */
  readonly binaryResult: number
  readonly at: SourceRange
}

/** CC1 and CC0 as one number. */
export const codes = { zero: 0n, less: 1n, greater: 2n, unordered: 3n } as const

export class StatementMachine {
  readonly context: BlockContext
  watched: Watched = { codes: false, overflow: false, stored: false }
  jumps: JumpTargets | undefined
  first: First = 'first'
  /** Register with the RLO before an `O` without operand; the group of ANDs after it is ORed with it. */
  or: number | undefined
  /** The next AND begins such a group. */
  startsAnd = false
  brackets: Bracket[] = []
  /** Memory of `L` addresses, when there are any. */
  localData: Place | undefined
  /** The data block that is open, when it is known here. */
  openBlock: ProgramBlock | undefined
  readonly #registers = new Map<string, number>()
  #out: Statement[] = []

  constructor(context: BlockContext) {
    this.context = context
  }

  /** Returns the statements added since the last call. */
  take(): Statement[] {
    const taken = this.#out
    this.#out = []
    return taken
  }

  add(...statements: readonly Statement[]): void {
    this.#out.push(...statements)
  }

  /** Returns a register of the machine by its name. */
  register(name: string, type: ScalarType | 'address'): number {
    let number = this.#registers.get(name)
    if (number === undefined) {
      number = this.context.local(type)
      this.#registers.set(name, number)
    }
    return number
  }

  /** Whether the register is already in use. */
  has(name: string): boolean {
    return this.#registers.has(name)
  }

  // ── Result of logic operation ─────────────────────────────────────────────────────────────────────────────────────

  get rlo(): Expression {
    return local(Bool, this.register('RLO', Bool))
  }

  setRlo(value: Expression): void {
    this.add(setLocal(this.register('RLO', Bool), value))
  }

  get firstRegister(): number {
    return this.register('FC', Bool)
  }

  /** Ends a string of logic: the next instruction begins a new one. */
  endLogic(): void {
    this.first = 'first'
    this.or = undefined
    this.startsAnd = false
  }

  /** Marks the RLO as newly computed; instructions that follow are combined with it. */
  continueLogic(): void {
    this.first = 'following'
    this.or = undefined
    this.startsAnd = false
  }

  // ── Accumulators ──────────────────────────────────────────────────────────────────────────────────────────────────

  accu(number: 1 | 2): Expression {
    return local(DWord, this.register(`ACCU${number}`, DWord))
  }

  setAccu(number: 1 | 2, value: Expression): void {
    this.add(setLocal(this.register(`ACCU${number}`, DWord), value))
  }

  /** Loads a value as L does: ACCU 1 moves to ACCU 2. */
  push(value: Expression): void {
    this.setAccu(2, this.accu(1))
    this.setAccu(1, value)
  }

  /** Returns the low part of an accumulator as a value of the type. */
  accuAs(number: 1 | 2, type: ScalarType): Expression {
    return convert(this.accu(number), DWord, type, 'bits')
  }

  /** Replaces the low word of ACCU 1 by the low word of a DInt. */
  setLowWord(value: Expression): void {
    const low = convert(convert(value, DInt, Word, 'bits'), Word, DWord)
    const high = binary('and', DWord, this.accu(1), constant(DWord, 0xffff0000n))
    this.setAccu(1, binary('or', DWord, high, low))
  }

  setReal(value: Expression): void {
    this.setAccu(1, convert(value, Real, DWord, 'bits'))
  }

  /** Stores a value that is needed more than once in a register. */
  keep(name: string, type: ScalarType, value: Expression): Expression {
    const register = this.register(`${name} ${type.name}`, type)
    this.add(setLocal(register, value))
    return local(type, register)
  }

  // ── Condition codes ───────────────────────────────────────────────────────────────────────────────────────────────

  get codes(): Expression {
    return local(Byte, this.register('CC', Byte))
  }

  setCodes(value: Expression): void {
    if (this.watched.codes) this.add(setLocal(this.register('CC', Byte), value))
  }

  /** Sets the codes of a number: zero, less, greater; a Real that is NaN is unordered. */
  codesOf(type: ScalarType, value: Expression): void {
    if (!this.watched.codes) return
    const zero = constant(type, type === Real ? 0 : 0n)
    const code = (number: bigint) => constant(Byte, number)
    const choose = (condition: Expression, whenTrue: Expression, otherwise: Expression): Expression => ({
      kind: 'select',
      type: Byte,
      condition,
      whenTrue,
      otherwise,
    })
    const last =
      type === Real
        ? choose(binary('equal', Real, value, zero), code(codes.zero), code(codes.unordered))
        : code(codes.zero)
    this.setCodes(
      choose(
        binary('less', type, value, zero),
        code(codes.less),
        choose(binary('greater', type, value, zero), code(codes.greater), last),
      ),
    )
  }

  /** Sets OV to a value, and OS when it is TRUE. */
  setOverflow(value: Expression): void {
    const { overflow, stored } = this.watched
    if (overflow) this.add(setLocal(this.register('OV', Bool), value))
    if (stored && value !== isFalse)
      this.add(setLocal(this.register('OS', Bool), binary('or', Bool, this.stored, value)))
  }

  get overflow(): Expression {
    return local(Bool, this.register('OV', Bool))
  }

  get stored(): Expression {
    return local(Bool, this.register('OS', Bool))
  }

  /** Returns BR, CC 1, CC 0, OV, OS and RLO in the bits 8 to 4 and 1: help page "L STW". */
  statusWord(): Expression {
    const bits = (value: Expression, type: ScalarType, place: bigint) =>
      binary('shiftLeft', DWord, convert(value, type, DWord), constant(UInt, place))
    return [
      bits(this.codes, Byte, 6n),
      bits(this.overflow, Bool, 5n),
      bits(this.stored, Bool, 4n),
      bits(this.rlo, Bool, 1n),
    ].reduce((all, one) => binary('or', DWord, all, one), bits({ kind: 'eno' }, Bool, 8n))
  }

  /** Takes the status bits from these places of a word: help page "T STW". */
  setStatusWord(word: Expression): void {
    const isSet = (place: bigint) =>
      binary('notEqual', DWord, binary('and', DWord, word, constant(DWord, 1n << place)), constant(DWord, 0n))
    const moved = convert(binary('shiftRight', DWord, word, constant(UInt, 6n)), DWord, Byte, 'bits')
    this.setCodes(binary('and', Byte, moved, constant(Byte, 3n)))
    this.add(
      { kind: 'setEno', value: isSet(8n) },
      setLocal(this.register('OV', Bool), isSet(5n)),
      setLocal(this.register('OS', Bool), isSet(4n)),
    )
    this.setRlo(isSet(1n))
  }

  get watchesOverflow(): boolean {
    return this.watched.overflow || this.watched.stored
  }

  /** Sets the codes of a bit string: not 0 counts as greater; OV is FALSE. */
  codesOfPattern(type: ScalarType, value: Expression): void {
    if (this.watched.codes)
      this.setCodes({
        kind: 'select',
        type: Byte,
        condition: binary('equal', type, value, constant(type, 0n)),
        whenTrue: constant(Byte, codes.zero),
        otherwise: constant(Byte, codes.greater),
      })
    this.setOverflow(isFalse)
  }

  /** Returns the condition of a status bit or jump; `undefined`: there is none of this name. */
  condition(name: string): Expression | undefined {
    const is = (code: bigint) => binary('equal', Byte, this.codes, constant(Byte, code))
    const either = (a: bigint, b: bigint) => binary('or', Bool, is(a), is(b))
    switch (name) {
      case 'BR':
        return { kind: 'eno' }
      case 'OV':
        return this.overflow
      case 'OS':
        return this.stored
      case 'EQ':
        return is(codes.zero)
      case 'NE':
        return either(codes.less, codes.greater)
      case 'GT':
        return is(codes.greater)
      case 'LT':
        return is(codes.less)
      case 'GE':
        return either(codes.zero, codes.greater)
      case 'LE':
        return either(codes.zero, codes.less)
      case 'UO':
        return is(codes.unordered)
      default:
        return undefined
    }
  }
}

/** Returns a scalar of up to 32 bits as an accumulator contains it: zeros above it. */
export function asAccu(value: Expression, type: ScalarType): Expression {
  if (type === DWord) return value
  if (type.bits === 32) return convert(value, type, DWord, 'bits')
  const bits = pattern(type)
  return convert(convert(value, type, bits, 'bits'), bits, DWord)
}
