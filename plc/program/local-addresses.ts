/**
 * Local data by address (`L 4.0`, `LW 6`), as statement lists use them, and the places of declared temporaries for
 * them.
 */
import type { Operand } from '../model/operand.ts'
import { overlaidTemporaries } from './declarations.ts'
import { extentOf, layoutOf } from './layout.ts'
import type { ProgramBlock } from './program.ts'
import type { Member } from './type.ts'

type Block = Pick<ProgramBlock, 'members' | 'networks'>

/** Start addresses of the local data that statements of the block use: bits from the beginning of the local data. */
export function localAddresses({ networks }: Pick<Block, 'networks'>): number[] {
  const found: number[] = []
  const look = (operand: Operand | undefined): void => {
    if (operand?.kind === 'indirect') look(operand.pointer)
    if (operand?.kind === 'address' && operand.area === 'Local') found.push(operand.bitOffset ?? 0)
  }
  for (const { statements = [], chart } of networks) {
    const permanent = [...(chart?.before ?? []), ...(chart?.after ?? [])].flatMap((one) => one.statements ?? [])
    for (const { operand, call } of [...statements, ...permanent]) {
      look(operand)
      for (const { value } of call?.parameters ?? []) look(value)
    }
  }
  return found
}

/** The end of the declared temporaries in bits, in the layout of a standard block. */
export function declaredBits({ members: all }: Pick<Block, 'members'>): number {
  const members = all.filter(({ section }) => section === 'Temp')
  const { offsets } = layoutOf(members, 'standard')
  return members.reduce((end, { type }, i) => {
    const { byte, bit } = offsets[i] ?? { byte: 0 }
    const { size, isBit } = extentOf(type, 'standard')
    return Math.max(end, byte * 8 + (isBit ? (bit ?? 0) + 1 : size * 8))
  }, 0)
}

/**
 * Returns the temporaries that have the layout of a standard block in the frame: all of them in a block that uses
 * declared ones by address, else those that share memory (AT).
 */
export function framedTemporaries(block: Block): Member[] {
  const end = declaredBits(block)
  if (end > 0 && localAddresses(block).some((bits) => bits < end))
    return block.members.filter(({ section }) => section === 'Temp')
  return overlaidTemporaries(block.members)
}
