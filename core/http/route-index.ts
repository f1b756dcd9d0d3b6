/**
 * Routes by their patterns, for messages: the route nearest to a wrong path, and the routes for `GET
 * /api/command/info/{route}`. Fastify routes the requests.
 */
import { distance } from 'fastest-levenshtein'
import { isSameVerb } from '../input/meaning.ts'
import type { RegisteredRoute } from '../plugins/registry.ts'

/** A route's pattern, split. */
interface Pattern<R> {
  readonly route: R
  readonly segments: readonly string[]
  /** The last segment is `{name*}`: it matches the rest. */
  readonly rest: boolean
}

const isParameter = (segment: string) => segment.startsWith('{')
const split = (path: string) => path.split('/').filter((segment) => segment !== '')

/** Routes by method and path. */
export class RouteIndex<R extends { readonly method: string; readonly path: string } = RegisteredRoute> {
  readonly routes: readonly R[]
  readonly #patterns: Pattern<R>[]

  constructor(routes: readonly R[]) {
    this.routes = routes
    this.#patterns = routes.map((route) => {
      const segments = split(route.path)
      const rest = segments.at(-1)?.endsWith('*}') === true
      return { route, segments: rest ? segments.slice(0, -1) : segments, rest }
    })
  }

  /** The routes whose pattern matches a path, for any method: those with the most literal pattern only. */
  matches(path: string): R[] {
    const wanted = split(path)
    let best = -1
    let found: R[] = []
    for (const { route, segments, rest } of this.#patterns) {
      const score = fit(segments, rest, wanted)
      if (score < 0 || score < best) continue
      if (score > best) found = []
      best = score
      found.push(route)
    }
    return found
  }

  /** The routes with exactly this pattern (`{name}` or `:name`, any parameter names). */
  withPattern(pattern: string): R[] {
    const plain = shape(pattern)
    return this.#patterns.filter(({ route }) => shape(route.path) === plain).map(({ route }) => route)
  }

  /**
   * The route most similar to a path that matches none. Routes of the requested method come first, and among those of
   * one method the ones with as many segments, each literal one similar to its counterpart; then those a few edits away
   * with one segment more or less, which share a word below the root. Parameters match any text. A DELETE route is only
   * suggested to a DELETE request.
   *
   * @param method HEAD counts as GET
   * @param fits leaves routes out
   * @returns undefined when no route is similar
   */
  nearest(method: string, path: string, fits: (route: R) => boolean = () => true): R | undefined {
    return this.#ranked(method, path, fits, 0)[0]?.route
  }

  /**
   * The nearest route, and those that hardly differ from it in how near they are, the nearest first.
   *
   * @param more edits that are allowed beside those of a slip
   */
  nearestOnes(method: string, path: string, fits: (route: R) => boolean, more: number): R[] {
    const ranked = this.#ranked(method, path, fits, more)
    const limit = (ranked[0]?.cost ?? 0) + hardly
    return ranked.filter(({ cost }) => cost <= limit).map(({ route }) => route)
  }

  #ranked(method: string, path: string, fits: (route: R) => boolean, more: number) {
    const wanted = split(path.toLowerCase())
      .slice(0, 12)
      .map((segment) => segment.slice(0, 64))
    if (wanted.length === 0) return []
    const asked = method === 'HEAD' ? 'GET' : method
    const limit = Math.max(2, Math.floor(wanted.join('').length / 3)) + more
    // A path under /api is not mended into one of another root.
    const isRoot = this.#patterns.some(({ segments }) => segments[0] === wanted[0])
    const found: { route: R; cost: number }[] = []
    for (const { route, segments, rest } of this.#patterns) {
      if (route.method !== asked && route.method === 'DELETE') continue
      if ((isRoot && segments[0] !== wanted[0]) || !fits(route)) continue
      const direct = directCost(wanted, segments, rest)
      if (direct === undefined && !sharesWord(wanted, segments)) continue
      const edits = direct ?? editCost(wanted, segments, limit)
      if (edits >= limit) continue
      // Costs are below `limit`, so each of these weighs more than all that follow.
      found.push({ route, cost: edits + (direct === undefined ? limit : 0) + (route.method === asked ? 0 : 2 * limit) })
    }
    return found.sort((a, b) => a.cost - b.cost)
  }
}

