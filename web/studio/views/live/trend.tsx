/** Curves of tags: live, paused, enlarged, with a cursor, and as CSV. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import UPlot from 'uplot'
import { language, t } from '../../i18n.ts'
import { isDark } from '../../theme.ts'
import { Loading } from '../../ui/loaded.tsx'
import { clockTime, LiveTags, type TagValue } from './values.ts'
import { AddTag } from './watch.tsx'

/** Points of a curve that are kept: an hour at ten in a second. */
const mostPoints = 36_000
/** Seconds that are shown while it runs. */
const shownSeconds = 60

/** Times of an axis as the language writes them; tenths where there are any. @param times seconds */
function clocks(times: readonly number[]): string[] {
  const parts = times.every(Number.isInteger) ? {} : { fractionalSecondDigits: 1 as const }
  const format = new Intl.DateTimeFormat(language.value, {
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...parts,
  })
  return times.map((at) => format.format(at * 1000))
}

const colours = {
  light: ['#0a63b0', '#b3400f', '#176b34', '#7a1f8a', '#8a5200', '#9c1c52'],
  dark: ['#6cb4f2', '#f2a066', '#74d193', '#d79be5', '#f2cf66', '#f58ab4'],
}

/** Times in seconds, and a value of each name at each of them: as uPlot takes them. */
class Curves {
  times: number[] = []
  readonly values = new Map<string, (number | null)[]>()
  readonly #last = new Map<string, number | null>()

  add(names: readonly string[], told: readonly TagValue[]): void {
    const [first] = told
    if (first === undefined) return
    for (const { name, value } of told)
      this.#last.set(name, typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : null)
    this.push(names, Date.parse(first.timestamp) / 1000)
  }

