/** Graphical objects of a screen, as SVG. */
import type { JSX } from 'preact'
import type { ModelItem } from '../../plugins/hmi/station-model.ts'
import { AlarmView } from './alarm-view.tsx'
import { Bar, Gauge, InputField, Slider, Switch, SymbolicField } from './controls.tsx'
import { colour, inLanguage, numberOf, textOf } from './convert.ts'
import { box, type ItemProps, paint, valuesOf } from './drawing.ts'
import { plainText } from './formats.ts'
import { Operable } from './operable.tsx'
import { graphicName, isVisible, labelText } from './shown.ts'
import { TrendView } from './trend-view.tsx'

/** Place, visibility and quality of an object, around its drawing. */
export function Item({ runtime, item }: ItemProps): JSX.Element | null {
  if (!isVisible(runtime, item)) return null
  const fault = runtime.fault(item)
  const help = inLanguage(item.texts.helpText, runtime.culture.value)
  const rotation = numberOf(runtime.read(item, 'rotation').value ?? 0) || 0
  const { left, top, width, height } = box(runtime, item)
  const opacity = runtime.read(item, 'opacity').value
  const turn = rotation === 0 ? undefined : `rotate(${rotation} ${left + width / 2} ${top + height / 2})`
  return (
    <g
      data-name={item.name}
      data-quality={fault === undefined ? 'good' : 'bad'}
      class={runtime.isStopped(item) ? 'stopped' : undefined}
      transform={turn}
      opacity={opacity === undefined ? undefined : numberOf(opacity)}
    >
      <Operable runtime={runtime} item={item}>
        <title>{fault ?? (help || item.name)}</title>
        <Drawing runtime={runtime} item={item} />
      </Operable>
      {fault !== undefined && (
        <rect class="bad" x={left} y={top} width={Math.max(1, width)} height={Math.max(1, height)} />
      )}
    </g>
  )
}

function Drawing({ runtime, item }: ItemProps): JSX.Element | null {
  const { left, top, width, height } = box(runtime, item)
  const { culture } = runtime
  switch (item.type) {
    case 'Rectangle':
      return (
        <rect
          x={left}
          y={top}
          width={width}
          height={height}
          rx={numberOf(item.properties.roundCornerWidth ?? 0)}
          {...paint(runtime, item)}
        />
      )
    case 'Circle':
    case 'Ellipse':
      return (
        <ellipse cx={left + width / 2} cy={top + height / 2} rx={width / 2} ry={height / 2} {...paint(runtime, item)} />
      )
    case 'Line':
      return <line x1={left} y1={top} x2={left + width} y2={top + height} {...paint(runtime, item)} />
    case 'Polyline':
    case 'Polygon': {
      const points = textOf(item.properties.points)
      const look = paint(runtime, item)
      const at = { points, transform: `translate(${left} ${top})` }
      return item.type === 'Polygon' ? <polygon {...at} {...look} /> : <polyline {...at} {...look} fill="none" />
    }
    case 'TextField':
    case 'Button':
      return <Label runtime={runtime} item={item} />
    case 'IOField':
      return <InputField runtime={runtime} item={item} />
    case 'SymbolicIOField':
      return <SymbolicField runtime={runtime} item={item} />
    case 'Switch':
      return <Switch runtime={runtime} item={item} />
    case 'Slider':
      return <Slider runtime={runtime} item={item} />
    case 'Bar':
      return <Bar runtime={runtime} item={item} />
    case 'Gauge':
      return <Gauge runtime={runtime} item={item} />
    case 'GraphicView':
    case 'GraphicIOField':
      return <Graphic runtime={runtime} item={item} name={graphicName(runtime, item)} />
    case 'AlarmView':
      return <AlarmView runtime={runtime} item={item} />
    case 'TrendView':
      return <TrendView runtime={runtime} item={item} />
    case 'TableView':
      return <Table runtime={runtime} item={item} />
    case 'FaceplateInstance': {
      const view = `0 0 ${item.innerWidth ?? width} ${item.innerHeight ?? height}`
      return (
        <svg x={left} y={top} width={width} height={height} viewBox={view} aria-label={item.name}>
          {(item.items ?? []).map((inner) => (
            <Item key={`${inner.name}@${culture.value}`} runtime={runtime} item={inner} />
          ))}
        </svg>
      )
    }
    default:
      return <rect x={left} y={top} width={width} height={height} {...paint(runtime, item, 'none')} />
  }
}

function Graphic({ runtime, item, name }: ItemProps & { readonly name: string }): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const image = runtime.model.graphics[name.toLowerCase()]
  if (image === undefined) return <rect x={left} y={top} width={width} height={height} {...paint(runtime, item)} />
  const keep = /stretch/i.test(textOf(item.properties.autoSizing)) ? 'none' : undefined
  return <image x={left} y={top} width={width} height={height} href={image} preserveAspectRatio={keep} />
}

/** Box with a text: texts and buttons. */
function Label({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const lines = labelText(runtime, item).split('\n')
  const size = numberOf(runtime.read(item, 'fontSize').value ?? 14) || 14
  const alignment = textOf(item.properties.horizontalAlignment ?? 'Center')
  const anchor = alignment === 'Left' ? 'start' : alignment === 'Right' ? 'end' : 'middle'
  const x = anchor === 'start' ? left + 4 : anchor === 'end' ? left + width - 4 : left + width / 2
  const isPlain = item.type === 'TextField' && item.properties.backColor === undefined && !isBound(item, 'backColor')
  const look = isPlain ? { fill: 'none', stroke: 'none' } : paint(runtime, item)
  return (
    <>
      <rect x={left} y={top} width={width} height={height} rx={item.type === 'Button' ? 4 : 0} {...look} />
      {lines.map((line, i) => (
        <text
          key={`${i}${line}`}
          x={x}
          y={top + height / 2 + (i - (lines.length - 1) / 2) * size * 1.2}
          text-anchor={anchor}
          dominant-baseline="central"
          font-size={size}
          font-weight={/bold/i.test(textOf(item.properties.fontStyle)) ? 'bold' : undefined}
          fill={colour(runtime.read(item, 'foreColor').value, '#000000')}
        >
          {line}
        </text>
      ))}
    </>
  )
}

function isBound(item: ModelItem, property: string): boolean {
  return item.bindings.some((one) => one.property === property)
}

/** The values that are bound, one in a line. */
function Table({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const shown = valuesOf(item)
  return (
    <foreignObject x={left} y={top} width={width} height={height}>
      <section class="table" aria-label={item.name} tabindex={0}>
        <table>
          <tbody>
            {shown.map(({ property, variable }) => (
              <tr key={property}>
                <th scope="row">{runtime.model.variables[variable]?.name}</th>
                <td>{plainText(runtime.read(item, property).value, runtime.culture.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </foreignObject>
  )
}
