/** A folder or an entry of the project library. */
import type { JSX } from 'preact'
import { type Answer, get, type Schema } from '../gateway.ts'
import { t } from '../i18n.ts'
import { go } from '../router.ts'
import { changes } from '../state.ts'
import { Icon } from '../ui/icon.tsx'
import { Show, useLoaded } from '../ui/loaded.tsx'
import { Missing } from '../ui/missing.tsx'
import { Table } from '../ui/table.tsx'

type Entry = Schema<'LibraryTreeNode'>

/** @param path names from the outermost folder on, `Types/Motor`; empty: the library */
export function LibraryPlace({ path }: { readonly path: string }): JSX.Element {
  const library = useLoaded(
    (until) => get<Answer<'libraries.tree'>>('/api/project/library/tree', until),
    [changes.value],
  )
  const names = path.split('/').filter((name) => name !== '')
  return (
    <Show of={library}>
      {(root) => {
        const entry = names.reduce<Pick<Entry, 'children'> | undefined>(
          (at, name) => at?.children?.find((one) => one.name === name),
          root,
        )
        if (entry === undefined) return <Missing text={t('missing.library', path)} />
        const rows = entry.children ?? [entry]
        return (
          <>
            <div class="toolbar">
              <h1>{names.at(-1) ?? t('project.libraries')}</h1>
            </div>
            <Table
              label={t('project.libraries')}
              rows={rows}
              empty={t('frame.empty')}
              columns={[
                {
                  key: 'name',
                  title: t('project.name'),
                  value: ({ name }) => name,
                  cell: ({ name, isFolder }) => (
                    <span class="named">
                      <Icon name={isFolder ? 'folder' : 'library'} size={14} /> {name}
                    </span>
                  ),
                },
                { key: 'kind', title: t('project.kind'), value: ({ kind }) => kind },
                { key: 'version', title: t('project.version'), value: (one) => one.defaultVersion },
              ]}
              onOpen={({ name }) => entry.children && go('/project', [], { library: [...names, name].join('/') })}
            />
          </>
        )
      }}
    </Show>
  )
}
