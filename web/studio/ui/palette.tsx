/** The command palette: every operation with a form made from its schema; commands are tried out first. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { draftOf, dropDraft, keepDraft } from '../drafts.ts'
import { call, get, pathWith, queryOf, tryOut } from '../gateway.ts'
import { t } from '../i18n.ts'
import { allows, type Level } from '../session.tsx'
import { controllers } from '../state.ts'
import { JobChanges } from './changed-objects.tsx'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { List } from './list.tsx'
import { type Loaded, Show, useLoaded } from './loaded.tsx'
import { Marked } from './marked-text.tsx'
import { ProblemNote, problemOf } from './problem.tsx'
import { type Schema, SchemaForm } from './schema-form.tsx'
import { toast } from './toast.tsx'

interface RouteEntry {
  readonly method: string
  readonly path: string
  readonly operation?: string
  readonly kind: 'query' | 'command'
  readonly title: string
  readonly mode: 'sync' | 'async'
  readonly access: Level
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly $ref?: string
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Operation {
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

let document: Promise<OpenApi> | undefined
/** The OpenAPI document: large, so it is asked for once, when a form is needed. */
function openApi(): Promise<OpenApi> {
  document ??= get<OpenApi>('/openapi.json')
  document.catch(() => {
    document = undefined
  })
  return document
}

/** An operation with what is known of its input, as a link names it. */
export interface Start {
  readonly operation: string
  readonly values: Readonly<Record<string, unknown>>
}

export interface PaletteProps {
  /** The operation to begin with; default: they are listed. */
  readonly start?: Start | undefined
  onClose(): void
}

export function Palette({ start, onClose }: PaletteProps): JSX.Element {
  const [chosen, setChosen] = useState<RouteEntry>()
  const [isLeft, setLeft] = useState(false)
  const loaded = useLoaded((until) => get<{ routes: readonly RouteEntry[] }>('/api/command/list', until), [])
  const routes = useMemo(() => onePerOperation(loaded.value?.routes ?? []), [loaded.value])
  const begun = isLeft || start === undefined ? undefined : routes.find((one) => one.operation === start.operation)
  const entry = chosen ?? begun
  return (
    <Dialog title={entry?.title ?? t('palette.title')} size="high" onClose={onClose}>
      {entry === undefined ? (
        <Find loaded={loaded} routes={routes} onChoose={setChosen} />
      ) : (
        <Run
          key={entry.operation}
          entry={entry}
          values={entry === begun ? start?.values : undefined}
          onBack={() => {
            setChosen(undefined)
            setLeft(true)
          }}
        />
      )}
    </Dialog>
  )
}

/** An operation has one form, whatever the number of its addresses; streams have none. */
function onePerOperation(routes: readonly RouteEntry[]): readonly RouteEntry[] {
  const seen = new Set<string>()
  return routes.filter(({ operation = '', mode, path }) => {
    if (operation === '' || seen.has(operation) || mode === 'async' || /\/stream$|\/events$/.test(path)) return false
    seen.add(operation)
    return true
  })
}

/** A word is found in order of its letters' weight: whole words in the title first. */
function matching(routes: readonly RouteEntry[], text: string): readonly RouteEntry[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return routes
  const ranked = routes.flatMap((route) => {
    const title = route.title.toLowerCase()
    const all = `${title} ${route.operation ?? ''} ${route.path.toLowerCase()}`
    if (!words.every((word) => all.includes(word))) return []
    const inTitle = words.filter((word) => title.includes(word)).length
    return [{ route, rank: inTitle * 10 + (title.startsWith(words[0] as string) ? 5 : 0) }]
  })
  return ranked.sort((a, b) => b.rank - a.rank).map(({ route }) => route)
}

interface FindProps {
  readonly loaded: Loaded<unknown>
  readonly routes: readonly RouteEntry[]
  onChoose(entry: RouteEntry): void
}

