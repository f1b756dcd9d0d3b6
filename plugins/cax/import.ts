/** Imports hardware from an AML file. */

import { type CommandContext, defined, type Fault, problem } from '../../core/index.ts'
import { counted } from '../../lib/counted.ts'
import { idKey } from '../../plc/formats/aml/document.ts'
import { guidOf } from '../../plc/formats/aml/guid.ts'
import { type AmlItem, type AmlStation, everyItem, mainItem } from '../../plc/formats/aml/hardware.ts'
import {
  type CatalogEntry,
  creationTime,
  type Device,
  deviceAdded,
  deviceChanged,
  deviceNameFault,
  deviceRenamed,
  devices,
  disconnected,
  findCatalogEntry,
} from '../devices/index.ts'
import {
  linkRemoved,
  linkSet,
  type Station,
  stationOf,
  stationSet,
  subnetSet,
  subnets,
  type TopologyLink,
  topologyLinks,
} from '../hardware/index.ts'
import { cultureOf, orOtherKind } from '../program-objects/index.ts'
import { requireProject } from '../projects/index.ts'
import { putTags } from '../tags/index.ts'
import { type AmlContent, joinTask, readTask } from './aml.task.ts'
import { type Converted, convertStation, surroundingsOf } from './from-aml.ts'
import { frameKept, frameKey, keptFrame, stationKept } from './kept.ts'
import { projectGuid } from './own-attributes.ts'
import { idsInText, idsOf, newId, withIds } from './own-ids.ts'

/** What becomes of a device of the project that the file has too. */
export const importOptions = ['MoveToParkingLot', 'OverwriteTiaDevice', 'RetainTiaDevice'] as const
/** See {@link importOptions}. */
export type ImportOption = (typeof importOptions)[number]

/** Source and options of an import. */
export interface ImportRequest {
  readonly filePath?: string | undefined
  readonly file?: { readonly fileName: string; readonly blob: string } | undefined
  readonly content?: string | undefined
  readonly importOption?: ImportOption | undefined
  readonly continueOnError?: boolean | undefined
}

/** The outcome of a station of the file. */
export interface ImportedDevice {
  readonly name: string
  readonly station: string
  readonly kind: string
  readonly orderNumber: string
  readonly action: 'created' | 'overwritten' | 'retained'
  /** New name of the device of the project that went to the parking lot. */
  readonly parked?: string
  readonly items: number
  readonly tags: number
}

/** Maximum number of reported errors of a file. */
const mostErrors = 1000

/**
 * Imports a file.
 * @throws GatewayError `no_project`, `invalid_input` without a source, `not_found`, `unacceptable_content` with every
 *   error of the file, its element and line
 */
export async function importHardware(ctx: CommandContext, request: ImportRequest) {
  requireProject(ctx)
  const { path, bytes } = await sourceOf(ctx, request)
  ctx.progress(0, `Reading ${path}`)
  const read = () => ctx.engine.run<AmlContent>(readTask({ bytes, path }))
  const content = await orOtherKind(path, () => bytes, ['hardware'], read)
  ctx.progress(50, 'Importing devices')
  return await new Import(ctx, request, content, path).run()
}

async function sourceOf(ctx: CommandContext, { filePath, file, content }: ImportRequest) {
  const given = [filePath, file, content].filter((source) => source !== undefined)
  if (given.length !== 1) {
    const message = 'one of filePath (file of the workspace), file (upload) and content (text) is needed'
    throw problem('invalid_input', `/filePath: ${message}.`, { errors: [{ path: '/filePath', message }] })
  }
  if (file) return { path: file.fileName, bytes: await ctx.blobs.get(file.blob) }
  if (content !== undefined) return { path: 'content', bytes: Buffer.from(content) }
  return { path: filePath as string, bytes: await ctx.files.read(filePath as string) }
}

/** What is planned for a station of the file. */
interface Plan {
  readonly aml: AmlStation
  readonly name: string
  readonly existing: Device | undefined
  readonly action: ImportedDevice['action']
}

