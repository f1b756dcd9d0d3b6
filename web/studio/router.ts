/** The address after `#`: the view, its parts and parameters: `#/program/PLC_1/Main?tab=calls`. */
import { signal } from '@preact/signals'

export interface Route {
  /** `/program`: of the table in `views.ts`. */
  readonly view: string
  /** What follows, decoded: `['PLC_1', 'Main']`. */
  readonly parts: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

function read(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#/, '').split('?', 2)
  const [view = '', ...parts] = path.split('/').filter((part) => part !== '')
  return { view: `/${view}`, parts: parts.map(decode), query: Object.fromEntries(new URLSearchParams(query)) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Where we are. */
export const route = signal<Route>(read())
addEventListener('hashchange', () => {
  route.value = read()
})

/** The address of a place, for `href`. @param view `/program` */
export function link(
  view: string,
  parts: readonly string[] = [],
  query: Readonly<Record<string, string>> = {},
): string {
  const path = [view, ...parts.map(encodeURIComponent)].join('/')
  const given = new URLSearchParams(query).toString()
  return `#${path}${given === '' ? '' : `?${given}`}`
}

/** Goes to a place. `isNew: false` replaces the current entry of the history. */
export function go(
  view: string,
  parts: readonly string[] = [],
  query: Readonly<Record<string, string>> = {},
  isNew = true,
): void {
  const next = link(view, parts, query)
  if (next === location.hash) return
  if (isNew) location.hash = next
  else {
    history.replaceState(undefined, '', next)
    route.value = read()
  }
}
