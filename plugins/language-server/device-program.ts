/**
 * The program of a PLC as files of the language service, kept while the gateway runs and brought up to date when asked.
 */
import { LRUCache } from 'lru-cache'
import type { QueryContext } from '../../core/index.ts'
import { type Declared, declaredOf, leafDeclared } from '../../plc/language-service/declared.ts'
import { LanguageService } from '../../plc/language-service/service.ts'
import type { Device } from '../devices/index.ts'
import {
  documentOf,
  editWork,
  type ProgramObject,
  type ProgramSymbol,
  programContributor,
} from '../program-objects/index.ts'

type Reader = Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>

interface Kept {
  readonly service: LanguageService
  objects: ReadonlySet<ProgramObject>
  symbols: readonly ProgramSymbol[]
}

/** Programs by device. */
const programs = new LRUCache<string, Kept>({ max: 4 })
/** Bytes of documents whose interfaces are read at once. */
const batchBytes = 1_000_000
/** The file of all tags and constants. */
const tagsFile = 'PLC tags'

/** The path of an object in the service: its name, with the ending of its language. */
export function pathOf(name: string): string {
  return `${name}.scl`
}

/** The object of a path of the service; undefined for tags. */
export function nameOf(path: string): string | undefined {
  return path === tagsFile ? undefined : path.slice(0, -'.scl'.length)
}

/**
 * The service with the present program. Sources are there as texts, other objects with their declarations; only what
 * has changed since the last time is read.
 */
export async function serviceOf(ctx: Reader, device: Device): Promise<LanguageService> {
  let kept = programs.get(device.id)
  if (kept === undefined) {
    kept = { service: new LanguageService(), objects: new Set(), symbols: [] }
    programs.set(device.id, kept)
  }
  const parts = ctx.extensions(programContributor)
  const objects = new Set(
    parts.flatMap((part) => part.objects(ctx, device)).filter(({ category }) => /^(block|type)$/.test(category)),
  )
  const { files } = kept.service
  const before = kept.objects
  for (const object of before) if (!objects.has(object)) files.remove(pathOf(object.name))
  await read(
    ctx,
    kept,
    [...objects].filter((object) => !before.has(object)),
  )
  kept.objects = objects
  const symbols = parts
    .flatMap((part) => part.symbols(ctx, device))
    .filter(({ kind }) => kind === 'tag' || kind === 'constant')
  if (symbols.length !== kept.symbols.length || symbols.some((one, i) => one !== kept.symbols[i])) {
    files.setDeclared(tagsFile, symbols.map(declaredSymbol))
    kept.symbols = symbols
  }
  return kept.service
}

async function read(ctx: Reader, { service }: Kept, changed: readonly ProgramObject[]): Promise<void> {
  let batch: ProgramObject[] = []
  let bytes = 0
  const flush = async () => {
    const documents = await Promise.all(batch.map(({ stored }) => documentOf(ctx, stored!)))
    for (const object of await editWork(ctx, 'readInterfaces', documents, bytes))
      service.files.setDeclared(pathOf(object.name), declaredOf(object, pathOf(object.name)))
    batch = []
    bytes = 0
  }
  for (const object of changed) {
    const { stored, name } = object
    if (stored === undefined) continue
    if (stored.format === 'source') service.files.setText(pathOf(name), await ctx.blobs.text(stored.document))
    else {
      batch.push(object)
      bytes += stored.size
      if (bytes >= batchBytes) await flush()
    }
  }
  if (batch.length > 0) await flush()
}

function declaredSymbol({ kind, name, typeName, address, value }: ProgramSymbol): Declared {
  return leafDeclared(tagsFile, kind === 'tag' ? 'Tag' : 'Constant', name, typeName, '', {
    value: address ?? value ?? '',
  })
}
