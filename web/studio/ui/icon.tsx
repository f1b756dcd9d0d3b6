/** Icons: strokes on a field of 16 × 16, in the colour of the text. */
import type { JSX } from 'preact'

const paths = {
  project: 'M2 4.5h4l1.5 1.5H14v7H2z',
  program: 'M2 3v10M14 3v10M2 8h3M11 8h3M5 5.5v5M11 5.5v5M5 8h.5M10.5 8h.5',
  live: 'M1.5 8.5H5l2-5 3 9 2-4h2.5',
  hardware: 'M2 3.5h12v9H2zM5.5 3.5v9M9 3.5v9M11.5 5.5v1',
  jobs: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 4.5V8l2.5 1.5',
  design: 'M6 2h4v3H6zM2 11h4v3H2zM10 11h4v3h-4zM8 5v3M4 11V8h8v3',
  assistant: 'M2 3h12v8H7l-3 3v-3H2z',
  station: 'M3 2.5h10v11H3zM5.5 5h5M5.5 7.5h5M6 11h0M9.5 11h1',
  folder: 'M2 4.5h4l1.5 1.5H14v7H2z',
  block: 'M3 3h10v10H3zM5.5 6.5h5M5.5 9.5h3',
  ob: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M6.5 5.5l4 2.5-4 2.5z',
  db: 'M3 4.5c0-1 2.2-2 5-2s5 1 5 2v7c0 1-2.2 2-5 2s-5-1-5-2zM3 4.5c0 1 2.2 2 5 2s5-1 5-2M3 8c0 1 2.2 2 5 2s5-1 5-2',
  type: 'M3 3h4v4H3zM9 9h4v4H9zM9 3h4v4H9zM3 9h4v4H3z',
  tag: 'M2.5 2.5H8L13.5 8 8 13.5 2.5 8zM5.5 5.5h0',
  table: 'M2 3h12v10H2zM2 6.3h12M2 9.6h12M6.5 3v10',
  watch: 'M1.5 8s2.5-4.5 6.5-4.5S14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8M8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  hmi: 'M2 3h12v8H2zM6 14h4M8 11v3M5 8.5l2-2.5 2 2 2-2.5',
  screen: 'M2 3h12v10H2zM2 5.5h12',
  library: 'M3 2.5h3v11H3zM6 2.5h3v11H6zM10 3l2.5-.5 1.8 10.5-2.6.5z',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.3 10.3 14 14',
  command: 'M2.5 4l4 4-4 4M8 12h5.5',
  close: 'M4 4l8 8M12 4l-8 8',
  right: 'M6 3.5 10.5 8 6 12.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  error: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6',
  warning: 'M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.5v.3',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 7.2v4M8 4.8v.3',
  ok: 'M3 8.5 6.5 12 13 4.5',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  differs: 'M3 5h10l-3-3M13 11H3l3 3',
  stale: 'M8 2a6 6 0 1 0 6 6M14 3v5H9',
  play: 'M5 3l8 5-8 5z',
  pause: 'M5 3v10M11 3v10',
  stop: 'M4 4h8v8H4z',
  step: 'M4 3l6 5-6 5zM12 3v10',
  undo: 'M6 3 3 6l3 3M3 6h6a4 4 0 0 1 0 8H6',
  redo: 'M10 3l3 3-3 3M13 6H7a4 4 0 0 0 0 8h3',
  save: 'M3 2.5h8.5l2 2v9H3zM5.5 2.5v4h5v-4M5.5 13.5v-4h5v4',
  build: 'M9.5 2.5a3.5 3.5 0 0 0-3.3 4.7L2 11.4 4.6 14l4.2-4.2a3.5 3.5 0 0 0 4.6-4.4l-2 2-2-.8-.8-2 2-2z',
  upload: 'M8 11V3M4.5 6 8 2.5 11.5 6M2.5 13.5h11',
  download: 'M8 2.5v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.7 9h5.6l.7-9',
  print: 'M4.5 6V2h7v4M4.5 11.5H2.5v-5h11v5h-2M4.5 9.5h7V14h-7z',
  edit: 'M3 13l.7-3L11 2.7l2.3 2.3L6 12.3z',
  theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12',
  globe: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M2 8h12M8 2c-4 4-4 8 0 12M8 2c4 4 4 8 0 12',
  help: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M6 6.3a2 2 0 1 1 2.6 2C8 8.6 8 9 8 9.5M8 11.6v.2',
  user: 'M8 2.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4M3 13.5c.4-3 2.3-4.2 5-4.2s4.6 1.2 5 4.2',
  settings: 'M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M9 3v3h3V3zM4 10v3h3v-3z',
  history: 'M2.5 8a5.5 5.5 0 1 1 1.6 3.9M2.5 8V4.5M2.5 8H6M8 5v3.2l2 1.3',
  calls: 'M2.5 2.5h4v3h-4zM9.5 7h4v3h-4zM9.5 11.5h4v3h-4zM4.5 5.5v7.5h5M4.5 8.5h5',
} as const

export type IconName = keyof typeof paths

/** Whether there is an icon of that name. */
export const isIcon = (name: string): name is IconName => Object.hasOwn(paths, name)

/** An icon; decoration only: what it means is in a text or label beside it. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
