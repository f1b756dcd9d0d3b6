/** Objects that show or change one value. */
import { useComputed, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ModelItem } from '../../plugins/hmi/station-model.ts'
import { fire, typed } from './actions.ts'
import { colour, entryOf, inLanguage, isOn, numberOf, textOf } from './convert.ts'
import { box, type ItemProps, paint } from './drawing.ts'
import type { Runtime } from './runtime.ts'

/** The variable behind the value of an object. */
function target(item: ModelItem): number | undefined {
  return item.bindings.find(({ property }) => property === 'processValue')?.variable
}

function canWrite(runtime: Runtime, item: ModelItem): boolean {
  const index = target(item)
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
  const index = target(item)
  if (index === undefined) return
  await runtime.values.write(index, value)
  await fire(runtime, item, 'Change', 'InputFinished', 'InputFieldValueChanged')
}

/** The value that was shown, undone by the converter when it only scales. */
function unscaled(item: ModelItem, value: unknown): unknown {
  const converter = item.bindings.find(({ property }) => property === 'processValue')?.converter
  if (converter?.kind !== 'scale' || typeof value !== 'number' || converter.factor === 0) return value
  return (value - converter.offset) / converter.factor
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
  const index = target(item)
  const isWritable = canWrite(runtime, item)
  const edited = useSignal<string | undefined>(undefined)
  const unit = textOf(item.properties.unit)
  const current = () => textOf(runtime.read(item, 'processValue').value)
  // A text of its own, so that a new value does not render the field again.
  const shown = useComputed(() => `${current()}${unit}`)
  const finish = () => {
    const text = edited.value
    edited.value = undefined
    if (text === undefined || index === undefined) return
    const before = runtime.values.of(index).peek()
    void change(runtime, item, unscaled(item, typed(text.replace(unit, '').trim(), before)))
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
      if (isWritable) edited.value = current()
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
  const index = target(item)
  const binding = item.bindings.find(({ property }) => property === 'processValue')
  const converter = binding?.converter
  const name = converter?.kind === 'list' ? converter.list : (item.links.textList ?? '').toLowerCase()
  const entries = runtime.model.textLists[name] ?? []
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
  const text = inLanguage(isLit ? item.texts.textOn : item.texts.textOff, runtime.culture.value)
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
        {text || (isLit ? 'I' : '0')}
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
          const index = target(item)
          const chosen = Number(event.currentTarget.value)
          const type = index === undefined ? '' : (runtime.model.variables[index]?.dataType ?? '')
          const wanted = unscaled(item, chosen) as number
          void change(runtime, item, /real/i.test(type) ? wanted : Math.round(wanted))
        }}
      />
    </foreignObject>
  )
}

export function Bar({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const { low, high } = limits(runtime, item)
  const value = numberOf(runtime.read(item, 'processValue').value ?? low)
  const part = Math.min(1, Math.max(0, (value - low) / (high - low))) || 0
  const isAcross = /left|right/i.test(textOf(item.properties.barOrientation))
  const fill = colour(item.properties.foreColor ?? item.properties.rangeNormalColor, '#2f7ed8')
  const inner = isAcross
    ? { x: left, y: top, width: width * part, height }
    : { x: left, y: top + height * (1 - part), width, height: height * part }
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: SVG has no meter element
    // biome-ignore lint/a11y/useSemanticElements: SVG has no meter element
    <g role="meter" aria-label={item.name} aria-valuemin={low} aria-valuemax={high} aria-valuenow={value || 0}>
      <rect x={left} y={top} width={width} height={height} {...paint(runtime, item, '#eeeeee')} />
      <rect class="level" {...inner} fill={fill} />
    </g>
  )
}

export function Gauge({ runtime, item }: ItemProps): JSX.Element {
  const { left, top, width, height } = box(runtime, item)
  const { low, high } = limits(runtime, item)
  const value = numberOf(runtime.read(item, 'processValue').value ?? low)
  const part = Math.min(1, Math.max(0, (value - low) / (high - low))) || 0
  const [cx, cy, radius] = [left + width / 2, top + height / 2, Math.min(width, height) / 2 - 6]
  const angle = ((135 + 270 * part) * Math.PI) / 180
  const point = (degrees: number) => {
    const at = (degrees * Math.PI) / 180
    return `${cx + radius * Math.cos(at)} ${cy + radius * Math.sin(at)}`
  }
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: SVG has no meter element
    // biome-ignore lint/a11y/useSemanticElements: SVG has no meter element
    <g role="meter" aria-label={item.name} aria-valuemin={low} aria-valuemax={high} aria-valuenow={value || 0}>
      <rect x={left} y={top} width={width} height={height} {...paint(runtime, item, '#ffffff')} />
      <path d={`M${point(135)} A${radius} ${radius} 0 1 1 ${point(45)}`} fill="none" stroke="#555" stroke-width={4} />
      <line
        x1={cx}
        y1={cy}
        x2={cx + 0.85 * radius * Math.cos(angle)}
        y2={cy + 0.85 * radius * Math.sin(angle)}
        stroke={colour(item.properties.foreColor, '#c00000')}
        stroke-width={3}
      />
      <text x={cx} y={cy + radius * 0.75} text-anchor="middle" font-size={Math.max(10, radius / 4)}>
        {textOf(value)}
      </text>
    </g>
  )
}
