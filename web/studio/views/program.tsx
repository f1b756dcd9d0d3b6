/** The view "Program": the blocks of a controller, and one of them with all that is known about it. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { get } from '../gateway.ts'
import { t } from '../i18n.ts'
import type { Block } from '../model.ts'
import { go } from '../router.ts'
import { changes, controllers } from '../state.ts'
import { Icon } from '../ui/icon.tsx'
import { List } from '../ui/list.tsx'
import { Show, useLoaded } from '../ui/loaded.tsx'
import type { ViewProps } from '../views.ts'
import { BlockView } from './block.tsx'
import { mayLeave } from './drafts.ts'
import { filtered, inStation } from './project-lists.tsx'
import { blockIcon, stateIcon } from './states.tsx'

export default function ProgramView({ route }: ViewProps): JSX.Element {
  const [given, name] = route.parts
  const station = given ?? controllers.value[0]?.name
  const [text, setText] = useState('')
  useEffect(() => {
    if (given === undefined && station !== undefined) go('/program', [station], {}, false)
  }, [given, station])
  const blocks = useLoaded(
    async (until) =>
      station === undefined
        ? { blocks: [] as readonly Block[] }
        : get<{ blocks: readonly Block[] }>(inStation('/api/devices/{deviceName}/blocks', station), until),
    [station, changes.value],
  )
  const rows = useMemo(
    () =>
      filtered(blocks.value?.blocks ?? [], text, (one) => [
        one.name,
        one.title,
        `${one.type}${one.number}`,
        one.programmingLanguage,
      ]),
    [blocks.value, text],
  )
  if (station === undefined) return <p class="quiet pad">{t('program.noStation')}</p>
  const block = blocks.value?.blocks.find((one) => one.name.toLowerCase() === name?.toLowerCase())
  const choose = async (index: number) => {
    const next = rows[index]
    if (next !== undefined && next.name !== name && (await mayLeave())) go('/program', [station, next.name])
  }
  return (
    <div class="split">
      <div class="side">
        <div class="toolbar">
          {controllers.value.length > 1 && (
            <select
              aria-label={t('project.station')}
              value={station}
              onChange={(event) => go('/program', [event.currentTarget.value])}
            >
              {controllers.value.map((one) => (
                <option key={one.name}>{one.name}</option>
              ))}
            </select>
          )}
          <input
            type="search"
            class="grow"
            placeholder={t('project.filter')}
            aria-label={t('project.filter')}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <Show of={blocks}>
          {() => (
            <List
              items={rows}
              label={t('program.blocks')}
              chosen={rows.findIndex((one) => one.name === block?.name)}
              rowHeight={22}
              onChoose={(index) => void choose(index)}
              row={(one) => (
                <>
                  <Icon name={blockIcon(one.type)} size={14} />
                  <span class="text">{one.name}</span>
                  <span class="grow" />
                  {stateIcon(one)}
                  <span class="quiet small">
                    {one.programmingLanguage === 'DB' ? 'DB' : `${one.type} ${one.programmingLanguage}`}
                  </span>
                </>
              )}
            />
          )}
        </Show>
      </div>
      <div class="main">
        {block === undefined ? (
          <p class="quiet pad">{t(blocks.value === undefined ? 'frame.loading' : 'program.choose')}</p>
        ) : (
          <BlockView key={`${station}/${block.name}`} station={station} block={block} query={route.query} />
        )}
      </div>
    </div>
  )
}
