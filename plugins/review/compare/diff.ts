/** Compares two sides by meaning: files, folders, versions of git. */

import { resolve } from 'node:path'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { defined } from '../../../lib/optional.ts'
import { comparePrograms } from '../../../plc/edit/compare-programs.ts'
import { sequenceText } from '../../../plc/edit/content-text.ts'
import { unwrittenDifferences } from '../../../plc/edit/unwritten-differences.ts'
import type { HardwareDiff } from '../../../plc/formats/aml/compare.ts'
import { statementsText } from '../../../plc/formats/source/statements-write.ts'
import { networkExpression } from '../../../plc/languages/ladder/expression.ts'
import type { LogicNetwork } from '../../../plc/model/logic-network.ts'
import { canonicalTypeName } from '../../../plc/model/names.ts'
import type { ImportedObject } from '../../../plc/model/object.ts'
import type { SequenceProgram } from '../../../plc/model/sequence.ts'
import type { Statement } from '../../../plc/model/statement.ts'
import type { FileNote, PlacedObject } from '../../../plc/review/read-folder.ts'
import { contentsOf, divisionOf, hardwareOf } from '../folder/controllers.ts'
import { type FolderContent, FolderError, readFolderContent } from '../folder/folder.ts'
import { folderObjects } from '../folder/folder-objects.ts'
import type { ReadHardware } from '../folder/hardware.ts'
import { localFiles } from '../folder/local-files.ts'
import { isTiaFile } from '../folder/tia-name.ts'
import { isGatewaySide } from './gateway-side.ts'
import { gitFiles, gitSpec } from './git-files.ts'

/** Whether the sides of a compare differ in what they mean. */
export const differs = ({ objects }: Pick<ProgramDiff, 'objects'>): boolean =>
  objects.some(({ change }) => change !== 'written')

/** One thing that differs in an object. */
export interface ObjectChange {
  /**
   * code, interface, startValues, comments, properties, tags, constants, rows; of hardware modules, addresses; text:
   * only the notation differs.
   */
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
  /** `written`: it means the same on both sides, and its notation differs. */
  readonly change: 'added' | 'removed' | 'changed' | 'written'
  /** Its controller, when the sides have several. */
  readonly device?: string
  /** Files of both sides, where they are. */
  readonly leftFile?: string
  readonly rightFile?: string
  readonly differences: readonly ObjectChange[]
  /** How many more there are, which the list has no room for. */
  readonly more?: number
}

export interface ProgramDiff {
  readonly objects: readonly ChangedObject[]
  /** Objects that both sides have and that mean the same. */
  readonly same: number
  /** Files that could not be read, by side; one that both sides have byte for byte cannot differ and is left out. */
  readonly unread: readonly (FileNote & { readonly side: 'left' | 'right' })[]
}

/**
 * Reads one side.
 * @param text a path, or `<version of git>:<path from the root of the repository>`
 * @param options as of `readFolderContent`
 * @throws FolderError when there is no such thing
 */
