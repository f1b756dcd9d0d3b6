/** Lists of a station: blocks, types, tag tables. */
import type { ComponentChildren, JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { type Answer, get, pathWith } from '../gateway.ts'
import { t, time } from '../i18n.ts'
import type { Block, DataType, TagTable } from '../model.ts'
import { inOrder } from '../order.ts'
import { go } from '../router.ts'
import { changes } from '../state.ts'
import { Icon } from '../ui/icon.tsx'
import { Show, useLoaded } from '../ui/loaded.tsx'
import { Table } from '../ui/table.tsx'
import { blockIcon, differing, StateBadge } from './states.tsx'

export const inStation = (path: string, deviceName: string) => pathWith(path, { deviceName })

/** A heading with a filter. */
export function ListHead({
  title,
  count,
  filter,
  children,
  onFilter,
}: {
  readonly title: string
  readonly count: number | undefined
  readonly filter: string
  readonly children?: ComponentChildren
  onFilter(text: string): void
}): JSX.Element {
  return (
    <div class="toolbar">
      <h1>{title}</h1>
      {count !== undefined && <span class="badge">{count}</span>}
      <span class="grow" />
      {children}
      <input
        type="search"
        placeholder={t('project.filter')}
        aria-label={t('project.filter')}
        value={filter}
        onInput={(event) => onFilter(event.currentTarget.value)}
      />
    </div>
  )
}

/** Rows that have a text in one of their fields, case ignored. */
export function filtered<T>(
  rows: readonly T[],
  text: string,
  fields: (row: T) => readonly (string | undefined)[],
): readonly T[] {
  const wanted = text.trim().toLowerCase()
  return wanted === '' ? rows : rows.filter((row) => fields(row).some((field) => field?.toLowerCase().includes(wanted)))
}

/** What is in a folder and below it. @param folder empty: all */
function inFolder<T extends { readonly folder: string }>(rows: readonly T[], folder: string): readonly T[] {
  return folder === '' ? rows : rows.filter((one) => one.folder === folder || one.folder.startsWith(`${folder}/`))
}

interface ListProps {
  readonly station: string
  readonly filter?: string
}

export function Blocks({ station, filter = '', folder }: ListProps & { readonly folder: string }): JSX.Element {
  const [text, setText] = useState(filter)
  const [chosen, setChosen] = useState<Block>()
  const blocks = useLoaded(
    (until) => get<Answer<'blocks.list'>>(inStation('/api/devices/{deviceName}/blocks', station), until),
    [station, changes.value],
  )
  const differ = differing.value[station]
  const rows = useMemo(() => {
    const all = blocks.value?.blocks ?? []
    return filtered(inOrder(inFolder(all, folder)), text, ({ name, title, comment, type, number }) => [
      name,
      title,
      comment,
      `${type}${number}`,
    ])
  }, [blocks.value, text, folder])
  return (
    <>
      <ListHead
        title={folder === '' ? `${station} · ${t('project.blocks')}` : folder}
        count={blocks.value && rows.length}
        filter={text}
        onFilter={setText}
      />
      <Show of={blocks}>
        {() => (
          <Table
            label={t('project.blocks')}
            rows={rows}
            chosen={chosen}
            empty={t(text === '' ? 'frame.empty' : 'frame.none')}
            columns={[
              {
                key: 'name',
                title: t('project.name'),
                width: 'minmax(9.5rem, 2fr)',
                value: ({ name }) => name,
                cell: ({ name, type }) => (
                  <span class="named">
                    <Icon name={blockIcon(type)} size={14} /> {name}
                  </span>
                ),
              },
              { key: 'type', title: t('project.kind'), width: '6rem', value: ({ type }) => type },
              {
                key: 'number',
                title: t('project.number'),
                width: '3rem',
                isNumber: true,
                value: ({ number }) => number,
              },
              {
                key: 'language',
                title: t('project.language'),
                width: '4.5rem',
                value: ({ programmingLanguage }) => programmingLanguage,
              },
              {
                key: 'state',
                title: t('project.state'),
                width: 'minmax(12.5rem, 1fr)',
                value: ({ compileStatus }) => compileStatus,
                cell: (block) => <StateBadge of={block} differs={differ?.has(block.name) ?? false} />,
              },
              { key: 'folder', title: t('project.folder'), width: 'minmax(5rem, 1fr)', value: (block) => block.folder },
              {
                key: 'title',
                title: t('project.comment'),
                width: 'minmax(6rem, 1fr)',
                value: ({ title, comment }) => title || comment,
              },
              {
                key: 'changed',
                title: t('project.changed'),
                width: '10.5rem',
                value: ({ modifiedDate }) => modifiedDate,
                cell: ({ modifiedDate }) => time(modifiedDate),
              },
            ]}
            onChoose={setChosen}
            onOpen={({ name }) => go('/program', [station, name])}
          />
        )}
      </Show>
    </>
  )
}

export function Types({ station, filter = '' }: ListProps): JSX.Element {
  const [text, setText] = useState(filter)
  const [chosen, setChosen] = useState<DataType>()
  const types = useLoaded(
    (until) => get<Answer<'types.list'>>(inStation('/api/devices/{deviceName}/udts', station), until),
    [station, changes.value],
  )
  const rows = useMemo(
    () => filtered(inOrder(types.value?.udts ?? []), text, ({ name, title }) => [name, title]),
    [types.value, text],
  )
  return (
    <>
      <ListHead
        title={`${station} · ${t('project.types')}`}
        count={types.value && rows.length}
        filter={text}
        onFilter={setText}
      />
      <Show of={types}>
        {() => (
          <Table
            label={t('project.types')}
            rows={rows}
            chosen={chosen}
            empty={t('frame.empty')}
            columns={[
              { key: 'name', title: t('project.name'), value: ({ name }) => name },
              { key: 'folder', title: t('project.folder'), value: ({ folder }) => folder },
              { key: 'title', title: t('project.comment'), value: ({ title }) => title },
              {
                key: 'changed',
                title: t('project.changed'),
                width: '10.5rem',
                value: ({ modifiedDate }) => modifiedDate,
                cell: ({ modifiedDate }) => time(modifiedDate),
              },
            ]}
            onChoose={setChosen}
            onOpen={({ name }) => go('/project', [station, 'types', name])}
          />
        )}
      </Show>
    </>
  )
}

export function Tables({ station, folder }: ListProps & { readonly folder: string }): JSX.Element {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<TagTable>()
  const tables = useLoaded(
    (until) => get<Answer<'tags.list-tables'>>(inStation('/api/devices/{deviceName}/tag-tables', station), until),
    [station, changes.value],
  )
  const rows = useMemo(
    () => filtered(inOrder(inFolder(tables.value?.tagTables ?? [], folder)), text, ({ name }) => [name]),
    [tables.value, text, folder],
  )
  return (
    <>
      <ListHead
        title={`${station} · ${t('project.tags')}`}
        count={tables.value && rows.length}
        filter={text}
        onFilter={setText}
      />
      <Show of={tables}>
        {() => (
          <Table
            label={t('project.tags')}
            rows={rows}
            chosen={chosen}
            empty={t('frame.empty')}
            columns={[
              { key: 'name', title: t('project.name'), value: ({ name }) => name },
              { key: 'folder', title: t('project.folder'), value: ({ folder }) => folder },
              {
                key: 'tags',
                title: t('project.tagCount'),
                width: '8rem',
                isNumber: true,
                value: (one) => one.tagCount,
              },
              {
                key: 'constants',
                title: t('project.constants'),
                width: '8rem',
                isNumber: true,
                value: (one) => one.constantCount,
              },
            ]}
            onChoose={setChosen}
            onOpen={({ name }) => go('/project', [station, 'tags', name])}
          />
        )}
      </Show>
    </>
  )
}

type WatchTableEntry = Answer<'watch-tables.list'>['watchTables'][number]

export function WatchTables({ station }: ListProps): JSX.Element {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<WatchTableEntry>()
  const tables = useLoaded(
    async (until) => {
      const [{ watchTables }, { forceTables }] = await Promise.all([
        get<Answer<'watch-tables.list'>>(inStation('/api/devices/{deviceName}/watch-tables', station), until),
        get<Answer<'watch-tables.list-force'>>(inStation('/api/devices/{deviceName}/force-tables', station), until),
      ])
      return [...watchTables, ...forceTables]
    },
    [station, changes.value],
  )
  const rows = useMemo(() => filtered(inOrder(tables.value ?? []), text, ({ name }) => [name]), [tables.value, text])
  return (
    <>
      <ListHead
        title={`${station} · ${t('project.watch')}`}
        count={tables.value && rows.length}
        filter={text}
        onFilter={setText}
      />
      <Show of={tables}>
        {() => (
          <Table
            label={t('project.watch')}
            rows={rows}
            chosen={chosen}
            empty={t(text === '' ? 'frame.empty' : 'frame.none')}
            columns={[
              { key: 'name', title: t('project.name'), value: ({ name }) => name },
              { key: 'folder', title: t('project.folder'), value: ({ folder }) => folder },
            ]}
            onChoose={setChosen}
            onOpen={({ name }) => go('/project', [station, 'watch', name])}
          />
        )}
      </Show>
    </>
  )
}
