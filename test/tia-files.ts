/** The project files inside the archives of TIA Portal in the corpus. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import type { StoredObject } from '../plc/formats/tia-project/object.ts'
import { readRecords, type StoreRecord, systemType } from '../plc/formats/tia-project/records.ts'
import { TiaStore } from '../plc/formats/tia-project/store.ts'
import { TypeModel } from '../plc/formats/tia-project/type-model.ts'
import { publicDir } from './corpus.ts'

/** A project of one S7-1500 with safety blocks, V19. */
export const smallArchive = join(
  publicDir,
  'siemens+modular-application-creator-use-cases/MAC_use_cases.Tests/Resources/MacTestenvironmentBaseProject.zap19',
)
/** A project of eight PLCs with LAD, SCL and STL, protected blocks, types and tags, V20. */
export const largeArchive = join(
  publicDir,
  'heilingbrunner+tiaportal-mcp/tests/TiaMcpServer.Test/assets/TestProject1.zap20',
)

/** A global library with master copies, V19. */
export const libraryArchive = join(
  publicDir,
  'siemens+modular-application-creator-use-cases/temp_lib/Lib_MAC_use_cases.zip',
)

/** The bytes of one file of an archive, found by the end of its name. */
export async function fileOfArchive(archive: string, name: string): Promise<Buffer> {
  const zip = await fromBufferPromise(await readFile(archive), { lazyEntries: true })
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.replaceAll('\\', '/').endsWith(name)) continue
      const chunks: Buffer[] = []
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks)
    }
  } finally {
    zip.close()
  }
  throw new Error(`${archive} has no ${name}`)
}

/** `System/PEData.plf` of an archive. */
export const projectFileOf = (archive: string): Promise<Buffer> => fileOfArchive(archive, 'System/PEData.plf')

/** An object of a project file, and one that it is to lead to by a relation, in the place of one that nothing reads. */
interface NewRelation {
  readonly from: StoredObject
  readonly instead: string
  readonly relation: string
  readonly to: StoredObject
}

/** The project file with other relations: for what no archive of the corpus has. */
function withRelations(file: Buffer, relations: readonly NewRelation[]): Buffer {
  const model = new TypeModel()
  for (const record of readRecords(file)) if (record.type === systemType.typeModel) model.add(record)
  const idOf = (name: string): number => [...model.relationIds(name)][0]!
  const changed = Buffer.from(file)
  for (const { from, instead, relation, to } of relations) {
    const { offset, size, bytes } = from.record
    const unread = Buffer.alloc(4)
    unread.writeUInt32LE(idOf(instead))
    const at = offset + bytes.indexOf(unread)
    changed.writeUInt32LE(idOf(relation), at)
    changed.writeUInt32LE(to.record.type, at + 4)
    changed.writeBigUInt64LE(BigInt(to.record.id), at + 8)
    const end = offset + size
    createHash('sha256').update(changed.subarray(offset, end)).digest().copy(changed, end)
  }
  return changed
}

/** The project file with a data type of the program as instance of the first version of a library type. */
export function withInstance(file: Buffer, dataType: string, libraryType: string): Buffer {
  const store = new TiaStore(file)
  const from = store.ofType('UserTypeData').find((one) => one.name === dataType && store.isInProject(one))!
  const to = store
    .ofType('UserTypeDataByCopyVersionObject')
    .find((one) => store.first(one, 'VersionObjectToTypeObject')?.name === libraryType)!
  return withRelations(file, [{ from, instead: 'UserDataTypeExtensionDataBags', relation: 'IsInstanceOf', to }])
}

/** The project file with a cable between the first ports of two PLCs. */
export function withCable(file: Buffer, ...controllers: readonly [string, string]): Buffer {
  const store = new TiaStore(file)
  const [a, b] = controllers.map(
    (name) =>
      store
        .ofType('DeviceItemData')
        .find(
          (item) =>
            item.text('ICoreAttributes', 'Subtype') === 'S71500.CPU.Port' &&
            store.first(item, 'Controller')?.name === name,
        )!,
  )
  const common = { instead: 'LogicalContainer', relation: 'PortToPorts' }
  return withRelations(file, [
    { ...common, from: a!, to: b! },
    { ...common, from: b!, to: a! },
  ])
}

/** The project file with the PROFIBUS interface of a PC in a subnet. */
export function withBusSubnet(file: Buffer, subnet: string): Buffer {
  const store = new TiaStore(file)
  const from = store.ofType('NodeData').find((node) => node.name === 'PB1' && store.isInProject(node))!
  const to = store.ofType('SubnetData').find((one) => one.name === subnet)!
  return withRelations(file, [{ from, instead: 'Environment', relation: 'Subnet', to }])
}

/** A change of a record: what is written at a place of it, which counts from behind its size and wraps. */
export interface RecordChange {
  readonly record: StoreRecord
  readonly at: number
  readonly bytes: Buffer
}

/** The file with changed records behind right hashes. The sizes stay: another one is a cut file. */
export function withChanges(file: Buffer, changes: readonly RecordChange[]): Buffer {
  const changed = Buffer.from(file)
  for (const { record, at, bytes } of changes) {
    const { offset, size } = record
    const start = offset + 4 + (at % (size - 4))
    bytes.copy(changed, start, 0, Math.min(bytes.length, offset + size - start))
    createHash('sha256')
      .update(changed.subarray(offset, offset + size))
      .digest()
      .copy(changed, offset + size)
  }
  return changed
}

/** An archive with these files. */
export async function archiveOf(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files)) zip.addBuffer(content, path)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
