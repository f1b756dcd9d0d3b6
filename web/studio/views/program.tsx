/** The view "Program": the blocks of a controller in their folders, and one of them with all that is known about it. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { draftOf } from '../drafts.ts'
import { language, t } from '../i18n.ts'
import { go, link } from '../router.ts'
import { changes, controllers, stations } from '../state.ts'
import { Loading, Show, useLoaded } from '../ui/loaded.tsx'
import { Missing } from '../ui/missing.tsx'
import { Tree } from '../ui/tree.tsx'
import type { ViewProps } from '../view.ts'
import { BlockView } from './block.tsx'
import {
  blockId,
  blockNode,
  firstBlock,
  foldersAbove,
  nodesOf,
  type ProgramBlocks,
  programBlocks,
} from './program-tree.ts'
import { filtered } from './project-lists.tsx'
import { InProject, MissingStation } from './whereabouts.tsx'

export default function ProgramView(props: ViewProps): JSX.Element {
  return <InProject>{() => <Program {...props} />}</InProject>
}

function Program({ route }: ViewProps): JSX.Element {
  const [given] = route.parts
  const station = given ?? controllers.value[0]?.name
  useEffect(() => {
    if (given === undefined && station !== undefined) go('/program', [station], {}, false)
  }, [given, station])
  if (station === undefined) return <Missing text={t('program.noStation')} />
  if (controllers.value.some(({ name }) => name === station))
    return <Blocks key={station} station={station} route={route} />
  return stations.value.some(({ name }) => name === station) ? (
    <Missing text={t('missing.controller', station)} ways={[{ title: station, href: link('/project', [station]) }]} />
  ) : (
    <MissingStation name={station} view="/program" others={controllers.value} />
  )
}

function Blocks({ station, route }: ViewProps & { readonly station: string }): JSX.Element {
  const name = route.parts[1]
  const [text, setText] = useState('')
  const loaded = useLoaded((until) => programBlocks(station, until), [station, changes.value])
  const block = loaded.value?.blocks.find((one) => one.name.toLowerCase() === name?.toLowerCase())
  const first = name === undefined ? loaded.value && firstBlock(loaded.value.blocks)?.name : undefined
  useEffect(() => {
    if (first !== undefined) go('/program', [station, first], {}, false)
  }, [station, first])
  return (
    <div class="split program">
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
        <Show of={loaded}>
          {(of) => (
            <BlockTree
              of={of}
              filter={text}
              chosen={block?.name}
              onChoose={(next) => next !== name && go('/program', [station, next])}
            />
          )}
        </Show>
      </div>
      <div class="main">
        {block !== undefined ? (
          <BlockView key={`${station}/${block.name}`} station={station} block={block} query={route.query} />
        ) : name !== undefined && loaded.value !== undefined ? (
          <MissingBlock station={station} name={name} />
        ) : (
          loaded.error === undefined &&
          (first === undefined && loaded.value !== undefined ? (
            <p class="quiet pad">{t('frame.empty')}</p>
          ) : (
            <Loading />
          ))
        )}
      </div>
    </div>
  )
}

interface BlockTreeProps {
  readonly of: ProgramBlocks
  readonly filter: string
  readonly chosen: string | undefined
  onChoose(name: string): void
}

/** All in their folders; with a filter what it finds, in one list. */
function BlockTree({ of, filter, chosen, onChoose }: BlockTreeProps): JSX.Element {
  const nodes = useMemo(() => {
    if (filter.trim() === '') return nodesOf(of.tree)
    const found = filtered(of.blocks, filter, (one) => [
      one.name,
      one.title,
      `${one.type}${one.number}`,
      one.programmingLanguage,
    ])
    return found.map(blockNode)
  }, [of, filter, language.value])
  const path = useMemo(() => (chosen === undefined ? [] : (foldersAbove(of.tree, chosen) ?? [])), [of, chosen])
  if (nodes.length === 0) return <p class="quiet pad">{t(filter === '' ? 'frame.empty' : 'frame.none')}</p>
  return (
    <Tree
      nodes={nodes}
      label={t('program.blocks')}
      chosen={chosen === undefined ? undefined : blockId(chosen)}
      path={path}
      onChoose={({ id, text }) => id.startsWith('block:') && onChoose(text)}
    />
  )
}

/** A block that is not there: a link of yesterday, or somebody deleted it. What was typed in it can be copied. */
function MissingBlock({ station, name }: { readonly station: string; readonly name: string }): JSX.Element {
  const draft = draftOf(link('/program', [station, name]))
  const ways = [
    { title: t('missing.blocks', station), href: link('/program', [station]) },
    { title: t('missing.jobs'), href: link('/jobs') },
  ]
  return (
    <Missing text={t('missing.block', name, station)} ways={ways}>
      <p class="quiet">
        {t('missing.blockHint')} {t('missing.search')}
      </p>
      {draft !== undefined && (
        <>
          <p>{t('missing.draft')}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <pre class="json" tabIndex={0}>
            {draft.text}
          </pre>
        </>
      )}
    </Missing>
  )
}
