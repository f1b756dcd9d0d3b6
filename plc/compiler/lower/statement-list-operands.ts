/**
 * Operands of STL: besides those of all languages, open data blocks, computed addresses, status bits, S5 timers and
 * counters.
 */

import { address, binary, constant, convert, local, setLocal } from '../../ir/build.ts'
import type { Expression, Place, Statement } from '../../ir/ir.ts'
import type { AddressOperand, IndirectOperand, Operand as ModelOperand } from '../../model/operand.ts'
import { operandText } from '../../model/operand-text.ts'
import { type ConstantValue, ownType } from '../../program/constants.ts'
import { extentOf } from '../../program/layout.ts'
import { declaredBits, localAddresses } from '../../program/local-addresses.ts'
import { defaultAreas } from '../../program/memory-areas.ts'
import type { ProgramBlock } from '../../program/program.ts'
import { Bool, Byte, DInt, DWord, scalarNamed, UDInt, UInt, Word } from '../../program/scalars.ts'
import type { ArrayType, ScalarType } from '../../program/type.ts'
import { typeName } from '../../program/type-name.ts'
import { lowerOperand } from './model-operand.ts'
import { blockData, moved, textOf } from './operands.ts'
import { readScalar, requireWritable, storeScalar } from './reading.ts'
import { type S5Element, s5Element, s5Number, s5State, s5Value } from './s5.ts'
import type { SourceRange } from './source-range.ts'
import { blockRegisters, isOpen, type Memory, registerMemory } from './statement-list-blocks.ts'
import { asAccu, type StatementMachine } from './statement-list-machine.ts'
import {
  callerArea,
  localArea,
  localMemory,
  pointerToName,
  windowCount,
  windowSize,
} from './statement-list-pointers.ts'
import { type Operand, type Variable, wrong } from './values.ts'

/** Resolves an operand of STL. Statements that compute its address are added to the machine. */
export function stlOperand(machine: StatementMachine, operand: ModelOperand, at: SourceRange): Operand {
  if (operand.kind === 'indirect') return indirectOperand(machine, operand, at)
  if (operand.kind === 'address') {
    const { area, type, blockNumber, bitOffset } = operand
    if ((area === 'DB' || area === 'DI') && blockNumber === undefined && bitOffset !== undefined && type !== 'Block_DB')
      return openBlockOperand(machine, operand, at)
    if (area === 'Local') return localData(machine, operand, at)
  }
  return lowerOperand(machine.context, operand, at)
}

/**
 * `L 4.0`, `LD 20`: declared temporaries, which then have the layout of a standard block in the frame, or local data
 * after them, which converters of LAD and FBD use for intermediate results.
 */
function localData(machine: StatementMachine, operand: AddressOperand, at: SourceRange): Operand {
  const { context } = machine
  const text = operandText(operand)
  const type = scalarNamed(operand.type)
  const bits = operand.bitOffset ?? 0
  const end = declaredBits(context.block)
  const isDeclared = bits < end && context.framedAt !== undefined
  if (!type || (bits < end && (!isDeclared || bits + type.bits > Math.ceil(end / 16) * 16))) {
    context.report(
      'unsupported-operand',
      at,
      `${text} reaches beyond the declared temporaries, which end at byte ${Math.ceil(end / 8)}.`,
      'Address what is declared, or what lies behind it, not both at once.',
    )
    return wrong
  }
  if (isDeclared && context.framedAt) {
    const place = moved(context.framedAt, bits >> 3, type.bits === 1 ? bits & 7 : undefined)
    return { kind: 'variable', type, at: { kind: 'place', place }, text }
  }
  machine.localData ??= { ...context.frame(localDataType(context)), isStandard: true }
  const place = moved(machine.localData, bits >> 3, type.bits === 1 ? bits & 7 : undefined)
  return { kind: 'variable', type, at: { kind: 'place', place }, text }
}

/** The type of the local data: bytes up to the last one that a statement of the block uses. */
function localDataType({ block }: StatementMachine['context']): ArrayType {
  const last = Math.max(0, ...localAddresses(block).map((bits) => (bits >> 3) + 8))
  return { kind: 'array', dimensions: [{ low: 0, high: last }], element: Byte }
}

