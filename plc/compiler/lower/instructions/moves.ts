/**
 * Instructions that move, fill, scatter and read memory, and those with operands of any type
 * (runtime/routines/{memory,variants}.ts).
 */

import { binary, constant, convert, isFalse, local, setLocal, when } from '../../../ir/build.ts'
import type { Expression, Statement } from '../../../ir/ir.ts'
import { Bool, Byte, DInt, DWord, Int, LInt, LWord, rangeOf, UDInt, Word } from '../../../program/scalars.ts'
import type { ScalarType, Type } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import { assign } from '../assignments.ts'
import type { Instruction } from '../instruction.ts'
import { isOpenArray, limitsOf } from '../open-array-parameters.ts'
import { wholeVariable } from '../operands.ts'
import { readScalar } from '../reading.ts'
import type { Called, Limits } from '../values.ts'
import { sameType } from '../values.ts'
import {
  type BoundCall,
  effect,
  type Given,
  giveOut,
  instruction,
  nothing,
  number,
  routine,
  valueAs,
  valued,
} from './arguments.ts'
import { type Region, regionOf, siblingRegion, sourceRegion, targetRegion } from './regions.ts'
import { typeOfGiven } from './shared-type.ts'

/** MOVE(IN, OUT): an assignment as an instruction; OUT1, OUT2 … in ladder. */
const move: Instruction = (call) => {
  const outputs = call.arguments.filter(({ name }) => /^OUT\d*$/i.test(name ?? ''))
  const names = outputs.map(({ name }) => `>${(name ?? '').toUpperCase()}`)
  return instruction(['IN', ...(names.length > 0 ? names : ['>OUT'])].join(' '), (bound) => {
    const input = bound.given('IN')
    return {
      statements: outputs.flatMap(({ operand, at }) =>
        operand ? assign(bound.context, operand, input.operand, at, input.at) : [],
      ),
    }
  })(call)
}

function elementOf(type: Type): Type {
  return type.kind === 'array' ? type.element : type
}

/** Returns both operands of a block instruction. */
function sides(bound: BoundCall, input: Given, output: Given, isValue: boolean) {
  const { context } = bound
  const to = (isValue && siblingRegion(output.operand)) || targetRegion(context, output.operand, output.at)
  const wanted = to && elementOf(to.type)
  const from = isValue
    ? sourceRegion(context, input.operand, input.at, wanted)
    : regionOf(context, input.operand, input.at)
  return from && to ? { from, to } : undefined
}

function requireSame(bound: BoundCall, at: Given['at'], a: Type, b: Type): boolean {
  if (a === b || sameType(a, b)) return true
  bound.context.report(
    'type-mismatch',
    at,
    `${bound.call.name} moves values of one type; these are ${typeName(a)} and ${typeName(b)}.`,
  )
  return false
}

/** MOVE_BLK, FILL_BLK and the versions that cannot be interrupted: COUNT elements, beginning with the given ones. */
function blockInstruction(name: 'block.move' | 'block.fill'): Instruction {
  return instruction('IN COUNT >OUT', (bound) => {
    const [input, output] = [bound.given('IN'), bound.given('OUT')]
    const both = sides(bound, input, output, name === 'block.fill')
    const count = valueAs(bound, bound.given('COUNT'), UDInt)
    if (!both || !count) return nothing
    const { from, to } = both
    if (!requireSame(bound, output.at, elementOf(from.type), elementOf(to.type))) return nothing
    const run = effect(bound, name, ...from.values, count, ...to.values)
    return { statements: [...from.statements, ...to.statements, run, ...to.after] }
  })
}

/** SCATTER and GATHER: between the bits of a bit string and single Bools. */
function bits(name: 'bits.scatter' | 'bits.gather' | 'bits.gather.whole', counted: boolean): Instruction {
  const countName = name === 'bits.scatter' ? 'COUNT_IN' : 'COUNT_OUT'
  return instruction(counted ? `IN ${countName} >OUT` : 'IN >OUT', (bound) => {
    const [input, output] = [bound.given('IN'), bound.given('OUT')]
    const from = sourceRegion(bound.context, input.operand, input.at)
    const to = targetRegion(bound.context, output.operand, output.at)
    const count = counted ? valueAs(bound, bound.given(countName), UDInt) : number(1)
    if (!from || !to || !count) return nothing
    const pattern = elementOf(name === 'bits.scatter' ? from.type : to.type)
    // Without the IEC check an integer counts as the bit string of its size.
    const isNumber = pattern.kind === 'scalar' && pattern.family === 'integer' && !bound.context.block.isIecCheckOn
    if (!isNumber && (pattern.kind !== 'scalar' || pattern.family !== 'bits')) {
      const at = name === 'bits.scatter' ? input.at : output.at
      bound.context.report('wrong-operand', at, `${bound.call.name} takes apart bit strings, not ${typeName(pattern)}.`)
      return nothing
    }
    const single = elementOf(name === 'bits.scatter' ? to.type : from.type)
    if (single.kind === 'scalar' && single !== Bool) {
      const at = name === 'bits.scatter' ? output.at : input.at
      bound.context.report('wrong-operand', at, `${bound.call.name} works with single Bools, not ${typeName(single)}.`)
      return nothing
    }
    const run = effect(bound, name, ...from.values, count, ...to.values)
    return { statements: [...from.statements, ...to.statements, run, ...to.after] }
  })
}

