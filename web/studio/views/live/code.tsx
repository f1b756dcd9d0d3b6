/** Code with its values: drawn networks with power flow, active steps, texts with their operands beside them. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, get, pathWith, queryOf, send } from '../../gateway.ts'
import { t } from '../../i18n.ts'
import { go, link } from '../../router.ts'
import { changes } from '../../state.ts'
import { Loading, Show, useLoaded } from '../../ui/loaded.tsx'
import { Missing } from '../../ui/missing.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { svgElement } from '../../ui/svg.ts'
import { followStream, valueText } from './values.ts'

type Operand = NetworkView['operands'][number]

type NetworkView = Pick<Answer<'online.network-values'>, 'network' | 'pins' | 'steps' | 'operands'>

const blocksPath = '/api/devices/{device}/blocks'

/** Lines and symbols of a picture by the power flow: on, off, or not known. */
function showFlow(svg: SVGElement, { pins, steps }: NetworkView): void {
  const values = new Map(pins.map(({ name, value }) => [name, value]))
  for (const line of svg.querySelectorAll('[data-flow]')) {
    const flow = line.getAttribute('data-flow') ?? ''
    const value = flow === 'rail' ? true : values.get(flow)
    line.classList.toggle('on', value === true)
    line.classList.toggle('off', value === false)
  }
  for (const box of svg.querySelectorAll('[data-uid]')) {
    const operand = values.get(`${box.getAttribute('data-uid')} operand`)
    box.classList.toggle('true', operand === true)
    box.classList.toggle('false', operand === false)
  }
  const active = new Set(steps.filter(({ isActive }) => isActive).map(({ number }) => String(number)))
  for (const step of svg.querySelectorAll('[data-step]'))
    step.classList.toggle('active', active.has(step.getAttribute('data-step') ?? ''))
}

function Picture({ path, view }: { readonly path: string; readonly view: NetworkView | undefined }): JSX.Element {
  const ref = useRef<HTMLDivElement>(null)
  const [svg, setSvg] = useState<SVGElement>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const end = new AbortController()
    send(path, { signal: end.signal, headers: { Accept: 'image/svg+xml' } })
      .then((answer) => answer.text())
      .then(
        (text) => setSvg(svgElement(text)),
        (reason: unknown) => end.signal.aborted || setError(reason),
      )
    return () => end.abort()
  }, [path])
  useEffect(() => {
    if (svg !== undefined) ref.current?.replaceChildren(svg)
  }, [svg])
  useEffect(() => {
    if (svg !== undefined && view !== undefined) showFlow(svg, view)
  }, [svg, view])
  if (error !== undefined) return <ProblemNote error={error} />
  if (svg === undefined) return <Loading />
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide picture is scrolled with the keyboard
  // biome-ignore lint/a11y/useSemanticElements: it is no part of a form
  return <div ref={ref} class="sheet live" tabIndex={0} role="group" aria-label={t('live.code')} />
}

