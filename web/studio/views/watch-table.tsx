/** The rows of a watch table. Values are in the view "Live". */
import type { JSX } from 'preact'
import { type Answer, get, pathWith } from '../gateway.ts'
import { t } from '../i18n.ts'
import { link } from '../router.ts'
import { changes } from '../state.ts'
import { Show, useLoaded } from '../ui/loaded.tsx'
import { Table } from '../ui/table.tsx'

export function WatchTable({ station, name }: { readonly station: string; readonly name: string }): JSX.Element {
  const table = useLoaded(
    (until) => {
      const read = (kind: string) =>
        get<Answer<'watch-tables.get'>>(
          pathWith(`/api/devices/{deviceName}/${kind}/{tableName}`, { deviceName: station, tableName: name }),
          until,
        )
      // The tree has both kinds. When it is neither, the first refusal says what there is.
      return read('watch-tables').catch((error: unknown) =>
        read('force-tables').catch(() => {
          throw error
        }),
      )
    },
    [station, name, changes.value],
  )
  return (
    <>
      <div class="toolbar">
        <h1>{name}</h1>
      </div>
      <Show of={table} ways={[{ title: t('project.watch'), href: link('/project', [station, 'watch']) }]}>
        {({ entries }) => (
          <Table
            label={name}
            rows={entries}
            empty={t('frame.empty')}
            columns={[
              { key: 'name', title: t('project.name'), value: (row) => row.name },
              { key: 'address', title: t('project.address'), value: ({ address }) => address },
              { key: 'comment', title: t('project.comment'), value: ({ comment }) => comment },
            ]}
          />
        )}
      </Show>
    </>
  )
}