export async function readSide(
  text: string,
  cwd: string,
  options: { readonly goesOn?: boolean } = {},
): Promise<FolderContent> {
  const path = resolve(cwd, text)
  const info = await localFiles.stat(path)
  // Git names a side that has no file so.
  if (info && !info.isFile && !info.isDirectory) return { program: [], sheets: [], hardware: [] }
  if (info) {
    if (!isTiaFile(path)) return readFolderContent(localFiles, path, options)
    const { localContext, tiaContent } = await import('../folder/tia.ts')
    return tiaContent(localContext, path)
  }
  if (isGatewaySide(text)) throw new FolderError('This is of a gateway: say which one with --url or GANTRY_URL.')
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

/** Compares what two sides hold, controller by controller. CPU-heavy. */
export async function diffContents(left: FolderContent, right: FolderContent, culture: string): Promise<DiffWithSides> {
  const hardware = [await hardwareOf(left.hardware), await hardwareOf(right.hardware)] as const
  const objects: ChangedObject[] = []
  const lefts = new Map<string, PlacedObject>()
  const rights = new Map<string, PlacedObject>()
  const unread: ProgramDiff['unread'][number][] = []
  let same = 0
  const division = divisionOf([left, right], hardware)
  const contents = [contentsOf(left, division), contentsOf(right, division)] as const
  for (const [i, device] of division.devices.entries()) {
    const sides = [
      await sideOf(contents[0][i]!, device, culture),
      await sideOf(contents[1][i]!, device, culture),
    ] as const
    const compared = programDiff(sides[0].objects, sides[1].objects, device)
    objects.push(...compared.objects)
    same += compared.same
    for (const [key, one] of sides[0].objects) lefts.set(key, one)
    for (const [key, one] of sides[1].objects) rights.set(key, one)
    unread.push(...sides[0].unread.map((note) => ({ ...note, side: 'left' as const })))
    unread.push(...sides[1].unread.map((note) => ({ ...note, side: 'right' as const })))
  }
  const isObject = (controller: string, table: string) => {
    const device = division.devices.length === 1 ? undefined : controller
    const key = diffKey({ kind: 'TagTable', name: table, ...defined({ device }) })
    return lefts.has(key) || rights.has(key)
  }
  const devices = await comparedHardware(hardware, isObject)
  const fileOf = (files: ReadonlyMap<string, string>, { kind, name }: { kind: string; name: string }) =>
    files.get(`${kind} ${name.toLowerCase()}`)
  for (const one of devices.objects)
    objects.push({
      ...one,
      ...defined({ leftFile: fileOf(hardware[0].files, one), rightFile: fileOf(hardware[1].files, one) }),
    })
  unread.push(...hardware[0].unread.map((note) => ({ ...note, side: 'left' as const })))
  unread.push(...hardware[1].unread.map((note) => ({ ...note, side: 'right' as const })))
  return { diff: { objects, same: same + devices.same, unread: withoutSameFiles(unread, left, right) }, lefts, rights }
}

/** Leaves out files that both sides have byte for byte. */
function withoutSameFiles(unread: ProgramDiff['unread'], left: FolderContent, right: FolderContent) {
  if (unread.length === 0) return unread
  const [lefts, rights] = [left, right].map(
    ({ program, sheets, hardware }) =>
      new Map([...program, ...sheets, ...hardware].map(({ path, bytes }) => [path, bytes] as const)),
  )
  return unread.filter(({ file }) => {
    const [a, b] = [lefts?.get(file), rights?.get(file)]
    return a === undefined || b === undefined || Buffer.compare(a, b) !== 0
  })
}

/** What a side has of a controller, by `diffKey`. */
async function sideOf(own: FolderContent, device: string | undefined, culture: string) {
  const { objects, unread } = await folderObjects(own, culture)
  const keyOf = ({ object: { kind, name } }: PlacedObject) => diffKey({ kind, name, ...defined({ device }) })
  return { objects: new Map(objects.map((one) => [keyOf(one), one])), unread }
}

/** Compares the objects of one controller. */
function programDiff(
  lefts: ReadonlyMap<string, PlacedObject>,
  rights: ReadonlyMap<string, PlacedObject>,
  device: string | undefined,
): Pick<ProgramDiff, 'objects' | 'same'> {
  const compared = comparePrograms(
    [...lefts.values()].map(({ object }) => object),
    [...rights.values()].map(({ object }) => object),
  )
  const placed = <T extends { readonly name: string; readonly kind: string }>(one: T) => {
    const key = diffKey({ ...one, ...defined({ device }) })
    return { ...one, ...defined({ device, leftFile: lefts.get(key)?.file, rightFile: rights.get(key)?.file }) }
  }
  const changed = new Map<string, { name: string; kind: string; differences: ObjectChange[] }>()
  for (const { name, kind, ...difference } of compared.differences) {
    const key = diffKey({ name, kind })
    const one = withTypeNames(withNetworkText(difference))
    const known = changed.get(key)
    if (known) known.differences.push(one)
    else changed.set(key, { name, kind, differences: [one] })
  }
  const omitted = new Map(compared.omitted.map(({ count, ...one }) => [diffKey(one), count]))
  const objects: ChangedObject[] = [
    ...compared.onlyLeft.map((one) => ({ ...placed(one), change: 'removed' as const, differences: [] })),
    ...compared.onlyRight.map((one) => ({ ...placed(one), change: 'added' as const, differences: [] })),
    ...[...changed].map(([key, one]) => ({
      ...placed(one),
      change: one.differences.every(({ aspect }) => aspect === 'text') ? ('written' as const) : ('changed' as const),
      ...defined({ more: omitted.get(key) }),
    })),
  ]
  objects.sort((x, y) => compareTexts(x.name, y.name) || compareTexts(x.kind, y.kind))
  return { objects, same: rights.size - compared.onlyRight.length - changed.size }
}

async function comparedHardware(
  [left, right]: readonly [ReadHardware, ReadHardware],
  isLeftOut: (controller: string, table: string) => boolean,
): Promise<HardwareDiff> {
  if (left.hardware.length + right.hardware.length === 0) return { objects: [], same: 0 }
  const { compareHardware } = await import('../../../plc/formats/aml/compare.ts')
  const { withoutTables } = await import('../folder/hardware.ts')
  return compareHardware(withoutTables(left.hardware, isLeftOut), withoutTables(right.hardware, isLeftOut))
}

/** Objects of one key are the same object on both sides. */
export const diffKey = ({ kind, name, device }: Pick<ChangedObject, 'kind' | 'name' | 'device'>): string =>
  `${device === undefined ? '' : `${device.toLowerCase()}\n`}${/Table$|^Device$|^Subnet$/.test(kind) ? kind : 'block'} ${name.toLowerCase()}`

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

/**
 * Networks that are drawn are shown as expressions, sequences and statements as text; where both look the same, with
 * what the text does not tell.
 */
function withNetworkText(one: ObjectChange): ObjectChange {
  if ((one.aspect !== 'code' && one.aspect !== 'text') || !/^network \d+$/.test(one.path)) return one
  const [a, b] = [modelOf(one.left), modelOf(one.right)]
  const [left, right] = [a ? drawnText(a) : one.left, b ? drawnText(b) : one.right]
  if (a && b && left === right) {
    const more = unwrittenDifferences(a.model, b.model)
    const languages = a.language === b.language ? [[], []] : [[`language ${a.language}`], [`language ${b.language}`]]
    const lines = (own: readonly string[], rest: readonly string[]) =>
      [...(left === '' ? [] : [left]), ...[...own, ...rest].map((line) => `// ${line}`)].join('\n')
    return { ...one, left: lines(languages[0]!, more.left), right: lines(languages[1]!, more.right) }
  }
  return { ...one, ...defined({ left, right }) }
}

interface DrawnNetwork {
  readonly language: string
  readonly model: unknown
}

/** The compare gives what has no text as its language and its model. */
function modelOf(given: string | undefined): DrawnNetwork | undefined {
  const [, language = '', model] = /^((?:F_)?(?:LAD|FBD|STL)|GRAPH) ([{[].*)$/s.exec(given ?? '') ?? []
  return model === undefined ? undefined : { language, model: JSON.parse(model) }
}

function drawnText({ language, model }: DrawnNetwork): string {
  if (language === 'GRAPH') return sequenceText(model as SequenceProgram)
  if (/STL$/.test(language)) return statementsText(model as readonly Statement[])
  return networkExpression(model as LogicNetwork, { language }).statements.join('\n')
}

/** Tags and constants of a table, a line each. */
export function rowsText({ tags = [], constants = [] }: ImportedObject): string {
  return [
    ...tags.map(({ name, dataType, logicalAddress }) => `"${name}" : ${dataType} AT ${logicalAddress}`),
    ...constants.map(({ name, dataType, value }) => `CONST "${name}" : ${dataType} := ${value}`),
  ].join('\n')
}