function Find({ loaded, routes, onChoose }: FindProps): JSX.Element {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = useMemo(() => matching(routes, text), [routes, text])
  const choose = (index: number) => {
    const entry = found[index]
    if (entry !== undefined) onChoose(entry)
  }
  return (
    <div class="finder">
      <input
        type="text" // Escape closes the dialog; a field of type search would only be emptied.
        aria-label={t('palette.find')}
        placeholder={t('palette.find')}
        autocomplete="off"
        value={text}
        autofocus
        onInput={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, at + 1))
          else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
          else if (event.key === 'Enter') choose(at)
          else return
          event.preventDefault()
        }}
      />
      <Show of={loaded}>
        {() => (
          <div class="results">
            <List
              items={found}
              label={t('palette.title')}
              chosen={at}
              rowHeight={26}
              onChoose={(index) => {
                setAt(index)
                choose(index)
              }}
              row={({ title, operation, access, kind }) => (
                <>
                  <span class={allows(access) ? 'text' : 'text quiet'}>{title}</span>
                  <span class="grow" />
                  <span class="quiet mono">{operation}</span>
                  <span class={kind === 'command' ? 'badge is-warning' : 'badge'}>
                    {!allows(access) && <Icon name="lock" size={11} />} {access}
                  </span>
                </>
              )}
            />
            {found.length === 0 && <p class="quiet pad">{t('frame.none')}</p>}
          </div>
        )}
      </Show>
    </div>
  )
}

interface Form {
  readonly schema: Schema
  readonly parameters: readonly Parameter[]
  readonly description: string
  readonly document: OpenApi
}

async function formOf({ path, method }: RouteEntry): Promise<Form> {
  const document = await openApi()
  const operation = document.paths[path.replace('*}', '}')]?.[method.toLowerCase()] ?? {}
  const parameters = (operation.parameters ?? []).filter(
    (one) => one.$ref === undefined && one.in !== 'header' && !/^(dryRun|asOf)$/.test(one.name),
  )
  const body = operation.requestBody?.content['application/json']?.schema ?? {}
  const real = body.$ref === undefined ? body : (document.components.schemas[nameIn(body.$ref)] ?? {})
  return {
    document,
    parameters,
    description: operation.description ?? '',
    schema: {
      type: 'object',
      properties: {
        ...Object.fromEntries(
          parameters.map(({ name, schema, description = '' }) => [name, { ...schema, description }]),
        ),
        ...real.properties,
      },
      required: [...parameters.filter(({ required }) => required).map(({ name }) => name), ...(real.required ?? [])],
    },
  }
}

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

interface RunProps {
  readonly entry: RouteEntry
  /** What is known of the input. */
  readonly values: Readonly<Record<string, unknown>> | undefined
  onBack(): void
}

