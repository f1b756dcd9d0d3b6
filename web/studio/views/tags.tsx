/** Tags of a table, or of all tables, edited in place. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { type Answer, call, get, pathWith, post, queryOf } from '../gateway.ts'
import { t } from '../i18n.ts'
import type { Tag } from '../model.ts'
import { addressOrder, inOrder } from '../order.ts'
import { link } from '../router.ts'
import { allows } from '../session.tsx'
import { changes } from '../state.ts'
import { ask } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Show, useLoaded } from '../ui/loaded.tsx'
import { Table } from '../ui/table.tsx'
import { toastProblem } from '../ui/toast.tsx'
import { References } from './cross-references.tsx'
import { Editable } from './editable.tsx'
import { filtered, ListHead } from './project-lists.tsx'

const pageSize = 10_000

/** All tags, page by page. */
async function everyTag(station: string, table: string | undefined, until: AbortSignal): Promise<readonly Tag[]> {
  const path = pathWith(
    table === undefined
      ? '/api/devices/{deviceName}/tags/all'
      : '/api/devices/{deviceName}/tag-tables/{tableName}/tags',
    { deviceName: station, tableName: table ?? '' },
  )
  const all: Tag[] = []
  let cursor: string | undefined
  do {
    const page: Answer<'tags.list-all'> = await get<Answer<'tags.list-all'>>(
      `${path}${queryOf({ limit: pageSize, cursor })}`,
      until,
    )
    all.push(...page.tags)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return all
}

export interface TagListProps {
  readonly station: string
  readonly table: string | undefined
  readonly filter: string
}

export function TagList({ station, table, filter }: TagListProps): JSX.Element {
  const [text, setText] = useState(filter)
  const [chosen, setChosen] = useState<string>()
  const [used, setUsed] = useState<Tag>()
  const canEdit = allows('engineer')
  const tags = useLoaded((until) => everyTag(station, table, until), [station, table, changes.value])
  const rows = useMemo(
    () => filtered(inOrder(tags.value ?? []), text, (tag) => [tag.name, tag.logicalAddress, tag.comment, tag.dataType]),
    [tags.value, text],
  )
  const row = rows.find(({ name }) => name === chosen)
  const pathOf = (tag: Tag) =>
    pathWith('/api/devices/{deviceName}/tag-tables/{tableName}/tags/{tagName}', {
      deviceName: station,
      tableName: tag.tableName ?? table ?? '',
      tagName: tag.name,
    })
  const change = (tag: Tag, body: object) =>
    call(pathOf(tag), { method: 'PUT', body }).catch((error: unknown) => {
      toastProblem(error)
      throw error
    })
  const remove = async () => {
    if (
      row === undefined ||
      !(await ask(t('project.delete'), t('project.deleteAsk', row.name), t('project.delete'), true))
    )
      return
    await call(pathOf(row), { method: 'DELETE' }).catch(toastProblem)
  }
  const add = async () => {
    if (table === undefined) return
    const path = pathWith('/api/devices/{deviceName}/tag-tables/{tableName}/tags', {
      deviceName: station,
      tableName: table,
    })
    const names = new Set(tags.value?.map(({ name }) => name))
    let n = 1
    while (names.has(`Tag_${n}`)) n++
    await post(path, { name: `Tag_${n}`, dataType: 'Bool' }).then(() => {
      setText('')
      setChosen(`Tag_${n}`)
    }, toastProblem)
  }
  const cell = (tag: Tag, field: keyof Tag, key: string, label: string, isCode = true) => (
    <Editable
      value={String(tag[field] ?? '')}
      label={`${label}: ${tag.name}`}
      isCode={isCode}
      onStore={(value) => change(tag, { [key]: value })}
    />
  )
  return (
    <>
      <ListHead
        title={`${station} · ${table ?? t('project.tags')}`}
        count={tags.value && rows.length}
        filter={text}
        onFilter={setText}
      >
        {table !== undefined && (
          <button type="button" disabled={!canEdit} onClick={() => void add()}>
            <Icon name="plus" size={14} /> {t('project.addTag')}
          </button>
        )}
        <button type="button" disabled={!canEdit || row === undefined} onClick={() => void remove()}>
          <Icon name="trash" size={14} /> {t('project.delete')}
        </button>
      </ListHead>
      <Show of={tags} ways={[{ title: t('project.tags'), href: link('/project', [station, 'tags']) }]}>
        {() => (
          <Table
            label={t('project.tags')}
            rows={rows}
            chosen={row}
            keyOf={({ tableName, name }) => `${tableName}/${name}`}
            empty={t(text === '' ? 'frame.empty' : 'frame.none')}
            columns={[
              {
                key: 'name',
                title: t('project.name'),
                width: 'minmax(12rem, 2fr)',
                value: ({ name }) => name,
                cell: (tag) => cell(tag, 'name', 'newName', t('project.name'), false),
              },
              {
                key: 'type',
                title: t('project.dataType'),
                width: '9rem',
                value: ({ dataType }) => dataType,
                cell: (tag) => cell(tag, 'dataType', 'dataType', t('project.dataType')),
              },
              {
                key: 'address',
                title: t('project.address'),
                width: '8rem',
                value: ({ logicalAddress }) => addressOrder(logicalAddress),
                cell: (tag) => cell(tag, 'logicalAddress', 'logicalAddress', t('project.address')),
              },
              {
                key: 'comment',
                title: t('project.comment'),
                width: 'minmax(12rem, 3fr)',
                value: ({ comment }) => comment,
                cell: (tag) => cell(tag, 'comment', 'comment', t('project.comment'), false),
              },
              {
                key: 'uses',
                title: t('project.uses'),
                width: '5.5rem',
                value: () => '',
                cell: (tag) => (
                  <button
                    type="button"
                    class="link"
                    aria-label={`${t('project.uses')}: ${tag.name}`}
                    aria-expanded={used?.name === tag.name}
                    onClick={() => setUsed(used?.name === tag.name ? undefined : tag)}
                  >
                    {t('project.uses')}
                  </button>
                ),
              },
              ...(table === undefined
                ? [{ key: 'table', title: t('project.tags'), value: ({ tableName }: Tag) => tableName }]
                : []),
            ]}
            onChoose={({ name }) => setChosen(name)}
          />
        )}
      </Show>
      {used !== undefined && (
        <section class="below uses" aria-label={`${t('project.uses')}: ${used.name}`}>
          <div class="toolbar">
            <h2>
              {t('project.uses')}: {used.name}
            </h2>
            <span class="grow" />
            <button type="button" class="plain" aria-label={t('frame.close')} onClick={() => setUsed(undefined)}>
              <Icon name="close" size={14} />
            </button>
          </div>
          <References station={station} path={`${pathOf(used)}/cross-references`} />
        </section>
      )}
    </>
  )
}
