/** The screens of an HMI station; a compiled station runs at its own page. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { type Answer, get, pathWith } from '../gateway.ts'
import { t } from '../i18n.ts'
import { inOrder } from '../order.ts'
import { link } from '../router.ts'
import { changes } from '../state.ts'
import { Icon } from '../ui/icon.tsx'
import { Show, useLoaded } from '../ui/loaded.tsx'
import { Missing } from '../ui/missing.tsx'
import { Table } from '../ui/table.tsx'
import { filtered, ListHead } from './project-lists.tsx'

export interface ScreensProps {
  readonly station: string
  readonly screen: string | undefined
  readonly filter: string
}

export function Screens({ station, screen, filter }: ScreensProps): JSX.Element {
  const [text, setText] = useState(filter)
  const screens = useLoaded(
    (until) =>
      get<Answer<'hmi.list-screens'>>(
        pathWith('/api/devices/{deviceName}/hmi/screens', { deviceName: station }),
        until,
      ),
    [station, changes.value],
  )
  const rows = useMemo(
    () => filtered(inOrder(screens.value?.screens ?? []), text, ({ name }) => [name]),
    [screens.value, text],
  )
  return (
    <>
      <ListHead
        title={`${station} · ${t('project.screens')}`}
        count={screens.value && rows.length}
        filter={text}
        onFilter={setText}
      >
        <a class="button" href={`/hmi/${encodeURIComponent(station)}/`} target="_blank" rel="noreferrer">
          <Icon name="play" size={14} /> {t('project.hmi')}
        </a>
      </ListHead>
      <Show of={screens}>
        {({ screens: all }) =>
          screen !== undefined && !all.some(({ name }) => name === screen) ? (
            <Missing
              text={t('missing.screen', screen, station)}
              ways={[{ title: t('project.screens'), href: link('/project', [station, 'hmi']) }]}
            />
          ) : (
            <Table
              label={t('project.screens')}
              rows={rows}
              chosen={rows.find(({ name }) => name === screen)}
              empty={t('frame.empty')}
              columns={[
                { key: 'name', title: t('project.name'), value: ({ name }) => name },
                { key: 'folder', title: t('project.folder'), value: ({ folder }) => folder },
                { key: 'width', title: '↔', width: '6rem', isNumber: true, value: ({ width }) => width },
                { key: 'height', title: '↕', width: '6rem', isNumber: true, value: ({ height }) => height },
              ]}
            />
          )
        }
      </Show>
    </>
  )
}