  /** A point with the values that hold. Time that stands still gives none. */
  push(names: readonly string[], time: number): void {
    if (time <= (this.times.at(-1) ?? 0)) return
    this.times.push(time)
    for (const name of names) {
      const list = this.values.get(name) ?? new Array<number | null>(this.times.length - 1).fill(null)
      list.push(this.#last.get(name) ?? null)
      this.values.set(name, list)
    }
    if (this.times.length <= mostPoints) return
    this.times = this.times.slice(-mostPoints)
    for (const [name, list] of this.values) this.values.set(name, list.slice(-mostPoints))
  }

  data(names: readonly string[]): UPlot.AlignedData {
    return [this.times, ...names.map((name) => this.values.get(name) ?? [])]
  }

  csv(names: readonly string[]): string {
    const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
    const rows = this.times.map((time, i) => [
      new Date(time * 1000).toISOString(),
      ...names.map((name) => String(this.values.get(name)?.[i] ?? '')),
    ])
    return [['time', ...names.map(cell)], ...rows].map((row) => row.join(',')).join('\r\n')
  }
}

export function Trend({
  device,
  instance,
  more,
}: {
  readonly device: string
  readonly instance: string
  readonly more: string
}): JSX.Element {
  const key = `gantry-trend-${device}`
  const [names, setNames] = useState<readonly string[]>(() => {
    const kept = (localStorage.getItem(key) ?? '').split('\n').filter(Boolean)
    return [...new Set([...kept, ...(more === '' ? [] : [more])])]
  })
  const [isPaused, setPaused] = useState(false)
  const paused = useRef(false)
  paused.current = isPaused
  const place = useRef<HTMLDivElement>(null)
  const tags = useMemo(() => new LiveTags(), [])
  const curves = useMemo(() => new Curves(), [instance, names.join('\n')])
  const plot = useRef<UPlot | undefined>(undefined)
  useEffect(() => localStorage.setItem(key, names.join('\n')), [names])
  useEffect(() => {
    let frame = 0
    const draw = () => {
      frame = 0
      const chart = plot.current
      if (chart === undefined || paused.current) return
      const end = curves.times.at(-1) ?? 0
      chart.setData(curves.data(names), false)
      chart.setScale('x', { min: Math.max(curves.times[0] ?? end, end - shownSeconds), max: end })
    }
    tags.onValues = (told) => {
      curves.add(names, told)
      if (frame === 0) frame = requestAnimationFrame(draw)
    }
    tags.follow(instance, names, 100)
    // Values that do not change are not told: the curve goes on with the time of the controller.
    const stop = clockTime.subscribe((time) => {
      // What has no stream has no value: a curve that went on would be made up.
      if (curves.times.length === 0 || time === '' || !tags.isLive.peek()) return
      curves.push(names, Date.parse(time) / 1000)
      if (frame === 0) frame = requestAnimationFrame(draw)
    })
    return () => {
      stop()
      cancelAnimationFrame(frame)
      tags.close()
    }
  }, [instance, names, curves])
  const theme = isDark.value ? 'dark' : 'light'
  useEffect(() => {
    const box = place.current
    if (box === null || names.length === 0) return
    const style = getComputedStyle(document.documentElement)
    const axis = {
      stroke: style.getPropertyValue('--quiet'),
      grid: { stroke: style.getPropertyValue('--line'), width: 1 },
    }
    const chart = new UPlot(
      {
        width: Math.max(200, box.clientWidth),
        height: Math.max(160, box.clientHeight - 70),
        scales: { x: { time: true } },
        axes: [{ ...axis, space: 90, values: (_, times) => clocks(times) }, axis],
        cursor: { drag: { x: true, y: false } },
        series: [
          { label: t('live.time'), value: (_, at) => (typeof at === 'number' ? (clocks([at])[0] ?? '') : '–') },
          ...names.map((label, i) => ({
            label,
            stroke: colours[theme][i % 6] as string,
            width: 1.5,
            points: { show: false },
          })),
        ],
        hooks: { setSelect: [() => setPaused(true)] },
      },
      curves.data(names),
      box,
    )
    plot.current = chart
    const observer = new ResizeObserver(() =>
      chart.setSize({ width: Math.max(200, box.clientWidth), height: Math.max(160, box.clientHeight - 70) }),
    )
    observer.observe(box)
    return () => {
      observer.disconnect()
      plot.current = undefined
      chart.destroy()
    }
  }, [names, curves, theme, language.value])
  // A tag without a curve says why.
  const faultOf = (name: string): string => {
    const told = tags.of(name).value
    if (told === undefined) return ''
    const { error, value } = told
    return error ?? (typeof value === 'number' || typeof value === 'boolean' ? '' : t('live.noCurve', told.dataType))
  }
  const faults = names.map((name) => [name, faultOf(name)] as const).filter(([, fault]) => fault !== '')
  const save = () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([curves.csv(names)], { type: 'text/csv' }))
    link.download = `${instance}-trend.csv`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <>
      <div class="toolbar">
        <AddTag instance={instance} onAdd={(name) => setNames([...new Set([...names, name])])} />
        {names.map((name, i) => (
          <span key={name} class={`chip curve-${i % 6}${faultOf(name) === '' ? '' : ' bad'}`} title={faultOf(name)}>
            {name}
            <button
              type="button"
              class="plain"
              aria-label={`${t('frame.remove')} ${name}`}
              onClick={() => setNames(names.filter((one) => one !== name))}
            >
              ×
            </button>
          </span>
        ))}
        <span class="grow" />
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {t(isPaused ? 'live.continue' : 'live.pause')}
        </button>
        <button
          type="button"
          onClick={() => {
            setPaused(true)
            const { times } = curves
            plot.current?.setData(curves.data(names), false)
            plot.current?.setScale('x', { min: times[0] ?? 0, max: times.at(-1) ?? 1 })
          }}
        >
          {t('live.wholeTime')}
        </button>
        <button type="button" disabled={names.length === 0} onClick={save}>
          {t('live.csv')}
        </button>
      </div>
      {names.length === 0 && <p class="quiet pad">{t('live.trendHint')}</p>}
      {names.length > 0 && curves.times.length === 0 && !tags.isLive.value && tags.fault.value === '' && <Loading />}
      {tags.fault.value !== '' && (
        <p class="notice" role="status">
          {t('live.lost', tags.fault.value)}
        </p>
      )}
      {faults.length > 0 && (
        <div class="notice" role="status">
          {faults.map(([name, fault]) => (
            <div key={name}>
              <span class="mono">{name}</span>: {fault}
            </div>
          ))}
        </div>
      )}
      <div
        ref={place}
        class={tags.isLive.value ? 'trend' : 'trend old'}
        role="img"
        aria-label={`${t('live.trend')}: ${names.join(', ')}`}
      />
    </>
  )
}
