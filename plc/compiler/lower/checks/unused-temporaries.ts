/** Rule `unused-temporary`: temporaries that are declared, but never named. */
import { layoutOf } from '../../../program/layout.ts'
import { framedTemporaries } from '../../../program/local-addresses.ts'
import type { ProgramBlock } from '../../../program/program.ts'
import type { Member } from '../../../program/type.ts'
import type { BlockContext } from '../block-context.ts'

/** An organization block with standard access begins with this many bytes of start information: it declares them all, whether it uses them or not. */
const startInformation = 20

/** Reports temporaries that nothing in the block names. To be asked when the whole block was lowered. */
export function checkUnusedTemporaries(context: BlockContext): void {
  const { block } = context
  const temporaries = block.members.filter(({ section }) => section === 'Temp')
  if (temporaries.length === 0) return
  const given = startMembers(block, temporaries)
  // Who names an overlay or what it lies over means both; what is named by address is named too.
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
  // Migrated blocks declare it under its old names even with optimized access.
  const named = temporaries.filter(({ name }) => /^OB\d+_/i.test(name))
  if (block.access !== 'standard') return new Set(named)
  const { offsets } = layoutOf(temporaries, 'standard')
  return new Set([...named, ...temporaries.filter((_member, i) => (offsets[i]?.byte ?? 0) < startInformation)])
}
