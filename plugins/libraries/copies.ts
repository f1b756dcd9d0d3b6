/** Master copies: made of objects of the project, put into it, deleted; folders of a library. */
import { type CommandContext, defined, dotSegmentFault, problem } from '../../core/index.ts'
import { counted } from '../../lib/counted.ts'
import {
  creationTime,
  type Device,
  deviceAdded,
  findDevice,
  requireDevice,
  requireFreeDeviceName,
  takenAddresses,
} from '../devices/index.ts'
import { segmentsOf } from '../program-objects/index.ts'
import { capture } from './capture.ts'
import { type Choices, type Installed, install, type Wanted } from './install.ts'
import { kindNamed } from './kinds.ts'
import {
  type Area,
  copyDeleted,
  copyStored,
  ensureFolder,
  entityOf,
  findCopy,
  hasFolder,
  type Library,
  type MasterCopy,
  pathOf,
  requireCopy,
  requireLibrary,
  requireWritable,
} from './library.ts'

const longestName = 125

/** @throws GatewayError `invalid_input` for what cannot be the name of something in a library */
export function requireLibraryName(name: string, field: string, what: string): void {
  const fault =
    name.trim() === ''
      ? 'must not be empty'
      : name !== name.trim()
        ? 'must not begin or end with a blank'
        : name.length > longestName
          ? `has ${name.length} characters; at most ${longestName} are allowed`
          : /[/\\\p{Cc}\p{Surrogate}]/u.test(name)
            ? 'must not contain / or \\ or control characters'
            : dotSegmentFault(name)
  if (fault === undefined) return
  throw problem('invalid_input', `${field}: ${JSON.stringify(name)} cannot be the name of a ${what}: it ${fault}.`, {
    errors: [{ path: field, message: fault, value: name }],
  })
}

export interface NewCopy {
  readonly deviceName?: string | undefined
  readonly objectName?: string | undefined
  readonly kind?: string | undefined
  readonly objectFolder?: string | undefined
  /** A master copy of this library (`project`, or a global one that is open) is copied. */
  readonly fromLibrary?: string | undefined
  readonly masterCopy?: string | undefined
  readonly name?: string | undefined
  readonly folder?: string | undefined
  readonly author?: string | undefined
  readonly comment?: string | undefined
  readonly withDependencies?: boolean | undefined
  readonly overwrite?: boolean | undefined
}

/**
 * Makes a master copy. Its content are the blobs that the objects have already.
 * @throws GatewayError `not_found`, `invalid_input`, `name_taken`, `conflict` (read-only)
 */
export async function createCopy(ctx: CommandContext, library: Library, input: NewCopy) {
  requireWritable(library)
  const { deviceName, fromLibrary, masterCopy, withDependencies = true } = input
  if ((deviceName === undefined) === (fromLibrary === undefined && masterCopy === undefined))
    throw problem(
      'invalid_input',
      '/deviceName: name either a device (and an object of it) or a master copy of a library.',
      {
        errors: [{ path: '/deviceName', message: 'either deviceName, or fromLibrary and masterCopy, is needed' }],
      },
    )
  const captured =
    deviceName === undefined
      ? { ...requireCopy(ctx, requireLibrary(ctx, fromLibrary ?? 'project'), masterCopy ?? ''), warnings: [] }
      : await capture(ctx, requireDevice(ctx, deviceName), { ...input, withDependencies })
  const name = input.name ?? captured.name
  requireLibraryName(name, '/name', 'master copy')
  const path = segmentsOrNone(input.folder, '/folder')
  const present = findCopy(ctx, library.id, [...path, name].join('/'))
  if (present && input.overwrite !== true)
    throw problem('name_taken', `Library "${library.name}" has a master copy "${pathOf(present)}".`, {
      suggestion: 'Send overwrite: true to make it anew, or another name or folder.',
    })
  const folder = ensureFolder(ctx, library, 'masterCopies', path)
  const { kind, objects, folders, device } = captured
  const copy: MasterCopy = {
    id: present?.id ?? ctx.newId(),
    libraryId: library.id,
    name,
    folder,
    kind,
    author: input.author ?? ctx.actor.name,
    comment: input.comment ?? '',
    createdAt: ctx.now,
    objects,
    folders,
    ...defined({ device }),
  }
  ctx.emit(copyStored, { libraryId: library.id, copy }, entityOf(library, pathOf(copy)))
  return { copy, action: present ? ('replaced' as const) : ('created' as const), warnings: [...captured.warnings] }
}

/** The names of a folder path; none for the root. */
export function segmentsOrNone(path: string | undefined, field: string): string[] {
  if (path === undefined || path.replace(/[/\\]/g, '') === '') return []
  const segments = segmentsOf(path, field)
  for (const segment of segments) requireLibraryName(segment, field, 'folder')
  return segments
}

