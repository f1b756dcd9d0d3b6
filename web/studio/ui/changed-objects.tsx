/** What differs, object by object: networks drawn side by side, texts as lines, everything else as rows. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Answer, get, pathWith, queryOf } from '../gateway.ts'
import { number, t, word } from '../i18n.ts'
import { Show, useLoaded } from './loaded.tsx'
import { svgElement } from './svg.ts'

type Side = NonNullable<NetworkChange['left']>

type NetworkChange = NonNullable<ChangedObject['networks']>[number]

type Difference = ChangedObject['differences'][number]

/** An object as `review.diff` and `review.job-changes` tell it, with pictures. */
export type ChangedObject = Answer<'review.job-changes'>['objects'][number]

/** More than these make the page slow, and nobody reads them. */
const mostObjects = 50

/** What a job changed, or a dry run would change. */
export function JobChanges({ jobId, version }: { readonly jobId: string; readonly version?: unknown }): JSX.Element {
  const told = useLoaded(
    (until) =>
      get<Answer<'review.job-changes'>>(
        `${pathWith('/api/review/jobs/{jobId}/changes', { jobId })}${queryOf({ pictures: true, mostObjects })}`,
        until,
      ),
    [jobId, version],
  )
  return (
    <Show of={told}>
      {({ dryRun, objects, omitted }) => (
        <section class="job-changes" aria-label={t(dryRun ? 'changes.would' : 'changes.title')}>
          <h3>{t(dryRun ? 'changes.would' : 'changes.title')}</h3>
          {objects.length === 0 && <p class="quiet">{t('changes.none')}</p>}
          <ChangedObjects objects={objects} />
          {omitted > 0 && <p class="quiet">{t('changes.more', number(omitted))}</p>}
        </section>
      )}
    </Show>
  )
}

function ChangedObjects({ objects }: { readonly objects: readonly ChangedObject[] }): JSX.Element {
  return (
    <>
      {objects.map((one) => (
        <section key={`${one.device}/${one.kind}/${one.name}`} class="changed-object">
          <h4>
            <span class={`badge ${one.change}`}>{t(`changes.${one.change}`)}</span> {one.kind}{' '}
            <strong>{one.name}</strong>
            {one.device !== undefined && one.device !== one.name && <span class="quiet"> · {one.device}</span>}
          </h4>
          <ObjectChange of={one} />
        </section>
      ))}
    </>
  )
}

/** What differs in one object, without its name. */
export function ObjectChange({ of }: { readonly of: ChangedObject }): JSX.Element {
  const { change, text, networks = [], more } = of
  // What a network shows is not said again.
  const rows = of.differences.filter(({ aspect, path }) => aspect !== 'code' || !/^network \d+/.test(path))
  const whole = text === undefined ? undefined : change === 'removed' ? { left: text } : { right: text }
  return (
    <div class="object-change">
      {rows.length > 0 && <Rows rows={rows} />}
      {more !== undefined && <p class="quiet">{t('changes.more', number(more))}</p>}
      {whole !== undefined && <TextChange {...whole} />}
      {networks.map((network, i) => (
        <Network key={i} of={network} />
      ))}
    </div>
  )
}

function Rows({ rows }: { readonly rows: readonly Difference[] }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide rows are scrolled with the keyboard
    // biome-ignore lint/a11y/useSemanticElements: it is no part of a form
    <div class="rows-changed" tabIndex={0} role="group" aria-label={t('changes.what')}>
      <table>
        <thead>
          <tr>
            {(['what', 'where', 'before', 'after'] as const).map((key) => (
              <th key={key} scope="col">
                {t(`changes.${key}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ aspect, path, change, left, right }, i) => (
            <tr key={i}>
              <td>{word('changes', aspect)}</td>
              <td class="mono">{path}</td>
              <td class={`mono${left === undefined || change === 'moved' ? '' : ' removed'}`}>{plain(left)}</td>
              <td class={`mono${right === undefined || change === 'moved' ? '' : ' added'}`}>{plain(right)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A whole row of a table is told as its fields. */
function plain(told = ''): string {
  if (!told.startsWith('{')) return told
  try {
    return Object.entries(JSON.parse(told) as Record<string, unknown>)
      .filter(([name]) => name !== 'name')
      .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(', ')
  } catch {
    return told
  }
}

function Network({ of: { change, title, left, right, sameElements } }: { readonly of: NetworkChange }): JSX.Element {
  const isDrawn = left?.pictures !== undefined || right?.pictures !== undefined
  const name = t('program.network', right?.number ?? left?.number ?? 0)
  return (
    <section aria-label={name}>
      <h5>
        {name}
        {title !== '' && `: ${title}`} <span class="quiet">{t(`changes.${change}`)}</span>
      </h5>
      {sameElements && <p class="quiet">{t('changes.sameElements')}</p>}
      {isDrawn && (
        <div class="pair">
          <Drawn side={left} label={t('changes.before')} look={right === undefined ? 'removed' : ''} />
          <Drawn side={right} label={t('changes.after')} look={left === undefined ? 'added' : ''} />
        </div>
      )}
      {(left?.text !== undefined || right?.text !== undefined) && (
        <TextChange
          {...(left?.text === undefined ? {} : { left: left.text })}
          {...(right?.text === undefined ? {} : { right: right.text })}
        />
      )}
    </section>
  )
}

function Drawn({
  side,
  label,
  look,
}: {
  readonly side: Side | undefined
  readonly label: string
  readonly look: string
}): JSX.Element {
  const ref = useRef<HTMLDivElement>(null)
  const pictures = side?.pictures
  useEffect(() => {
    const drawings = (pictures ?? []).flatMap((svg) => svgElement(svg) ?? [])
    ref.current?.replaceChildren(...drawings)
  }, [pictures])
  return (
    <div class={look}>
      <h6>{label}</h6>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide drawing is scrolled */}
      <section ref={ref} class="sheet" tabIndex={0} aria-label={label} />
    </div>
  )
}

interface Line {
  readonly look: 'added' | 'removed' | 'same'
  readonly text: string
}

/** Two texts as lines that were taken away and that came; of what is the same, three lines around. */
async function linesOf(left: string, right: string): Promise<readonly Line[]> {
  const { structuredPatch } = await import('diff')
  const whole = (text: string) => (text === '' ? '' : `${text}\n`)
  const { hunks } = structuredPatch('', '', whole(left), whole(right), undefined, undefined, { context: 3 })
  return hunks.flatMap(({ lines }, i): Line[] => [
    ...(i === 0 ? [] : [{ look: 'same', text: '…' } as const]),
    ...lines
      .filter((line) => !line.startsWith('\\'))
      .map(
        (line): Line => ({
          look: line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same',
          text: line.slice(1),
        }),
      ),
  ])
}

function TextChange({ left = '', right = '' }: { readonly left?: string; readonly right?: string }): JSX.Element {
  const lines = useLoaded(() => linesOf(left, right), [left, right])
  const signs = { added: '+ ', removed: '- ', same: '  ' }
  return (
    <Show of={lines}>
      {(of) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard
        <pre class="diff" tabIndex={0}>
          {of.map(({ look, text }, i) => (
            <span key={i} class={look}>
              {signs[look]}
              {look !== 'same' && <span class="hidden">{t(`changes.${look}`)} </span>}
              {text}
              {'\n'}
            </span>
          ))}
        </pre>
      )}
    </Show>
  )
}
