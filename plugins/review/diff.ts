/** Compares two sides by meaning: files, folders, versions of git. */
import { resolve } from 'node:path'
import { defined } from '../../lib/optional.ts'
import { comparePrograms } from '../../plc/edit/compare-programs.ts'
import { sequenceText } from '../../plc/edit/content-text.ts'
import type { HardwareDiff } from '../../plc/formats/aml/compare.ts'
import { networkExpression } from '../../plc/languages/ladder/expression.ts'
import type { LogicNetwork } from '../../plc/model/logic-network.ts'
import { canonicalTypeName } from '../../plc/model/names.ts'
import type { ImportedObject } from '../../plc/model/object.ts'
import type { SequenceProgram } from '../../plc/model/sequence.ts'
import type { FileNote, PlacedObject } from '../../plc/review/read-folder.ts'
import { type FolderContent, FolderError, readFolderContent } from './folder.ts'
import { folderObjects } from './folder-objects.ts'
import { gitFiles, gitSpec } from './git-files.ts'
import type { ReadHardware } from './hardware.ts'
import { localFiles } from './local-files.ts'
import { isTiaFile } from './tia-name.ts'

/** One thing that differs in an object. */
export interface ObjectChange {
  /** code, interface, startValues, comments, properties, tags, constants, rows; of hardware modules, addresses. */
  readonly aspect: string
  /** `network 3`, `Static.motor.speed`, the name of a tag. */
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed' | 'moved'
  readonly left?: string
  readonly right?: string
}

export interface ChangedObject {
  readonly name: string
  readonly kind: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Files of both sides, where they are. */
  readonly leftFile?: string
  readonly rightFile?: string
  readonly differences: readonly ObjectChange[]
}

export interface ProgramDiff {
  readonly objects: readonly ChangedObject[]
  /** Objects that both sides have and that mean the same. */
  readonly same: number
  /** Files that could not be read, by side. */
  readonly unread: readonly (FileNote & { readonly side: 'left' | 'right' })[]
}

/**
 * Reads one side.
 * @param text a path, or `<version of git>:<path from the root of the repository>`
 * @throws FolderError when there is no such thing
 */
export async function readSide(text: string, cwd: string): Promise<FolderContent> {
  const path = resolve(cwd, text)
  const info = await localFiles.stat(path)
  // Git names a side that has no file so.
  if (info && !info.isFile && !info.isDirectory) return { program: [], sheets: [], hardware: [] }
  if (info) {
    if (!isTiaFile(path)) return readFolderContent(localFiles, path)
    const { localContext, tiaContent } = await import('./tia.ts')
    return tiaContent(localContext, path)
  }
  const spec = gitSpec(text)
  if (!spec) throw new FolderError(`There is nothing at ${path}.`)
  const { access, root } = await gitFiles(cwd, spec)
  return readFolderContent(access, root)
}

/** A compare with the objects of both sides by `diffKey`: what a drawn report needs. */
export interface DiffWithSides {
  readonly diff: ProgramDiff
  readonly lefts: ReadonlyMap<string, PlacedObject>
  readonly rights: ReadonlyMap<string, PlacedObject>
}

