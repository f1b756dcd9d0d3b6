/**
 * A whole object in a PUT: clients read an object, change one field and send all of it back (RFC 9110, 9.3.4), with
 * what is only shown and what the change would be made from in another form.
 */
import { isDeepStrictEqual } from 'node:util'
import { shortened } from '../../lib/shortened.ts'
import type { GatewayHandle } from '../contract/context.ts'
import { jsonText } from '../contract/json-text.ts'
import type { Operation } from '../contract/operation.ts'
import { isGatewayError, problem } from '../contract/problems.ts'
import type { Target } from '../contract/targets.ts'
import { compileInput, plainNames } from '../input/validation.ts'
import { answerOf } from './preconditions.ts'
import type { RunningQuery } from './run-context.ts'

/**
 * The fields of a body that change something. Looked at only when the body has fields that the operation does not take;
 * those that stand as they are shown are left out, and of the optional ones that it does take the unchanged ones, too.
 *
 * @param body fields of a PUT
 * @param fields the same with the parameters of the path, with normalised names
 * @throws GatewayError `invalid_input` for a field that is shown with another value and cannot be changed
 */
export async function changedFields(
  gateway: GatewayHandle,
  operation: Operation,
  body: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
  ctx: RunningQuery,
): Promise<Record<string, unknown>> {
  const { properties = {}, required = [] } = (await compileInput(operation)).schema
  const taken = (name: string) => Object.hasOwn(properties, name)
  if (Object.keys(fields).every(taken)) return body
  const target = gateway.registry.targetOf(operation)
  if (target === undefined || !isPutWhereRead(operation, target)) return body
  const shown = await shownBy(gateway, target, fields, ctx)
  if (shown === undefined) return body
  const kept = Object.entries(plainNames(body)).filter(([name, value]) => {
    if (required.includes(name) || !Object.hasOwn(shown, name)) return true
    if (isDeepStrictEqual(value, shown[name])) return false
    if (taken(name)) return true
    const message = `is ${shortened(JSON.stringify(shown[name]), 100)} and cannot be changed here; leave it out or send it as it is`
    throw problem('invalid_input', `/${name}: ${message}`, { errors: [{ path: `/${name}`, message, value }] })
  })
  return Object.fromEntries(kept)
}

/** True when the operation puts the object at the address at which it is read. */
function isPutWhereRead({ http }: Operation, { path }: Target): boolean {
  const shape = (address: string) => address.replace(/\/async$/, '').replace(/\{\w+\*?\}/g, '{}')
  return http.some((route) => route.method === 'PUT' && shape(route.path) === shape(path))
}

/** The object as a client reads it; undefined when it cannot be read. */
async function shownBy(
  gateway: GatewayHandle,
  { query, parameters }: Target,
  fields: Readonly<Record<string, unknown>>,
  ctx: RunningQuery,
): Promise<Record<string, unknown> | undefined> {
  try {
    const strings = Object.fromEntries(parameters.map(([parameter, field]) => [parameter, fields[field]]))
    const input = (await compileInput(query)).read({}, strings)
    return JSON.parse(jsonText(await answerOf(gateway, query, input, ctx)) ?? 'null') ?? undefined
  } catch (error) {
    if (isGatewayError(error)) return undefined
    throw error
  }
}
