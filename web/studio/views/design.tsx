/** The design spec: the ISA-88 tree, each phase as a state chart with its rows; generated, verified, followed live. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Answer, call, get, pathWith, post } from '../gateway.ts'
import { t, word } from '../i18n.ts'
import { go, link } from '../router.ts'
import { allows } from '../session.tsx'
import { changes, controllers } from '../state.ts'
import { Loading, Show, useLoaded } from '../ui/loaded.tsx'
import { Missing } from '../ui/missing.tsx'
import { problemOf } from '../ui/problem.tsx'
import { Table } from '../ui/table.tsx'
import { toast } from '../ui/toast.tsx'
import { Tree, type TreeNode } from '../ui/tree.tsx'
import type { ViewProps } from '../view.ts'
import { Chart } from './design/chart.tsx'
import { LiveTags } from './live/values.ts'

type Model = Answer<'design-spec.model'>

type Verified = Answer<'design-spec.verify-phases'>

const treeOf = ({ areas }: Model): TreeNode[] =>
  areas.map((area) => ({
    id: `area/${area.name}`,
    text: area.name,
    icon: 'folder',
    isOpen: true,
    children: area.processCells.map((cell) => ({
      id: `cell/${area.name}/${cell.name}`,
      text: cell.name,
      icon: 'folder',
      isOpen: true,
      children: cell.unitTypes.map((unit) => ({
        id: `unit/${cell.name}/${unit.name}`,
        text: unit.name,
        icon: 'design',
        isOpen: true,
        children: [
          ...unit.phases.map(({ name, steps }) => ({
            id: `phase/${name}`,
            text: name,
            icon: 'play' as const,
            aside: t('design.steps', steps),
          })),
          ...unit.cmTypes.map(({ name, variables }) => ({
            id: `cm/${unit.name}/${name}`,
            text: name,
            icon: 'type' as const,
            aside: t('design.variables', variables),
          })),
        ],
      })),
    })),
  }))

/** Instances of the phase's block that a controller runs: where its active step can be read. */
async function placesOf(blockName: string, until: AbortSignal): Promise<readonly { instance: string; tag: string }[]> {
  const { instances } = await get<Answer<'simulation.list-instances'>>('/api/simulation/instances', until)
  const found = await Promise.all(
    instances
      .filter(({ state }) => state !== 'Off')
      .map(async ({ name }) => {
        const path = `${pathWith('/api/simulation/instances/{name}/tags', { name })}?q=_Step&limit=200`
        const { tags } = await get<Pick<Answer<'simulation.list-tags'>, 'tags'>>(path, until).catch(() => ({
          tags: [],
        }))
        return tags
          .filter((tag) => tag.name.endsWith('._Step') && tag.name.includes(blockName.replace(/^FB_/, '')))
          .map((tag) => ({ instance: name, tag: tag.name }))
      }),
  )
  return found.flat()
}

