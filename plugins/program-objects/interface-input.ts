/** The interface of a block or type as clients send it, checked and grouped into sections. */
import { defined, type Fault, isObject, nearest, plainNames, problem } from '../../core/index.ts'
import type { MemberInput, SectionInput } from '../../plc/edit/input.ts'

const memberFields = new Set([
  'name',
  'dataType',
  'version',
  'startValue',
  'comment',
  'remanence',
  'members',
  'section',
])
/** Aliases of fields that clients use: those of the operations on a single member. */
const spellings: Readonly<Record<string, string>> = {
  memberName: 'name',
  sectionName: 'section',
  type: 'dataType',
  datatype: 'dataType',
  defaultValue: 'startValue',
  initialValue: 'startValue',
  value: 'startValue',
}
const remanences = ['NonRetain', 'Retain', 'SetInIDB'] as const

/**
 * Reads both forms: a list of sections `{ section, members }`, and the flat list of a content answer, `{ section, name,
 * … }`.
 * @param section for members without one (types have one section only)
 * @throws GatewayError `invalid_input` with every fault
 */
export function readInterface(value: readonly unknown[], at: string, section?: string): SectionInput[] {
  const faults: Fault[] = []
  const sections = new Map<string, MemberInput[]>()
  for (const [i, item] of value.entries()) {
    const entry = fieldsOf(item, `${at}/${i}`, faults)
    if (!entry) continue
    const name = entry.section ?? section
    if (typeof name !== 'string' || name === '') {
      faults.push({
        path: `${at}/${i}/section`,
        message: 'must name a section: Input, Output, InOut, Static, Temp, Constant',
        value: name,
      })
      continue
    }
    const members = sections.get(name) ?? []
    sections.set(name, members)
    if (entry.name === undefined && Array.isArray(entry.members))
      for (const member of membersOf(entry.members, `${at}/${i}/members`, faults)) members.push(member)
    else {
      const member = memberOf(entry, `${at}/${i}`, faults)
      if (member) members.push(member)
    }
  }
  const [first] = faults
  if (first) throw problem('invalid_input', `${first.path}: ${first.message}`, { errors: faults })
  return [...sections].map(([name, members]) => ({ section: name, members }))
}

function membersOf(value: unknown, at: string, faults: Fault[]): MemberInput[] {
  if (!Array.isArray(value)) {
    faults.push({ path: at, message: 'must be a list of members', value })
    return []
  }
  return value.flatMap((item, i) => {
    const entry = fieldsOf(item, `${at}/${i}`, faults)
    const member = entry && memberOf(entry, `${at}/${i}`, faults)
    return member ? [member] : []
  })
}

function memberOf(entry: Record<string, unknown>, at: string, faults: Fault[]): MemberInput | undefined {
  const before = faults.length
  for (const field of Object.keys(entry)) {
    if (memberFields.has(field)) continue
    const near = nearest(field, memberFields)
    const hint = near === undefined ? `known: ${[...memberFields].join(', ')}` : `did you mean "${near}"?`
    faults.push({
      path: `${at}/${field}`,
      message: `unknown property (${hint})`,
      code: 'unknown_property',
    })
  }
  const text = (field: string, isRequired = false): string | undefined => {
    const value = entry[field]
    if (value === undefined && !isRequired) return undefined
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    faults.push({ path: `${at}/${field}`, message: value === undefined ? 'is missing' : 'must be text', value })
    return undefined
  }
  const name = text('name', true)
  const dataType = text('dataType', true)
  const [version, startValue] = [text('version'), text('startValue')]
  const comment = entry.comment === undefined ? undefined : commentOf(entry.comment, `${at}/comment`, faults)
  const remanence = remanences.find((known) => known === entry.remanence)
  if (entry.remanence !== undefined && !remanence)
    faults.push({
      path: `${at}/remanence`,
      message: `must be one of ${remanences.join(', ')}`,
      value: entry.remanence,
      allowed: remanences,
    })
  const members = entry.members === undefined ? undefined : membersOf(entry.members, `${at}/members`, faults)
  if (faults.length > before || name === undefined || dataType === undefined) return undefined
  return {
    name,
    dataType,
    ...defined({ version }),
    ...(startValue === undefined || startValue === '' ? {} : { startValue }),
    ...defined({ comment, remanence }),
    // A content answer has an empty list on every plain member, whatever members its type has.
    ...(members === undefined || members.length === 0 ? {} : { members }),
  }
}

function commentOf(value: unknown, at: string, faults: Fault[]): MemberInput['comment'] {
  if (typeof value === 'string') return value
  const texts = asObject(value, at, [])
  if (texts && Object.values(texts).every((text) => typeof text === 'string')) return texts as Record<string, string>
  faults.push({ path: at, message: 'must be text, or texts by culture: { "en-US": "…" }', value })
  return undefined
}

/** Fields of an entry: the first letter in either case, and in any spelling. */
function fieldsOf(value: unknown, at: string, faults: Fault[]): Record<string, unknown> | undefined {
  const given = asObject(value, at, faults)
  if (!given) return undefined
  const plain = plainNames(given)
  const entry: Record<string, unknown> = {}
  for (const [field, one] of Object.entries(plain)) {
    const name = Object.hasOwn(spellings, field) ? spellings[field]! : field
    if (name === field || !Object.hasOwn(plain, name)) entry[name] = one
  }
  return entry
}

function asObject(value: unknown, at: string, faults: Fault[]): Record<string, unknown> | undefined {
  if (isObject(value)) return value
  faults.push({ path: at, message: 'must be an object', value })
  return undefined
}
