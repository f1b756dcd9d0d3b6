/** Objects that show or change one value. */
import { useComputed, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { CompiledFormat, ModelItem } from '../../plugins/hmi/station-model.ts'
import { fire } from './actions.ts'
import { colour, entryOf, inLanguage, isOn, numberOf, textOf } from './convert.ts'
import { box, type ItemProps, paint } from './drawing.ts'
import { editedText, readText } from './formats.ts'
import type { Runtime } from './runtime.ts'
import { BarScale, GaugeScale, onArc } from './scale.tsx'
import { converterOf, entriesOf, fieldText, switchText, targetOf } from './shown.ts'
import { say } from './words.ts'

function canWrite(runtime: Runtime, item: ModelItem): boolean {
  const index = targetOf(item)
  const enabled = runtime.read(item, 'enabled').value
  const mode = textOf(item.properties.mode)
  return (
    index !== undefined &&
    runtime.model.variables[index]?.isWritable === true &&
    mode !== 'Output' &&
    enabled !== false &&
    enabled !== 'false'
  )
}

async function change(runtime: Runtime, item: ModelItem, value: unknown): Promise<void> {
  const index = targetOf(item)
  if (index === undefined || !(await runtime.values.write(index, value))) return
  await fire(runtime, item, 'Change', 'InputFinished', 'InputFieldValueChanged')
}

/** The value that was shown, undone by the converter when it only scales. */
function unscaled(item: ModelItem, value: unknown): unknown {
  const converter = converterOf(item)
  if (converter?.kind !== 'scale' || typeof value !== 'number' || converter.factor === 0) return value
  return (value - converter.offset) / converter.factor
}

/** The format of a field: its own, else the one that its converter makes a text by. */
function formatOf(item: ModelItem): CompiledFormat | undefined {
  const converter = converterOf(item)
  if (converter?.kind !== 'format') return item.format
  const { decimals, prefix, suffix } = converter
  return { kind: 'decimal', isSigned: true, shift: 0, prefix, suffix, ...(decimals === undefined ? {} : { decimals }) }
}

function style(runtime: Runtime, item: ModelItem): Record<string, string> {
  const { fill, stroke } = paint(runtime, item, '#ffffff')
  return {
    background: fill === 'none' ? 'transparent' : fill,
    borderColor: stroke,
    color: colour(runtime.read(item, 'foreColor').value, '#000000'),
    fontSize: `${numberOf(runtime.read(item, 'fontSize').value ?? 14) || 14}px`,
  }
}

export function InputField({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const index = targetOf(item)
  const isWritable = canWrite(runtime, item)
  const edited = useSignal<string | undefined>(undefined)
  /** What was there when the editing began: the same text again writes nothing. */
  const offered = useRef('')
  const unit = textOf(item.properties.unit)
  const isHidden = item.properties.hiddenInput === true
  const kind = converterOf(item)?.kind
  const culture = runtime.culture.value
  // A text of its own, so that a new value does not render the field again.
  const shown = useComputed(() => fieldText(runtime, item))
  /** The value itself, scaled where the converter does that; not a text that a converter makes of it. */
  const current = () => {
    const raw = index === undefined ? undefined : runtime.values.of(index).peek()
    const value = kind === 'scale' ? runtime.read(item, 'processValue').value : raw
    return editedText(formatOf(item), value, culture)
  }
  const finish = () => {
    const text = edited.value
    edited.value = undefined
    if (text === undefined || index === undefined || text === offered.current) return
    const dataType = kind === 'scale' ? 'LReal' : (runtime.model.variables[index]?.dataType ?? '')
    const read = readText(formatOf(item), text, dataType, culture, unit)
    if ('value' in read) void change(runtime, item, unscaled(item, read.value))
    else
      runtime.values.note(`${item.name}: "${text}" ${say(read.fault, culture)}. ${say('Write', culture)} ${read.hint}`)
  }
  const input = useRef<HTMLInputElement>(null)
  const isEdited = edited.value !== undefined
  useEffect(() => {
    // What is typed replaces the whole value.
    input.current?.focus()
    input.current?.select()
  }, [isEdited])
  if (!isEdited) {
    const edit = () => {
      if (!isWritable) return
      offered.current = isHidden ? '' : current()
      edited.value = offered.current
    }
    const size = numberOf(runtime.read(item, 'fontSize').value ?? 14) || 14
    return (
      // biome-ignore lint/a11y/useSemanticElements: SVG has no input, and a real one costs a layout for each value
      <g
        role="textbox"
        tabindex={0}
        class="field"
        aria-label={item.name}
        aria-readonly={!isWritable}
        onFocus={edit}
        onClick={edit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') edit()
        }}
      >
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: the group has the name */}
        <svg x={left} y={top} width={width} height={height}>
          <rect width={width} height={height} {...paint(runtime, item, '#ffffff')} />
          <text
            x={5}
            y={height / 2}
            dominant-baseline="central"
            font-size={size}
            fill={colour(runtime.read(item, 'foreColor').value, '#000000')}
          >
            {shown}
          </text>
        </svg>
      </g>
    )
  }
  return (
    <foreignObject x={left} y={top} width={width} height={height}>
      <input
        ref={input}
        {...(isHidden ? { type: 'password' as const } : { type: 'text' as const })}
        autocomplete="off"
        maxlength={item.format?.kind === 'text' ? item.format.length : undefined}
        aria-label={item.name}
        style={style(runtime, item)}
        value={edited}
        onInput={(event) => {
          edited.value = event.currentTarget.value
        }}
        onBlur={() => {
          edited.value = undefined
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            finish()
            event.currentTarget.blur()
          } else if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
    </foreignObject>
  )
}

export function SymbolicField({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const index = targetOf(item)
  const entries = entriesOf(runtime, item)
  const value = index === undefined ? undefined : runtime.values.of(index).value
  const entry = entryOf(entries, value)
  const isWritable = canWrite(runtime, item)
  const texts = entries.map((one) => ({ from: one.from, text: inLanguage(one.text, runtime.culture.value) }))
  return (
    <foreignObject x={left} y={top} width={width} height={height}>
      <select
        aria-label={item.name}
        style={style(runtime, item)}
        disabled={!isWritable}
        value={String(entry?.from ?? '')}
        onChange={(event) => {
          const chosen = Number(event.currentTarget.value)
          void change(runtime, item, typeof value === 'boolean' ? chosen !== 0 : chosen)
        }}
      >
        {entry === undefined && <option value="">{textOf(value)}</option>}
        {texts.map(({ from, text }) => (
          <option key={from} value={String(from)}>
            {text}
          </option>
        ))}
      </select>
    </foreignObject>
  )
}

export function Switch({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const isLit = isOn(runtime.read(item, 'processValue').value)
  return (
    <foreignObject x={left} y={top} width={width} height={height}>
      <button
        type="button"
        role="switch"
        aria-checked={isLit}
        aria-label={item.name}
        class={isLit ? 'switch lit' : 'switch'}
        disabled={!canWrite(runtime, item)}
        onClick={() => void change(runtime, item, !isLit)}
      >
        {switchText(runtime, item)}
      </button>
    </foreignObject>
  )
}

function limits(runtime: Runtime, item: ModelItem): { low: number; high: number } {
  const low = numberOf(runtime.read(item, 'minimumValue').value ?? 0)
  const high = numberOf(runtime.read(item, 'maximumValue').value ?? 100)
  return { low, high: high === low ? low + 1 : high }
}

export function Slider({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const { low, high } = limits(runtime, item)
  const value = numberOf(runtime.read(item, 'processValue').value ?? low)
  return (
    <foreignObject x={left} y={top} width={width} height={height}>
      <input
        type="range"
        aria-label={item.name}
        min={low}
        max={high}
        step="any"
        value={value}
        disabled={!canWrite(runtime, item)}
        onChange={(event) => {
          const index = targetOf(item)
          const chosen = Number(event.currentTarget.value)
          const type = index === undefined ? '' : (runtime.model.variables[index]?.dataType ?? '')
          const wanted = unscaled(item, chosen) as number
          void change(runtime, item, /real/i.test(type) ? wanted : Math.round(wanted))
        }}
      />
    </foreignObject>
  )
}

/** Fewest units beside a bar in which its scale can be read. */
const scaleRoom = 24

export function Bar({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, ...whole } = box(runtime, item)
  const { low, high } = limits(runtime, item)
  const value = numberOf(runtime.read(item, 'processValue').value ?? low)
  const part = Math.min(1, Math.max(0, (value - low) / (high - low))) || 0
  const isAcross = /left|right/i.test(textOf(item.properties.barOrientation))
  const fill = colour(item.properties.foreColor ?? item.properties.rangeNormalColor, '#2f7ed8')
  // A scale has up to half of the object.
  const room = isAcross ? Math.min(18, whole.height / 2) : Math.min(40, whole.width / 2)
  const hasScale = !/^false$/i.test(textOf(item.properties.showScale)) && room >= (isAcross ? 16 : scaleRoom)
  const width = hasScale && !isAcross ? whole.width - room : whole.width
  const height = hasScale && isAcross ? whole.height - room : whole.height
  const inner = isAcross
    ? { x: left, y: top, width: width * part, height }
    : { x: left, y: top + height * (1 - part), width, height: height * part }
  const scaleAt = isAcross
    ? { left, top: top + height, width, height: room }
    : { left: left + width, top, width: room, height }
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: SVG has no meter element
    // biome-ignore lint/a11y/useSemanticElements: SVG has no meter element
    <g role="meter" aria-label={item.name} aria-valuemin={low} aria-valuemax={high} aria-valuenow={value || 0}>
      <rect x={left} y={top} width={width} height={height} {...paint(runtime, item, '#eeeeee')} />
      <rect class="level" {...inner} fill={fill} />
      {hasScale && <BarScale at={scaleAt} low={low} high={high} isAcross={isAcross} />}
    </g>
  )
}

export function Gauge({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const { low, high } = limits(runtime, item)
  const value = numberOf(runtime.read(item, 'processValue').value ?? low)
  const part = Math.min(1, Math.max(0, (value - low) / (high - low))) || 0
  const [cx, cy, radius] = [left + width / 2, top + height / 2, Math.min(width, height) / 2 - 6]
  const end = onArc(cx, cy, 0.85 * radius, part)
  const point = (of: number) => Object.values(onArc(cx, cy, radius, of)).join(' ')
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: SVG has no meter element
    // biome-ignore lint/a11y/useSemanticElements: SVG has no meter element
    <g role="meter" aria-label={item.name} aria-valuemin={low} aria-valuemax={high} aria-valuenow={value || 0}>
      <rect x={left} y={top} width={width} height={height} {...paint(runtime, item, '#ffffff')} />
      <path d={`M${point(0)} A${radius} ${radius} 0 1 1 ${point(1)}`} fill="none" stroke="#555" stroke-width={4} />
      {!/^false$/i.test(textOf(item.properties.showScale)) && <GaugeScale {...{ cx, cy, radius, low, high }} />}
      <line
        x1={cx}
        y1={cy}
        x2={end.x}
        y2={end.y}
        stroke={colour(item.properties.foreColor, '#c00000')}
        stroke-width={3}
      />
      <text x={cx} y={cy + radius * 0.75} text-anchor="middle" font-size={Math.max(10, radius / 4)}>
        {textOf(value)}
      </text>
    </g>
  )
}