class Import {
  readonly #ctx: CommandContext
  readonly #request: ImportRequest
  #content: AmlContent
  readonly #path: string
  readonly #warnings: string[] = []
  readonly #taken = new Set<string>()
  /** The device that has an element which is there, by its id; '': several have it. */
  readonly #holders = new Map<string, string>()
  readonly #entries = new Map<string, Promise<CatalogEntry | undefined>>()

  constructor(ctx: CommandContext, request: ImportRequest, content: AmlContent, path: string) {
    this.#ctx = ctx
    this.#request = request
    this.#content = content
    this.#path = path
  }

  async run() {
    const wasEmpty = this.#ctx.read(devices).size === 0
    this.#checkFile()
    const plans = this.#withOwnIds(await this.#plan())
    const { hardware } = this.#content
    const around = surroundingsOf(hardware)
    const lookup = (orderNumber: string) => {
      const known = this.#entries.get(orderNumber) ?? findCatalogEntry(orderNumber).then((match) => match?.entry)
      this.#entries.set(orderNumber, known)
      return known
    }
    const subnetCount = this.#subnets()
    const imported: ImportedDevice[] = []
    const unknown = new Map<string, AmlItem[]>()
    const owners = new Map<string, string>()
    const done: { device: Device; aml: AmlStation }[] = []
    for (const [i, plan] of plans.entries()) {
      this.#ctx.signal.throwIfAborted()
      if (plan.action === 'retained') {
        imported.push(outcome(plan, plan.existing as Device, 0))
        continue
      }
      const converted = await convertStation(plan.aml, around, lookup)
      for (const [number, items] of converted.unknown) unknown.set(number, [...(unknown.get(number) ?? []), ...items])
      if (converted.newest > 0)
        this.#warnings.push(
          `${counted(converted.newest, 'item')} of "${plan.name}" without a firmware in the file got the newest known one`,
        )
      const { device, parked } = this.#device(plan, converted)
      const ports = [...everyItem(plan.aml.racks)].flatMap(({ interface: one }) => one?.ports.map(({ id }) => id) ?? [])
      for (const id of ports) owners.set(id, device.id)
      const isGone = ({ deviceId, portId }: TopologyLink['a']) => deviceId === device.id && !ports.includes(portId)
      this.#dropLinks(this.#linksWith(isGone), 'the file has not the port')
      const station: Station = { ...converted.station, deviceId: device.id }
      this.#ctx.emit(stationSet, { station }, `device/${device.name}`)
      const tags = await this.#tags(device, plan.aml)
      imported.push({ ...outcome(plan, device, tags), ...defined({ parked }) })
      done.push({ device, aml: plan.aml })
      this.#ctx.progress(50 + (45 * (i + 1)) / plans.length, `Imported ${device.name}`)
    }
    const links = this.#links(owners)
    for (const [number, [first, ...more]] of unknown)
      this.#warnings.push(
        `line ${first?.line ?? 0}: the catalog has no ${number} ("${first?.name}"${more.length > 0 ? ` and ${more.length} more` : ''}): the item is kept as it is, without rules`,
      )
    await this.#keep(done, wasEmpty)
    const taken = imported.filter(({ action }) => action !== 'retained')
    const items = taken.reduce((sum, one) => sum + one.items, 0)
    this.#ctx.progress(100, `Imported ${taken.length} of ${imported.length} devices with ${items} items`)
    return {
      imported: taken.length,
      created: imported.filter(({ action }) => action === 'created').length,
      overwritten: imported.filter(({ action }) => action === 'overwritten').length,
      retained: imported.filter(({ action }) => action === 'retained').length,
      parked: imported.filter(({ parked }) => parked !== undefined).length,
      devices: imported,
      items,
      subnets: subnetCount,
      tags: imported.reduce((sum, one) => sum + one.tags, 0),
      links,
      ...defined({ engineeringVersion: this.#content.version }),
      warnings: this.#warnings,
    }
  }

  /** Errors end the import unless the request says otherwise; then they are warnings. */
  #checkFile(): void {
    const { problems, hardware } = this.#content
    const errors = problems.filter(({ severity }) => severity === 'error')
    const text = ({ line, element, message }: (typeof problems)[number]) => `line ${line}, "${element}": ${message}`
    if (errors.length > 0 && this.#request.continueOnError !== true) {
      const faults = errors
        .slice(0, mostErrors)
        .map(({ code, message, element, line }): Fault => ({ path: this.#path, code, message, element, line }))
      const first = errors[0] as (typeof errors)[number]
      throw problem('unacceptable_content', `${this.#path}, ${text(first)}.`, {
        errors: faults,
        suggestion: 'Correct the file, or send continueOnError: true to leave out what is wrong.',
      })
    }
    if (hardware.stations.length === 0)
      throw problem('unacceptable_content', `${this.#path} has no device: no InternalElement has the role Device.`, {
        errors: [
          { path: this.#path, code: 'xml-structure', message: 'there is no InternalElement with the role Device' },
        ],
      })
    this.#warnings.push(...problems.slice(0, mostErrors).map(text))
  }

  async #plan(): Promise<Plan[]> {
    const byGuid = new Map<string, Device>()
    const byName = new Map<string, Device>()
    for (const one of this.#ctx.read(devices).values()) {
      this.#taken.add(one.name.toLowerCase())
      if (one.unplaced) continue
      byName.set(one.name.toLowerCase(), one)
      const station = await stationOf(this.#ctx, one)
      byGuid.set(idKey(station.id), one)
      for (const id of idsOf(station)) {
        const key = idKey(id)
        this.#holders.set(key, (this.#holders.get(key) ?? one.id) === one.id ? one.id : '')
      }
    }
    const option = this.#request.importOption ?? 'MoveToParkingLot'
    const inFile = new Set<string>()
    const faults: Fault[] = []
    const plans = this.#content.hardware.stations.map((aml): Plan => {
      const wanted = (mainItem(aml)?.name ?? aml.name).trim()
      const wrong = deviceNameFault(wanted)
      if (wrong !== undefined)
        faults.push({
          path: this.#path,
          code: 'xml-value',
          message: `the name of the device ${wrong}`,
          element: aml.name,
          line: aml.line ?? 0,
          value: wanted,
        })
      const twin = inFile.has(wanted.toLowerCase())
      const name = twin ? freeOf(wanted, (one) => inFile.has(one) || this.#taken.has(one)) : wanted
      if (twin)
        this.#warnings.push(`line ${aml.line ?? 0}: the file has two devices "${wanted}": the second is "${name}"`)
      inFile.add(name.toLowerCase())
      const existing = byGuid.get(idKey(aml.id)) ?? byName.get(name.toLowerCase())
      const clash =
        option === 'RetainTiaDevice' ? 'retained' : option === 'OverwriteTiaDevice' ? 'overwritten' : 'created'
      return { aml, name, existing, action: existing ? clash : 'created' }
    })
    if (faults.length > 0)
      throw problem('unacceptable_content', `${this.#path}, line ${faults[0]?.line}: ${faults[0]?.message}.`, {
        errors: faults,
      })
    return plans
  }

  /** The plans, in which no element has the id of one of another device: a copied device gets new ones. */
  #withOwnIds(plans: readonly Plan[]): readonly Plan[] {
    const renewed = new Map<string, string>()
    for (const { aml, name, existing, action } of plans) {
      if (action === 'retained') continue
      const count = [...idsOf(aml)].filter((id) => {
        const holder = this.#holders.get(idKey(id))
        return holder !== undefined && holder !== existing?.id
      }).length
      if (count === 0) continue
      // All of it is a copy: tag tables, and what nobody interprets, too.
      for (const id of [...idsOf(aml), ...idsInText(this.#content.stations[idKey(aml.id)] ?? '')])
        renewed.set(idKey(id), newId(name, id))
      this.#warnings.push(
        `"${name}" has ${counted(count, 'element')} with IDs of other devices of the project: all its elements got new ones`,
      )
    }
    const subnetNames = new Map([...this.#ctx.read(subnets).values()].map(({ id, name }) => [idKey(id), name]))
    for (const { id, name } of this.#content.hardware.subnets) {
      const holder = subnetNames.get(idKey(id))
      if (holder === undefined || holder.toLowerCase() === name.toLowerCase()) continue
      renewed.set(idKey(id), newId(name, id))
      this.#warnings.push(`subnet "${name}" had the ID of subnet "${holder}" and got a new one`)
    }
    if (renewed.size === 0) return plans
    this.#content = withIds(this.#content, renewed)
    return plans.map((plan, i) => ({ ...plan, aml: this.#content.hardware.stations[i] as AmlStation }))
  }

  /** Makes the device of a plan, or changes the one that is there. */
  #device({ name, existing, action }: Plan, { type, interfaces }: Converted): { device: Device; parked?: string } {
    const network = interfaces.length > 0 ? { network: { interfaces } } : {}
    if (existing && action === 'overwritten') {
      const { network: _old, ...rest } = existing
      if (existing.kind === 'PLC' && type.kind !== 'PLC')
        this.#warnings.push(`"${existing.name}" is no PLC any more (${type.kind}): its program has no CPU`)
      const after: Device = { ...rest, ...type, name: existing.name, ...network }
      this.#ctx.emit(deviceChanged, { before: existing, after }, `device/${existing.name}`)
      return { device: after }
    }
    const parked = this.#makeRoom(name, existing)
    const id = this.#ctx.newId()
    const device: Device = { id, name, ...type, unplaced: false, createdAt: creationTime(this.#ctx), ...network }
    this.#taken.add(name.toLowerCase())
    this.#ctx.emit(deviceAdded, device, `device/${name}`)
    return { device, ...defined({ parked }) }
  }

  /** Parks the device that is there, under a name that leaves its own free. */
  #makeRoom(name: string, existing: Device | undefined): string | undefined {
    const key = name.toLowerCase()
    const isTaken = this.#taken.has(key)
    const holder = isTaken
      ? [...this.#ctx.read(devices).values()].find((one) => one.name.toLowerCase() === key)
      : undefined
    const renamed = new Set([holder, existing].filter((one) => one !== undefined))
    for (const one of renamed) {
      const newName =
        one.name.toLowerCase() === name.toLowerCase() ? freeOf(one.name, (text) => this.#taken.has(text)) : one.name
      this.#taken.add(newName.toLowerCase())
      if (newName !== one.name)
        this.#ctx.emit(deviceRenamed, { id: one.id, oldName: one.name, newName }, `device/${newName}`)
      const before: Device = { ...one, name: newName }
      if (!one.unplaced) this.#park(before)
      this.#warnings.push(
        one.unplaced
          ? `"${one.name}" in the parking lot is now "${newName}"`
          : `"${one.name}" of the project went to the parking lot${newName === one.name ? '' : ` as "${newName}"`}`,
      )
      if (one === existing) return newName
    }
    return undefined
  }

  /** What lies in the parking lot is in no network: its interfaces and ports are connected to nothing any more. */
  #park(device: Device): void {
    const interfaces = device.network?.interfaces.map(disconnected)
    const after: Device = { ...device, unplaced: true, ...(interfaces && { network: { interfaces } }) }
    this.#ctx.emit(deviceChanged, { before: device, after }, `device/${device.name}`)
    this.#dropLinks(this.#linksWith(({ deviceId }) => deviceId === device.id))
  }

  #linksWith(isWanted: (end: TopologyLink['a']) => boolean): TopologyLink[] {
    return [...this.#ctx.read(topologyLinks).values()].filter(({ a, b }) => isWanted(a) || isWanted(b))
  }

  /** Removes links. @param why for a warning; absent: there is one already */
  #dropLinks(links: Iterable<TopologyLink>, why?: string): void {
    const nameOf = ({ deviceId }: TopologyLink['a']) => this.#ctx.read(devices).get(deviceId)?.name
    for (const link of links) {
      this.#ctx.emit(linkRemoved, { link })
      if (why !== undefined)
        this.#warnings.push(`the link between "${nameOf(link.a)}" and "${nameOf(link.b)}" is gone: ${why}`)
    }
  }

  #subnets(): number {
    const known = this.#ctx.read(subnets)
    let count = 0
    for (const { line: _line, ...subnet } of this.#content.hardware.subnets) {
      const before = known.get(subnet.name.toLowerCase())
      if (before && before.type !== subnet.type)
        this.#warnings.push(`subnet "${subnet.name}" is ${before.type} in the project and ${subnet.type} in the file`)
      if (!before) this.#ctx.emit(subnetSet, { subnet }, `subnet/${subnet.name}`)
      count += 1
    }
    return count
  }

  async #tags(device: Device, { racks }: AmlStation): Promise<number> {
    const tables = [...everyItem(racks)].flatMap(({ tagTables }) => tagTables ?? [])
    if (tables.length === 0) return 0
    const culture = cultureOf(this.#ctx)
    const rows = tables.map(({ name, tags }) => ({
      name,
      tags: tags.map(({ name: tag, dataType, address, comment: texts }) => {
        const { '': plain, ...comment } = texts as Record<string, string>
        return {
          name: tag,
          dataType,
          logicalAddress: address,
          comment: plain === undefined ? comment : { [culture]: plain },
          externalAccessible: true,
          externalVisible: true,
          externalWritable: true,
        }
      }),
    }))
    if (device.kind !== 'PLC') {
      this.#warnings.push(`"${device.name}" is no PLC: its tag tables are kept in the file's text only`)
      return 0
    }
    const { tags, warnings } = await putTags(this.#ctx, device, rows)
    this.#warnings.push(...warnings)
    return tags
  }

  /** Topology links, where both devices are there. */
  #links(owners: ReadonlyMap<string, string>): number {
    let count = 0
    const atPort = new Map<string, Set<TopologyLink>>()
    const note = (link: TopologyLink) => {
      for (const { portId } of [link.a, link.b]) atPort.set(portId, (atPort.get(portId) ?? new Set()).add(link))
    }
    for (const link of this.#ctx.read(topologyLinks).values()) note(link)
    for (const { a, b } of this.#content.hardware.links) {
      const [first, second] = [owners.get(a), owners.get(b)]
      if (first === undefined || second === undefined) {
        this.#warnings.push('a link between ports is left out: not both of its devices were imported')
        continue
      }
      count += 1
      const there = new Set([...(atPort.get(a) ?? []), ...(atPort.get(b) ?? [])])
      const isEnd = ({ portId }: TopologyLink['a']) => portId === a || portId === b
      if ([...there].some((link) => isEnd(link.a) && isEnd(link.b))) continue
      this.#dropLinks(there, 'the file connects the port with another one')
      for (const old of there) for (const { portId } of [old.a, old.b]) atPort.get(portId)?.delete(old)
      const ends = { a: { deviceId: first, portId: a }, b: { deviceId: second, portId: b } }
      const link = { id: guidOf('link', a, b), ...ends }
      this.#ctx.emit(linkSet, { link })
      note(link)
    }
    return count
  }

  /** Keeps the texts; of a file imported into an empty project also its identity. */
  async #keep(done: readonly { device: Device; aml: AmlStation }[], wasEmpty: boolean): Promise<void> {
    const { stations: texts, frame, writtenAt = this.#ctx.now } = this.#content
    for (const { device, aml } of done) {
      const text = texts[aml.id.toLowerCase().replace(/^\{|\}$/g, '')]
      if (text === undefined) continue
      const document = await this.#ctx.blobs.put(text)
      this.#ctx.emit(stationKept, { deviceId: device.id, changedAt: writtenAt, document }, `device/${device.name}`)
    }
    const before = this.#ctx.read(keptFrame).get(frameKey)
    const open = requireProject(this.#ctx)
    const first = before ? await this.#ctx.blobs.text(before.document) : { id: projectGuid(open.id), name: open.name }
    const whole = wasEmpty ? frame : await this.#ctx.engine.run<string>(joinTask({ first, second: frame }))
    this.#ctx.emit(frameKept, { document: await this.#ctx.blobs.put(whole) })
  }
}

function outcome({ aml, action }: Plan, device: Device, tags: number): ImportedDevice {
  return {
    name: device.name,
    station: aml.name,
    kind: device.kind,
    orderNumber: device.orderNumber,
    action,
    items: [...everyItem(aml.racks)].length,
    tags,
  }
}

/** `PLC_1_1` of `PLC_1`. */
function freeOf(name: string, isTaken: (lowerCaseName: string) => boolean): string {
  for (let n = 1; ; n++) {
    const free = `${name.slice(0, 120)}_${n}`
    if (!isTaken(free.toLowerCase())) return free
  }
}
