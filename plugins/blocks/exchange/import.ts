/** Imports files of program objects into a device: one file, a text, or a folder with all below it, as one job. */

import { basename } from 'node:path'
import { type CommandContext, defined, type Fault, isGatewayError, problem } from '../../../core/index.ts'
import { shortened } from '../../../lib/shortened.ts'
import { inOrderOfNeeds, type Needs } from '../../../plc/edit/import-order.ts'
import { readableExtensions } from '../../../plc/edit/object-file.ts'
import type { Device } from '../../devices/index.ts'
import {
  contentPath,
  cultureOf,
  declaredNamed,
  importTarget,
  missingTypes,
  orOtherKind,
  type ReadObjects,
  readObjects,
  requireName,
  type StorableObject,
  type Stored,
  targetFor,
  unsupportedKind,
  withUnitNames,
} from '../../program-objects/index.ts'
import { blockKey, blockKinds, isBlockKind } from '../block.ts'
import type { CompileSummary } from '../compile/service.ts'
import { reserveNumber } from '../edit/numbers.ts'
import { filesInZip, filesOfFolder, type ImportFile, textsBeside } from './import-folder.ts'
import { placeOf, placesIn } from './import-places.ts'

export interface ImportOptions {
  readonly overwrite: boolean
  readonly continueOnError: boolean
  /** A file with nothing to import is a fault, because the client named it. */
  readonly strict: boolean
  /**
   * Syntax faults in SCL statements refuse the block, as when TIA Portal generates blocks. Default: compiling reports
   * them.
   */
  readonly checkCode?: boolean
  /** Kinds of objects to import; others are faults. Absent: all supported kinds. */
  readonly kinds?: readonly string[]
}

/** The outcome of one object. */
export interface ImportedEntry extends Omit<Stored, 'warnings'> {
  readonly file: string
}

/**
 * The outcome of one file. `ignored`: not a kind of file that is read; `skipped`: contains nothing for a PLC program.
 */
export interface FileOutcome {
  readonly path: string
  readonly status: 'imported' | 'partial' | 'failed' | 'skipped' | 'ignored'
  readonly errors?: readonly Fault[]
  readonly message?: string
}

export interface ImportResult {
  /** Number of objects that were created or replaced. */
  readonly imported: number
  readonly created: number
  readonly replaced: number
  readonly unchanged: number
  /** Files. */
  readonly skipped: number
  readonly failed: number
  readonly objects: readonly ImportedEntry[]
  readonly files: readonly FileOutcome[]
  readonly warnings: readonly string[]
  /** True when compiling was requested and found no errors. */
  readonly compiled: boolean
  readonly compileStatus: CompileSummary['compileStatus'] | 'notCompiled'
  readonly compileMessages?: CompileSummary['compileMessages']
}

interface Candidate {
  readonly object: StorableObject
  readonly needs: Needs
  readonly stored: ReadObjects['objects'][number]['stored']
  readonly file: ImportFile
  /** Namespace of its software unit. */
  readonly unit?: string
}

/** A problem has at most this many faults; the rest is counted. */
const maxFaults = 1000

/**
 * Imports files.
 * @throws GatewayError `unacceptable_content` with every fault of every file, unless `continueOnError`
 */
