/** Takes objects of the project for a library: with what they use, a folder of them, or a whole station. */
import { type CommandContext, notFound, problem } from '../../core/index.ts'
import { type Device, devices } from '../devices/index.ts'
import { isInside, segmentsOf } from '../program-objects/index.ts'
import { type KindEntry, kindsOf, type LibraryKind, type LibraryObject, requireObject } from './kinds.ts'
import type { MasterCopy } from './library.ts'

/** What a client names. */
export interface CaptureRequest {
  readonly objectName?: string | undefined
  readonly kind?: string | undefined
  /** A folder of objects of `kind` (default: blocks). */
  readonly objectFolder?: string | undefined
  readonly withDependencies: boolean
}

export type Captured = Pick<MasterCopy, 'name' | 'kind' | 'objects' | 'folders' | 'device'> & {
  readonly warnings: readonly string[]
}

/**
 * Takes an object, a folder of objects, or (neither is named) the whole device.
 * @throws GatewayError `not_found`, `invalid_input`
 */
export async function capture(ctx: CommandContext, device: Device, request: CaptureRequest): Promise<Captured> {
  const { objectName, objectFolder, kind, withDependencies } = request
  if (objectName !== undefined && objectFolder !== undefined)
    throw problem('invalid_input', '/objectFolder: name an object or a folder of objects, not both.', {
      errors: [{ path: '/objectFolder', message: 'stands beside objectName', value: objectFolder }],
    })
  if (objectName !== undefined) {
    const found = requireObject(ctx, device, objectName, kind)
    const { folder: _folder, ...object } = await found.kind.capture(ctx, device, found.entry.name)
    const main: LibraryObject = { ...object, folder: '' }
    const objects = withDependencies ? await withUsed(ctx, device, [main]) : [main]
    return { name: main.name, kind: main.kind, objects, folders: [], warnings: warningsOf(objects, device) }
  }
  if (objectFolder !== undefined) return captureFolder(ctx, device, objectFolder, kind ?? 'block', withDependencies)
  return captureDevice(ctx, device)
}

async function captureFolder(
  ctx: CommandContext,
  device: Device,
  path: string,
  kindName: string,
  withDependencies: boolean,
): Promise<Captured> {
  const kinds = kindsOf(ctx, device)
  const kind = kinds.find((one) => one.kind === kindName)
  if (!kind) {
    const allowed = kinds.map((one) => one.kind)
    throw problem('invalid_input', `/kind: must be one of ${allowed.join(', ')}.`, {
      errors: [{ path: '/kind', message: 'must be a kind of objects of the device', value: kindName, allowed }],
    })
  }
  const wanted = segmentsOf(path, '/objectFolder').join('/')
  const all = kind.folders(ctx, device)
  const root = all.find((folder) => folder.toLowerCase() === wanted.toLowerCase())
  if (root === undefined) throw notFound('folder', wanted, all)
  const name = root.slice(root.lastIndexOf('/') + 1)
  const above = root.length - name.length
  const entries = kind.list(ctx, device).filter(({ folder }) => folder !== '' && isInside(folder, root))
  const own = (await captureAll(ctx, device, kind, entries)).map((object) => ({
    ...object,
    folder: object.folder.slice(above),
  }))
  const objects = withDependencies ? await withUsed(ctx, device, own) : own
  const folders = all
    .filter((folder) => isInside(folder, root))
    .map((folder) => ({ kind: kind.kind, path: folder.slice(above) }))
  return { name, kind: 'folder', objects, folders, warnings: warningsOf(objects, device) }
}

async function captureDevice(ctx: CommandContext, device: Device): Promise<Captured> {
  const objects: LibraryObject[] = []
  const folders: { kind: string; path: string }[] = []
  for (const kind of kindsOf(ctx, device)) {
    objects.push(...(await captureAll(ctx, device, kind, kind.list(ctx, device))))
    for (const path of kind.folders(ctx, device)) folders.push({ kind: kind.kind, path })
  }
  const { id: _id, name, createdAt: _createdAt, ...station } = ctx.read(devices).get(device.id)!
  const content = await ctx.blobs.put(JSON.stringify({ name, ...station }))
  return { name, kind: 'device', objects, folders, device: content, warnings: [] }
}

async function captureAll(
  ctx: CommandContext,
  device: Device,
  kind: LibraryKind,
  entries: readonly KindEntry[],
): Promise<LibraryObject[]> {
  const objects: LibraryObject[] = []
  for (const [i, { name }] of entries.entries()) {
    if (i % 50 === 0) {
      ctx.signal.throwIfAborted()
      ctx.progress((90 * i) / entries.length, `${kind.noun} ${i + 1} of ${entries.length}`)
    }
    objects.push(await kind.capture(ctx, device, name))
  }
  return objects
}

/** The objects with all that they use, directly and by way of others; used ones come first. */
async function withUsed(
  ctx: CommandContext,
  device: Device,
  objects: readonly LibraryObject[],
): Promise<LibraryObject[]> {
  const kinds = kindsOf(ctx, device).filter(({ isSymbol }) => isSymbol)
  // Objects of stations are named by kind: a screen can use a graphic of its own name.
  const keyOf = (kind: string, name: string) => `${kind} ${name.toLowerCase()}`
  const have = new Set(objects.map(({ kind, name }) => keyOf(kind, name)))
  const found: LibraryObject[] = []
  const pending = objects.flatMap(({ uses }) => uses)
  const seen = new Set<string>()
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (seen.has(name.toLowerCase())) continue
    seen.add(name.toLowerCase())
    for (const kind of kinds) {
      const key = keyOf(kind.kind, name)
      if (have.has(key) || kind.find(ctx, device, name) === undefined) continue
      have.add(key)
      const { folder: _folder, ...object } = await kind.capture(ctx, device, name)
      found.push({ ...object, folder: '', isDependency: true })
      pending.push(...object.uses)
    }
  }
  return [...found.reverse(), ...objects]
}

function warningsOf(objects: readonly LibraryObject[], device: Device): string[] {
  const have = new Set(objects.map(({ name }) => name.toLowerCase()))
  const missing = new Set(objects.flatMap(({ uses }) => uses.filter((name) => !have.has(name.toLowerCase()))))
  return [...missing].map((name) => `"${name}" of "${device.name}" is used, and is not in the master copy.`)
}