/** Calls a routine and puts its status in a register. */
function statusOf(
  bound: BoundCall,
  statements: readonly Statement[],
  expression: Expression,
  after: readonly Statement[],
): Called {
  const status = bound.context.local(Int)
  return valued(Int, local(Int, status), [...statements, setLocal(status, expression), ...after])
}

/** MOVE_BLK_VARIANT(SRC, COUNT, SRC_INDEX, DEST_INDEX, DEST): indices count from 0; returns the status as Int. */
const moveVariant = instruction('SRC COUNT SRC_INDEX DEST_INDEX >DEST', (bound) => {
  const [source, target] = [bound.given('SRC'), bound.given('DEST')]
  const from = regionOf(bound.context, source.operand, source.at)
  const to = targetRegion(bound.context, target.operand, target.at)
  const count = valueAs(bound, bound.given('COUNT'), UDInt)
  const [skip, place] = [
    valueAs(bound, bound.given('SRC_INDEX'), DInt),
    valueAs(bound, bound.given('DEST_INDEX'), DInt),
  ]
  if (!from || !to || !count || !skip || !place) return nothing
  const run = routine(bound, 'variant.move', Int, ...from.values, count, skip, place, ...to.values)
  return statusOf(bound, [...from.statements, ...to.statements], run, to.after)
})

/** BLKMOV(SRCBLK, DSTBLK): copies as many bytes as the smaller operand has. */
const blockMove = instruction('SRCBLK >DSTBLK', (bound) => {
  const [source, target] = [bound.given('SRCBLK'), bound.given('DSTBLK')]
  const from = regionOf(bound.context, source.operand, source.at)
  const to = targetRegion(bound.context, target.operand, target.at)
  if (!from || !to) return nothing
  const run = routine(bound, 'variant.bytes', Int, ...from.values, ...to.values)
  return statusOf(bound, [...from.statements, ...to.statements], run, to.after)
})

/** FILL(BVAL, BLK): repeats the bytes of BVAL until BLK is full. */
const fillBytes = instruction('BVAL >BLK', (bound) => {
  const [source, target] = [bound.given('BVAL'), bound.given('BLK')]
  const from = regionOf(bound.context, source.operand, source.at)
  const to = targetRegion(bound.context, target.operand, target.at)
  if (!from || !to) return nothing
  const run = routine(bound, 'variant.fill', Int, ...from.values, ...to.values)
  return statusOf(bound, [...from.statements, ...to.statements], run, to.after)
})

/**
 * Serialize and Deserialize, READ_BIG and similar: POS counts bytes from 0 and moves past the bytes that are written or
 * read.
 */
function serial(name: `variant.${string}`, source: string, target: string): Instruction {
  return instruction(`${source} =${target} *POS`, (bound) => {
    const [input, output, position] = [bound.given(source), bound.given(target), bound.given('POS')]
    const from = regionOf(bound.context, input.operand, input.at)
    const to = targetRegion(bound.context, output.operand, output.at)
    const at = valueAs(bound, position, DInt)
    if (!from || !to || !at) return nothing
    const [start, size] = [bound.context.local(DInt), bound.context.local(DInt)]
    const run = routine(bound, name, DInt, ...from.values, ...to.values, local(DInt, start))
    const isWrong = binary('less', DInt, local(DInt, size), constant(DInt, 0n))
    const next = binary('add', DInt, local(DInt, start), local(DInt, size))
    const status: Expression = {
      kind: 'select',
      type: Int,
      condition: isWrong,
      whenTrue: convert(local(DInt, size), DInt, Int),
      otherwise: constant(Int, 0n),
    }
    const moveOn = when(isWrong, [], giveOut(bound, position, DInt, next))
    return valued(Int, status, [
      ...from.statements,
      ...to.statements,
      setLocal(start, at),
      setLocal(size, run),
      moveOn,
      ...to.after,
    ])
  })
}

