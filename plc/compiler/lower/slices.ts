/** Parts of values, `#x.%X3`, and addresses in data blocks, `#db.%DBW4`. */
import { binary, constant, local, setLocal } from '../../ir/build.ts'
import type { Expression } from '../../ir/ir.ts'
import { type BlockAddress, bitOffsetOf, readBlockAddress } from '../../model/block-address.ts'
import { Bool, Byte, DbAny, DInt, DWord, scalarNamed, Word } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import type { BlockContext } from './block-context.ts'
import { absoluteOperand, blockData, textOf } from './operands.ts'
import { readScalar } from './reading.ts'
import type { SourceRange } from './source-range.ts'
import { type Operand, wrong } from './values.ts'

const sliceTypes: Readonly<Record<string, ScalarType>> = { X: Bool, B: Byte, W: Word, D: DWord }

/** Resolves `object.%X3`: bits of a bit string or integer, counted from the lowest. */
export function sliceOperand(context: BlockContext, object: Operand, slice: string, at: SourceRange): Operand {
  if (object.kind === 'wrong') return wrong
  const address = readBlockAddress(slice)
  if (address) return blockAddressOperand(context, object, address, slice, at)
  const [, letter = '', digits = ''] = /^%?([XBWD])(\d+)$/i.exec(slice) ?? []
  const type = sliceTypes[letter.toUpperCase()]
  if (object.kind !== 'variable' || object.type.kind !== 'scalar' || type === undefined || object.slice) {
    context.report(
      'no-slice',
      at,
      `${textOf(object)} has no part ${slice}.`,
      'Slices are taken of bit strings and whole numbers.',
    )
    return wrong
  }
  const of = object.type
  const shift = Number(digits) * type.bits
  const isCountable = of.family === 'bits' || of.family === 'integer'
  if (!isCountable || type.bits >= of.bits || shift + type.bits > of.bits) {
    const last = of.bits / type.bits - 1
    const hint =
      isCountable && last > 0
        ? `Its parts are %${letter.toUpperCase()}0 to %${letter.toUpperCase()}${last}.`
        : undefined
    context.report('no-slice', at, `${object.text} is of type ${of.name}: it has no part ${slice}.`, hint)
    return wrong
  }
  return { ...object, type, slice: { of, shift }, text: `${object.text}.${slice.toUpperCase()}` }
}

/** Resolves `"Data".%DBW4`, and `#db.%DBW4` behind a DB_ANY: the number of the block is known at run time only. */
function blockAddressOperand(
  context: BlockContext,
  object: Operand,
  address: BlockAddress,
  slice: string,
  at: SourceRange,
): Operand {
  const text = `${textOf(object)}.%${slice.replace('%', '').toUpperCase()}`
  if (object.kind === 'block' && blockData(object.block))
    return absoluteOperand(context, { ...address, area: 'DB', block: object.block.number }, text, at)
  const type = scalarNamed(address.type)
  if (object.kind !== 'variable' || object.type !== DbAny || !type) {
    const hint = 'Such an address stands behind a data block with standard access or a variable of type DB_ANY.'
    context.report('no-slice', at, `${textOf(object)} has no part ${slice}.`, hint)
    return wrong
  }
  const number = readScalar(context, object, at)?.expression
  if (!number) return wrong
  // Read once, with the offset: the limit and the beginning of the block are of this number.
  const kept = context.local(DbAny)
  const of = (name: string, result: ScalarType | 'address'): Expression => ({
    kind: 'routine',
    routine: name,
    type: result,
    arguments: [local(DbAny, kept)],
    setsEno: false,
  })
  const isBit = address.bits === 1
  const [offset, width] = isBit ? [bitOffsetOf(address), 1] : [address.byte, address.bits / 8]
  // -1, and so every access a programming error, where the block does not exist or is too small.
  const size = of(isBit ? 'anyBlock.bits' : 'anyBlock.bytes', DInt)
  const last = binary('subtract', DInt, size, constant(DInt, BigInt(width)))
  const index = {
    value: { kind: 'sequence', statements: [setLocal(kept, number)], value: constant(DInt, BigInt(offset)) } as const,
    low: 0,
    high: binary('maximum', DInt, last, constant(DInt, -1n)),
    stride: 1,
    site: context.site(at),
    ...(isBit ? { isBits: true } : {}),
  }
  const base = { kind: 'pointer', address: of('anyBlock.begin', 'address') } as const
  const place = { base, offset: 0, indices: [index], isStandard: true, ...(isBit ? { bit: 0 } : {}) }
  return { kind: 'variable', type, at: { kind: 'place', place }, text }
}
