/** The import: what was dropped goes to the gateway as one job; its outcome leads to each message. */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { finished, type Job } from '../commands.ts'
import { type Answer, call, pathWith, type Schema } from '../gateway.ts'
import { t } from '../i18n.ts'
import { type CompilerMessage, type Finding, findingsOf } from '../model.ts'
import { go } from '../router.ts'
import { controllers } from '../state.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { ProblemNote, problemOf } from '../ui/problem.tsx'
import { Table } from '../ui/table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { type DroppedFile, packed } from '../zip.ts'
import { Findings } from './findings.tsx'

/** Files that wait for the dialog; empty: it asks for them. */
export const toImport = signal<readonly DroppedFile[] | undefined>(undefined)

type Imported = Answer<'blocks.import'>

/** Everything that the import and the compiler say. */
function findingsIn(result: Imported, station: string): Finding[] {
  const blocks = new Set(result.objects.map(({ name }) => name))
  const faults = result.files.flatMap(({ path, errors = [], status, message }): Finding[] => [
    ...errors.map(
      ({ message: text, code = '', line, column, element }): Finding => ({
        severity: 'error',
        text,
        code,
        file: path,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
        ...(typeof element === 'string' && blocks.has(element) ? { block: element } : {}),
      }),
    ),
    ...(status === 'skipped' && message !== undefined
      ? [{ severity: 'information' as const, text: message, code: 'skipped', file: path }]
      : []),
  ])
  const warnings = result.warnings.map((text): Finding => ({ severity: 'warning', text, code: '' }))
  return [...faults, ...compiledFindings(result.compileMessages ?? [], station), ...warnings]
}

/** Messages of a compile as a list or a tree. Those of a list have no severity: their state tells it. */
function compiledFindings(messages: readonly CompilerMessage[], station: string): Finding[] {
  const flat = messages.map((message) => {
    const { state } = message
    const severity = message.severity ?? (state === 'Error' ? 'error' : state === 'Warning' ? 'warning' : 'information')
    return { ...message, severity, messages: message.messages ?? [] } satisfies CompilerMessage
  })
  return findingsOf(flat, station)
}

const kindPath: Readonly<Record<string, string>> = {
  UDT: 'types',
  TagTable: 'tags',
  WatchTable: 'watch',
  ForceTable: 'watch',
}

export function ImportDialog(): JSX.Element | null {
  const files = toImport.value
  return files === undefined ? null : <Import files={files} />
}

function Import({ files }: { readonly files: readonly DroppedFile[] }): JSX.Element {
  const [station, setStation] = useState(controllers.value[0]?.name ?? '')
  const [compiles, setCompiles] = useState(true)
  const [job, setJob] = useState<Job<Imported>>()
  const [result, setResult] = useState<Imported>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [tab, setTab] = useState('messages')
  const close = () => {
    toImport.value = undefined
  }
  useEffect(() => {
    if (station === '' && controllers.value[0]) setStation(controllers.value[0].name)
  }, [controllers.value])

  const start = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const { name, content } = await packed(files)
      const form = new FormData()
      form.set('file', content, name)
      form.set('continueOnError', 'true')
      form.set('compile', String(compiles))
      const path = pathWith('/api/devices/{deviceName}/blocks/actions/import', { deviceName: station })
      const { jobId } = await call<Schema<'JobAccepted'>>(path, { body: form })
      setResult(await finished<Imported>(jobId, setJob))
    } catch (reason) {
      setError(reason)
    } finally {
      setBusy(false)
    }
  }
  const findings = result === undefined ? faultsOf(error) : findingsIn(result, station)
  return (
    <Dialog title={t('project.importTitle')} size="wide" onClose={close}>
      <div class="body import">
        {result === undefined && (
          <div class="line">
            <label>
              {t('project.station')}{' '}
              <select value={station} onChange={(event) => setStation(event.currentTarget.value)}>
                {controllers.value.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
            <label>
              <input
                type="checkbox"
                checked={compiles}
                onChange={(event) => setCompiles(event.currentTarget.checked)}
              />{' '}
              {t('project.compileToo')}
            </label>
            <label class="button">
              <Icon name="folder" size={14} /> {t('project.choose')}
              <input
                type="file"
                multiple
                class="hidden"
                onChange={(event) => {
                  toImport.value = [...(event.currentTarget.files ?? [])].map((file) => ({ path: file.name, file }))
                }}
              />
            </label>
          </div>
        )}
        {controllers.value.length === 0 && <p class="is-warning">{t('project.noStation')}</p>}
        {files.length > 0 && result === undefined && (
          <p>
            {t('project.sending', files.length)}:{' '}
            <span class="quiet">
              {files
                .slice(0, 6)
                .map(({ path }) => path)
                .join(', ')}
            </span>
          </p>
        )}
        {isBusy && (
          <p class="progress">
            <progress max={100} value={job?.progress ?? 0} aria-label={t('project.import')} /> {job?.message}
          </p>
        )}
        {error !== undefined && <ProblemNote error={error} />}
        {result !== undefined && (
          <p class={result.failed > 0 ? 'is-error' : 'is-ok'}>
            {t('project.imported', result.imported, result.unchanged, result.failed)}
          </p>
        )}
        {(result !== undefined || findings.length > 0) && (
          <div class="outcome">
            <Tabs
              label={t('project.importTitle')}
              chosen={tab}
              onChoose={setTab}
              tabs={[
                { key: 'messages', title: t('project.messages', findings.length) },
                { key: 'objects', title: `${t('project.objects')} (${result?.objects.length ?? 0})` },
              ]}
            >
              {tab === 'messages' ? (
                <Findings findings={findings} station={station} onOpen={close} />
              ) : (
                <Table
                  label={t('project.objects')}
                  rows={result?.objects ?? []}
                  columns={[
                    { key: 'name', title: t('project.name'), value: ({ name }) => name },
                    { key: 'kind', title: t('project.kind'), width: '8rem', value: ({ kind }) => kind },
                    { key: 'action', title: t('project.action'), width: '8rem', value: ({ action }) => action },
                    { key: 'file', title: t('project.file'), value: ({ file }) => file },
                  ]}
                  onOpen={({ name, kind }) => {
                    close()
                    const place = kindPath[kind]
                    if (place === undefined) go('/program', [station, name])
                    else go('/project', [station, place, name])
                  }}
                />
              )}
            </Tabs>
          </div>
        )}
      </div>
      <footer>
        <button type="button" onClick={close}>
          {t('frame.close')}
        </button>
        {result === undefined && (
          <button
            type="button"
            class="primary"
            disabled={files.length === 0 || station === '' || isBusy}
            onClick={() => void start()}
          >
            {t('project.import')}
          </button>
        )}
      </footer>
    </Dialog>
  )
}

/** The faults of an import that was refused. */
function faultsOf(error: unknown): Finding[] {
  if (error === undefined) return []
  return (problemOf(error).errors ?? []).map(({ message, code = '', path, line, column }) => {
    return {
      severity: 'error',
      text: message,
      code,
      ...(path === undefined ? {} : { file: path }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    }
  })
}