/** VariantGet(SRC, DST) and VariantPut(SRC, DST): ENO is FALSE when the types differ. */
const variantCopy = instruction('SRC =DST', (bound) => {
  const [source, target] = [bound.given('SRC'), bound.given('DST')]
  const from = sourceRegion(bound.context, source.operand, source.at)
  const to = targetRegion(bound.context, target.operand, target.at)
  if (!from || !to) return nothing
  const run = effect(bound, 'variant.get', ...from.values, ...to.values)
  return { statements: [...from.statements, ...to.statements, run, ...to.after] }
})

function variantQuestion(name: string, type: ScalarType): Instruction {
  return instruction('IN', (bound) => {
    const { operand, at } = bound.given('IN')
    const region: Region | undefined = regionOf(bound.context, operand, at)
    return region ? valued(type, routine(bound, name, type, ...region.values), region.statements) : nothing
  })
}

/**
 * LOWER_BOUND(ARR, DIM), UPPER_BOUND: the limits of a dimension; DIM counts from 1. Of no other ENO is FALSE. ARR is a
 * parameter Array[*] (TIA help V19, "LOWER_BOUND"); here it may be any array.
 */
function bound(which: 'low' | 'high'): Instruction {
  return instruction('ARR DIM', (one) => {
    const { operand, at } = one.given('ARR')
    const array = wholeVariable(operand)
    const type = array?.type
    const dimension = one.given('DIM')
    if (type?.kind !== 'array') {
      one.context.report('wrong-operand', at, `${one.call.name} takes an array.`)
      return nothing
    }
    if (!isOpenArray(type)) {
      const message = `${array?.text} has fixed limits: TIA Portal takes only parameters of type Array[*] at ARR.`
      one.context.report('fixed-limits', at, message, 'Write the limit, or a constant for it.', 'warning')
    }
    const all = array ? limitsOf(array) : []
    const wanted = valueAs(one, dimension, UDInt)
    if (!wanted) return nothing
    if (wanted.kind !== 'constant') return boundOf(one, wanted, all, which)
    const limits = all[Number(wanted.value) - 1]
    if (!limits) {
      const message = `DIM is a constant from 1 to ${type.dimensions.length}: the array has no other dimensions.`
      one.context.report('wrong-operand', dimension.at, message)
      return nothing
    }
    return valued(DInt, limits[which])
  })
}

/** The limit of a dimension whose number is known at run time only. */
function boundOf(one: BoundCall, dimension: Expression, all: readonly Limits[], which: 'low' | 'high'): Called {
  const { context } = one
  const limit = context.local(DInt)
  return valued(DInt, local(DInt, limit), [
    setLocal(limit, constant(DInt, 0n)),
    {
      kind: 'switch',
      selector: dimension,
      type: UDInt,
      branches: all.map((limits, i) => ({
        ranges: [[BigInt(i + 1), BigInt(i + 1)] as const],
        body: [setLocal(limit, limits[which])],
      })),
      otherwise: context.setsEno ? [{ kind: 'setEno', value: isFalse }] : [],
      site: context.site(one.call.at),
    },
  ])
}

/** SWAP: reverses the bytes of a Word, DWord or LWord. */
const swap = instruction('IN', (one) => {
  const given = one.given('IN')
  const type = typeOfGiven(one, given)
  const isReal = type?.family === 'real'
  const bitString = isReal ? undefined : [Word, DWord, LWord].find(({ bits: size }) => size === type?.bits)
  const value = type && bitString && valueAs(one, given, given.operand.kind === 'constant' ? bitString : type)
  if (!type || !bitString || !value) {
    if (type && !bitString)
      one.context.report('wrong-operand', given.at, `SWAP takes a Word, DWord or LWord, not ${typeName(type)}.`)
    return nothing
  }
  if (bitString === Word) return valued(type, binary('rotateLeft', Word, value, constant(Word, 8n)))
  return valued(type, routine(one, `swap.${bitString.bits}`, type, value))
})

function addressed(one: BoundCall, suffix = ''): Expression[] | undefined {
  const all = [
    valueAs(one, one.given(suffix === '' ? 'AREA' : `AREA${suffix}`), Byte),
    valueAs(one, one.given(`DBNUMBER${suffix}`), DInt),
    valueAs(one, one.given(`BYTEOFFSET${suffix}`), DInt),
  ]
  return all.every((value) => value !== undefined) ? all : undefined
}

const where = 'AREA DBNUMBER BYTEOFFSET'

function peek(type: ScalarType): Instruction {
  return instruction(where, (one) => {
    const place = addressed(one)
    if (!place) return nothing
    return valued(type, convert(routine(one, 'peek', LInt, ...place, number(type.bits / 8)), LInt, type, 'bits'))
  })
}

