/** Which route is proposed for each route of the specification when its path is mistyped, with every kind of slip. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertRecorded } from '../../test/recorded.ts'
import { packageDir } from '../boot/running-code.ts'
import { RouteIndex } from './route-index.ts'

const routes = readFileSync(join(packageDir, 'test/conformance/specification.tsv'), 'utf8')
  .split('\n')
  .slice(1)
  .filter((line) => line !== '')
  .map((line) => line.split('\t'))
  .map(([, method, path]) => ({ method: method!, path: path! }))
const extra = [
  { method: 'GET', path: '/hmi/{station}' },
  { method: 'GET', path: '/hmi/{station}/pictures/{path*}' },
]
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** Paths that someone may have meant to be this one, by what is wrong with them. */
function slips(path: string): Map<string, string> {
  const segments = path
    .replace(/\{\w+\*\}/g, 'a/b')
    .replace(/\{\w+\}/g, 'PLC_1')
    .split('/')
    .slice(1)
  const joined = (parts: readonly string[]) => `/${parts.join('/')}`
  const slipped = new Map<string, string>()
  for (const [i, segment] of segments.entries()) {
    const middle = segment.length >> 1
    const as = (text: string) => joined(segments.with(i, text))
    slipped.set(`letter ${i}`, as(segment.slice(0, middle) + segment.slice(middle + 1)))
    slipped.set(`half ${i}`, as(segment.slice(0, Math.ceil(segment.length / 2))))
    slipped.set(`without ${i}`, joined(segments.toSpliced(i, 1)))
  }
  slipped.set('one more', joined([...segments, 'more']))
  slipped.set('two more', joined([...segments, 'one', 'more']))
  slipped.set('capitals', joined(segments.map((segment) => segment.toUpperCase())))
  for (const [of, stride] of [5, 4, 3, 2].entries())
    slipped.set(
      `one in ${5 - of}`,
      path.replace(/\{\w+\*?\}/g, 'PLC_1').replace(/\w/g, (c, at) => (at % stride ? c : 'x')),
    )
  return slipped
}

test('the route nearest to each mistyped path', () => {
  const table = new RouteIndex([...routes, ...extra])
  const lines: string[] = []
  // Each second one: their neighbours are like them.
  for (const route of [...routes.filter((_, i) => i % 2 === 0), ...extra]) {
    lines.push(nameOf(route))
    const found = new Map<string, string[]>()
    for (const [slip, path] of slips(route.path)) {
      const near = table.nearest(route.method, path)
      const name = near === undefined ? 'none' : near === route || nameOf(near) === nameOf(route) ? 'it' : nameOf(near)
      found.set(name, [...(found.get(name) ?? []), slip])
    }
    for (const [name, some] of found) if (name !== 'it') lines.push(`  ${some.join(', ')}: ${name}`)
  }
  assertRecorded(import.meta.url, 'nearest-routes.txt', `${lines.join('\n')}\n`)
})

test('a method that a path does not have is answered with one that it has, never with a DELETE', () => {
  const table = new RouteIndex([...routes, ...extra])
  const lines: string[] = []
  for (const path of new Set(routes.map((route) => route.path))) {
    const proposals = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].map((method) => {
      const near = table.nearest(method, path.replace(/\{\w+\*?\}/g, 'PLC_1'))
      return `${method}: ${near === undefined ? 'none' : near.path === path ? near.method : nameOf(near)}`
    })
    lines.push(`${path}  ${proposals.join(', ')}`)
  }
  assertRecorded(import.meta.url, 'nearest-methods.txt', `${lines.join('\n')}\n`)
})
