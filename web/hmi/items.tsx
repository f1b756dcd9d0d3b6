/** Graphical objects of a screen, as SVG. */
import type { ComponentChildren, JSX } from 'preact'
import type { ModelItem } from '../../plugins/hmi/station-model.ts'
import { fire, isOperable } from './actions.ts'
import { Bar, Gauge, InputField, Slider, Switch, SymbolicField } from './controls.tsx'
import { colour, entryOf, inLanguage, numberOf, textOf } from './convert.ts'
import { box, type ItemProps, paint, valuesOf } from './drawing.ts'
import { AlarmView, TrendView } from './views.tsx'

/** Place, visibility and quality of an object, around its drawing. */
export function Item({ runtime, item }: ItemProps): JSX.Element | null {
  const visible = runtime.read(item, 'visible').value
  if (visible === false || visible === 'false' || visible === 0) return null
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

/** Objects with controls of their own. */
const controls = new Set([
  'IOField',
  'SymbolicIOField',
  'Slider',
  'Switch',
  'AlarmView',
  'TrendView',
  'FaceplateInstance',
])

/** An object that does something is a button for mouse, touch and keyboard. */
function Operable({ runtime, item, children }: ItemProps & { children: ComponentChildren }): JSX.Element {
  if ((!isOperable(item) && item.type !== 'Button') || controls.has(item.type)) return <>{children}</>
  const enabled = runtime.read(item, 'enabled').value
  const isOff = enabled === false || enabled === 'false'
  const label = inLanguage(item.texts.text ?? item.texts.textOff, runtime.culture.value) || item.name
  const act = (...names: string[]) => (isOff ? undefined : void fire(runtime, item, ...names))
  const onKey = (pressed: boolean) => (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    if (event.repeat) return
    if (pressed) act('Press', 'Down')
    else act('Release', 'Up', 'Click', 'Tapped')
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button element
    <g
      role="button"
      tabindex={isOff ? -1 : 0}
      aria-label={label}
      aria-disabled={isOff}
      class="operable"
      onPointerDown={() => act('Press', 'Down')}
      onPointerUp={() => act('Release', 'Up')}
      onClick={() => act('Click', 'Tapped')}
      onKeyDown={onKey(true)}
      onKeyUp={onKey(false)}
    >
      {children}
    </g>
  )
}

function Drawing({ runtime, item }: ItemProps): JSX.Element | null {
  const { left, top, width, height } = box(runtime, item)
  const { model, culture } = runtime
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
    case 'GraphicView': {
      const name = textOf(runtime.read(item, 'graphic').value ?? item.links.picture ?? item.links.graphic)
      return <Graphic runtime={runtime} item={item} name={name} />
    }
    case 'GraphicIOField': {
      const list = model.graphicLists[(item.links.pictureList ?? item.links.graphicList ?? '').toLowerCase()]
      const { value } = runtime.read(item, 'processValue')
      return <Graphic runtime={runtime} item={item} name={entryOf(list, value ?? 0)?.graphic ?? textOf(value)} />
    }
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
  const bound = runtime.read(item, 'text').value
  const own = inLanguage(item.texts.text ?? item.texts.textOff, runtime.culture.value)
  const lines = (bound === undefined ? own : textOf(bound)).split('\n')
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
                <td>{textOf(runtime.read(item, property).value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </foreignObject>
  )
}
