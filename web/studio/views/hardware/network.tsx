/** Subnets as lines, and the nodes at them. */
import type { JSX } from 'preact'
import { type Answer, get } from '../../gateway.ts'
import { t } from '../../i18n.ts'
import { changes, stations } from '../../state.ts'
import { Show, useLoaded } from '../../ui/loaded.tsx'

type Subnet = Pick<Answer<'hardware.subnets'>['subnets'][number], 'name' | 'type'> & {
  readonly nodes: readonly { readonly device: string; readonly ipAddress?: string; readonly busAddress?: number }[]
}

const width = 150
const gap = 18
const height = 58

function Line({ subnet, row }: { readonly subnet: Subnet; readonly row: number }): JSX.Element {
  const y = row * 130 + 34
  const isLine = subnet.type !== ''
  const net = `net ${subnet.type.toLowerCase()}`
  return (
    <g>
      <text x="10" y={y - 12} class="title">
        {subnet.name} {subnet.type !== '' && `(${subnet.type})`}
      </text>
      {isLine && <path class={net} d={`M10 ${y}H${Math.max(400, 20 + subnet.nodes.length * (width + gap))}`} />}
      {subnet.nodes.map((node, i) => {
        const x = 20 + i * (width + gap)
        const name = node.device
        return (
          <g key={`${name} ${i}`}>
            {isLine && <path class={net} d={`M${x + width / 2} ${y}v24`} />}
            <rect class="node" x={x} y={y + 24} width={width} height={height} rx="2" />
            <text x={x + 10} y={y + 46} class="name">
              {name}
            </text>
            <text x={x + 10} y={y + 66}>
              {node.ipAddress ?? node.busAddress ?? ''}
            </text>
          </g>
        )
      })}
    </g>
  )
}

export function Network(): JSX.Element {
  const found = useLoaded(
    async (until) => (await get<Answer<'hardware.subnets'>>('/api/projects/subnets', until)).subnets,
    [changes.value],
  )
  return (
    <Show of={found}>
      {(subnets) => {
        const placed = new Set(subnets.flatMap(({ nodes }) => nodes.map(({ device }) => device)))
        const alone = stations.value.filter(({ name }) => !placed.has(name))
        const all: readonly Subnet[] = [
          ...subnets,
          ...(alone.length === 0
            ? []
            : [
                {
                  name: t('hardware.alone'),
                  type: '',
                  nodes: alone.map(({ name, ipAddress }) => ({
                    device: name,
                    ...(ipAddress === undefined ? {} : { ipAddress }),
                  })),
                },
              ]),
        ]
        const most = Math.max(2, ...all.map(({ nodes }) => nodes.length))
        return (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide picture is scrolled with the keyboard
          // biome-ignore lint/a11y/useSemanticElements: it is no form
          <div class="subnets" tabIndex={0} role="group" aria-label={t('hardware.network')}>
            {subnets.length === 0 && <p class="quiet">{t('hardware.noSubnets')}</p>}
            <svg
              class="drawing"
              role="img"
              aria-label={t('hardware.network')}
              width={40 + most * (width + gap)}
              height={all.length * 130 + 20}
            >
              {all.map((subnet, row) => (
                <Line key={subnet.name} subnet={subnet} row={row} />
              ))}
            </svg>
          </div>
        )
      }}
    </Show>
  )
}
