/** Reads files into objects whose texts are blobs, in batches on the engine: nothing blocks, and a cancel works. */
import { extname } from 'node:path'
import type { CommandContext, Fault } from '../../../core/index.ts'
import { defined } from '../../../core/index.ts'
import type { Needs } from '../../../plc/edit/import-order.ts'
import { readableExtensions } from '../../../plc/edit/object-file.ts'
import {
  type ContributedFormat,
  formatNamed,
  lineInFile,
  type TranslatedFile,
  translateFile,
} from '../../../plc/formats/file-format.ts'
import type { DeclaredNames } from '../../../plc/languages/ladder/declared-names.ts'
import { decodeText } from '../../../plc/model/decode.ts'
import type { Origin, StoredText } from '../stored-text.ts'
import { fileFormat } from './file-format.ts'
import type { FileRead, FilesToRead } from './read-files.task.ts'
import type { StorableObject } from './targets.ts'

/** A file to read. */
export interface SourceFile {
  /** Path of the file, for messages. */
  readonly path: string
  read(): Promise<Buffer>
  /** The `.s7res` file with the texts of a `.s7dcl` file. */
  readonly texts?: { readonly path: string; read(): Promise<Buffer> }
}

export interface ReadOptions {
  /** Culture of texts in external sources. */
  readonly culture: string
  /** Whether syntax faults in the statements of SCL sources count; default: no. */
  readonly checkCode?: boolean | undefined
  /** The program's declarations of these names; called for files of SIMATIC SD. */
  readonly around?: (names: readonly string[]) => Promise<DeclaredNames>
}

const nothingAround: DeclaredNames = { objects: [], tags: [] }

/** The content of a file. */
export interface ReadObjects {
  readonly path: string
  /** `simaticml`, `source`, `xml`, `s7dcl`, `s7res`, `unknown`. */
  readonly format: string
  readonly faults: readonly Fault[]
  /** Objects without faults, also of a file with faults. */
  readonly objects: readonly { readonly object: StorableObject; readonly needs: Needs; readonly stored: StoredText }[]
  /** Warnings about omissions and guesses. */
  readonly warnings: readonly string[]
}

/** Bytes that one call of the engine reads; a larger file is read alone. */
const batchBytes = 4 * 1024 * 1024
const batchFiles = 16
/** Files read at a time: they are small, and reading is mostly waiting (measured: a quarter of an import). */
const readsAtOnce = 4

/**
 * Reads files. Faults are part of the result: the caller decides whether they refuse the whole.
 *
 * @param progress gets the number of finished files, and the path of the last one
 */
export async function readObjects(
  ctx: CommandContext,
  files: readonly SourceFile[],
  { culture, around, checkCode = false }: ReadOptions,
  progress: (done: number, path: string) => void = () => {},
): Promise<ReadObjects[]> {
  const formats = ctx.extensions(fileFormat)
  const read: ReadObjects[] = []
  let batch: Sent[] = []
  let size = 0
  const flush = async () => {
    if (batch.length === 0) return
    ctx.signal.throwIfAborted()
    const names = namesIn(batch)
    const known = names.length === 0 || around === undefined ? nothingAround : await around(names)
    const files = batch.map(({ translated: _, ...file }) => file)
    const input: FilesToRead = { files, culture, checkCode, around: known }
    const module = new URL('./read-files.task.ts', import.meta.url).href
    const results = await ctx.engine.run<FileRead[]>({ module, fn: 'readFiles', input })
    const sent = batch
    read.push(...(await Promise.all(results.map((result, i) => keep(ctx, result, sent[i]!)))))
    progress(read.length, batch.at(-1)!.path)
    batch = []
    size = 0
  }
  for (let at = 0; at < files.length; at += readsAtOnce) {
    const group = files.slice(at, at + readsAtOnce)
    const contents = await Promise.all(
      group.map(async (file) => ({ bytes: await file.read(), texts: await file.texts?.read() })),
    )
    for (const [i, { bytes: content, texts }] of contents.entries()) {
      const { path, texts: resources } = group[i]!
      const translated = await translateFile(formats, path, content)
      if (translated !== undefined && translated.faults.length > 0) {
        await flush()
        read.push(refusedFile(path, translated))
        continue
      }
      const bytes = translated === undefined ? content : Buffer.from(translated.bytes)
      // Files of SIMATIC SD refer to each other and are small: a folder of them is one batch.
      const isFull = batch.length >= batchFiles && !(isSd(path) && batch.every((file) => isSd(file.path)))
      if (isFull || (batch.length > 0 && size + bytes.length > batchBytes)) await flush()
      batch.push({
        ...{ path, bytes },
        ...(texts === undefined ? {} : { texts, textsPath: resources?.path ?? path }),
        ...defined({ translated }),
      })
      size += bytes.length + (texts?.length ?? 0)
    }
  }
  await flush()
  return read
}

