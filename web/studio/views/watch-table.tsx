/** The rows of a watch table. Values are in the view "Live". */
import type { JSX } from 'preact'
import { get, pathWith } from '../gateway.ts'
import { t } from '../i18n.ts'
import { changes } from '../state.ts'
import { Show, useLoaded } from '../ui/loaded.tsx'
import { Table } from '../ui/table.tsx'

interface Row {
  readonly name?: string
  readonly address?: string
  readonly displayFormat?: string
  readonly modifyValue?: string
  readonly comment?: string
}

export function WatchTable({ station, name }: { readonly station: string; readonly name: string }): JSX.Element {
  const table = useLoaded(
    (until) =>
      get<{ entries: readonly Row[] }>(
        pathWith('/api/devices/{deviceName}/watch-tables/{tableName}', { deviceName: station, tableName: name }),
        until,
      ),
    [station, name, changes.value],
  )
  return (
    <>
      <div class="toolbar">
        <h1>{name}</h1>
      </div>
      <Show of={table}>
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
