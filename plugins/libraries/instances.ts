/** Instances of library types: made, looked through, brought to another version. */
import { type CommandContext, defined, problem, type QueryContext } from '../../core/index.ts'
import type { Aspect } from '../../plc/edit/compare.ts'
import { type Device, requireDevice } from '../devices/index.ts'
import type { Choices } from './install.ts'
import { type Installed, install, type Wanted } from './install.ts'
import { type InstanceObject, objectsOfInstances } from './instance-objects.ts'
import {
  instances,
  type Library,
  type LibraryType,
  projectLibrary,
  requireLibraryType,
  requireVersion,
  type TypeReference,
  type TypeVersion,
  typeOfId,
} from './library.ts'
import { becomesInstance, closureOf, compareVersions, copyVersions } from './versions.ts'

export interface TypeInstantiation extends Choices {
  readonly deviceName: string
  readonly version?: string | undefined
  readonly folder?: string | undefined
  readonly newName?: string | undefined
}

/**
 * Puts an instance of a type into a device, with instances of the types it depends on. A type of a global library is
 * copied into the library of the project first.
 * @throws GatewayError `conflict` naming everything that is in the way, `not_found`, `invalid_input`
 */
export async function instantiateType(
  ctx: CommandContext,
  library: Library,
  type: LibraryType,
  request: TypeInstantiation,
) {
  const device = requireDevice(ctx, request.deviceName)
  const { version } = requireVersion(type, request.version)
  const reference: TypeReference = { type: type.name, version }
  const own = projectLibrary(ctx)
  const copied = library.scope === 'global' ? copyVersions(ctx, own, library, reference) : []
  const { folder = '', newName } = request
  const names = namesOfInstances(ctx, device)
  const closure = closureOf(ctx, own, reference)
  const wanted = closure.map((one, i): Wanted => {
    const isMain = i === closure.length - 1
    const name = isMain ? newName : names.get(one.type.id)
    return {
      object: isMain ? one.version.object : { ...one.version.object, isDependency: true },
      folder,
      ...defined({ newName: name }),
    }
  })
  const { objects, warnings } = await install(ctx, device, wanted, request)
  for (const [i, { stored, shown }] of objects.entries()) {
    const { type: of, version: made } = closure[i]!
    if (stored) becomesInstance(ctx, device, shown.kind, stored, of, made.version)
  }
  return { device, version, objects: objects.map(({ shown }) => shown), copied, warnings }
}

/** The name on the device of what is an instance of a type, by the type's id. Where there are several, the first. */
function namesOfInstances(ctx: CommandContext, device: Device): Map<string, string> {
  const names = new Map<string, string>()
  for (const { instance, entry } of objectsOfInstances(ctx, ctx.read(instances).find('byDevice', device.id)))
    if (!names.has(instance.typeId)) names.set(instance.typeId, entry.name)
  return names
}

/** Which instances are meant. */
export interface InstanceChoice {
  readonly deviceName?: string | undefined
  readonly typeName?: string | undefined
}

/** The state of an instance compared with its type. */
export interface InstanceState extends InstanceObject {
  readonly type: LibraryType
  readonly version: TypeVersion
  /** Its document is another than when it became an instance. */
  readonly isChanged: boolean
}

/** The instances that are meant, with their types. */
export async function instanceStates(ctx: QueryContext, { deviceName, typeName }: InstanceChoice) {
  const library = projectLibrary(ctx)
  const device = deviceName === undefined ? undefined : requireDevice(ctx, deviceName)
  const type = typeName === undefined ? undefined : requireLibraryType(ctx, library, typeName)
  const reader = ctx.read(instances)
  const all = type
    ? reader.find('byType', type.id).filter(({ deviceId }) => !device || deviceId === device.id)
    : device
      ? reader.find('byDevice', device.id)
      : [...reader.values()]
  const states: InstanceState[] = []
  for (const object of objectsOfInstances(ctx, all)) {
    const of = typeOfId(ctx, object.instance.typeId)
    const version = of?.versions.find((one) => one.version === object.instance.version)
    if (!of || !version) continue
    const document = await object.kind.documentOf(ctx, object.device, object.entry.name)
    states.push({ ...object, type: of, version, isChanged: document !== object.instance.document })
  }
  return states
}

/** What of an instance is other than when it became one. */
export async function changesOf(ctx: QueryContext, { kind, device, entry, instance, version }: InstanceState) {
  const now = await kind.current(ctx, device, entry.name)
  const then = { ...now.object, format: version.object.format, document: instance.document }
  return kind.compare(ctx, { object: then }, now)
}

export interface UpdateRequest extends Choices, InstanceChoice {
  readonly version?: string | undefined
}

/** An instance that an update brought to another version. */
export interface Updated {
  readonly deviceName: string
  readonly kind: string
  readonly name: string
  readonly typeName: string
  readonly from: string
  readonly to: string
  readonly action: 'updated' | 'kept'
  /** What changes in it. */
  readonly aspects: readonly Aspect[]
  readonly differences: number
}

/**
 * Brings instances to a version (default: the default version of each type), with the types it depends on.
 * @throws GatewayError `conflict`: instances that were changed, when there is no choice about them; `invalid_input`
 */