function PhaseView({ name }: { readonly name: string }): JSX.Element {
  const phase = useLoaded(
    (until) => get<Answer<'design-spec.phase'>>(pathWith('/api/design-spec/phases/{name}', { name }), until),
    [name, changes.value],
  )
  const blockName = phase.value?.blockName ?? ''
  const places = useLoaded(
    async (until) => (blockName === '' ? [] : placesOf(blockName, until)),
    [blockName, changes.value],
  )
  const [place, setPlace] = useState(0)
  const [chosen, setChosen] = useState<number>()
  const [target, setTarget] = useState('')
  const [verified, setVerified] = useState<Verified['phases'][number]>()
  const [isBusy, setBusy] = useState(false)
  const tags = useMemo(() => new LiveTags(), [])
  const live = places.value?.[place]
  useEffect(() => {
    tags.follow(live?.instance ?? '', live === undefined ? [] : [live.tag], 100)
    return () => tags.close()
  }, [live?.instance, live?.tag])
  const step = live === undefined ? undefined : tags.of(live.tag).value?.value
  const device = target || controllers.value[0]?.name || ''
  const act = async (work: () => Promise<void>) => {
    setBusy(true)
    await work().catch((error: unknown) => toast('error', problemOf(error).detail))
    setBusy(false)
  }
  const generate = () =>
    act(async () => {
      const made = await post<Answer<'design-spec.generate-and-import'>>('/api/design-spec/generate-and-import', {
        phase: name,
        device,
      })
      toast('ok', t('design.generated', made.blockName, device))
    })
  const verify = () =>
    act(async () => {
      const { phases } = await post<Verified>('/api/design-spec/actions/verify-phases-sync', { phases: [name] })
      setVerified(phases[0])
    })
  const canEdit = allows('engineer')
  return (
    <Show of={phase} ways={[{ title: t('missing.phase'), href: link('/design') }]}>
      {({ steps, unitType, description }) => (
        <>
          <div class="toolbar">
            <h2>{t('design.phase', name)}</h2>
            <span class="quiet">
              {unitType} {description}
            </span>
            <span class="grow" />
            <label>
              {t('design.live')}{' '}
              <select value={place} onChange={(event) => setPlace(Number(event.currentTarget.value))}>
                {(places.value ?? []).length === 0 && (
                  <option value={0}>{t(places.isLoading ? 'frame.loading' : 'design.notLive')}</option>
                )}
                {(places.value ?? []).map(({ instance, tag }, i) => (
                  <option key={`${instance} ${tag}`} value={i}>
                    {instance}: {tag}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {t('design.target')}{' '}
              <select value={device} onChange={(event) => setTarget(event.currentTarget.value)}>
                {controllers.value.map((one) => (
                  <option key={one.name}>{one.name}</option>
                ))}
              </select>
            </label>
            <button type="button" disabled={!canEdit || isBusy || device === ''} onClick={() => void generate()}>
              {t('design.generate')}
            </button>
            <button type="button" class="primary" disabled={!canEdit || isBusy} onClick={() => void verify()}>
              {t('design.verify')}
            </button>
          </div>
          <div class="split phase">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long chart is scrolled with the keyboard */}
            {/* biome-ignore lint/a11y/useSemanticElements: it is no form */}
            <div class="sheet" tabIndex={0} role="group" aria-label={t('design.chart', name)}>
              <Chart
                name={name}
                steps={steps}
                active={typeof step === 'number' ? step : undefined}
                chosen={chosen}
                onChoose={setChosen}
              />
            </div>
            <div class="main rows">
              <Table
                rows={steps}
                label={t('design.phase', name)}
                chosen={steps.find(({ number }) => number === chosen)}
                onChoose={(row) => setChosen(row.number)}
                rowClass={(row) => (row.number === step ? 'active' : '')}
                columns={[
                  {
                    key: 'number',
                    title: t('design.number'),
                    width: '3.5rem',
                    isNumber: true,
                    value: (row) => row.number,
                  },
                  { key: 'name', title: t('design.name'), width: '7rem', value: (row) => row.name },
                  {
                    key: 'action',
                    title: t('design.action'),
                    width: 'minmax(7rem, 1fr)',
                    value: (row) => row.entryAction,
                  },
                  {
                    key: 'condition',
                    title: t('design.condition'),
                    width: 'minmax(7rem, 1fr)',
                    value: (row) => row.condition,
                  },
                  {
                    key: 'next',
                    title: t('design.next'),
                    width: '4.5rem',
                    isNumber: true,
                    value: (row) => row.nextStep ?? t('design.idle'),
                  },
                ]}
              />
              {verified !== undefined && (
                <section class="verified" aria-live="polite">
                  <h3 class={verified.result === 'passed' ? 'good' : 'bad'}>
                    {t(
                      'design.verified',
                      word('verdict', verified.result),
                      verified.coverage.reached,
                      verified.coverage.total,
                      verified.coverage.percent,
                    )}
                  </h3>
                  <Table
                    rows={verified.rows}
                    label={t('design.verify')}
                    columns={[
                      { key: 'rule', title: t('design.rule'), width: 'minmax(14rem, 1fr)', value: (row) => row.rule },
                      {
                        key: 'checks',
                        title: t('design.checks'),
                        width: '6rem',
                        isNumber: true,
                        value: (row) => row.checks,
                      },
                      {
                        key: 'failed',
                        title: t('design.failed'),
                        width: '6rem',
                        isNumber: true,
                        value: (row) => row.failed,
                      },
                    ]}
                  />
                </section>
              )}
            </div>
          </div>
        </>
      )}
    </Show>
  )
}

export default function View({ route }: ViewProps): JSX.Element {
  const model = useLoaded(
    async (until) =>
      (await get<Answer<'design-spec.status'>>('/api/design-spec', until)).loaded
        ? { of: await get<Model>('/api/design-spec/model', until) }
        : { of: undefined },
    [changes.value],
  )
  const phase = route.parts[0] ?? ''
  const load = async (file: File) => {
    const body = new FormData()
    body.append('file', file)
    await call('/api/design-spec/load', { body }).catch((error: unknown) => toast('error', problemOf(error).detail))
    model.reload()
  }
  return (
    <div class="view split">
      <div class="side">
        <div class="toolbar">
          <label class="button">
            {t('design.load')}
            <input
              type="file"
              class="hidden"
              accept=".csv"
              disabled={!allows('engineer')}
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? []
                if (file !== undefined) void load(file)
              }}
            />
          </label>
        </div>
        <Show of={model}>
          {({ of }) =>
            of === undefined ? (
              <p class="quiet pad">{t('design.none')}</p>
            ) : (
              <Tree
                nodes={treeOf(of)}
                label={t('design.tree')}
                chosen={`phase/${phase}`}
                onChoose={({ id }) => id.startsWith('phase/') && go('/design', [id.slice(6)])}
              />
            )
          }
        </Show>
      </div>
      <div class="main">
        {phase === '' ? (
          <p class="quiet pad">{t('design.choose')}</p>
        ) : model.value === undefined ? (
          model.error === undefined && <Loading />
        ) : model.value.of === undefined ? (
          <Missing text={t('design.none')} />
        ) : (
          <PhaseView key={phase} name={phase} />
        )}
      </div>
    </div>
  )
}