const shape = (pattern: string) =>
  split(pattern)
    .map((segment) =>
      isParameter(segment) || segment.startsWith(':') ? (segment.endsWith('*}') ? '*' : ':') : segment.toLowerCase(),
    )
    .join('/')

/** How well a path matches: -1 not at all, otherwise higher for literal segments further to the left. */
function fit(segments: readonly string[], rest: boolean, wanted: readonly string[]): number {
  if (rest ? wanted.length <= segments.length : wanted.length !== segments.length) return -1
  let score = rest ? 0 : 1
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!
    if (isParameter(segment)) score = score * 2
    else if (segment === wanted[i]) score = score * 2 + 1
    else return -1
  }
  return score
}

/**
 * Edits between a path and a pattern with as many segments.
 * @returns undefined when the numbers differ, or when a literal segment is not similar: more than half of it differs,
 * or over two edits and a third
 */
function directCost(wanted: readonly string[], segments: readonly string[], rest: boolean): number | undefined {
  if (rest ? wanted.length <= segments.length : wanted.length !== segments.length) return undefined
  let cost = 0
  for (const [i, target] of segments.entries()) {
    if (isParameter(target)) {
      cost += parameterCost
      continue
    }
    const edits = literalCost(wanted[i]!, target)
    if (edits === undefined) return undefined
    cost += edits
  }
  return cost
}

/** Edits between a segment and a literal one; `undefined` when they are not similar. */
function literalCost(segment: string, target: string): number | undefined {
  if (saySame(segment, target)) return 0.5
  const edits = distance(segment, target.toLowerCase())
  const length = Math.max(segment.length, target.length)
  return edits * 2 > length || edits > Math.max(2, length / 3) ? undefined : edits
}

/** `remove` and `delete`, `export` and `export-sync`. */
function saySame(segment: string, target: string): boolean {
  if (segment === target) return false
  const [one, other] = [segment, target.toLowerCase()].map((text) => text.replace(/-(?:a?sync)$/, ''))
  return isSameVerb(one!, other!)
}

/** True when a literal segment below the root is similar to one of the path: otherwise only parameters match it. */
function sharesWord(wanted: readonly string[], segments: readonly string[]): boolean {
  const words = segments.slice(1).filter((segment) => !isParameter(segment))
  return wanted.some((segment) => words.some((word) => Number.isFinite(changeCost(segment, word))))
}

/** Edits that say little about which of two routes is meant. */
const hardly = 6

/** A correct literal segment is worth a little more than a parameter. */
const parameterCost = 0.5

/** As `literalCost`, of the beginning of a segment too; one that is neither is not changed into the other. */
function changeCost(segment: string, target: string): number {
  if (target.toLowerCase().startsWith(segment)) return target.length - segment.length
  return literalCost(segment, target) ?? Number.POSITIVE_INFINITY
}

/** Edits between a path and a pattern, segment by segment (one may be missing or extra); gives up above `limit`. */
function editCost(wanted: readonly string[], segments: readonly string[], limit: number): number {
  if (Math.abs(wanted.length - segments.length) > 1) return limit
  let row = segments.map((_, j) => segments.slice(0, j + 1).reduce((sum, s) => sum + skipCost(s), 0))
  row = [0, ...row]
  for (const segment of wanted) {
    const next = [row[0]! + segment.length]
    for (let j = 0; j < segments.length; j++) {
      const target = segments[j]!
      const change = isParameter(target) ? parameterCost : changeCost(segment, target)
      next.push(Math.min(row[j]! + change, row[j + 1]! + segment.length, next[j]! + skipCost(target)))
    }
    row = next
  }
  return row.at(-1)!
}

/**
 * Callers most often leave out `actions`, which precedes the verbs of this API and does not distinguish routes, so it
 * costs little.
 */
const skipCost = (segment: string) => (isParameter(segment) ? 4 : segment === 'actions' ? 1 : segment.length)
