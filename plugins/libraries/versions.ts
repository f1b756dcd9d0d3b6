/**
 * Versions of library types: made of objects with the types that they use, released, made the default, deleted, copied.
 */
import { type CommandContext, problem, type SliceReader } from '../../core/index.ts'
import { type Device, devices, requireDevice } from '../devices/index.ts'
import { requireLibraryName, segmentsOrNone } from './copies.ts'
import { kindNamed, kindsOf, type LibraryKind, type LibraryObject, requireObject } from './kinds.ts'
import {
  ensureFolder,
  entityOf,
  findLibraryType,
  type Instance,
  instanceSet,
  instances,
  type Library,
  type LibraryType,
  requireLibrary,
  requireLibraryType,
  requireVersion,
  requireWritable,
  type TypeReference,
  type TypeVersion,
  typeOfId,
  typeStored,
  type VersionStatus,
} from './library.ts'

export interface NewVersion {
  readonly typeName?: string | undefined
  readonly deviceName?: string | undefined
  readonly objectName?: string | undefined
  readonly kind?: string | undefined
  readonly fromLibrary?: string | undefined
  readonly version?: string | undefined
  readonly status?: VersionStatus | undefined
  readonly setDefault?: boolean | undefined
  readonly author?: string | undefined
  readonly comment?: string | undefined
  readonly folder?: string | undefined
}

/** What a request made of a type. */
export interface VersionStored {
  readonly type: LibraryType
  readonly version: TypeVersion
  readonly action: 'created' | 'replaced' | 'changed' | 'unchanged' | 'copied'
  /** Versions of other types that were made with it. */
  readonly alsoStored: readonly TypeReference[]
  readonly warnings: readonly string[]
}

const versionPattern = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/

/** Orders versions by their numbers. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)]
  for (let i = 0; i < 3; i++) if (left[i] !== right[i]) return left[i]! - right[i]!
  return 0
}

/**
 * Makes a version: of an object of a device; of a type of another library; or, with neither, changes status and comment
 * of one.
 * @throws GatewayError `not_found`, `invalid_input`, `name_taken` (a released version), `conflict`,
 * `unacceptable_content`
 */
export async function storeVersion(ctx: CommandContext, library: Library, input: NewVersion): Promise<VersionStored> {
  requireWritable(library)
  const version = input.version?.replace(/^v/i, '')
  if (version !== undefined && !versionPattern.test(version))
    throw problem('invalid_input', `/version: "${input.version}" is not a version; write 1.0.0.`, {
      errors: [{ path: '/version', message: 'must be three numbers, e.g. 1.0.0', value: input.version }],
    })
  const request = version === undefined ? input : { ...input, version }
  if (input.deviceName !== undefined)
    return new Making(ctx, library, requireDevice(ctx, input.deviceName), request).run()
  if (input.typeName === undefined)
    throw problem('invalid_input', '/typeName: name a type, or a device and an object of it.', {
      errors: [{ path: '/typeName', message: 'typeName, or deviceName and objectName, is needed' }],
    })
  if (input.fromLibrary !== undefined) {
    const from = requireLibrary(ctx, input.fromLibrary)
    const type = requireLibraryType(ctx, from, input.typeName)
    const wanted = requireVersion(type, version)
    const copied = copyVersions(ctx, library, from, { type: type.name, version: wanted.version })
    const stored = requireLibraryType(ctx, library, type.name)
    const main = { type: type.name, version: wanted.version }
    return {
      type: stored,
      version: requireVersion(stored, wanted.version),
      action: copied.some((one) => isSameReference(one, main)) ? 'copied' : 'unchanged',
      alsoStored: copied.filter((one) => !isSameReference(one, main)),
      warnings: [],
    }
  }
  return changeVersion(ctx, library, requireLibraryType(ctx, library, input.typeName), request)
}

function isSameReference(a: TypeReference, b: TypeReference): boolean {
  return a.type.toLowerCase() === b.type.toLowerCase() && a.version === b.version
}

