/**
 * A collection of objects of PLCs: blocks, PLC data types, tag tables, watch tables. Names are unique on a device
 * without regard to case, objects are in folders, and both are deleted with the device or the project.
 */
import {
  type Collection,
  type CommandContext,
  collection,
  defined,
  notFound,
  ownedBy,
  problem,
  type SliceReader,
} from '../../core/index.ts'
import { type Device, device, requirePlc } from '../devices/index.ts'
import type { SavedIdentity } from './files/targets.ts'
import { FolderTree } from './folders.ts'
import { type Page, type PageRequest, pageOfSorted } from './paging.ts'

/** Fields of every object of a collection. Times in ms since the epoch. */
export interface KeptObject {
  readonly id: string
  readonly deviceId: string
  readonly name: string
  /** `A/B`; empty: directly below the collection's root. */
  readonly folder: string
  /** Namespace of its software unit; absent outside of units. */
  readonly unit?: string
  readonly createdAt: number
  readonly modifiedAt: number
}

/** The names of a collection, in the state and for people. */
export interface CollectionNames {
  /** Prefix of its folder events, e.g. `types`. */
  readonly plugin: string
  /** Name in the state, e.g. `types.types`. */
  readonly collection: string
  /** Prefix of entities, e.g. `type`; those of folders get `-folder`. */
  readonly entity: string
  /** One object in messages, e.g. `PLC data type`. */
  readonly noun: string
}

type Reader = { readonly read: SliceReader }

/**
 * Makes a collection: its place in the state, and how objects are found. Spread the `reductions` of its folders into
 * the plugin's slice.
 * @param otherwise finds an object by another text when no name matches: `FB12`
 * @param folders the tree of another collection, when its folders are those of this one too
 */
export function objectCollection<T extends KeptObject>(
  names: CollectionNames,
  otherwise: (ctx: Reader, deviceId: string, text: string) => T | undefined = () => undefined,
  folders = new FolderTree(names.plugin, `${names.entity}-folder`, names.noun),
) {
  /** Index `byDevice`: the device's id. */
  const objects: Collection<T> = collection<T>(names.collection, { byDevice: (object) => object.deviceId }, [
    ownedBy(device, 'byDevice'),
  ])

  /** Key of an object: names are compared without case. */
  const key = (deviceId: string, name: string) => `${deviceId}/${name.toLowerCase()}`

  /** The object of this name (case ignored), if there is one. */
  const find = (ctx: Reader, deviceId: string, name: string): T | undefined =>
    ctx.read(objects).get(key(deviceId, name))

  /** All objects of a device, in the order of their creation. */
  const of = (ctx: Reader, deviceId: string): T[] => ctx.read(objects).find('byDevice', deviceId)

  /** One page of the objects of a device, in the time of the page. */
  const page = (ctx: Reader, deviceId: string, request: PageRequest): Page<T> => {
    const reader = ctx.read(objects)
    const sorted = reader.sortedKeys('byDevice', deviceId)
    return pageOfSorted(
      sorted,
      (key) => key.slice(deviceId.length + 1),
      (key) => reader.get(key)!,
      request,
    )
  }

  /**
   * The object of this name (case ignored) of a device.
   * @throws GatewayError `not_found` with the nearest name
   */
  const requireOf = (ctx: Reader, device: Pick<Device, 'id'>, name: string): T => {
    const object = find(ctx, device.id, name) ?? otherwise(ctx, device.id, name)
    if (object) return object
    const present = of(ctx, device.id).map((other) => other.name)
    throw notFound(names.noun, name, present)
  }

  /**
   * The object of this name (case ignored) of the PLC of this name.
   * @throws GatewayError `no_project`, `not_found` with the nearest name, `conflict` when the device is not a PLC
   */
  const require = (ctx: Reader, deviceName: string, name: string): T =>
    requireOf(ctx, requirePlc(ctx, deviceName), name)

  /** The entity of events about an object. */
  const entityOf = (device: Pick<Device, 'name'>, name: string) => `${names.entity}/${device.name}/${name}`

  /**
   * The common fields of an object that is stored: kept from the present one of its name, from the project's files, or
   * new.
   * @param folder made when absent; `''`: the root; undefined: where the present object is, the root for a new one
   */
  const identityOf = (
    ctx: CommandContext,
    device: Device,
    name: string,
    options: { readonly folder?: string; readonly unit?: string; readonly saved?: SavedIdentity },
    before: T | undefined,
  ): KeptObject => {
    const { folder, saved } = options
    const unit = options.unit ?? saved?.unit ?? before?.unit
    return {
      id: before?.id ?? saved?.id ?? ctx.newId(),
      deviceId: device.id,
      name,
      folder: folder === undefined ? (before?.folder ?? '') : folder === '' ? '' : folders.ensure(ctx, device, folder),
      ...defined({ unit }),
      createdAt: before?.createdAt ?? saved?.createdAt ?? ctx.now,
      modifiedAt: saved?.modifiedAt ?? ctx.now,
    }
  }

  /**
   * An object in an earlier form, to be restored: replaces the present one of its name, or is created on this device.
   */
  const restored = (ctx: CommandContext, device: Device, saved: T, before: T | undefined): T => ({
    ...saved,
    id: before?.id ?? saved.id,
    deviceId: device.id,
    folder: saved.folder === '' ? '' : folders.ensure(ctx, device, saved.folder),
    createdAt: before?.createdAt ?? saved.createdAt,
    modifiedAt: ctx.now,
  })

  /**
   * The error for a name that is in use.
   * @param description of its holder, behind the name, e.g. `(FB 12)`
   */
  const taken = (
    { name }: Pick<T, 'name'>,
    device: Pick<Device, 'name'>,
    { description = '', canOverwrite = false }: { readonly description?: string; readonly canOverwrite?: boolean } = {},
  ) => {
    const noun = `${names.noun[0]!.toUpperCase()}${names.noun.slice(1)}`
    const holder = description === '' ? `"${name}"` : `"${name}" ${description}`
    return problem(
      'name_taken',
      `${noun} ${holder} already exists on "${device.name}".`,
      canOverwrite ? { suggestion: 'Send overwrite: true to replace it.' } : {},
    )
  }

  return {
    names,
    objects,
    folders,
    key,
    find,
    of,
    page,
    require,
    requireOf,
    entityOf,
    identityOf,
    restored,
    taken,
  }
}

/** See {@link objectCollection}. */
export type ObjectCollection<T extends KeptObject> = ReturnType<typeof objectCollection<T>>