/** The operands of a network, each a way to its explanation. */
function Operands({
  device,
  operands,
}: {
  readonly device: string
  readonly operands: readonly Operand[]
}): JSX.Element {
  return (
    <ul class="operands">
      {operands.map(({ text, name, value }) => (
        <li key={text}>
          <code>{text}</code>
          <output class={typeof value === 'boolean' ? `value ${value}` : 'value'}>{valueText(value)}</output>
          {name !== undefined && (
            <button
              type="button"
              class="plain"
              aria-label={`${t('live.askWhy')} ${text}`}
              title={t('live.askWhy')}
              onClick={() => go('/live', [device], { tab: 'why', name })}
            >
              ?
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Networks({
  device,
  block,
  instance,
}: {
  readonly device: string
  readonly block: string
  readonly instance: string
}) {
  const path = pathWith(`${blocksPath}/{block}`, { device, block })
  // A change of the project can bring a block that was not there.
  const version = changes.value
  const content = useLoaded((until) => get<Answer<'blocks.content'>>(`${path}/content`, until), [path, version])
  const [views, setViews] = useState<ReadonlyMap<number, NetworkView>>(new Map())
  const [fault, setFault] = useState('')
  useEffect(() => {
    const end = new AbortController()
    void followStream(
      `${path}/networks/stream${queryOf({ intervalMs: 100, instance: instance || undefined })}`,
      { signal: end.signal },
      'networks',
      (data) => {
        const changed = (data as { networks: readonly NetworkView[] }).networks
        setViews((now) => new Map([...now, ...changed.map((view) => [view.network, view] as const)]))
      },
      setFault,
    )
    return () => end.abort()
  }, [path, instance, version])
  return (
    <>
      {fault !== '' && (
        <p class="notice" role="status">
          {t('live.lost', fault)}
        </p>
      )}
      <Show of={content}>
        {({ networks = [] }) =>
          networks.map((network) => {
            const view = views.get(network.number)
            const isDrawn = network.graph !== undefined || network.chart !== undefined
            return (
              <section
                key={network.number}
                class={fault === '' ? 'live-network' : 'live-network old'}
                aria-label={t('live.network', network.number)}
              >
                <div class="logic">
                  <h2>
                    {t('live.network', network.number)}
                    {network.title !== '' && `: ${network.title}`}
                  </h2>
                  {isDrawn ? (
                    <Picture path={`${path}/picture${queryOf({ network: network.number })}`} view={view} />
                  ) : (
                    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard
                    <pre class="text" tabIndex={0}>
                      {network.text ?? ''}
                    </pre>
                  )}
                </div>
                {view === undefined ? (
                  // Until the first values come; a fault is told above.
                  fault === '' && <Loading />
                ) : (
                  <Operands device={device} operands={view.operands} />
                )}
              </section>
            )
          })
        }
      </Show>
    </>
  )
}

export interface CodeProps {
  readonly device: string
  readonly block: string
  onBlock(name: string): void
}

export function Code({ device, block, onBlock }: CodeProps): JSX.Element {
  const [instance, setInstance] = useState('')
  const list = useLoaded(
    async (until) => (await get<Answer<'blocks.list'>>(pathWith(blocksPath, { device }), until)).blocks,
    [device, changes.value],
  )
  const chosen = list.value?.find(({ name }) => name === block)
  const isFb = chosen?.type === 'FB'
  const instances = useLoaded(
    async (until) =>
      isFb
        ? (
            await get<Answer<'online.network-values'>>(
              `${pathWith(`${blocksPath}/{block}`, { device, block })}/networks/1/values`,
              until,
            )
          ).instances
        : [],
    [device, block, isFb],
  )
  useEffect(() => setInstance(''), [block])
  const code = (list.value ?? []).filter(({ type }) => /^(OB|FB|FC)$/.test(type))
  return (
    <div class="split code">
      <div class="side">
        <h2>{t('live.block')}</h2>
        {list.value === undefined && list.error === undefined && <Loading />}
        <ul class="pick">
          {code.map(({ name, type, number, programmingLanguage }) => (
            <li key={name}>
              <button type="button" class="plain" aria-pressed={name === block} onClick={() => onBlock(name)}>
                <span class="quiet">
                  {type} {number}
                </span>
                <span class="grow">{name}</span>
                <span class="quiet">{programmingLanguage}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div class="main">
        {list.error !== undefined && <ProblemNote error={list.error} onRetry={list.reload} />}
        {isFb && (instances.value?.length ?? 0) > 0 && (
          <p class="toolbar">
            <label>
              {t('live.instance')}{' '}
              <select value={instance} onChange={(event) => setInstance(event.currentTarget.value)}>
                {(instances.value ?? []).map((name, i) => (
                  <option key={name} value={i === 0 ? '' : `"${name}"`}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          </p>
        )}
        {block === '' ? (
          <p class="quiet pad">{t('live.noBlock')}</p>
        ) : list.value !== undefined && chosen === undefined ? (
          <Missing
            text={t('missing.block', block, device)}
            ways={[{ title: t('missing.blocks', device), href: link('/live', [device]) }]}
          />
        ) : (
          <Networks key={`${block} ${instance}`} device={device} block={block} instance={instance} />
        )}
      </div>
    </div>
  )
}
