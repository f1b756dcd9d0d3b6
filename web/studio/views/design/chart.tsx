/** A phase as a state chart: idle above, the steps in their order, the transitions with their conditions. */
import type { JSX } from 'preact'
import type { Answer } from '../../gateway.ts'
import { t } from '../../i18n.ts'

export type Step = Answer<'design-spec.phase'>['steps'][number]

const boxWidth = 220
const boxHeight = 46
const rowHeight = 92
const left = 70

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

/**
 * @param active number of the step that is active now; 0 is idle, undefined: not known
 * @param chosen number of the step whose row is chosen
 */
export function Chart({
  name,
  steps,
  active,
  chosen,
  onChoose,
}: {
  readonly name: string
  readonly steps: readonly Step[]
  readonly active: number | undefined
  readonly chosen: number | undefined
  onChoose(step: number): void
}): JSX.Element {
  const rowOf = new Map(steps.map(({ number }, i) => [number, i + 1]))
  const y = (row: number) => 14 + row * rowHeight
  const arrow = (from: number, to: number, key: string) => {
    const start = y(from) + boxHeight
    if (to === from + 1)
      return <path key={key} class="arrow" d={`M${left + boxWidth / 2} ${start}V${y(to) - 2}`} marker-end="url(#tip)" />
    // Ways back run at the left, ways over others at the right.
    const isBack = to <= from
    const side = isBack ? left - 16 - (from - to) * 5 : left + boxWidth + 16 + (to - from) * 5
    const edge = isBack ? left : left + boxWidth
    // Idle is narrower than a step.
    const end = to === 0 ? left + 50 : edge
    return (
      <path
        key={key}
        class="arrow"
        d={`M${edge} ${y(from) + 30}H${side}V${y(to) + 16}H${end + (isBack ? -2 : 2)}`}
        marker-end="url(#tip)"
      />
    )
  }
  const first = steps.find(({ isInitial }) => isInitial) ?? steps[0]
  return (
    <svg
      class="drawing chart"
      role="img"
      aria-label={t('design.chart', name)}
      width={left + boxWidth + 260}
      height={y(steps.length + 1)}
    >
      <defs>
        <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path class="tip" d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      <g class={active === 0 ? 'step active' : 'step'}>
        <rect x={left + 50} y={y(0)} width={boxWidth - 100} height={boxHeight} rx="22" />
        <text x={left + boxWidth / 2} y={y(0) + 28} text-anchor="middle">
          {t('design.idle')}
        </text>
      </g>
      {first !== undefined && arrow(0, rowOf.get(first.number) ?? 1, 'start')}
      <text class="condition" x={left + boxWidth / 2 + 10} y={y(0) + boxHeight + 26}>
        Execute
      </text>
      {steps.map((step) => {
        const row = rowOf.get(step.number) as number
        const to = step.nextStep === null ? 0 : (rowOf.get(step.nextStep) ?? 0)
        const isBelow = to === row + 1
        return (
          <g key={step.number}>
            {arrow(row, to, `${step.number}`)}
            {step.condition !== '' && (
              <text
                class="condition"
                x={isBelow ? left + boxWidth / 2 + 10 : left + boxWidth + 34}
                y={isBelow ? y(row) + boxHeight + 26 : y(row) + 26}
              >
                <title>{step.condition}</title>
                {cut(step.condition, 34)}
              </text>
            )}
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows beside it have the keyboard */}
            <g
              class={`step${step.number === active ? ' active' : ''}${step.number === chosen ? ' chosen' : ''}${step.isInitial ? ' initial' : ''}`}
              data-step={step.number}
              onClick={() => onChoose(step.number)}
            >
              <rect x={left} y={y(row)} width={boxWidth} height={boxHeight} rx="2" />
              {step.isInitial && (
                <rect x={left + 3} y={y(row) + 3} width={boxWidth - 6} height={boxHeight - 6} rx="1" />
              )}
              <text x={left + 12} y={y(row) + 20} class="name">
                {step.number} {cut(step.name, 24)}
              </text>
              <text x={left + 12} y={y(row) + 36} class="action">
                <title>{step.entryAction}</title>
                {cut(step.entryAction, 32)}
              </text>
            </g>
          </g>
        )
      })}
    </svg>
  )
}
