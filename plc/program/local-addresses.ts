/** Local data by address (`L 4.0`, `LW 6`), as statement lists name them, and where declared temporaries lie for them. */
import type { Operand } from '../model/operand.ts'
import { overlaidTemporaries } from './declarations.ts'
import { extentOf, layoutOf } from './layout.ts'
import type { ProgramBlock } from './program.ts'
import type { Member } from './type.ts'

type Block = Pick<ProgramBlock, 'members' | 'networks'>

/** Bits, counted from the beginning of the local data, at which addresses begin that statements of the block name. */
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

/** Where declared temporaries end, in bits, lying as in a standard block. */
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
 * Temporaries that lie in the frame as in a standard block: all of them in a block that names declared ones by address, else those that share
 * memory (AT).
 */
export function framedTemporaries(block: Block): Member[] {
  const end = declaredBits(block)
  if (end > 0 && localAddresses(block).some((bits) => bits < end))
    return block.members.filter(({ section }) => section === 'Temp')
  return overlaidTemporaries(block.members)
}
