/** Looks up the variables of HMI stations in the programs of their PLCs: path, type, and access from outside. */
import type { CommandContext, SliceReader } from '../../core/index.ts'
import { defined } from '../../core/index.ts'
import { sliceType } from '../../plc/model/block-address.ts'
import { parseElementaryType } from '../../plc/model/data-type.ts'
import type { InterfaceMember, InterfaceSection } from '../../plc/model/object.ts'
import { type Device, devices } from '../devices/index.ts'
import { declaredNamed } from '../program-objects/index.ts'
import { tagTablesOf } from '../tags/index.ts'
import { hmiCollections, hmiTags, type StoredTag, tagKey } from './object.ts'

type Context = Pick<CommandContext, 'read' | 'blobs' | 'engine' | 'extensions'>

/** A variable that was found. */
export interface Variable {
  /** PLC that has it; absent: an internal tag. */
  readonly plc?: string
  /** Path in the PLC, as its tags are read: `Data.motor.speed`. */
  readonly path: string
  readonly dataType: string
  readonly isWritable: boolean
  /** False: "Visible in HMI engineering" is off for it or for what it lies in. */
  readonly isVisible: boolean
  /** True when it is an internal tag of the station. */
  readonly isInternal?: boolean
}

/** Why there is none. */
export interface VariableFault {
  readonly code: 'hmi-unknown-variable' | 'hmi-not-accessible' | 'hmi-not-visible' | 'hmi-read-only' | 'hmi-no-plc'
  readonly message: string
  readonly hint: string
}

/** Names of a path; those in quotes may have dots. `undefined`: it is no path. */
export function stepsOf(path: string): { name: string; index?: string }[] | undefined {
  const steps: { name: string; index?: string }[] = []
  const pattern = /(?:"([^"]+)"|([^."[\]]+))(?:\[([^\]]+)\])?(\.|$)/y
  let isEnd = false
  while (pattern.lastIndex < path.length) {
    const found = pattern.exec(path)
    if (found === null) return undefined
    const [, quoted, bare = '', index, end] = found
    steps.push({ name: quoted ?? bare, ...defined({ index }) })
    isEnd = end === ''
    if (isEnd) break
  }
  return isEnd && steps.length > 0 ? steps : undefined
}

/** The PLCs of a station: partners of its connections; all of the project when it has none. */
export function plcsOf(ctx: { readonly read: SliceReader }, station: Device): Device[] {
  const plcs = [...ctx.read(devices).values()].filter(({ kind }) => kind === 'PLC')
  const partners = new Set(
    hmiCollections.connection.of(ctx, station.id).map(({ content }) => content.partner.toLowerCase()),
  )
  const own = plcs.filter(
    ({ name, network }) =>
      partners.has(name.toLowerCase()) ||
      network?.interfaces.some(({ ipAddress }) => ipAddress !== undefined && partners.has(ipAddress)),
  )
  return own.length > 0 ? own : plcs
}

/** The variables of a station. What is read of the program is read once, for all that are asked together. */
export class Variables {
  readonly #ctx: Context
  readonly #station: Device
  readonly #plcs: readonly Device[]
  readonly #roots = new Map<string, ReadonlyMap<string, Root>>()

  constructor(ctx: Context, station: Device) {
    this.#ctx = ctx
    this.#station = station
    this.#plcs = plcsOf(ctx, station)
  }

  /** The HMI tag of this name. */
  tag(name: string): StoredTag | undefined {
    return this.#ctx.read(hmiTags).get(tagKey(this.#station.id, name))
  }

