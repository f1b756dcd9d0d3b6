/** What a block calls, and what calls it: level by level, as deep as it is opened. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { get } from '../gateway.ts'
import { language, t } from '../i18n.ts'
import { go } from '../router.ts'
import { changes } from '../state.ts'
import { Tree, type TreeNode } from '../ui/tree.tsx'
import { blockPath } from './block-calls.ts'
import { type CrossReferences, isBlock } from './cross-references.tsx'
import { blockIcon } from './states.tsx'

type Direction = 'Uses' | 'UsedBy'

async function branches(station: string, block: string, direction: Direction, id: string): Promise<TreeNode[]> {
  const { sources } = await get<CrossReferences>(blockPath(station, block, '/cross-references'))
  const objects = sources
    .filter(({ name }) => name.toLowerCase() === block.toLowerCase())
    .flatMap(({ referenceObjects }) => referenceObjects)
  return objects.flatMap(({ name, typeName, locations }): TreeNode[] => {
    const calls = locations.filter(({ referenceType, access }) => referenceType === direction && access === 'Call')
    if (calls.length === 0 || !isBlock(typeName)) return []
    const places = [...new Set(calls.map(({ network }) => network))].filter((one) => one !== undefined)
    // A block that calls itself, directly or not, is named and not opened again.
    const isAround = id.split('\n').includes(name)
    return [
      {
        id: `${id}\n${name}`,
        text: name,
        icon: blockIcon(typeName.split(' ')[0] as string),
        aside: `${typeName}${places.length > 0 ? ` · ${t('program.networkShort', places.join(', '))}` : ''}`,
        ...(isAround ? {} : { children: () => branches(station, name, direction, `${id}\n${name}`) }),
      },
    ]
  })
}

export function CallTree({ station, block }: { readonly station: string; readonly block: string }): JSX.Element {
  const nodes = useMemo(
    () =>
      (['Uses', 'UsedBy'] as const).map(
        (direction): TreeNode => ({
          id: `${direction}\n${block}`,
          text: t(direction === 'Uses' ? 'program.callsDown' : 'program.callsUp'),
          icon: 'calls',
          isOpen: true,
          children: () => branches(station, block, direction, `${direction}\n${block}`),
        }),
      ),
    [station, block, language.value],
  )
  return (
    <Tree
      nodes={nodes}
      label={t('program.calls')}
      version={changes.value}
      onChoose={({ id }) => {
        const path = id.split('\n')
        // A click opens the branch; a double click would be a second way: the block is opened from its last level.
        if (path.length > 2 && path.at(-1) !== block) go('/program', [station, path.at(-1) as string], { tab: 'calls' })
      }}
    />
  )
}
