/** Rule `unused-temporary`: temporaries that are declared but never used. */
import { layoutOf } from '../../../program/layout.ts'
import { framedTemporaries } from '../../../program/local-addresses.ts'
import type { ProgramBlock } from '../../../program/program.ts'
import type { Member } from '../../../program/type.ts'
import type { BlockContext } from '../block-context.ts'

/**
 * Bytes of start information at the beginning of an organization block with standard access, which declares all of it,
 * used or not.
 */
const startInformation = 20

/** Reports temporaries that nothing in the block uses. Call it after lowering the whole block. */
export function checkUnusedTemporaries(context: BlockContext): void {
  const { block } = context
  const temporaries = block.members.filter(({ section }) => section === 'Temp')
  if (temporaries.length === 0) return
  const given = startMembers(block, temporaries)
  // Using an overlay, or the member below it, uses both; access by address counts as use too.
  const framed = new Set(framedTemporaries(block))
  for (const member of temporaries) {
    const { name } = member
    if (framed.has(member)) continue
    if (given.has(member) || context.isNamed(name)) continue
    context.reportMember(
      'unused-temporary',
      name,
      `#${name} is declared, but never used.`,
      'Remove it from the interface.',
      'warning',
    )
  }
}

function startMembers(block: ProgramBlock, temporaries: readonly Member[]): Set<Member> {
  if (block.kind !== 'OB') return new Set()
  // Migrated blocks declare start information under its old names even with optimized access.
  const named = temporaries.filter(({ name }) => /^OB\d+_/i.test(name))
  if (block.access !== 'standard') return new Set(named)
  const { offsets } = layoutOf(temporaries, 'standard')
  return new Set([...named, ...temporaries.filter((_member, i) => (offsets[i]?.byte ?? 0) < startInformation)])
}