const peekBit = instruction(`${where} BITOFFSET`, (one) => {
  const [place, bit] = [addressed(one), valueAs(one, one.given('BITOFFSET'), Int)]
  return place && bit ? valued(Bool, routine(one, 'peek.bit', Bool, ...place, bit)) : nothing
})

/** POKE(…, VALUE): writes as many bytes as the value has. */
const poke = instruction(`${where} VALUE`, (one) => {
  const place = addressed(one)
  const given = one.given('VALUE')
  const type = typeOfValue(one, given)
  const value = type && valueAs(one, given, type)
  if (!place || !type || !value) return nothing
  return {
    statements: [effect(one, 'poke', ...place, convert(value, type, LInt, 'bits'), number(Math.max(1, type.bits / 8)))],
  }
})

/** The type that POKE writes: the type of a variable; for a number the smallest bit string that fits. */
function typeOfValue({ context, call }: BoundCall, { operand, at }: Given): ScalarType | undefined {
  if (operand.kind === 'constant' && operand.type === undefined && typeof operand.value === 'bigint') {
    const { value } = operand
    const fits = (type: ScalarType) => value >= 0n && value <= (rangeOf(type) as readonly [bigint, bigint])[1]
    return [Byte, Word, DWord, LWord].find(fits) ?? DInt
  }
  const type = readScalar(context, operand, at)?.type
  if (!type || (type.bits > 1 && type.family !== 'real')) return type
  context.report('wrong-operand', at, `${call.name} writes bit strings and whole numbers, not ${typeName(type)}.`)
  return undefined
}

const pokeBit = instruction(`${where} BITOFFSET VALUE`, (one) => {
  const [place, bit] = [addressed(one), valueAs(one, one.given('BITOFFSET'), Int)]
  const value = valueAs(one, one.given('VALUE'), Bool)
  return place && bit && value ? { statements: [effect(one, 'poke.bit', ...place, bit, value)] } : nothing
})

const pokeBlock = instruction(
  'AREA_SRC DBNUMBER_SRC BYTEOFFSET_SRC AREA_DEST DBNUMBER_DEST BYTEOFFSET_DEST COUNT',
  (one) => {
    const [from, to] = [addressed(one, '_SRC'), addressed(one, '_DEST')]
    const count = valueAs(one, one.given('COUNT'), DInt)
    return from && to && count ? { statements: [effect(one, 'poke.block', ...from, ...to, count)] } : nothing
  },
)

export const moveInstructions: Readonly<Record<string, Instruction>> = {
  MOVE: move,
  MOVE_BLK: blockInstruction('block.move'),
  UMOVE_BLK: blockInstruction('block.move'),
  FILL_BLK: blockInstruction('block.fill'),
  UFILL_BLK: blockInstruction('block.fill'),
  MOVE_BLK_VARIANT: moveVariant,
  BLKMOV: blockMove,
  UBLKMOV: blockMove,
  SCATTER: bits('bits.scatter', false),
  GATHER: bits('bits.gather.whole', false),
  SCATTER_BLK: bits('bits.scatter', true),
  GATHER_BLK: bits('bits.gather', true),
  SERIALIZE: serial('variant.serialize', 'SRC_VARIABLE', 'DEST_ARRAY'),
  DESERIALIZE: serial('variant.deserialize', 'SRC_ARRAY', 'DEST_VARIABLE'),
  READ_BIG: serial('variant.readBig', 'SRC_ARRAY', 'DEST_VARIABLE'),
  READ_LITTLE: serial('variant.readLittle', 'SRC_ARRAY', 'DEST_VARIABLE'),
  WRITE_BIG: serial('variant.writeBig', 'SRC_VARIABLE', 'DEST_ARRAY'),
  WRITE_LITTLE: serial('variant.writeLittle', 'SRC_VARIABLE', 'DEST_ARRAY'),
  FILL: fillBytes,
  VARIANTGET: variantCopy,
  VARIANTPUT: variantCopy,
  COUNTOFELEMENTS: variantQuestion('variant.count', UDInt),
  IS_ARRAY: variantQuestion('variant.isArray', Bool),
  ISARRAY: variantQuestion('variant.isArray', Bool),
  LOWER_BOUND: bound('low'),
  UPPER_BOUND: bound('high'),
  SWAP: swap,
  PEEK: peek(Byte),
  PEEK_BYTE: peek(Byte),
  PEEK_WORD: peek(Word),
  PEEK_DWORD: peek(DWord),
  PEEK_LWORD: peek(LWord),
  PEEK_BOOL: peekBit,
  POKE: poke,
  POKE_BOOL: pokeBit,
  POKE_BLK: pokeBlock,
}