export async function importFiles(
  ctx: CommandContext,
  device: Device,
  given: readonly ImportFile[],
  options: ImportOptions,
  ignored: readonly string[] = [],
  progress: (percent: number, message?: string) => void = (percent, message) => ctx.progress(percent, message),
): Promise<ImportResult> {
  const faults = new Map<string, Fault[]>()
  const skipped = new Map<string, string>()
  const { files, texts } = withTexts(given)
  const { checkCode } = options
  const readOptions = {
    culture: cultureOf(ctx),
    checkCode,
    around: (names: readonly string[]) => declaredNamed(ctx, device, names),
  }
  const read = await readObjects(ctx, files, readOptions, (done, path) =>
    progress((70 * done) / files.length, `Read ${done} of ${files.length}: ${basename(path)}`),
  )
  const found: Candidate[] = []
  for (const [i, result] of read.entries()) {
    const file = files[i]!
    const reason = skipReason(ctx, result, options)
    if (reason !== undefined && !options.strict) skipped.set(file.path, reason)
    else if (reason !== undefined) addFault(faults, { path: file.path, code: 'unsupported', message: reason })
    else {
      for (const fault of result.faults) addFault(faults, fault)
      for (const one of result.objects) found.push({ ...one, file })
    }
  }
  const warnings: string[] = []
  const candidates = await withUnitNames(ctx, device, found, warnings)
  const firstOf = new Map<string, Candidate>()
  const toStore = candidates.filter((candidate) => {
    const { object } = candidate
    const reason = kindFault(ctx, object, options)
    const key = twinKey(object)
    const twin = reason === undefined ? firstOf.get(key) : undefined
    if (twin) {
      const message = `"${object.name}" ${twinText(candidate, twin)}`
      addFault(faults, { ...placeOf(candidate), code: 'duplicate', message, value: object.name })
    } else if (reason !== undefined) {
      addFault(faults, { ...placeOf(candidate), code: 'unsupported', message: reason, value: object.kind })
    } else firstOf.set(key, candidate)
    return twin === undefined && reason === undefined
  })
  const { ordered, cycles } = inOrderOfNeeds(toStore, ({ object, needs }) => ({ ...object, needs }))
  reserveNumbers(ctx, device, ordered)
  // Also when an earlier fault already refuses the import: the client gets all clashes at once.
  const objects: ImportedEntry[] = []
  warnings.push(...read.flatMap((result) => result.warnings))
  const storedIn = new Set<string>()
  const stored: Candidate[] = []
  for (const [i, candidate] of ordered.entries()) {
    if (i % 50 === 0) {
      ctx.signal.throwIfAborted()
      progress(70 + (30 * i) / toStore.length, `Storing ${i + 1} of ${toStore.length}: ${candidate.object.name}`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { object, file } = candidate
    try {
      const target = await targetFor(ctx, object.kind, object.name)
      const { warnings: more, ...entry } = await target.store(ctx, device, object, {
        stored: candidate.stored,
        overwrite: options.overwrite,
        ...defined({ folder: file.folder, unit: candidate.unit }),
      })
      objects.push({ ...entry, file: file.path })
      storedIn.add(file.path)
      stored.push(candidate)
      warnings.push(...(object.warnings ?? []).map((warning) => `${file.path}: ${warning}`), ...(more ?? []))
    } catch (error) {
      if (!isGatewayError(error)) throw error
      const inner = error.details.errors ?? []
      if (inner.length === 0)
        addFault(faults, { ...placeOf(candidate), code: error.code, message: error.message, value: object.name })
      const placeIn = await placesIn(ctx, candidate, inner)
      for (const fault of inner) {
        // In a request the path names the object; here the path is the file's.
        const message = fault.path === '/name' ? `the name ${quotedShort(object.name)} ${fault.message}` : fault.message
        addFault(faults, { ...fault, message, ...placeIn(fault), code: fault.code ?? error.code })
      }
    }
  }
  // Storing goes by what the objects need: in a file they are told from its beginning to its end.
  for (const list of faults.values()) list.sort(byPlace)
  if (faults.size > 0 && !options.continueOnError) throw importFailure(files.length, faults)
  for (const target of ctx.extensions(importTarget)) {
    const own = objects.filter(({ kind }) => target.kinds.includes(kind))
    if (own.length > 0) warnings.push(...((await target.warningsOf?.(ctx, device, own)) ?? []))
  }
  warnings.push(...(await needWarnings(ctx, device, stored, cycles)))
  return {
    ...countsOf(objects),
    skipped: skipped.size,
    failed: faults.size,
    objects,
    files: failuresFirst([
      ...outcomes(files, faults, skipped, storedIn, ignored),
      ...outcomesOfTexts(texts, faults, storedIn),
    ]),
    warnings,
    compiled: false,
    compileStatus: 'notCompiled',
  }
}

function quotedShort(name: string): string {
  return JSON.stringify(shortened(name, 40))
}

/** Joins `.s7dcl` files with the `.s7res` files of the same name beside them, whose texts they use. */
function withTexts(given: readonly ImportFile[]): { files: ImportFile[]; texts: Map<string, string> } {
  const baseOf = (path: string, extension: RegExp) =>
    extension.test(path) ? path.replace(extension, '').toLowerCase() : undefined
  const resources = new Map<string, ImportFile>()
  for (const file of given) {
    const base = baseOf(file.path, /\.s7res$/i)
    if (base !== undefined) resources.set(base, file)
  }
  const texts = new Map<string, string>()
  const joined = given.map((file) => {
    const own = resources.get(baseOf(file.path, /\.s7dcl$/i) ?? '')
    if (own === undefined) return file
    texts.set(own.path, file.path)
    return { ...file, texts: own }
  })
  // Files of SIMATIC SD are read together, because they refer to each other.
  const isSd = ({ path }: ImportFile) => /\.s7dcl$/i.test(path)
  const files = joined.filter(({ path }) => !texts.has(path))
  return { files: [...files.filter((file) => !isSd(file)), ...files.filter(isSd)], texts }
}

/** Text files have the outcome of the files they belong to. */
function outcomesOfTexts(
  texts: ReadonlyMap<string, string>,
  faults: ReadonlyMap<string, Fault[]>,
  storedIn: ReadonlySet<string>,
): FileOutcome[] {
  return [...texts].map(([path, of]): FileOutcome => {
    const message = `texts of ${of}`
    if (!faults.has(of)) return { path, status: 'imported', message }
    return { path, status: storedIn.has(of) ? 'partial' : 'failed', message }
  })
}

/** Fixed numbers first, then those that may change; blocks without a number get the remaining ones. */
function reserveNumbers(ctx: CommandContext, device: Device, candidates: readonly Candidate[]): void {
  const numbered = candidates.flatMap(({ object: { kind, name, number, attributes } }) => {
    if (!isBlockKind(kind) || number === undefined || number === 0) return []
    const isFixed = attributes.find((attribute) => attribute.name === 'AutoNumber')?.value === 'false'
    return [{ kind, number, isFixed, key: blockKey(device.id, name) }]
  })
  for (const isFixed of [true, false])
    for (const one of numbered)
      if (one.isFixed === isFixed) reserveNumber(ctx, device.id, one.kind, one.number, one.key)
}

/** Faults that an engineering tool reports when it compiles: types that contain themselves, unknown types. */
async function needWarnings(
  ctx: CommandContext,
  device: Device,
  stored: readonly Candidate[],
  cycles: readonly (readonly string[])[],
): Promise<string[]> {
  const warnings = cycles.map(([first, ...others]) =>
    others.length === 0
      ? `"${first}" contains itself.`
      : `"${first}" and ${others.map((name) => `"${name}"`).join(', ')} contain each other.`,
  )
  return [
    ...warnings,
    ...(await missingTypes(
      ctx,
      device,
      stored.map(({ object, needs }) => ({ name: object.name, needs })),
    )),
  ]
}

/**
 * Two objects with the same key cannot be in one program: names are shared, tables have names of their own, one force
 * table.
 */
function twinKey({ kind, name }: StorableObject): string {
  if (kind === 'ForceTable') return kind
  return `${kind.endsWith('Table') ? kind : ''}/${name.toLowerCase()}`
}

/** The reason why a file contains nothing for a PLC program, or undefined. */
function skipReason(ctx: CommandContext, { format, faults, objects }: ReadObjects, options: ImportOptions) {
  if (format === 's7res' || format === 'unknown') return faults[0]?.message ?? 'unknown format'
  if (format === 'xml' && faults.every((fault) => fault.code === 'xml-root'))
    return faults[0]?.message ?? 'not SimaticML'
  if (faults.length > 0 || objects.length === 0) return undefined
  const reasons = objects.map(({ object }) => kindFault(ctx, object, options))
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined
}

/** The reason why an object of this kind is not imported, or undefined. */
function kindFault(ctx: CommandContext, { kind, name }: StorableObject, { kinds }: ImportOptions): string | undefined {
  const supported = [...blockKinds, ...ctx.extensions(importTarget).flatMap((target) => target.kinds)]
  if (!supported.includes(kind)) return `${unsupportedKind(kind)} (${kind} "${name}")`
  if (kinds && !kinds.includes(kind))
    return `"${name}" is of kind ${kind}; here only ${kinds.join(', ')} can be imported.`
  return undefined
}

/** By the place in the file; what is of all of it comes first. */
function byPlace(one: Fault, other: Fault): number {
  const at = (value: unknown) => Number(value ?? 0)
  const lines = at(one.sourceLine ?? one.line) - at(other.sourceLine ?? other.line)
  return lines || at(one.sourceColumn ?? one.column) - at(other.sourceColumn ?? other.column)
}

function addFault(faults: Map<string, Fault[]>, fault: Fault) {
  const path = fault.path!
  const list = faults.get(path)
  if (list) list.push(fault)
  else faults.set(path, [fault])
}

/** The problem with every fault of an import; each has the path of its file. */
export function importFailure(files: number, faults: ReadonlyMap<string, readonly Fault[]>) {
  const all = [...faults.values()].flat()
  const { path, line, column, message } = all[0]!
  const at = line === undefined ? '' : `line ${line}, column ${column}: `
  const more = all.length > 1 ? ` (${all.length} faults in ${faults.size} of ${files} files)` : ''
  const detail = `${basename(path!)}: ${at}${message.replace(/\.$/, '')}${more}. Nothing was imported.`
  return problem('unacceptable_content', detail, {
    errors: all.slice(0, maxFaults),
    suggestion: 'Correct the files, or send continueOnError: true to import those that are right.',
    ...(all.length > maxFaults ? { extra: { omittedErrors: all.length - maxFaults } } : {}),
  })
}

/** Files with faults first; otherwise in the order of the import. */
export function failuresFirst<T extends Pick<FileOutcome, 'status'>>(files: readonly T[]): T[] {
  const rank = ({ status }: T) => (status === 'failed' ? 0 : status === 'partial' ? 1 : 2)
  return [...files].sort((a, b) => rank(a) - rank(b))
}

function countsOf(objects: readonly ImportedEntry[]) {
  const count = (action: Stored['action']) => objects.filter((object) => object.action === action).length
  const [created, replaced, unchanged] = [count('created'), count('replaced'), count('unchanged')]
  return { imported: created + replaced, created, replaced, unchanged }
}

/** What is wrong with an object that another one before it has the place of. */
function twinText({ object, file }: Candidate, twin: Candidate): string {
  if (object.kind === 'ForceTable') return `is a second force table, the first is in ${twin.file.path}`
  return twin.file.path === file.path ? 'is in this file twice' : `is also in ${twin.file.path}`
}

/** How files are imported that are not read with a folder of a program, by the ends of their names. */
const otherWays: Readonly<Record<string, string>> = {
  csv: 'A table of tags is imported with POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/import-csv-sync.',
  xlsx: 'A table of tags is imported with POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/import-xlsx-sync.',
  aml: 'Hardware is imported with POST /api/projects/devices/actions/import-hardware-sync.',
}

/** The outcome of a file that is not read, with the way to import what it may hold. */
export function ignoredFile(path: string): FileOutcome {
  const message = otherWays[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]
  return { path, status: 'ignored', ...defined({ message }) }
}

function outcomes(
  files: readonly ImportFile[],
  faults: ReadonlyMap<string, readonly Fault[]>,
  skipped: ReadonlyMap<string, string>,
  storedIn: ReadonlySet<string>,
  ignored: readonly string[],
): FileOutcome[] {
  return [
    ...files.map(({ path }): FileOutcome => {
      const errors = faults.get(path)
      if (errors) return { path, status: storedIn.has(path) ? 'partial' : 'failed', errors }
      const message = skipped.get(path)
      return message === undefined ? { path, status: 'imported' } : { path, status: 'skipped', message }
    }),
    ...ignored.map(ignoredFile),
  ]
}

/** The request of a client for an import. */
export interface ImportRequest {
  readonly filePath?: string | undefined
  readonly file?: { readonly fileName: string; readonly blob: string } | undefined
  readonly content?: string | undefined
  /** Texts that belong to `content` when it is SIMATIC SD. */
  readonly resources?: string | undefined
  readonly folder?: string | undefined
  /** Software unit to import into; its folder is the outermost one. */
  readonly unit?: string | undefined
  readonly overwrite?: boolean | undefined
  readonly continueOnError?: boolean | undefined
}

/** Units are folders of the program, directly below its root. */
function requireUnitName(unit: string): void {
  requireName(unit, '/unit', 'software unit')
  if (!/[/\\]/.test(unit)) return
  const message = `the name of a software unit has no / or \\, ${JSON.stringify(unit)} has: folders in it are said by folder`
  throw problem('invalid_input', `/unit: ${message}.`, { errors: [{ path: '/unit', message, value: unit }] })
}

/** Imports the file or folder of the workspace, the uploaded file or the text of a request. */
export async function importRequest(
  ctx: CommandContext,
  device: Device,
  request: ImportRequest,
  kinds?: readonly string[],
): Promise<ImportResult> {
  const { filePath, file, content, unit } = request
  const folder = unit === undefined ? request.folder : [unit, request.folder].filter((part) => part).join('/')
  if ([filePath, file, content].filter((source) => source !== undefined).length !== 1) {
    const message = 'one of filePath (file or folder of the workspace), file (upload) and content (text) is needed'
    throw problem('invalid_input', `/filePath: ${message}.`, { errors: [{ path: '/filePath', message }] })
  }
  const options = {
    overwrite: request.overwrite ?? true,
    continueOnError: request.continueOnError ?? false,
    ...(kinds ? { kinds } : {}),
  }
  if (unit !== undefined) requireUnitName(unit)
  const into = { ...defined({ folder, unit }) }
  const fromFolder = (
    name: string,
    { files: inFolder, ignored }: { readonly files: readonly ImportFile[]; readonly ignored: readonly string[] },
  ) => {
    const files = unit === undefined ? inFolder : inFolder.map((one) => ({ unit, ...one }))
    if (files.length > 0) return importFiles(ctx, device, files, { ...options, strict: false }, ignored)
    throw problem(
      'unacceptable_content',
      `"${name}" holds no file to import: ${[...readableExtensions].join(', ')} are read; it has ${ignored.length} other files.`,
    )
  }
  const importOne = (one: ImportFile) =>
    orOtherKind(one.path, one.read, ['program'], () => importFiles(ctx, device, [one], { ...options, strict: true }))
  if (file !== undefined && /\.zip$/i.test(file.fileName)) {
    ctx.progress(0, 'Unpacking')
    return fromFolder(file.fileName, await filesInZip(ctx, file.fileName, await ctx.blobs.get(file.blob), folder))
  }
  if (filePath === undefined) {
    const path = file?.fileName ?? contentPath
    const read = async () => (file ? ctx.blobs.get(file.blob) : Buffer.from(content ?? ''))
    const { resources } = request
    const texts =
      resources === undefined ? {} : { texts: { path: 'resources', read: async () => Buffer.from(resources) } }
    return importOne({ path, read, ...texts, ...into })
  }
  const resolved = await ctx.files.resolve(filePath)
  const info = await ctx.files.stat(resolved)
  if (!info) throw problem('not_found', `There is no file or folder "${filePath}" in the workspace (${resolved}).`)
  if (!info.isDirectory && /\.zip$/i.test(resolved)) {
    ctx.progress(0, 'Unpacking')
    return fromFolder(filePath, await filesInZip(ctx, filePath, await ctx.files.read(resolved), folder))
  }
  if (!info.isDirectory) {
    const read = () => ctx.files.read(resolved)
    const texts = await textsBeside(ctx, filePath, resolved)
    return importOne({ path: filePath, read, ...texts, ...into })
  }
  ctx.progress(0, 'Looking through the folder')
  return fromFolder(filePath, await filesOfFolder(ctx, resolved, folder))
}