/** Status, comment, author of a version that is there. */
function changeVersion(ctx: CommandContext, library: Library, type: LibraryType, input: NewVersion): VersionStored {
  const before = requireVersion(type, input.version ?? type.versions.at(-1)?.version)
  if (before.status === 'released' && input.status === 'inWork')
    throw problem(
      'conflict',
      `Version ${before.version} of "${type.name}" is released and stays so; make a new version.`,
    )
  const after: TypeVersion = {
    ...before,
    status: input.status ?? before.status,
    comment: input.comment ?? before.comment,
    author: input.author ?? before.author,
  }
  if (after.status === 'released') requireReleased(ctx, library, type.name, after)
  const isSame = JSON.stringify(before) === JSON.stringify(after)
  const isReleasedNow = before.status === 'inWork' && after.status === 'released'
  const isDefault = input.setDefault ?? (isReleasedNow && isAhead(after.version, type))
  const defaultVersion = isDefault ? after.version : type.defaultVersion
  if (isSame && defaultVersion === type.defaultVersion)
    return { type, version: before, action: 'unchanged', alsoStored: [], warnings: [] }
  const versions = type.versions.map((one) => (one === before ? after : one))
  const stored = putType(ctx, library, { ...type, versions, defaultVersion })
  return { type: stored, version: after, action: 'changed', alsoStored: [], warnings: [] }
}

/** A released version is made of released ones. */
function requireReleased(
  ctx: { read: SliceReader },
  library: Library,
  name: string,
  { dependencies, version }: TypeVersion,
): void {
  const open = dependencies.filter((one) => {
    const type = findLibraryType(ctx, library.id, one.type)
    return type?.versions.find((other) => other.version === one.version)?.status === 'inWork'
  })
  if (open.length === 0) return
  const names = open.map((one) => `${one.type} ${one.version}`).join(', ')
  throw problem('conflict', `"${name}" ${version} cannot be released: it uses versions in work (${names}).`, {
    suggestion: 'Release those first.',
    errors: open.map((one) => ({ path: one.type, message: 'is in work', value: one.version })),
  })
}

export function putType(ctx: CommandContext, library: Library, type: LibraryType): LibraryType {
  ctx.emit(typeStored, { libraryId: library.id, type }, entityOf(library, type.name))
  return type
}

/** Objects of stations are named by kind: a screen can use a template of its own name. */
const keyOf = ({ kind }: LibraryKind, name: string) => `${kind} ${name.toLowerCase()}`

/** Makes versions of an object and of what it uses. */
class Making {
  readonly #ctx: CommandContext
  readonly #library: Library
  readonly #device: Device
  readonly #input: NewVersion
  readonly #warnings: string[] = []
  readonly #stored: TypeReference[] = []
  /** By kind and name of the object in lower case; undefined while it is being made. */
  readonly #done = new Map<string, { readonly reference: TypeReference; readonly objectName: string } | undefined>()
  /** Types of the library by id, for instances. */
  readonly #kinds: readonly LibraryKind[]

  constructor(ctx: CommandContext, library: Library, device: Device, input: NewVersion) {
    this.#ctx = ctx
    this.#library = library
    this.#device = device
    this.#input = input
    this.#kinds = kindsOf(ctx, device).filter(({ isSymbol }) => isSymbol)
  }