  /** Reads what these variables are made of. */
  async prepare(names: readonly string[]): Promise<void> {
    const roots = new Set<string>()
    for (const name of names) {
      const first = stepsOf(this.tag(name)?.plcTag || name)?.[0]
      if (first) roots.add(first.name)
    }
    for (const plc of this.#plcs) this.#roots.set(plc.id, await rootsOf(this.#ctx, plc, [...roots]))
  }

  /** Finds a variable: an HMI tag of this name, else a path of a PLC. {@link prepare} comes first. */
  find(name: string): Variable | VariableFault {
    const tag = this.tag(name)
    if (tag !== undefined && tag.plcTag === '' && tag.address === '')
      return { path: tag.name, dataType: tag.dataType, isWritable: true, isVisible: true, isInternal: true }
    if (tag !== undefined && tag.plcTag === '') return this.#absolute(tag)
    const path = tag?.plcTag ?? name
    const steps = stepsOf(path)
    const shown = path.startsWith('"') ? path : `"${path}"`
    const told = tag === undefined ? shown : `${shown} of the HMI tag "${tag.name}"`
    if (steps === undefined)
      return fault(
        'hmi-unknown-variable',
        `${told} is no path`,
        'Write names with dots: Data.motor.speed, "My DB".list[1].',
      )
    if (this.#plcs.length === 0)
      return fault(
        'hmi-no-plc',
        `${told}: the project has no PLC`,
        'Add the PLC, or make an internal tag of this name.',
      )
    let nearest: VariableFault | undefined
    for (const plc of this.#plcs) {
      const root = this.#roots.get(plc.id)?.get(steps[0]!.name.toLowerCase())
      if (root === undefined) continue
      const found = walk(this.#roots.get(plc.id)!, root, steps, told)
      if (!('code' in found)) return { ...found, plc: plc.name }
      nearest ??= found
    }
    const names = this.#plcs.map((plc) => `"${plc.name}"`).join(', ')
    const hint = 'Import or correct the program, or correct the path.'
    return (
      nearest ?? fault('hmi-unknown-variable', `${told}: ${names} has no tag or data block "${steps[0]!.name}"`, hint)
    )
  }

  #absolute(tag: StoredTag): Variable | VariableFault {
    const [plc] = this.#plcs
    if (plc === undefined) return fault('hmi-no-plc', `"${tag.name}": the project has no PLC`, 'Add the PLC.')
    return { plc: plc.name, path: tag.address, dataType: tag.dataType, isWritable: true, isVisible: true }
  }
}

function fault(code: VariableFault['code'], message: string, hint: string): VariableFault {
  return { code, message, hint }
}

/** What a variable that was found does not allow: to be chosen in HMI engineering, to be written. Both are warnings. */
export function limitsOf(name: string, { isVisible, isWritable }: Variable, isWritten: boolean): VariableFault[] {
  const limits: VariableFault[] = []
  if (!isVisible) {
    const hint = 'Set "Visible in HMI engineering" for it.'
    limits.push(fault('hmi-not-visible', `"${name}" is not visible in HMI engineering`, hint))
  }
  if (isWritten && !isWritable) {
    const hint = 'Set "Writable from HMI/OPC UA" for it; without, it is shown only.'
    limits.push(fault('hmi-read-only', `"${name}" cannot be written from HMI`, hint))
  }
  return limits
}

interface Root {
  readonly name: string
  /** Of a tag. */
  readonly dataType?: string
  readonly members: readonly InterfaceMember[]
  readonly instanceOf?: string
  readonly isWritable: boolean
  readonly isVisible: boolean
  readonly isAccessible: boolean
}

/** Sections whose members are not of the block itself. */
const hiddenSections = new Set(['Temp', 'Constant', 'Return'])

async function rootsOf(ctx: Context, plc: Device, names: readonly string[]): Promise<ReadonlyMap<string, Root>> {
  const { objects, tags } = await declaredNamed(ctx, plc, names)
  const roots = new Map<string, Root>()
  for (const { name, instanceOf, interface: sections } of objects) {
    const members = sections
      .filter((section: InterfaceSection) => !hiddenSections.has(section.section))
      .flatMap((section) => section.members)
    const of = instanceOf === undefined ? {} : { instanceOf }
    roots.set(name.toLowerCase(), { name, members, ...of, isWritable: true, isVisible: true, isAccessible: true })
  }
  const asked = new Set(names.map((name) => name.toLowerCase()))
  const access = new Map(
    tagTablesOf(ctx, plc.id).flatMap((table) =>
      table.tags.flatMap((tag) => (asked.has(tag.name.toLowerCase()) ? [[tag.name.toLowerCase(), tag] as const] : [])),
    ),
  )
  for (const { name, dataType } of tags) {
    const tag = access.get(name.toLowerCase())
    roots.set(name.toLowerCase(), {
      name,
      dataType,
      members: [],
      isWritable: tag?.externalWritable ?? true,
      isVisible: tag?.externalVisible ?? true,
      isAccessible: tag?.externalAccessible ?? true,
    })
  }
  return roots
}

function walk(
  roots: ReadonlyMap<string, Root>,
  root: Root,
  steps: readonly { name: string; index?: string }[],
  told: string,
): Omit<Variable, 'plc'> | VariableFault {
  const noAccess = (name: string) =>
    fault(
      'hmi-not-accessible',
      `${told}: "${name}" is not accessible from HMI`,
      'Set "Accessible from HMI/OPC UA" for it.',
    )
  if (!root.isAccessible) return noAccess(root.name)
  let { isWritable, isVisible } = root
  let members = membersOf(roots, root)
  let type = elementOf(root.dataType ?? '', steps[0]?.index)
  let path = written(root.name, steps[0]?.index)
  if (type === undefined)
    return fault('hmi-unknown-variable', `${told}: "${root.name}" is no array`, 'Leave the index out.')
  for (const step of steps.slice(1)) {
    if (members.length === 0) members = typeMembers(roots, type)
    const member = members.find(({ name }) => name.toLowerCase() === step.name.toLowerCase())
    if (member === undefined) {
      const slice = step === steps.at(-1) ? sliceOf(type, step.name) : undefined
      if (slice !== undefined) return { path: `${path}.${step.name}`, dataType: slice, isWritable, isVisible }
      const some = members.slice(0, 8).map(({ name }) => name)
      const hint =
        some.length > 0 ? `It has ${some.join(', ')}${members.length > 8 ? ' …' : ''}.` : 'It has no members.'
      return fault('hmi-unknown-variable', `${told}: "${path}" has no member "${step.name}"`, hint)
    }
    const off = (attribute: string) =>
      member.attributes.some(({ name, value }) => name === attribute && /^false$/i.test(value.trim()))
    if (off('ExternalAccessible')) return noAccess(`${path}.${member.name}`)
    if (off('ExternalWritable')) isWritable = false
    if (off('ExternalVisible')) isVisible = false
    const inner = elementOf(member.dataType, step.index)
    if (inner === undefined)
      return fault('hmi-unknown-variable', `${told}: "${member.name}" is no array`, 'Leave the index out.')
    type = inner
    members = member.members
    path += `.${written(member.name, step.index)}`
  }
  return { path, dataType: type === '' ? 'Struct' : type, isWritable, isVisible }
}

function written(name: string, index: string | undefined): string {
  const plain = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${name}"`
  return index === undefined ? plain : `${plain}[${index}]`
}

/** The data type of a slice such as `%X3`; undefined when it is not one, or lies outside of a value of the type. */
function sliceOf(type: string, text: string): string | undefined {
  const [, slice, place] = /^%([xbwd](\d+))$/i.exec(text) ?? []
  const whole = parseElementaryType(type)
  if (slice === undefined || whole === undefined || !/^(bits|integer)$/.test(whole.family)) return undefined
  const dataType = sliceType(slice)
  const { bits } = parseElementaryType(dataType)!
  return bits < whole.bits && (Number(place) + 1) * bits <= whole.bits ? dataType : undefined
}

/** Type of an element when there is an index; undefined when the type is no array. */
function elementOf(dataType: string, index: string | undefined): string | undefined {
  if (index === undefined) return dataType
  return /^array\s*\[.*?\]\s*of\s+(.*)$/is.exec(dataType.trim())?.[1]
}

/** Types are nested this deep at most: a type may name itself in a faulty program. */
const deepest = 20

function membersOf(roots: ReadonlyMap<string, Root>, root: Root): readonly InterfaceMember[] {
  let at: Root | undefined = root
  for (let i = 0; i < deepest && at !== undefined; i++) {
    if (at.members.length > 0) return at.members
    at = at.instanceOf === undefined ? undefined : roots.get(at.instanceOf.replace(/"/g, '').toLowerCase())
  }
  return []
}

function typeMembers(roots: ReadonlyMap<string, Root>, type: string): readonly InterfaceMember[] {
  const root = roots.get(type.trim().replace(/"/g, '').toLowerCase())
  return root === undefined ? [] : membersOf(roots, root)
}