/** `DBW 4`, `DIX 0.1`. */
function openBlockOperand(machine: StatementMachine, operand: AddressOperand, at: SourceRange): Operand {
  const { context } = machine
  const text = operandText(operand)
  const type = scalarNamed(operand.type)
  const which = operand.area === 'DB' ? 'DB' : 'DI'
  if (!type) {
    context.report('unsupported-operand', at, `${text} cannot be used here.`)
    return wrong
  }
  const bits = operand.bitOffset ?? 0
  const { openBlock: known } = machine
  const data = which === 'DB' && known ? blockData(known) : undefined
  if (known && data) {
    const { size } = extentOf(data.type, 'standard')
    if (bits + type.bits > size * 8) {
      context.report('address-outside', at, `${text} lies outside "${known.name}", which has ${size} bytes.`)
      return wrong
    }
    const place = moved(data.place, bits >> 3, type.bits === 1 ? bits & 7 : undefined)
    return { kind: 'variable', type, at: { kind: 'place', place }, text }
  }
  if (!isOpen(machine, which, text, at)) return wrong
  const offset = type.bits === 1 ? constant(DInt, BigInt(bits)) : constant(DInt, BigInt(bits >> 3))
  return checkedVariable(machine, registerMemory(machine, which), offset, type, text, at)
}

/** A variable at a checked offset: in bits for a Bool, else in bytes. */
function checkedVariable(
  machine: StatementMachine,
  { base, size }: Memory,
  offset: Expression,
  type: ScalarType,
  text: string,
  at: SourceRange,
): Variable {
  const isBit = type.bits === 1
  const width = isBit ? 1 : type.bits / 8
  // -1 when no value of this width fits: then every access is a fault.
  const high =
    typeof size === 'number'
      ? size * (isBit ? 8 : 1) - width
      : binary(
          'maximum',
          DInt,
          binary(
            'subtract',
            DInt,
            isBit ? binary('multiply', DInt, size, constant(DInt, 8n)) : size,
            constant(DInt, BigInt(width)),
          ),
          constant(DInt, -1n),
        )
  const site = machine.context.site(at)
  const index = { value: offset, low: 0, high, stride: 1, site, ...(isBit ? { isBits: true } : {}) }
  const place: Place = { base, offset: 0, indices: [index], isStandard: true, ...(isBit ? { bit: 0 } : {}) }
  return { kind: 'variable', type, at: { kind: 'place', place }, text }
}

const widths: Readonly<Record<string, ScalarType>> = { Bit: Bool, Byte, Word, Double: DWord }
const areas = {
  Input: ['I', defaultAreas.I],
  Output: ['Q', defaultAreas.Q],
  Memory: ['M', defaultAreas.M],
  PeripheryInput: ['PI', defaultAreas.I],
  PeripheryOutput: ['PQ', defaultAreas.Q],
} as const

/** `MW [MD 20]`, `DBW [AR1,P#2.0]`, `W [AR1,P#0.0]`. */
function indirectOperand(machine: StatementMachine, operand: IndirectOperand, at: SourceRange): Operand {
  const { context } = machine
  const text = operandText(operand)
  const type = widths[operand.width]
  const refuse = (why: string, hint?: string): typeof wrong => {
    context.report('unsupported-operand', at, `${text} cannot be used here: ${why}.`, hint)
    return wrong
  }
  if (operand.area === 'Local')
    return refuse('local data have no addresses that a pointer reaches', 'Point to a temporary: P##name in AR1.')
  if (!type) return refuse(operand.width === 'Long' ? 'an accumulator has 32 bits' : 'it is no value')
  let pointer: Expression
  if (operand.pointer) {
    const value = readScalar(context, stlOperand(machine, operand.pointer, at), at)
    if (!value) return wrong
    if (value.type.bits !== 32 || value.type.family === 'real') {
      context.report(
        'wrong-operand',
        at,
        `The pointer of ${text} is of type ${typeName(value.type)}: a double word is wanted.`,
      )
      return wrong
    }
    pointer = asAccu(value.expression, value.type)
  } else {
    const register = local(DWord, machine.register(operand.register ?? 'AR1', DWord))
    const { bitOffset = 0 } = operand
    pointer = bitOffset === 0 ? register : binary('add', DWord, register, constant(DWord, BigInt(bitOffset)))
  }
  const kept = context.local(DWord)
  machine.add(setLocal(kept, pointer))
  const bits = binary('and', DWord, local(DWord, kept), constant(DWord, 0x7ffffn))
  const offset = convert(
    type === Bool ? bits : binary('shiftRight', DWord, bits, constant(UInt, 3n)),
    DWord,
    DInt,
    'bits',
  )
  const { area } = operand
  if (area === undefined)
    return checkedVariable(machine, crossing(machine, local(DWord, kept), at), offset, type, text, at)
  if (area === 'DB' || area === 'DI') {
    if (!isOpen(machine, area, text, at)) return wrong
    return checkedVariable(machine, registerMemory(machine, area), offset, type, text, at)
  }
  const known = areas[area as keyof typeof areas]
  if (!known) return refuse(`a pointer leads to I, Q, M, DB or DI, not to ${text.slice(0, text.indexOf('['))}`)
  return checkedVariable(machine, { base: { kind: 'area', area: known[0] }, size: known[1] }, offset, type, text, at)
}

