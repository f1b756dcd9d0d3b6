/**
 * Checks the members of a PLC data type in a request: their types must exist in the program, and no type may contain
 * itself.
 */

import { type CommandContext, nearest, problem } from '../../core/index.ts'
import { dataTypeNames, parseElementaryType } from '../../plc/model/data-type.ts'
import type { Device } from '../devices/index.ts'
import { documentOf, work } from '../program-objects/index.ts'
import { findType, type PlcType, typesOf } from './type.ts'

/** A member in requests and responses. */
export interface Member {
  readonly name: string
  readonly dataType: string
  readonly members?: readonly Member[]
}

type Context = Pick<CommandContext, 'read' | 'blobs' | 'engine' | 'extensions'>

/** A reference from a type to a type that it contains. */
interface Step {
  readonly type: string
  readonly member: string
  readonly contains: string
}

/**
 * Adds missing quotes to PLC data types (`UDT_Motor`), and checks the types of all members.
 * @param name name of the type that contains the members
 * @returns the members, and a warning for each with an unknown type
 * @throws GatewayError `unacceptable_content` when the type would contain itself, directly or through other types; the
 *   message shows the path
 */
export async function checkedMembers<M extends Member>(
  ctx: Context,
  device: Pick<Device, 'id'>,
  name: string,
  members: readonly M[],
): Promise<{ members: M[]; warnings: string[] }> {
  const warnings: string[] = []
  const named = members.map((member) => withQuotes(ctx, device, member))
  const steps = stepsOf(name, named, '')
  const types = typesOf(ctx, device.id).map((type) => type.name)
  const nearOf = nearestOnce([...dataTypeNames, ...types])
  for (const { member, contains } of steps)
    if (contains.toLowerCase() !== name.toLowerCase() && !findType(ctx, device.id, contains))
      warnings.push(`member "${member}": ${unknownType(contains, types)}`)
  warnings.push(...misspelt(named, '', nearOf))
  await requireNoCycle(ctx, device, name, steps)
  return { members: named, warnings }
}

/** The nearest of some names; looked for once, however often a name is asked for. */
function nearestOnce(names: readonly string[]): (name: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  return (name) => {
    if (!known.has(name)) known.set(name, nearest(name, names))
    return known.get(name)
  }
}

function unknownType(name: string, types: readonly string[]): string {
  const near = nearest(name, types)
  return `"${name}" is not a PLC data type of this PLC${near === undefined ? '' : `; did you mean "${near}"?`}`
}

/** Splits a data type into array and element: `Array[0..9] of ` and `"UDT_Motor"`. */
function elementOf(dataType: string): { array: string; element: string } {
  const array = /^\s*array\s*\[[\s\S]*\]\s*of\s+/i.exec(dataType)?.[0] ?? ''
  return { array, element: dataType.slice(array.length).trim() }
}

function withQuotes<M extends Member>(ctx: Context, device: Pick<Device, 'id'>, member: M): M {
  const { array, element } = elementOf(member.dataType)
  const type = parseElementaryType(element) ? undefined : findType(ctx, device.id, element)
  const inner = member.members?.map((one) => withQuotes(ctx, device, one))
  return {
    ...member,
    ...(type ? { dataType: `${array}"${type.name}"` } : {}),
    ...(inner ? { members: inner } : {}),
  }
}

/** The types of the members, including those inside structures. The members of a nested type are left to that type. */
function stepsOf(type: string, members: readonly Member[], before: string): Step[] {
  return members.flatMap(({ name, dataType, members: inner = [] }): Step[] => {
    const member = before === '' ? name : `${before}.${name}`
    const contains = /^"([^"]+)"$/.exec(elementOf(dataType).element)?.[1]
    return contains === undefined ? stepsOf(type, inner, member) : [{ type, member, contains }]
  })
}

/** Types without quotes that resemble an elementary type. System types (`IEC_TIMER`) are many and are not checked. */
function misspelt(members: readonly Member[], before: string, nearOf: (name: string) => string | undefined): string[] {
  return members.flatMap(({ name, dataType, members: inner = [] }): string[] => {
    const member = before === '' ? name : `${before}.${name}`
    const { element } = elementOf(dataType)
    if (element.startsWith('"') || /^struct$/i.test(element)) return misspelt(inner, member, nearOf)
    const plain = element.replace(/\s*\[[\s\S]*$/, '')
    if (plain === '' || parseElementaryType(plain)) return []
    const near = nearOf(plain)
    return near === undefined ? [] : [`member "${member}": ${plain} is not a known data type; did you mean ${near}?`]
  })
}

/** Visits all types that can be reached, each once, even when they refer to each other. */
async function requireNoCycle(ctx: Context, device: Pick<Device, 'id'>, name: string, first: readonly Step[]) {
  const wanted = name.toLowerCase()
  const seen = new Set<string>()
  const pending: Step[][] = first.map((step) => [step])
  for (let way = pending.pop(); way; way = pending.pop()) {
    const contains = way.at(-1)?.contains ?? ''
    const key = contains.toLowerCase()
    if (key === wanted) throw recursion(name, way)
    if (seen.has(key)) continue
    seen.add(key)
    const type = findType(ctx, device.id, contains)
    if (type) for (const step of stepsOf(type.name, await membersOf(ctx, type), '')) pending.push([...way, step])
  }
}

function recursion(name: string, way: readonly Step[]) {
  const shown = `${way.map(({ type, member }) => `"${type}".${member}`).join(' -> ')} -> "${name}"`
  const message = `PLC data type "${name}" would contain itself: ${shown}`
  return problem('unacceptable_content', `${message}.`, {
    errors: [{ path: '/members', message, value: way[0]?.member }],
  })
}

async function membersOf(ctx: Context, type: PlcType): Promise<readonly Member[]> {
  const document = await documentOf(ctx, { ...type, kind: 'UDT' })
  return (await work(ctx, 'readContent', document, type.size)).interface as readonly Member[]
}
