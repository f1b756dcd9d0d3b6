/** The networks of a block: drawn, or text; titles, comments and networks as text are edited in place. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { draftOf, dropDraft, keepDraft } from '../drafts.ts'
import { call, queryOf } from '../gateway.ts'
import { t } from '../i18n.ts'
import type { BlockContent, Finding, Network } from '../model.ts'
import { link } from '../router.ts'
import { allows } from '../session.tsx'
import { changes } from '../state.ts'
import { ask } from '../ui/dialog.tsx'
import { Drawing } from '../ui/drawing.tsx'
import { Icon } from '../ui/icon.tsx'
import { ProblemNote } from '../ui/problem.tsx'
import { toastProblem } from '../ui/toast.tsx'
import { blockPath, compileBlock } from './block-calls.ts'
import { Editable } from './editable.tsx'
import { Findings } from './findings.tsx'

export interface NetworksProps {
  readonly station: string
  readonly block: BlockContent
  /** undefined: it was not checked. */
  readonly findings: readonly Finding[] | undefined
  /** The network to show; 0 for none. */
  readonly network: number
  onFindings(findings: readonly Finding[]): void
}

const isDrawn = (language: string) => /^(F_)?(LAD|FBD)|^GRAPH$/.test(language)

export function Networks({ station, block, findings, network, onFindings }: NetworksProps): JSX.Element {
  useEffect(() => {
    if (network > 0) document.getElementById(`network-${network}`)?.scrollIntoView({ block: 'start' })
  }, [network, block.name])
  const path = (rest: string) => blockPath(station, block.name, `/networks${rest}`)
  const compile = () => compileBlock(station, block.name).then(onFindings)
  const canEdit = allows('engineer')
  const { networks = [] } = block
  const isEditable = block.programmingLanguage !== 'GRAPH' && canEdit
  const change = async (number: number, body: object) => {
    await call(path(`/${number}`), { method: 'PUT', body })
    await compile()
  }
  const add = () => call(path(''), { body: { networks: [{ title: '' }] } }).catch(toastProblem)
  const remove = async (number: number) => {
    const title = t('program.deleteNetwork', number)
    if (!(await ask(title, t('program.deleteNetworkAsk', number), t('project.delete'), true))) return
    await call(path(`/${number}`), { method: 'DELETE' })
      .then(compile)
      .catch(toastProblem)
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="networks" tabIndex={0} aria-label={t('program.code')}>
        {networks.length === 0 && <p class="quiet pad">{t('program.none')}</p>}
        {networks.map((one) => (
          <NetworkView
            key={one.number}
            station={station}
            block={block.name}
            network={one}
            isEditable={isEditable}
            findings={(findings ?? []).filter((finding) => finding.network === one.number)}
            onChange={(body) => change(one.number, body)}
            onRemove={() => void remove(one.number)}
          />
        ))}
        {isEditable && (
          <p class="pad">
            <button type="button" onClick={() => void add()}>
              <Icon name="plus" size={14} /> {t('program.addNetwork')}
            </button>
          </p>
        )}
      </section>
      {findings !== undefined && findings.length > 0 ? (
        <div class="below findings">
          <Findings findings={findings} station={station} />
        </div>
      ) : (
        <p class="checked quiet" role="status">
          {findings !== undefined ? t('program.problems', 0) : t(canEdit ? 'program.notChecked' : 'program.noCheck')}
        </p>
      )}
    </>
  )
}

interface NetworkProps {
  readonly station: string
  readonly block: string
  readonly network: Network
  readonly isEditable: boolean
  readonly findings: readonly Finding[]
  onChange(body: object): Promise<void>
  onRemove(): void
}

function NetworkView({ station, block, network, isEditable, findings, onChange, onRemove }: NetworkProps): JSX.Element {
  const { number, title = '', comment = '', language, expression, text } = network
  const place = link('/program', [station, block], { network: String(number) })
  const stored = expression ?? text ?? ''
  const draft = draftOf(place)
  const edited = draft?.text
  const edit = (next: string) =>
    keepDraft(place, {
      title: `${block}, ${t('program.networkShort', number)}`,
      address: place,
      text: next,
      base: draftOf(place)?.base ?? stored,
    })
  const [error, setError] = useState<unknown>()
  const drawn = isDrawn(language)
  const store = async () => {
    try {
      await onChange(drawn ? { expressions: edited ?? '' } : { code: edited ?? '' })
      dropDraft(place)
      setError(undefined)
    } catch (reason) {
      setError(reason)
    }
  }
  const storeText = (body: object) =>
    onChange(body).catch((reason: unknown) => {
      toastProblem(reason)
      throw reason
    })
  return (
    <section id={`network-${number}`} class="network" aria-label={t('program.network', number)}>
      <header>
        <strong>{t('program.network', number)}</strong>
        {isEditable ? (
          <Editable
            value={title}
            label={t('program.networkTitle', number)}
            isLong
            onStore={(value) => storeText({ title: value })}
          />
        ) : (
          <span>{title}</span>
        )}
        <span class="badge">{language}</span>
        {isEditable && edited === undefined && (
          <>
            <button type="button" class="plain" onClick={() => edit(stored)}>
              <Icon name="edit" size={12} /> {t('program.asText')}
            </button>
            <button type="button" class="plain" aria-label={t('program.deleteNetwork', number)} onClick={onRemove}>
              <Icon name="trash" size={12} />
            </button>
          </>
        )}
      </header>
      {isEditable && (comment !== '' || edited !== undefined) && (
        <Editable
          value={comment}
          label={t('program.networkComment', number)}
          isLong
          onStore={(value) => storeText({ comment: value })}
        />
      )}
      {!isEditable && comment !== '' && <p class="comment">{comment}</p>}
      {edited !== undefined && (
        <div class="as-text">
          {draft?.base !== stored && (
            <p class="notice" role="status">
              {t('program.changedMeanwhile')}
            </p>
          )}
          <textarea
            class="mono"
            aria-label={t('program.text', number)}
            spellcheck={false}
            rows={Math.min(20, Math.max(4, edited.split('\n').length + 1))}
            value={edited}
            onInput={(event) => edit(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              void store()
            }}
          />
          {error !== undefined && <ProblemNote error={error} />}
          <p>
            <button type="button" class="primary" onClick={() => void store()}>
              {t('program.store')}
            </button>{' '}
            <button
              type="button"
              onClick={() => {
                dropDraft(place)
                setError(undefined)
              }}
            >
              {t('program.discard')}
            </button>
          </p>
        </div>
      )}
      {findings.map(({ text: message, severity, hint }) => (
        <p key={message} class={`note is-${severity === 'information' ? 'info' : severity}`}>
          <Icon name={severity === 'error' ? 'error' : 'warning'} size={13} /> {message}{' '}
          {hint !== undefined && <span class="quiet">{hint}</span>}
        </p>
      ))}
      {drawn ? (
        <Drawing
          label={t('program.drawing', number)}
          path={blockPath(station, block, `/picture${queryOf({ network: number })}`)}
          version={changes.value}
        />
      ) : (
        edited === undefined && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard
          <pre class="code" tabIndex={0}>
            {text ?? expression}
          </pre>
        )
      )}
    </section>
  )
}