  async run(): Promise<VersionStored> {
    const { objectName, kind: wanted, typeName } = this.#input
    const name = objectName ?? typeName
    if (name === undefined)
      throw problem('invalid_input', '/objectName: name the object that the version is made of.', {
        errors: [{ path: '/objectName', message: 'is needed beside deviceName' }],
      })
    const { kind, entry } = requireObject(this.#ctx, this.#device, name, wanted)
    const made = await this.#make(kind, entry.name, this.#input)
    const alsoStored = this.#stored.filter((one) => !isSameReference(one, made.reference))
    const { type, version, action } = made
    return { type, version, action, alsoStored, warnings: this.#warnings }
  }

  async #make(kind: LibraryKind, name: string, input: NewVersion) {
    const ctx = this.#ctx
    this.#done.set(keyOf(kind, name), undefined)
    const { isDependency: _, ...whole } = await kind.capture(ctx, this.#device, name)
    const captured: LibraryObject = { ...whole, folder: '' }
    const fault = kind.typeFault(captured)
    if (fault !== undefined) throw problem('unacceptable_content', fault)
    const entry = kind.find(ctx, this.#device, name)!
    const known = this.#typeOf(entry.id)
    const typeName = input.typeName ?? known?.name ?? captured.name
    requireLibraryName(typeName, '/typeName', 'library type')
    const present = findLibraryType(ctx, this.#library.id, typeName)
    if (present && present.kind !== kind.kind)
      throw problem(
        'conflict',
        `Library type "${present.name}" is a ${kindNamed(ctx, present.kind).noun}, not a ${kind.noun}.`,
        {
          suggestion: 'Send another typeName.',
        },
      )
    const { dependencies, renamed } = await this.#dependencies(captured)
    // A type has one name for its content, whatever its instances are called.
    const ownName = present?.versions.at(-1)?.object.name ?? captured.name
    const uses = renamed.filter(([from, to]) => from !== to)
    const object: LibraryObject = {
      ...(ownName === captured.name && uses.length === 0
        ? captured
        : await kind.changed(ctx, this.#device, captured, {
            ...(ownName === captured.name ? {} : { name: ownName }),
            uses,
          })),
      folder: '',
    }
    const stored = this.#put(kind, typeName, present, { ...object, uses: object.uses }, dependencies, input)
    const reference = { type: stored.type.name, version: stored.version.version }
    this.#done.set(keyOf(kind, name), { reference, objectName: object.name })
    if (stored.action !== 'unchanged') this.#stored.push(reference)
    if (this.#library.scope === 'project') {
      const document = await kind.documentOf(ctx, this.#device, name)
      becomesInstance(ctx, this.#device, kind.kind, { id: entry.id, document }, stored.type, reference.version)
    }
    return { ...stored, reference }
  }

  /** The type in this library that an object of the device is an instance of. */
  #typeOf(id: string): LibraryType | undefined {
    const instance = this.#ctx.read(instances).get(id)
    const type = instance && typeOfId(this.#ctx, instance.typeId)
    return type && findLibraryType(this.#ctx, this.#library.id, type.name)
  }

  /**
   * What an object uses, as versions of types: instances that are as their version are that version; others become new
   * ones.
   */
  async #dependencies(object: LibraryObject) {
    const ctx = this.#ctx
    const dependencies: TypeReference[] = []
    const renamed: (readonly [string, string])[] = []
    for (const name of object.uses) {
      const kind = this.#kinds.find((one) => one.find(ctx, this.#device, name) !== undefined)
      if (!kind) continue
      const entry = kind.find(ctx, this.#device, name)!
      const { objectKind } = await kind.capture(ctx, this.#device, name)
      if (kind.typeFault({ objectKind, name }) !== undefined) {
        this.#warnings.push(
          `"${object.name}" uses ${kind.noun} "${name}", which can be no library type: it does not come along.`,
        )
        continue
      }
      const key = keyOf(kind, name)
      if (this.#done.has(key) && this.#done.get(key) === undefined)
        throw problem('conflict', `"${object.name}" and "${entry.name}" use each other; library types cannot.`)
      const made = this.#done.get(key) ?? (await this.#dependency(kind, entry.name))
      dependencies.push(made.reference)
      renamed.push([name, made.objectName])
    }
    return { dependencies, renamed }
  }

  async #dependency(kind: LibraryKind, name: string) {
    const ctx = this.#ctx
    const entry = kind.find(ctx, this.#device, name)!
    const instance = ctx.read(instances).get(entry.id)
    const type = this.#typeOf(entry.id)
    const version = type?.versions.find((one) => one.version === instance?.version)
    const isAsVersion = instance?.document === (await kind.documentOf(ctx, this.#device, name))
    // A version in work cannot be used by a released one.
    const isFit = version !== undefined && (this.#input.status === 'inWork' || version.status === 'released')
    if (type && version && isAsVersion && isFit) {
      const found = { reference: { type: type.name, version: version.version }, objectName: version.object.name }
      this.#done.set(keyOf(kind, name), found)
      return found
    }
    const { status, author, folder } = this.#input
    const { reference, version: made } = await this.#make(kind, name, { status, author, folder })
    return { reference, objectName: made.object.name }
  }

  #put(
    kind: LibraryKind,
    typeName: string,
    present: LibraryType | undefined,
    object: LibraryObject,
    dependencies: readonly TypeReference[],
    input: NewVersion,
  ): { type: LibraryType; version: TypeVersion; action: VersionStored['action'] } {
    const ctx = this.#ctx
    const newest = present && [...present.versions].sort((a, b) => compareVersions(a.version, b.version)).at(-1)
    const status = input.status ?? 'released'
    const isAsNewest =
      newest !== undefined &&
      newest.object.document === object.document &&
      JSON.stringify(newest.dependencies) === JSON.stringify(dependencies)
    if (present && newest && isAsNewest && (input.version === undefined || input.version === newest.version)) {
      if (newest.status === status || newest.status === 'released')
        return { type: present, version: newest, action: 'unchanged' }
      const { type, version, action } = changeVersion(ctx, this.#library, present, {
        ...input,
        version: newest.version,
        status,
      })
      return { type, version, action }
    }
    const version = input.version ?? nextVersion(newest)
    const same = present?.versions.find((one) => one.version === version)
    if (same?.status === 'released')
      throw problem('name_taken', `Version ${version} of library type "${typeName}" is released and stays as it is.`, {
        suggestion: `Leave version out: the next one is ${nextVersion(newest)}.`,
      })
    const made: TypeVersion = {
      version,
      status,
      author: input.author ?? ctx.actor.name,
      comment: input.comment ?? '',
      createdAt: ctx.now,
      object,
      dependencies,
    }
    if (status === 'released') requireReleased(ctx, this.#library, typeName, made)
    const others = (present?.versions ?? []).filter((one) => one !== same)
    const versions = [...others, made].sort((a, b) => compareVersions(a.version, b.version))
    const isDefault = input.setDefault ?? (others.length === 0 || (status === 'released' && isAhead(version, present)))
    const type: LibraryType = present
      ? { ...present, versions, defaultVersion: isDefault ? version : present.defaultVersion }
      : {
          id: ctx.newId(),
          libraryId: this.#library.id,
          name: typeName,
          folder: ensureFolder(ctx, this.#library, 'types', segmentsOrNone(input.folder, '/folder')),
          kind: kind.kind,
          author: made.author,
          comment: made.comment,
          createdAt: ctx.now,
          defaultVersion: version,
          versions,
        }
    return { type: putType(ctx, this.#library, type), version: made, action: same ? 'replaced' : 'created' }
  }
}

/** Whether a released version becomes the default one: it is newer than that, or that is in work. */
function isAhead(version: string, type: LibraryType | undefined): boolean {
  const now = type?.versions.find((one) => one.version === type.defaultVersion)
  return now === undefined || now.status === 'inWork' || compareVersions(version, now.version) > 0
}

/** A version in work is replaced; a released one has a next one. */
function nextVersion(newest: TypeVersion | undefined): string {
  if (!newest) return '1.0.0'
  if (newest.status === 'inWork') return newest.version
  const [major = '1', minor = '0', last = '0'] = newest.version.split('.')
  return `${major}.${minor}.${Number(last) + 1}`
}

/** Notes that an object is an instance of a version. */
export function becomesInstance(
  ctx: CommandContext,
  device: Pick<Device, 'id'>,
  kind: string,
  { id, document }: Pick<Instance, 'id' | 'document'>,
  type: Pick<LibraryType, 'id'>,
  version: string,
): void {
  const before = ctx.read(instances).get(id)
  const instance: Instance = { id, deviceId: device.id, kind, typeId: type.id, version, document }
  if (before && before.typeId === type.id && before.version === version && before.document === document) return
  ctx.emit(instanceSet, { instance }, `device/${ctx.read(devices).get(device.id)?.name ?? device.id}`)
}

/** A version with all that it depends on, what is used first. */
export function closureOf(ctx: { read: SliceReader }, library: Pick<Library, 'id'>, reference: TypeReference) {
  const found: { readonly type: LibraryType; readonly version: TypeVersion }[] = []
  const seen = new Set<string>()
  const pending: { readonly reference: TypeReference; readonly isDone: boolean }[] = [{ reference, isDone: false }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const key = `${next.reference.type.toLowerCase()} ${next.reference.version}`
    const type = findLibraryType(ctx, library.id, next.reference.type)
    const version = type?.versions.find((one) => one.version === next?.reference.version)
    if (!type || !version) continue
    if (next.isDone) found.push({ type, version })
    else if (!seen.has(key)) {
      seen.add(key)
      pending.push({ reference: next.reference, isDone: true })
      for (const one of version.dependencies) pending.push({ reference: one, isDone: false })
    }
  }
  return found
}

/**
 * Copies a version with all that it depends on into another library.
 * @returns what was not there yet
 * @throws GatewayError `conflict`: another type has the name, or the version has another content there
 */
export function copyVersions(
  ctx: CommandContext,
  target: Library,
  from: Library,
  reference: TypeReference,
): TypeReference[] {
  const closure = closureOf(ctx, from, reference)
  const faults = closure.flatMap(({ type, version }) => {
    const present = findLibraryType(ctx, target.id, type.name)
    const same = present?.versions.find((one) => one.version === version.version)
    const path = `library type "${type.name}"`
    if (present && (present.kind !== type.kind || present.id !== type.id))
      return [
        {
          path,
          code: 'exists',
          message: `library "${target.name}" has a different type of this name`,
          value: type.name,
        },
      ]
    if (same && same.object.document !== version.object.document)
      return [
        {
          path,
          code: 'exists',
          message: `has another content as version ${version.version} in library "${target.name}"`,
          value: version.version,
        },
      ]
    return []
  })
  if (faults[0])
    throw problem('conflict', `${faults[0].path}: ${faults[0].message}. Nothing was copied.`, {
      errors: faults,
      suggestion: 'Delete or rename what is there, or make a new version of the type.',
    })
  const copied: TypeReference[] = []
  for (const { type, version } of closure) {
    const present = findLibraryType(ctx, target.id, type.name)
    if (present?.versions.some((one) => one.version === version.version)) continue
    const folder = ensureFolder(ctx, target, 'types', segmentsOrNone(type.folder, '/folder'))
    const base: LibraryType = present ?? {
      ...type,
      libraryId: target.id,
      folder,
      versions: [],
      defaultVersion: version.version,
    }
    const versions = [...base.versions, version].sort((a, b) => compareVersions(a.version, b.version))
    const isNewer = compareVersions(version.version, base.defaultVersion) > 0
    const defaultVersion = isNewer && version.status === 'released' ? version.version : base.defaultVersion
    putType(ctx, target, { ...base, versions, defaultVersion })
    copied.push({ type: type.name, version: version.version })
  }
  return copied
}

/** Makes a version the default one. */
export function setDefault(ctx: CommandContext, library: Library, type: LibraryType, named: string): LibraryType {
  requireWritable(library)
  const { version } = requireVersion(type, named)
  return version === type.defaultVersion ? type : putType(ctx, library, { ...type, defaultVersion: version })
}
