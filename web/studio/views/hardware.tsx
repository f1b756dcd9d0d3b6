/** Hardware: racks with modules and addresses, the catalog, the network. */
import type { JSX } from 'preact'
import { t } from '../i18n.ts'
import { go } from '../router.ts'
import { stations } from '../state.ts'
import { Tabs } from '../ui/tabs.tsx'
import type { ViewProps } from '../view.ts'
import { Network } from './hardware/network.tsx'
import { Racks } from './hardware/racks.tsx'
import { InProject, MissingStation } from './whereabouts.tsx'

const tabs = ['racks', 'network'] as const

export default function View(props: ViewProps): JSX.Element {
  return <InProject>{() => <Hardware {...props} />}</InProject>
}

function Hardware({ route }: ViewProps): JSX.Element {
  const { tab = 'racks' } = route.query
  const all = stations.value
  const [wanted = all[0]?.name] = route.parts
  if (wanted === undefined) return <p class="quiet pad">{t('hardware.noDevice')}</p>
  const device = all.find(({ name }) => name === wanted)
  if (device === undefined) return <MissingStation name={wanted} view="/hardware" />
  return (
    <div class="view">
      <Tabs
        label={t('hardware.title')}
        chosen={tab}
        tabs={tabs.map((key) => ({ key, title: t(`hardware.${key}`) }))}
        onChoose={(key) => go('/hardware', [device.name], { tab: key })}
        aside={
          tab === 'racks' && (
            <label>
              {t('hardware.station')}{' '}
              <select value={device.name} onChange={(event) => go('/hardware', [event.currentTarget.value])}>
                {all.map(({ name, typeName }) => (
                  <option key={name} value={name}>
                    {name} ({typeName})
                  </option>
                ))}
              </select>
            </label>
          )
        }
      >
        {tab === 'racks' ? <Racks key={device.name} device={device.name} /> : <Network />}
      </Tabs>
    </div>
  )
}