/** The area is in the pointer itself: 16#81 I, 82 Q, 83 M, 84 DB, 85 DI; using any other is a programming error. */
function crossing(machine: StatementMachine, pointer: Expression, at: SourceRange): Memory {
  const { context } = machine
  const [start, size] = [context.local('address'), context.local(DInt)]
  const set = (from: Expression, bytes: Expression): Statement[] => [setLocal(start, from), setLocal(size, bytes)]
  const ofArea = (area: 'I' | 'Q' | 'M' | 'PI') => {
    const bytes = area === 'PI' ? defaultAreas.I : defaultAreas[area]
    const place: Place = { base: { kind: 'area', area }, offset: 0, indices: [], isStandard: true }
    return set(address(place), constant(DInt, BigInt(bytes)))
  }
  const ofBlock = (which: 'DB' | 'DI') => {
    const registers = blockRegisters(machine, which)
    return set(local('address', registers.address), local(DInt, registers.size))
  }
  const branch = (code: bigint, body: Statement[]) => ({ ranges: [[code, code] as const], body })
  const locals = localMemory(machine)
  /** The window identifies the variable; the offset counts from the first window. */
  const ofLocals = (area: bigint): ReturnType<typeof branch>[] => {
    const windows = locals.flatMap(({ place, size: bytes, area: own }, i) => {
      if (own !== area) return []
      const skipped = BigInt(i) * windowSize
      const first = binary('subtract', UDInt, address(place), constant(UDInt, skipped))
      return [branch(BigInt(i), set(first, constant(DInt, skipped + BigInt(bytes))))]
    })
    if (windows.length === 0) return []
    const window = binary('shiftRight', DWord, pointer, constant(UInt, 12n))
    const chosen: Statement = {
      kind: 'switch',
      selector: convert(binary('and', DWord, window, constant(DWord, windowCount - 1n)), DWord, Byte, 'bits'),
      type: Byte,
      branches: windows,
      otherwise: [setLocal(size, constant(DInt, 0n))],
      site: context.site(at),
    }
    return [branch(area, [chosen])]
  }
  machine.add({
    kind: 'switch',
    selector: convert(binary('shiftRight', DWord, pointer, constant(UInt, 24n)), DWord, Byte, 'bits'),
    type: Byte,
    branches: [
      branch(0x80n, ofArea('PI')),
      branch(0x81n, ofArea('I')),
      branch(0x82n, ofArea('Q')),
      branch(0x83n, ofArea('M')),
      branch(0x84n, ofBlock('DB')),
      branch(0x85n, ofBlock('DI')),
      ...ofLocals(localArea),
      ...ofLocals(callerArea),
    ],
    otherwise: [setLocal(size, constant(DInt, 0n))],
    site: context.site(at),
  })
  return { base: { kind: 'pointer', address: local('address', start) }, size: local(DInt, size) }
}

// ── Timers and counters ─────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Returns the S5 timer or counter of an operand; `undefined` for any other operand, `wrong` when a fault is reported.
 */