function Run({ entry, values, onBack }: RunProps): JSX.Element {
  const form = useLoaded(() => formOf(entry), [entry])
  const place = `operation ${entry.operation}`
  const [value, setValue] = useState(() => ({
    ...(JSON.parse(draftOf(place)?.text ?? '{}') as Readonly<Record<string, unknown>>),
    ...values,
  }))
  const [answer, setAnswer] = useState<{
    readonly result?: unknown
    readonly error?: unknown
    readonly tried: boolean
    /** Of the dry run. */
    readonly jobId?: string
  }>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    // Most operations are about a station, and mostly there is one.
    const station = controllers.peek()[0]?.name
    if (station !== undefined && form.value?.schema.properties?.deviceName)
      setValue((now) => ({ deviceName: station, ...now }))
  }, [form.value])

  const run = async (tried: boolean) => {
    if (form.value === undefined) return
    setBusy(true)
    const { parameters } = form.value
    const names = new Set(parameters.map(({ name }) => name))
    const inPath = Object.fromEntries(
      parameters.filter((one) => one.in === 'path').map(({ name }) => [name, String(value[name] ?? '')]),
    )
    const inQuery = Object.fromEntries(
      parameters.filter((one) => one.in === 'query').map(({ name }) => [name, value[name] as string | undefined]),
    )
    const body = Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)))
    const address = pathWith(entry.path, inPath) + queryOf(inQuery)
    const hasBody = entry.method !== 'GET' && entry.method !== 'DELETE'
    try {
      if (tried) {
        const { jobId, answer: result } = await tryOut(address, hasBody ? body : undefined, entry.method)
        setAnswer({ result, tried, jobId })
      } else {
        const result = await call(address, { method: entry.method, ...(hasBody ? { body } : {}) })
        setAnswer({ result, tried })
        dropDraft(place)
      }
      if (!tried && entry.kind === 'command') toast('ok', t('palette.done', entry.title))
    } catch (error) {
      setAnswer({ error, tried })
    } finally {
      setBusy(false)
    }
  }
  const faults = Object.fromEntries(
    (answer?.error === undefined ? [] : (problemOf(answer.error).errors ?? [])).map(({ path, message }) => [
      path,
      message,
    ]),
  )
  const isCommand = entry.kind === 'command'
  const mayRun = allows(entry.access)
  const canRun = !isCommand || (answer?.tried === true && answer.error === undefined)
  return (
    <form
      class="run"
      onSubmit={(event) => {
        event.preventDefault()
        if (mayRun) void run(isCommand && !canRun)
      }}
    >
      <div class="body">
        <Show of={form}>
          {({ schema, description, document }) => (
            <>
              {description
                .split(/\n{2,}/)
                .filter((part) => part.trim() !== '')
                .map((part) => (
                  <p key={part} class="about">
                    <Marked text={part} />
                  </p>
                ))}
              {Object.keys(schema.properties ?? {}).length === 0 && <p class="quiet">{t('palette.noInput')}</p>}
              <SchemaForm
                schema={schema}
                value={value}
                faults={faults}
                resolve={(ref) => document.components.schemas[nameIn(ref)]}
                onChange={(next) => {
                  setValue(next)
                  setAnswer(undefined)
                  keepDraft(place, { title: entry.title, address: '', text: textOf(next), base: '' })
                }}
              />
            </>
          )}
        </Show>
        {!mayRun && <p class="notice">{t('frame.needsLevel', entry.access)}</p>}
        {answer?.error !== undefined && <ProblemNote error={answer.error} />}
        {answer !== undefined && answer.error === undefined && <Answer {...answer} />}
      </div>
      <footer>
        <span class="quiet mono grow">
          {entry.method} {entry.path}
        </span>
        <button type="button" onClick={onBack}>
          {t('palette.back')}
        </button>
        {isCommand && (
          <button type="submit" class={canRun ? '' : 'primary'} disabled={isBusy || canRun || !mayRun}>
            {t('palette.try')}
          </button>
        )}
        <button
          type="button"
          class={canRun ? 'primary' : ''}
          disabled={isBusy || !canRun || !mayRun}
          onClick={() => void run(false)}
        >
          {t(isCommand ? 'palette.run' : 'palette.read')}
        </button>
      </footer>
    </form>
  )
}

/** What is typed, without chosen files: a page cannot choose them again. */
const textOf = (value: object) => JSON.stringify(value, (_, one) => (one instanceof File ? undefined : one))

/** More of an answer helps nobody in a dialog. */
const shownCharacters = 20_000

interface AnswerProps {
  readonly tried: boolean
  readonly result?: unknown
  readonly jobId?: string
}

function Answer({ tried, result, jobId }: AnswerProps): JSX.Element {
  const { events = [] } = (tried ? result : {}) as { events?: readonly unknown[] }
  const text = JSON.stringify(tried ? (result as { result?: unknown }).result : result, undefined, 2) ?? ''
  return (
    <div class="answer">
      {tried && <p class="is-ok">{t('palette.tried', events.length)}</p>}
      {jobId !== undefined && <JobChanges jobId={jobId} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre tabIndex={0}>{text.length > shownCharacters ? `${text.slice(0, shownCharacters)} …` : text}</pre>
    </div>
  )
}