export async function updateInstances(ctx: CommandContext, request: UpdateRequest) {
  if (request.version !== undefined && request.typeName === undefined)
    throw problem('invalid_input', '/typeName: a version is one of a type; name the type.', {
      errors: [{ path: '/typeName', message: 'is needed beside version' }],
    })
  if (request.onConflict === 'rename')
    throw problem('invalid_input', '/onConflict: an instance keeps its name; "overwrite" or "keep" is needed.', {
      errors: [
        { path: '/onConflict', message: 'must be overwrite or keep', value: 'rename', allowed: ['overwrite', 'keep'] },
      ],
    })
  const states = await instanceStates(ctx, request)
  const byDevice = new Map<Device, { readonly list: WantedState[]; isDue: boolean }>()
  for (const state of states) {
    const version = requireVersion(state.type, request.version)
    const isDue = state.version.version !== version.version || state.isChanged
    const known = byDevice.get(state.device)
    known?.list.push({ state, version, isDue })
    if (known) known.isDue ||= isDue
    else byDevice.set(state.device, { list: [{ state, version, isDue }], isDue })
  }
  const updated: Updated[] = []
  const others: (Installed & { readonly deviceName: string })[] = []
  const warnings: string[] = []
  for (const [device, { list, isDue }] of byDevice) {
    if (!isDue) continue
    const done = await updateDevice(ctx, device, list, request)
    updated.push(...done.updated)
    others.push(...done.others.map((one) => ({ ...one, deviceName: device.name })))
    warnings.push(...done.warnings)
  }
  const keyOf = (device: string, kind: string, name: string) => `${device} ${kind} ${name}`
  const touched = new Set(updated.map(({ deviceName, kind, name }) => keyOf(deviceName, kind, name)))
  const unchanged = states.filter(({ device, kind, entry }) => !touched.has(keyOf(device.name, kind.kind, entry.name)))
  return { updated, others, unchanged: unchanged.length, warnings }
}

/** An instance with the version that it is to have. */
interface WantedState {
  readonly state: InstanceState
  readonly version: TypeVersion
  /** It has another version, or was changed. */
  readonly isDue: boolean
}

interface Target {
  readonly type: LibraryType
  readonly version: TypeVersion
  readonly name: string
  /** Absent: the device has no instance of the type yet. */
  readonly state?: InstanceState
  /** It is as wanted already: nothing is done, unless something else wants a newer version. */
  readonly stays: boolean
}

async function updateDevice(
  ctx: CommandContext,
  device: Device,
  states: readonly WantedState[],
  request: UpdateRequest,
) {
  const library = projectLibrary(ctx)
  const present = await instanceStates(ctx, { deviceName: device.name })
  const firstOf = new Map<string, InstanceState>()
  for (const state of present) if (!firstOf.has(state.type.id)) firstOf.set(state.type.id, state)
  const warnings: string[] = []
  const targets = new Map<string, Target>()
  const add = (target: Target) => {
    const key = `${target.type.id} ${target.name.toLowerCase()}`
    const before = targets.get(key)
    if (!before || (before.stays && before.version.version === target.version.version)) targets.set(key, target)
    else if (before.version.version !== target.version.version) {
      const isNewer = compareVersions(target.version.version, before.version.version) > 0
      const kept = isNewer ? target : before
      targets.set(key, kept)
      warnings.push(
        `"${target.name}" is wanted as ${before.version.version} and ${target.version.version}; it gets ${kept.version.version}.`,
      )
    }
  }
  for (const { state, version, isDue } of states) {
    const closure = closureOf(ctx, library, { type: state.type.name, version: version.version })
    for (const one of closure) {
      const isMain = one.type.id === state.type.id
      const own = isMain ? state : firstOf.get(one.type.id)
      // What is as wanted already stays, whether or not somebody changed it: only its own update touches it.
      const stays = isMain ? !isDue : own?.version.version === one.version.version
      if (!isDue && !stays) continue
      add({ ...one, name: own?.entry.name ?? one.version.object.name, stays, ...defined({ state: own }) })
    }
  }
  const list = [...targets.values()].filter(({ stays }) => !stays)
  const wanted = list.map(
    ({ version, name, state }): Wanted => ({
      object: version.object,
      folder: '',
      newName: name,
      mayReplace: state !== undefined && !state.isChanged,
      keepsName: state !== undefined,
    }),
  )
  // Uses of types that stay as they are get their names on the device.
  const names = [...firstOf.values()].map(({ version, entry }) => [version.object.name, entry.name] as const)
  const before = await Promise.all(
    list.map(({ state }) => (state ? state.kind.current(ctx, device, state.entry.name) : undefined)),
  )
  const { objects, warnings: more } = await install(ctx, device, wanted, request, names)
  const updated: Updated[] = []
  const others: Installed[] = []
  for (const [i, { stored, shown }] of objects.entries()) {
    const { type, version, state } = list[i]!
    if (stored) becomesInstance(ctx, device, shown.kind, stored, type, version.version)
    if (!state) {
      others.push(shown)
      continue
    }
    const now = stored ? await state.kind.current(ctx, device, shown.name) : before[i]!
    const { aspects, differences } = await state.kind.compare(ctx, before[i]!, now)
    updated.push({
      deviceName: device.name,
      kind: shown.kind,
      name: shown.name,
      typeName: type.name,
      from: state.version.version,
      to: stored ? version.version : state.version.version,
      action: stored ? 'updated' : 'kept',
      aspects,
      differences: differences.length,
    })
  }
  return { updated, others, warnings: [...warnings, ...more] }
}