export function s5Operand(
  machine: StatementMachine,
  operand: ModelOperand,
  at: SourceRange,
): S5Element | typeof wrong | undefined {
  const { context } = machine
  if (operand.kind === 'indirect' && (operand.area === 'Timer' || operand.area === 'Counter') && operand.pointer) {
    const value = readScalar(context, stlOperand(machine, operand.pointer, at), at)
    if (!value) return wrong
    const number = convert(convert(asAccu(value.expression, value.type), DWord, Word, 'bits'), Word, DInt)
    return s5Element(context, operand.area === 'Timer' ? 'T' : 'C', number, at) ?? wrong
  }
  const named = s5Number(context, operand)
  return named && (s5Element(context, named.kind, named.number, at) ?? wrong)
}

// ── Values ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Returns the value that L loads, as ACCU 1 contains it. `undefined`: it cannot be loaded, which is then reported. */
export function accuValue(machine: StatementMachine, operand: ModelOperand, at: SourceRange): Expression | undefined {
  const { context } = machine
  const s5 = s5Operand(machine, operand, at)
  if (s5) {
    if (s5.kind === 'wrong') return undefined
    const { before, binary: number } = s5Value(context, s5)
    machine.add(...before)
    return asAccu(number, Word)
  }
  if (operand.kind === 'literal') {
    const list = byteList(operand.value)
    if (list !== undefined) return constant(DWord, list)
  }
  if (operand.kind === 'other' && operand.text.startsWith('P#')) return pointerToName(machine, operand.text, at)
  const found = stlOperand(machine, operand, at)
  if (found.kind === 'constant') return constantAccu(machine, found, at)
  const value = readScalar(context, found, at)
  if (!value) return undefined
  if (!fitsAccu(machine, value.type, textOf(found), at)) return undefined
  return asAccu(value.expression, value.type)
}

function fitsAccu(machine: StatementMachine, type: ScalarType, text: string, at: SourceRange): boolean {
  const isFitting = type.bits <= 32 && type.family !== 'bool'
  if (!isFitting)
    machine.context.report(
      'wrong-operand',
      at,
      `${text} is of type ${typeName(type)}: an accumulator holds values of 8, 16 or 32 bits.`,
      type.family === 'bool' ? 'Bits are combined with A, O, X and assigned with =.' : 'Use SCL for values of 64 bits.',
    )
  return isFitting
}

/** `B#(1,2)`, `B#(1,2,3,4)`: bytes from the highest on. */
function byteList(text: string): bigint | undefined {
  const [, list] = /^B(?:YTE)?#\(([\d,\s]+)\)$/i.exec(text.trim()) ?? []
  return list?.split(',').reduce((all, one) => (all << 8n) | (BigInt(one.trim() || '0') & 0xffn), 0n)
}

function constantAccu(machine: StatementMachine, found: ConstantValue, at: SourceRange): Expression | undefined {
  const { value, type } = found
  // 'AB', 'ABCD': characters from the highest byte on.
  if (typeof value === 'string' && value.length > 0 && value.length <= 4 && /^[\0-\xff]*$/.test(value))
    return constant(
      DWord,
      [...value].reduce((all, one) => (all << 8n) | BigInt(one.charCodeAt(0)), 0n),
    )
  // 16#FFFF_FFFF is a pattern of 32 bits, not a number of 64.
  if (typeof value === 'bigint' && type === undefined && value > 0x7fffffffn && value <= 0xffffffffn)
    return constant(DWord, value)
  const own = ownType(found)
  const read = readScalar(machine.context, found, at)
  if (!own || !read || !fitsAccu(machine, own, found.text, at)) return undefined
  return asAccu(read.expression, read.type)
}

/** Lowers T: writes the low part of ACCU 1. */
export function transfer(machine: StatementMachine, operand: ModelOperand, value: Expression, at: SourceRange): void {
  const { context } = machine
  const target = stlOperand(machine, operand, at)
  if (!requireWritable(context, target, at)) return
  const { type } = target
  if (type.kind !== 'scalar') {
    if (type.kind !== 'unknown')
      context.report(
        'wrong-operand',
        at,
        `${target.text} is of type ${typeName(type)}: an accumulator holds single values.`,
      )
    return
  }
  if (!fitsAccu(machine, type, target.text, at)) return
  machine.add(...storeScalar(context, target, convert(value, DWord, type, 'bits'), at))
}

