/** Which route somebody meant who sent a path that is not one: first by what it does, then by its spelling. */

import { isReadOnly, type Operation } from '../contract/operation.ts'
import { askedBy, doesAlike, doesAsked, type Meaning, mayPropose } from '../input/meaning.ts'
import { operationsMeant } from '../input/meant-operation.ts'
import type { RouteIndex } from './route-index.ts'

/** A route of an operation, or another one of the gateway. */
interface AnyRoute {
  readonly method: string
  readonly path: string
  readonly operation?: Operation
}

/** Proposals in one message. */
const most = 3

/** What a request without a verb in its path asks for. A POST can be anything. */
const methodVerbs: Readonly<Record<string, string>> = {
  GET: 'show',
  HEAD: 'show',
  DELETE: 'delete',
  PUT: 'change',
  PATCH: 'change',
}
/** Methods that say what a path would otherwise say with `actions/…`. */
const verbMethods: Readonly<Record<string, string>> = { show: 'GET', delete: 'DELETE', change: 'PUT', create: 'POST' }

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * The routes that a request most likely means, the best first. Where the path says what is to be done
 * (`…/actions/export-sync`), these are routes that do it. A route that changes something is not among those for who
 * only reads, and one that makes something run not among those for who did not ask for that.
 */
export function routesMeant<R extends AnyRoute>(index: RouteIndex<R>, method: string, path: string): R[] {
  const segments = path.split('/').filter((part) => part !== '')
  const last = decoded(segments.at(-1) ?? '').replace(/-a?sync$/, '')
  // A name begins with a capital more often than not, and what is to be done is sent with POST, or read with GET.
  const said = askedBy(/^[a-z]/.test(last) && /^(?:POST|GET|HEAD)$/.test(method) ? last : '')
  const isRead = method === 'GET' || method === 'HEAD'
  const may = (asked: Meaning) => (route: R) =>
    route.operation === undefined ||
    (mayPropose(asked, route.operation, isReadOnly(route.operation)) && (!isRead || isReadOnly(route.operation)))
  if (said.verbs.size === 0) {
    const asked = askedBy('', methodVerbs[method])
    const isAlike = ({ operation }: R) =>
      asked.verbs.size === 0 || isRead || operation === undefined || doesAlike(asked, operation)
    return some(index.nearest(method, path, (route) => may(asked)(route) && isAlike(route)))
  }
  const does = (route: R) => route.operation !== undefined && doesAsked(said, route.operation) && may(said)(route)
  const found = index.nearestOnes(method, path, does, 0)
  if (found.length > 0) return distinct(found).slice(0, most)
  // "…/blocks/Main/actions/remove" is DELETE …/blocks/Main.
  const [verb = ''] = said.verbs
  const own = segments.slice(0, segments.at(-2) === 'actions' ? -2 : -1).join('/')
  const direct = isRead ? undefined : verbMethods[verb] && index.nearest(verbMethods[verb], `/${own}`, does)
  if (direct) return [direct]
  const further = index.nearestOnes(method, path, does, oneWord)
  if (further.length > 0) return distinct(further).slice(0, most)
  const [meant] = operationsMeant(segments.slice(1).map(decoded).join('.'), operationsOf(index, does))
  if (meant) return some(index.routes.find((route) => route.operation === meant))
  const isAlike = ({ operation }: R) => operation === undefined || doesAlike(said, operation)
  return some(index.nearest(method, path, (route) => may(said)(route) && isAlike(route)))
}

/** Edits that a word of a path is long: it may be missing. */
const oneWord = 6

const some = <R>(route: R | undefined) => (route === undefined ? [] : [route])

function operationsOf<R extends AnyRoute>({ routes }: RouteIndex<R>, fits: (route: R) => boolean): Operation[] {
  return [...new Set(routes.filter(fits).flatMap(({ operation }) => operation ?? []))]
}

/** One route of each operation; those that are used most first. */
function distinct<R extends AnyRoute>(routes: readonly R[]): R[] {
  const isCommon = ({ operation }: R) => operation !== undefined && operation.mcp !== false && operation.mcp?.essential
  const one = new Map(routes.toReversed().map((route) => [route.operation, route]))
  const kept = routes.filter((route) => one.get(route.operation) === route)
  return [...kept.filter(isCommon), ...kept.filter((route) => !isCommon(route))]
}
