/** A PLC data type with its members. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { type Answer, get, pathWith } from '../gateway.ts'
import { t } from '../i18n.ts'
import { memberRows } from '../model.ts'
import { link } from '../router.ts'
import { changes } from '../state.ts'
import { Show, useLoaded } from '../ui/loaded.tsx'
import { Table } from '../ui/table.tsx'

export function TypeMembers({ station, name }: { readonly station: string; readonly name: string }): JSX.Element {
  const type = useLoaded(
    (until) =>
      get<Answer<'types.get'>>(
        pathWith('/api/devices/{deviceName}/udts/{udtName}', { deviceName: station, udtName: name }),
        until,
      ),
    [station, name, changes.value],
  )
  const rows = useMemo(() => memberRows(type.value?.members ?? []), [type.value])
  return (
    <>
      <div class="toolbar">
        <h1>{name}</h1>
        <span class="quiet">{type.value?.title}</span>
      </div>
      <Show of={type} ways={[{ title: t('project.types'), href: link('/project', [station, 'types']) }]}>
        {() => (
          <Table
            label={name}
            rows={rows}
            columns={[
              {
                key: 'name',
                title: t('project.name'),
                value: (one) => one.path,
                cell: (one) => <span style={{ paddingLeft: `${one.depth * 16}px` }}>{one.name}</span>,
              },
              {
                key: 'type',
                title: t('project.dataType'),
                value: ({ dataType }) => dataType,
                cell: ({ dataType }) => <span class="mono">{dataType}</span>,
              },
              { key: 'start', title: t('project.startValue'), value: ({ startValue }) => startValue },
              { key: 'comment', title: t('project.comment'), width: 'minmax(12rem, 2fr)', value: (one) => one.comment },
            ]}
          />
        )}
      </Show>
    </>
  )
}
