/** A block as text in the editor: tried out while it is typed, stored and compiled on save. */
import type { JSX } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { useEffect, useState } from 'preact/hooks'
import { draftOf, dropDraft, keepDraft } from '../drafts.ts'
import { type Answer, CallError, call } from '../gateway.ts'
import { t } from '../i18n.ts'
import { type BlockContent, type Compiled, type Finding, findingsOf } from '../model.ts'
import { go, link } from '../router.ts'
import { allows } from '../session.tsx'
import { Icon } from '../ui/icon.tsx'
import { Loading } from '../ui/loaded.tsx'
import { toast, toastProblem } from '../ui/toast.tsx'
import { blockPath, compileBlock } from './block-calls.ts'
import { Findings } from './findings.tsx'

const Editor = lazy(() => import('./editor.tsx'))

/** How long nothing is typed until a text is tried out, ms. */
const pause = 500

/** What the compiler would say to a text: nothing is kept. */
async function tryOut(station: string, block: string, text: string, until: AbortSignal): Promise<Finding[]> {
  const input = { deviceName: station, blockName: block }
  const commands = [
    { command: 'blocks.update-content', input: { ...input, sourceText: text } },
    { command: 'blocks.compile', input },
  ]
  try {
    const answer = await call<{ result: Answer<'jobs.execute-batch'> }>('/api/jobs/execute-batch', {
      body: { commands, dryRun: true },
      signal: until,
    })
    const compiled = answer.result.results[1]?.result as Compiled | undefined
    return findingsOf(compiled?.messages ?? [], station)
  } catch (error) {
    if (until.aborted || !(error instanceof CallError)) throw error
    return faultsOf(error, block)
  }
}

/** A text that cannot be read is refused with the places of its faults. */
function faultsOf({ problem }: CallError, block: string): Finding[] {
  const faults = problem.errors ?? []
  if (faults.length === 0) return [{ severity: 'error', text: problem.detail, code: problem.code, block }]
  return faults.map(({ message, code = '', line, column }) => ({
    severity: 'error',
    text: message,
    code,
    block,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }))
}

export interface SourceTextProps {
  readonly station: string
  readonly block: BlockContent
  readonly text: string
  readonly query: Readonly<Record<string, string>>
  /** What the last compile said, for places that count in the file of the import: only its number is used. */
  readonly compiled: readonly Finding[]
}

export function SourceText({ station, block, text, query, compiled }: SourceTextProps): JSX.Element {
  const { name } = block
  const place = link('/program', [station, name])
  const draft = draftOf(place)
  const typed = draft?.text
  const [findings, setFindings] = useState<readonly Finding[]>([])
  const [round, setRound] = useState(0)
  const shown = typed ?? text
  const canEdit = allows('engineer')
  useEffect(() => {
    // To try a text out is a command, which a viewer cannot give.
    if (!canEdit) return
    const end = new AbortController()
    const timer = setTimeout(
      () =>
        tryOut(station, name, shown, end.signal).then(
          setFindings,
          (error) => end.signal.aborted || toastProblem(error),
        ),
      typed === undefined ? 0 : pause,
    )
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [shown, station, name, compiled, canEdit])

  const store = async () => {
    if (!canEdit) return
    try {
      if (typed !== undefined) {
        await call(blockPath(station, name, '/content'), { method: 'PUT', body: { sourceText: typed } })
        // What was typed meanwhile is not stored.
        const now = draftOf(place)
        if (now === undefined || now.text === typed) dropDraft(place)
        else keepDraft(place, { ...now, base: typed })
      }
      await compileBlock(station, name)
    } catch (error) {
      if (error instanceof CallError && error.problem.errors?.length) setFindings(faultsOf(error, name))
      toastProblem(error)
    }
  }
  const discard = () => {
    dropDraft(place)
    setRound((n) => n + 1)
    if (draft === undefined) return
    const back = () => {
      keepDraft(place, draft)
      setRound((n) => n + 1)
    }
    toast('info', t('program.discarded', name), { title: t('program.bringBack'), run: back })
  }
  const position =
    query.line === undefined ? undefined : { line: Number(query.line), column: Number(query.column ?? 1) }
  const definition = async (object: string | undefined, symbol: string, offset: number | undefined) => {
    if (object === undefined) go('/project', [station, 'tags'], { filter: symbol.replace(/^[#"]+|"$/g, '') })
    else if (offset === undefined) go('/program', [station, object], { tab: 'interface' })
    else {
      const { sourceText } = await call<Answer<'blocks.source'>>(blockPath(station, object, '/source'))
      const before = sourceText.slice(0, offset).split('\n')
      go('/program', [station, object], {
        line: String(before.length),
        column: String((before.at(-1)?.length ?? 0) + 1),
      })
    }
  }
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return (
    <div class="source">
      <div class="toolbar">
        <button
          type="button"
          class="primary"
          title={canEdit ? 'Ctrl+S' : t('frame.needsLevel', 'engineer')}
          disabled={typed === undefined}
          onClick={() => void store()}
        >
          <Icon name="save" size={14} /> {t('program.store')}
        </button>
        <button type="button" disabled={typed === undefined} onClick={discard}>
          {t('program.discard')}
        </button>
        {typed !== undefined && <span class="badge is-warning">{t('program.changedHere')}</span>}
        <span class="grow" />
        <span class={errors > 0 ? 'is-error' : 'quiet'} role="status">
          {canEdit ? t('program.problems', findings.length) : t('program.noCheck')}
        </span>
      </div>
      {draft !== undefined && draft.base !== text && (
        <p class="notice" role="status">
          {t('program.changedMeanwhile')}
        </p>
      )}
      <Suspense fallback={<Loading />}>
        <Editor
          key={round}
          station={station}
          block={name}
          language={block.programmingLanguage}
          text={text}
          typed={typed}
          label={name}
          isReadOnly={!canEdit}
          findings={findings}
          place={position}
          onChange={(next) => {
            if (next === text) dropDraft(place)
            else keepDraft(place, { title: name, address: place, text: next, base: draftOf(place)?.base ?? text })
          }}
          onSave={() => void store()}
          onDefinition={(object, symbol, offset) => void definition(object, symbol, offset).catch(toastProblem)}
        />
      </Suspense>
      {findings.length > 0 && (
        <div class="below findings">
          <Findings findings={findings} station={station} />
        </div>
      )}
    </div>
  )
}