/** Names of the program that files of SIMATIC SD use, each once. */
function namesIn(batch: readonly { readonly path: string; readonly bytes: Buffer }[]): string[] {
  const names = new Set<string>()
  for (const { path, bytes } of batch) {
    if (!isSd(path) && path !== contentPath) continue
    const text = bytes.toString('utf8')
    // A text without a file can be SimaticML, in which every attribute has quotes.
    if (!isSd(path) && /^\s*</.test(text)) continue
    for (const [, quoted, bare] of text.matchAll(NAMES)) names.add(quoted ?? bare ?? '')
  }
  return [...names]
}

/** `"Block"`, `_.Type`, `DATA_BLOCK x : Type`. */
const NAMES = /"([^"\n]{1,128})"|(?:(?<![\w"])_\.|\bDATA_BLOCK\s+(?:"[^"\n]{1,128}"|\w+)\s*:\s*)(\w+)/g

/** Path of a text that came without a file. */
export const contentPath = 'content'

function isSd(path: string): boolean {
  return /\.s7dcl$/i.test(path)
}

/** A file on its way to the engine. */
interface Sent {
  readonly path: string
  readonly bytes: Buffer
  /** Of the `.s7res` file. */
  readonly texts?: Buffer
  readonly textsPath?: string
  /** The file is of a format of a plugin: the bytes are those of its translation. */
  readonly translated?: TranslatedFile
}

/** A file that the reader of its format refuses. */
function refusedFile(path: string, { format, faults }: TranslatedFile): ReadObjects {
  const placed = faults.map(({ offset: _, ...fault }) => ({
    ...{ ...fault, path, file: path },
    ...{ sourceLine: fault.line, sourceColumn: fault.column },
  }))
  return { path, format, faults: placed, objects: [], warnings: [] }
}

/** Puts the texts of a file's objects into blobs. */
async function keep(ctx: CommandContext, file: FileRead, sent: Sent): Promise<ReadObjects> {
  const { bytes, textsPath: texts, translated } = sent
  const { path } = file
  const format = translated?.format ?? file.format
  // The file that a translation was made of is not one that the object could be read from.
  const ownFile = translated === undefined ? file.ownFile : undefined
  const lineOf = (line: number) => (translated === undefined ? line : lineInFile(translated, line))
  const faults = file.faults.map(({ path: inside, offset: _offset, inTexts, ...fault }) => ({
    ...fault,
    line: lineOf(fault.line),
    path,
    ...defined({ element: inside }),
    file: inTexts === true && texts !== undefined ? texts : path,
    sourceLine: lineOf(fault.line),
    sourceColumn: fault.column,
  }))
  const warnings = [...(translated?.warnings ?? []), ...(file.warnings ?? [])].map((warning) => `${path}: ${warning}`)
  if (file.objects.length === 0) return { path, format, faults, objects: [], warnings }
  if (ownFile !== undefined && !(await ctx.blobs.has(ownFile))) await ctx.blobs.put(bytes)
  const { text } = decodeText(bytes)
  const objects = []
  for (const { object, needs, start, end, text: own, line, column, places } of file.objects) {
    const slice = own ?? text.slice(start, end)
    const document = await ctx.blobs.put(slice)
    const origin: Origin = {
      file: path,
      document,
      line: lineOf(line),
      column,
      ...(places === undefined ? {} : { places: await ctx.blobs.put(places) }),
    }
    const stored: StoredText = {
      format: object.format,
      document,
      size: Buffer.byteLength(slice),
      ...defined({ file: ownFile }),
      origin,
    }
    objects.push({ object, needs, stored })
  }
  return { path, format, faults, objects, warnings }
}

/**
 * True for files that an import reads.
 * @param formats of plugins
 */
export function isReadable(path: string, formats: readonly ContributedFormat[]): boolean {
  return readableExtensions.has(extname(path).toLowerCase()) || formatNamed(formats, path) !== undefined
}
