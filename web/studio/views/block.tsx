/** One block: code, interface, calls, references, history. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { undo } from '../commands.ts'
import { call, get, queryOf } from '../gateway.ts'
import { t } from '../i18n.ts'
import { type Block, type BlockContent, type Compiled, type Finding, findingsOf } from '../model.ts'
import { allows } from '../session.tsx'
import { changes } from '../state.ts'
import { Icon } from '../ui/icon.tsx'
import { useShortcuts } from '../ui/keys.ts'
import { Show, useLoaded } from '../ui/loaded.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { toastProblem } from '../ui/toast.tsx'
import { blockPath, compileBlock } from './block-calls.ts'
import { CallTree } from './call-tree.tsx'
import { References } from './cross-references.tsx'
import { History } from './history.tsx'
import { Interface } from './interface.tsx'
import { Networks } from './networks.tsx'
import { SourceText } from './source-text.tsx'
import { StateBadge } from './states.tsx'

export interface BlockViewProps {
  readonly station: string
  readonly block: Block
  readonly query: Readonly<Record<string, string>>
}

const none: readonly Finding[] = []

/** What the compiler would say to the block as it is stored: nothing is kept. A viewer cannot ask. */
async function check(station: string, block: string, until: AbortSignal): Promise<readonly Finding[] | undefined> {
  if (!allows('engineer')) return undefined
  const path = blockPath(station, block, `/actions/compile${queryOf({ dryRun: true })}`)
  const { result } = await call<{ result: Compiled }>(path, { body: { rebuild: true }, signal: until })
  return findingsOf(result.messages, station)
}

export function BlockView({ station, block, query }: BlockViewProps): JSX.Element {
  const { name } = block
  const [tab, setTab] = useState(query.tab ?? 'code')
  const [findings, setFindings] = useState<readonly Finding[]>()
  const content = useLoaded(
    (until) => get<BlockContent>(blockPath(station, name, '/content'), until),
    [station, name, changes.value],
  )
  // A text tries itself out while it is typed.
  const isNetworks = content.value !== undefined && content.value.sourceText === undefined
  const stored = useMemo(() => (isNetworks ? JSON.stringify(content.value) : ''), [content.value])
  useEffect(() => {
    if (stored === '') return
    const end = new AbortController()
    check(station, name, end.signal).then(setFindings, (error: unknown) => end.signal.aborted || toastProblem(error))
    return () => end.abort()
  }, [station, name, stored])
  useEffect(() => {
    if (query.line !== undefined || query.network !== undefined) setTab('code')
  }, [query])
  const canEdit = allows('engineer')
  const compile = () => compileBlock(station, name).then(setFindings, toastProblem)
  useShortcuts([
    { keys: 'F7', title: 'project.compile', inFields: true, run: () => canEdit && void compile() },
    { keys: 'Ctrl+Z', title: 'frame.undo', run: () => canEdit && void undo('undo') },
    { keys: 'Ctrl+Shift+Z', title: 'frame.redo', run: () => canEdit && void undo('redo') },
  ])
  return (
    <>
      <div class="toolbar">
        <h1>{name}</h1>
        <span class="quiet">
          {block.type} {block.number} · {block.programmingLanguage}
        </span>
        <StateBadge of={block} />
        {block.title !== '' && <span class="quiet ellipsis">{block.title}</span>}
        <span class="grow" />
        <button type="button" title="F7" disabled={!canEdit} onClick={() => void compile()}>
          <Icon name="build" size={14} /> {t('project.compile')}
        </button>
        <button type="button" title="Ctrl+Z" disabled={!canEdit} onClick={() => void undo('undo')}>
          <Icon name="undo" size={14} /> {t('frame.undo')}
        </button>
        <button
          type="button"
          class="plain"
          aria-label={t('frame.redo')}
          title="Ctrl+Shift+Z"
          disabled={!canEdit}
          onClick={() => void undo('redo')}
        >
          <Icon name="redo" size={14} />
        </button>
      </div>
      {block.isKnowHowProtected ? (
        <p class="pad">{t('program.protectedText')}</p>
      ) : (
        <Tabs
          label={name}
          chosen={tab}
          onChoose={setTab}
          tabs={[
            { key: 'code', title: t('program.code') },
            { key: 'interface', title: t('program.interface') },
            { key: 'calls', title: t('program.calls') },
            { key: 'references', title: t('program.references') },
            { key: 'history', title: t('program.history') },
          ]}
        >
          {tab === 'code' && (
            <Show of={content}>
              {(of) =>
                of.sourceText === undefined ? (
                  <Networks
                    station={station}
                    block={of}
                    findings={findings}
                    network={Number(query.network ?? 0)}
                    onFindings={setFindings}
                  />
                ) : (
                  <SourceText
                    station={station}
                    block={of}
                    text={of.sourceText}
                    query={query}
                    compiled={findings ?? none}
                  />
                )
              }
            </Show>
          )}
          {tab === 'interface' && <Show of={content}>{(of) => <Interface station={station} block={of} />}</Show>}
          {tab === 'calls' && <CallTree station={station} block={name} />}
          {tab === 'references' && (
            <References station={station} block={name} path={blockPath(station, name, '/cross-references')} />
          )}
          {tab === 'history' && <History station={station} block={block} />}
        </Tabs>
      )}
    </>
  )
}