/** Compares what two sides hold. CPU-heavy. */
export async function diffContents(left: FolderContent, right: FolderContent, culture: string): Promise<DiffWithSides> {
  const [a, b] = [await folderObjects(left, culture), await folderObjects(right, culture)]
  const compared = comparePrograms(
    a.objects.map(({ object }) => object),
    b.objects.map(({ object }) => object),
  )
  const [lefts, rights] = [byName(a.objects), byName(b.objects)]
  const changed = new Map<string, { name: string; kind: string; differences: ObjectChange[] }>()
  for (const { name, kind, ...difference } of compared.differences) {
    const key = diffKey({ name, kind })
    const one = withTypeNames(withNetworkText(difference))
    const known = changed.get(key)
    if (known) known.differences.push(one)
    else changed.set(key, { name, kind, differences: [one] })
  }
  const filesOf = (one: { readonly name: string; readonly kind: string }) => {
    const [leftFile, rightFile] = [lefts.get(diffKey(one))?.file, rights.get(diffKey(one))?.file]
    return { ...(leftFile === undefined ? {} : { leftFile }), ...(rightFile === undefined ? {} : { rightFile }) }
  }
  const objects: ChangedObject[] = [
    ...compared.onlyLeft.map((one) => ({ ...one, change: 'removed' as const, ...filesOf(one), differences: [] })),
    ...compared.onlyRight.map((one) => ({ ...one, change: 'added' as const, ...filesOf(one), differences: [] })),
    ...[...changed.values()].map((one) => ({ ...one, change: 'changed' as const, ...filesOf(one) })),
  ]
  objects.sort((x, y) => (x.name < y.name ? -1 : x.name > y.name ? 1 : x.kind < y.kind ? -1 : 1))
  const both = b.objects.length - compared.onlyRight.length
  const hardware = [await hardwareOf(left.hardware), await hardwareOf(right.hardware)] as const
  const devices = await comparedHardware(hardware)
  const fileOf = (files: ReadonlyMap<string, string>, { kind, name }: { kind: string; name: string }) =>
    files.get(`${kind} ${name.toLowerCase()}`)
  for (const one of devices.objects)
    objects.push({
      ...one,
      ...defined({ leftFile: fileOf(hardware[0].files, one), rightFile: fileOf(hardware[1].files, one) }),
    })
  const unread = [
    ...a.unread.map((note) => ({ ...note, side: 'left' as const })),
    ...b.unread.map((note) => ({ ...note, side: 'right' as const })),
    ...hardware[0].unread.map((note) => ({ ...note, side: 'left' as const })),
    ...hardware[1].unread.map((note) => ({ ...note, side: 'right' as const })),
  ]
  return { diff: { objects, same: both - changed.size + devices.same, unread }, lefts, rights }
}

/** The hardware of AML files; its reader is loaded when there are some. */
async function hardwareOf(files: FolderContent['hardware']): Promise<ReadHardware> {
  return files.length === 0
    ? { hardware: [], files: new Map(), unread: [] }
    : (await import('./hardware.ts')).readHardware(files)
}

async function comparedHardware([left, right]: readonly [ReadHardware, ReadHardware]): Promise<HardwareDiff> {
  if (left.hardware.length + right.hardware.length === 0) return { objects: [], same: 0 }
  const { compareHardware } = await import('../../plc/formats/aml/compare.ts')
  return compareHardware(left.hardware, right.hardware)
}

/** Objects of one key are the same object on both sides. */
export const diffKey = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  `${/Table$|^Device$|^Subnet$/.test(kind) ? kind : 'block'} ${name.toLowerCase()}`

const byName = (objects: readonly PlacedObject[]) => new Map(objects.map((one) => [diffKey(one.object), one]))

/** The compare writes types in capitals, since their case does not count. */
function withTypeNames(one: ObjectChange): ObjectChange {
  if (one.aspect !== 'interface') return one
  const spelled = (text: string) => text.replace(/[A-Z_]+/g, canonicalTypeName)
  return {
    ...one,
    ...(one.left === undefined ? {} : { left: spelled(one.left) }),
    ...(one.right === undefined ? {} : { right: spelled(one.right) }),
  }
}

/** Networks that are drawn are shown as expressions, sequences as text. */
function withNetworkText(one: ObjectChange): ObjectChange {
  if (one.aspect !== 'code' || !/^network \d+$/.test(one.path)) return one
  const [left, right] = [drawnText(one.left), drawnText(one.right)]
  return { ...one, ...(left === undefined ? {} : { left }), ...(right === undefined ? {} : { right }) }
}

/** The compare gives what is drawn as its language and its model. */
function drawnText(given: string | undefined): string | undefined {
  const [, language = '', model = ''] = /^(LAD|FBD|GRAPH|F_LAD|F_FBD) (\{.*\})$/s.exec(given ?? '') ?? []
  if (model === '') return given
  const read: unknown = JSON.parse(model)
  return language === 'GRAPH'
    ? sequenceText(read as SequenceProgram)
    : networkExpression(read as LogicNetwork, { language }).statements.join('\n')
}

/** Tags and constants of a table, a line each. */
export function rowsText({ tags = [], constants = [] }: ImportedObject): string {
  return [
    ...tags.map(({ name, dataType, logicalAddress }) => `"${name}" : ${dataType} AT ${logicalAddress}`),
    ...constants.map(({ name, dataType, value }) => `CONST "${name}" : ${dataType} := ${value}`),
  ].join('\n')
}