/** Returns the value of a bit: of memory, of the status word, of a timer or counter. */
export function bitValue(machine: StatementMachine, operand: ModelOperand, at: SourceRange): Expression | undefined {
  const { context } = machine
  if (operand.kind === 'status') {
    const condition = machine.condition(operand.name)
    if (!condition)
      context.report('unsupported-operand', at, `The status bit ${operandText(operand)} cannot be asked for.`)
    return condition
  }
  const s5 = s5Operand(machine, operand, at)
  if (s5) {
    if (s5.kind === 'wrong') return undefined
    const { before, value } = s5State(s5)
    machine.add(...before)
    return value
  }
  const found = stlOperand(machine, operand, at)
  const value = readScalar(context, found, at)
  if (!value) return undefined
  if (value.type === Bool) return value.expression
  context.report('wrong-operand', at, `${textOf(found)} is of type ${typeName(value.type)}: a bit is wanted.`)
  return undefined
}

/** Returns a bit that can be written; `undefined`: it is not one, which is then reported. */
export function bitTarget(machine: StatementMachine, operand: ModelOperand, at: SourceRange): Variable | undefined {
  const { context } = machine
  const found = stlOperand(machine, operand, at)
  if (!requireWritable(context, found, at)) return undefined
  if (found.type === Bool) return found
  if (found.type.kind !== 'unknown')
    context.report('wrong-operand', at, `${found.text} is of type ${typeName(found.type)}: a bit is wanted.`)
  return undefined
}

/** OPN: opens a data block by name or by a computed number. */
export function openBlock(machine: StatementMachine, which: 'DB' | 'DI', operand: ModelOperand, at: SourceRange): void {
  const { context } = machine
  const registers = blockRegisters(machine, which)
  const open = (block: ProgramBlock, place: Place, size: number): Statement[] => [
    setLocal(registers.address, address(place)),
    setLocal(registers.size, constant(DInt, BigInt(size))),
    setLocal(registers.number, constant(UInt, BigInt(block.number))),
  ]
  if (which === 'DB') machine.openBlock = undefined
  const pointer = operand.kind === 'indirect' ? operand.pointer : undefined
  if (operand.kind === 'indirect' && operand.area !== 'DB' && operand.area !== 'DI') {
    context.report('wrong-operand', at, `${operandText(operand)} is no data block: it cannot be opened.`)
    return
  }
  const found: Operand = pointer ? stlOperand(machine, pointer, at) : stlOperand(machine, operand, at)
  if (found.kind === 'wrong') return
  if (found.kind === 'block') {
    const data = blockData(found.block)
    if (!data) {
      context.report('wrong-operand', at, `${found.text} is no data block: it cannot be opened.`)
      return
    }
    if (found.block.access === 'optimized') {
      context.report(
        'optimized-access',
        at,
        `${found.text} has optimized access: it cannot be opened, its data have no addresses.`,
        'Use the names of its members, or switch optimized access off.',
      )
      return
    }
    machine.add(...open(found.block, data.place, extentOf(data.type, 'standard').size))
    if (which === 'DB') machine.openBlock = found.block
    return
  }
  const value = readScalar(context, found, at)
  if (!value) return
  const { bits, family } = value.type
  if (bits > 32 || (family !== 'integer' && family !== 'bits' && family !== 'hardware')) {
    context.report(
      'wrong-operand',
      at,
      `${textOf(found)} is of type ${typeName(value.type)}: a block number is wanted.`,
    )
    return
  }
  const number = machine.keep('block number', Word, convert(asAccu(value.expression, value.type), DWord, Word, 'bits'))
  const branches = [...context.program.blocks.values()].flatMap((block) => {
    const data = blockData(block)
    if (!data || block.access === 'optimized') return []
    const range: readonly [bigint, bigint] = [BigInt(block.number), BigInt(block.number)]
    return [{ ranges: [range], body: open(block, data.place, extentOf(data.type, 'standard').size) }]
  })
  // A block that does not exist has no data: every access to it is a programming error.
  machine.add({
    kind: 'switch',
    selector: number,
    type: Word,
    branches,
    otherwise: [setLocal(registers.size, constant(DInt, 0n)), setLocal(registers.number, constant(UInt, 0n))],
    site: context.site(at),
  })
}
