/** Where a block is used, and what it uses. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { type Answer, get } from '../gateway.ts'
import { t } from '../i18n.ts'
import { go } from '../router.ts'
import { changes } from '../state.ts'
import { Show, useLoaded } from '../ui/loaded.tsx'
import { Table } from '../ui/table.tsx'
import { filtered } from './project-lists.tsx'

type Location = CrossReferences['sources'][number]['referenceObjects'][number]['locations'][number]

export type CrossReferences = Answer<'blocks.cross-references'>

interface Row extends Location {
  readonly source: string
  readonly object: string
  readonly typeName: string
}

export const isBlock = (typeName: string) => /^(OB|FB|FC|GlobalDB|InstanceDB|ArrayDB)\b/.test(typeName)

export interface ReferencesProps {
  readonly station: string
  /** The operation that tells them: of a block, a tag. */
  readonly path: string
  /** The block that they are of, when it is one. */
  readonly block?: string
}

export function References({ station, path, block }: ReferencesProps): JSX.Element {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Row>()
  const found = useLoaded((until) => get<CrossReferences>(path, until), [path, changes.value])
  const all = useMemo(
    () =>
      (found.value?.sources ?? []).flatMap(({ name: source, referenceObjects }) =>
        referenceObjects.flatMap(({ name: object, typeName, locations }) =>
          locations.map((location): Row => ({ ...location, source, object, typeName })),
        ),
      ),
    [found.value],
  )
  const rows = useMemo(() => filtered(all, text, (row) => [row.object, row.text, row.source]), [all, text])
  const open = ({ object, typeName, network, referenceType }: Row) => {
    const at = network === undefined ? {} : { network: String(network) }
    if (referenceType === 'Uses' && block !== undefined && network !== undefined) go('/program', [station, block], at)
    else if (isBlock(typeName)) go('/program', [station, object], referenceType === 'Uses' ? {} : at)
  }
  return (
    <>
      <div class="toolbar">
        <span class="badge">{rows.length}</span>
        {found.value !== undefined && found.value.unreadable.length > 0 && (
          <span class="is-warning">{found.value.unreadable.join(', ')}</span>
        )}
        <span class="grow" />
        <input
          type="search"
          placeholder={t('project.filter')}
          aria-label={t('project.filter')}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <Show of={found}>
        {() => (
          <Table
            label={t('program.references')}
            rows={rows}
            chosen={chosen}
            empty={t('frame.none')}
            columns={[
              {
                key: 'direction',
                title: t('program.direction'),
                width: '7rem',
                value: ({ referenceType }) => t(referenceType === 'Uses' ? 'program.usedHere' : 'program.usedThere'),
              },
              {
                key: 'object',
                title: t('program.object'),
                width: 'minmax(10rem, 2fr)',
                value: ({ object }) => object,
                cell: (row) =>
                  isBlock(row.typeName) ? (
                    <button type="button" class="link" onClick={() => open(row)}>
                      {row.object}
                    </button>
                  ) : (
                    row.object
                  ),
              },
              { key: 'type', title: t('project.type'), width: '9rem', value: ({ typeName }) => typeName },
              { key: 'access', title: t('program.access'), width: '6rem', value: ({ access }) => access },
              {
                key: 'text',
                title: t('program.operand'),
                width: 'minmax(10rem, 2fr)',
                value: (row) => row.text,
                cell: (row) => <span class="mono">{row.text}</span>,
              },
              { key: 'place', title: t('project.place'), width: '11rem', value: (row) => row.referenceLocation },
            ]}
            onChoose={setChosen}
            onOpen={open}
          />
        )}
      </Show>
    </>
  )
}