/** @throws GatewayError `name_taken` */
export function createFolder(ctx: CommandContext, library: Library, area: Area, path: string) {
  requireWritable(library)
  const segments = segmentsOf(path, '/path')
  for (const segment of segments) requireLibraryName(segment, '/path', 'folder')
  if (hasFolder(ctx, library, area, segments.join('/')))
    throw problem('name_taken', `Library "${library.name}" has a folder "${segments.join('/')}" already.`)
  return ensureFolder(ctx, library, area, segments)
}

/** Deletes a master copy; what was made of it stays. */
export function deleteCopy(ctx: CommandContext, library: Library, named: string): MasterCopy {
  requireWritable(library)
  const copy = requireCopy(ctx, library, named)
  ctx.emit(copyDeleted, { libraryId: library.id, path: pathOf(copy) }, entityOf(library, pathOf(copy)))
  return copy
}

export interface Instantiation extends Choices {
  readonly deviceName?: string | undefined
  readonly folder?: string | undefined
  readonly newName?: string | undefined
  readonly withDependencies?: boolean | undefined
}

/** What an instantiation did. */
export interface Instantiated {
  readonly device: Device
  readonly isNewDevice: boolean
  readonly objects: readonly Installed[]
  readonly warnings: readonly string[]
}

/**
 * Puts what a master copy holds into the project: into a device, or as a new one when it is of a station.
 * @throws GatewayError `conflict` naming everything that is in the way, `not_found`, `invalid_input`
 */
export async function instantiateCopy(
  ctx: CommandContext,
  copy: MasterCopy,
  request: Instantiation,
): Promise<Instantiated> {
  const { newName, withDependencies = true } = request
  const isStation = copy.kind === 'device'
  if (isStation && request.deviceName === undefined) return instantiateDevice(ctx, copy, request)
  if (request.deviceName === undefined)
    throw problem('invalid_input', '/deviceName: name the device to instantiate into.', {
      errors: [{ path: '/deviceName', message: 'is needed' }],
    })
  const device = requireDevice(ctx, request.deviceName)
  const base = segmentsOrNone(request.folder, '/folder').join('/')
  const below = (folder: string) => [base, folder].filter((part) => part !== '').join('/')
  const taken = withDependencies ? copy.objects : copy.objects.filter(({ isDependency }) => isDependency !== true)
  const mains = taken.filter(({ isDependency }) => isDependency !== true)
  if (newName !== undefined && (copy.kind === 'folder' || isStation || mains.length !== 1)) {
    const what = isStation ? 'a station' : copy.kind === 'folder' ? 'a folder' : counted(mains.length, 'object')
    throw problem('invalid_input', `/newName: master copy "${copy.name}" holds ${what}.`, {
      errors: [{ path: '/newName', message: 'is for a master copy of one object', value: newName }],
    })
  }
  const wanted = taken.map(
    (object): Wanted => ({
      object,
      folder: below(object.folder),
      ...(newName === undefined || object.isDependency === true ? {} : { newName }),
    }),
  )
  const { objects, warnings } = await install(ctx, device, wanted, request)
  for (const { kind, path } of copy.folders) kindNamed(ctx, kind).ensureFolder(ctx, device, below(path))
  return { device, isNewDevice: false, objects: objects.map(({ shown }) => shown), warnings }
}

async function instantiateDevice(ctx: CommandContext, copy: MasterCopy, request: Instantiation): Promise<Instantiated> {
  const saved = JSON.parse(await ctx.blobs.text(copy.device!)) as Omit<Device, 'id' | 'createdAt'>
  const wanted = request.newName ?? saved.name
  const name = nameOfDevice(ctx, wanted, request)
  requireFreeDeviceName(ctx, name, '/newName')
  const device: Device = { ...saved, id: ctx.newId(), name, createdAt: creationTime(ctx) }
  ctx.emit(deviceAdded, device, `device/${name}`)
  const objects = copy.objects.map((object): Wanted => ({ object, folder: object.folder, mayReplace: true }))
  const installed = await install(ctx, device, objects, request)
  for (const { kind, path } of copy.folders) kindNamed(ctx, kind).ensureFolder(ctx, device, path)
  return {
    device,
    isNewDevice: true,
    objects: installed.objects.map(({ shown }) => shown),
    warnings: [...takenAddresses(ctx, device), ...installed.warnings],
  }
}

function nameOfDevice(ctx: CommandContext, wanted: string, { onConflict }: Choices): string {
  const present = findDevice(ctx, wanted)
  if (!present) return wanted
  if (onConflict !== 'rename')
    throw problem('conflict', `The project has a device "${present.name}".`, {
      suggestion: 'Send newName, or "onConflict": "rename". To put the objects into that device, send deviceName.',
      errors: [
        {
          path: '/newName',
          code: 'exists',
          message: 'a device has the name',
          value: present.name,
          allowed: ['rename'],
        },
      ],
    })
  const stem = wanted.replace(/_\d+$/, '')
  for (let n = 1; ; n++) if (!findDevice(ctx, `${stem}_${n}`)) return `${stem}_${n}`
}
