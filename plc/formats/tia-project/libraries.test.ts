/** What a library has: versions of types with their states and needs, master copies, and what is told of the others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeObject, storeOf } from '../../../test/tia-store.ts'
import type { BlockReader } from './blocks.ts'
import { folderPath } from './folders.ts'
import { readLibrary, typeVersionOf } from './libraries.ts'
import type { StoredObject } from './object.ts'

type Made = Parameters<typeof madeObject>[0]

const core = (name: string, more: Readonly<Record<string, string | number>> = {}) => ({
  'ICoreAttributes.Name': name,
  ...more,
})
const number = (Major: number, Minor: number, Build: number) => ({
  structures: { 'IVersionInfo.Version': { Build, Major, Minor, Revision: 9 } },
})
const named = (type: string, name: string, more: Partial<Made> = {}) => madeObject({ type, name, ...more })
/** A block or type with its own interface. */
const content = (name: string, kind: string, relations: NonNullable<Made['relations']> = {}) =>
  named('CodeBlockData', name, {
    values: core(name, { 'IGeneralBlockSourceData.BlockType': kind }),
    relations: { CurrentLibraryInterface: [named('InterfaceVersionRootData', `of ${name}`)], ...relations },
  })

const reader = {
  read: (stored: StoredObject) => {
    if (stored.name === 'Broken') return { stored, completeness: 'not-read', problems: ['it is broken'] }
    const attributes = [
      { name: 'Name', value: stored.name },
      { name: 'Other', value: stored.name },
    ]
    return { stored, object: { kind: 'FC', name: stored.name, attributes }, completeness: 'whole', problems: [] }
  },
} as unknown as BlockReader

/** 2024-01-02T03:04:05Z */
const ticks = (Date.UTC(2024, 0, 2, 3, 4, 5) + 62_135_596_800_000) * 10_000

test('a type has its versions, the default one, its folder, and what each version needs', () => {
  const folder = named('FolderData', 'Hall', { relations: { AggregatingFolder: [named('FolderData', 'TypesFolder')] } })
  const used = content('made 1', 'UDT')
  const usedType = named('LibraryTypeData', 'Set', { values: core('Set') })
  const usedVersion = named('UserTypeDataByCopyVersionObject', '', {
    ...number(1, 0, 2),
    relations: { VersionObjectToTypeObject: [usedType], VisibleParts: [used] },
  })
  // The interface of the block has that of the type among its parts.
  const own = named('InterfaceVersionRootData', 'own', {
    relations: { UsedParts: [...interfacesOf(used)] },
  })
  const block = content('made 2', 'FB', { CurrentLibraryInterface: [own] })
  const type = named('LibraryTypeData', 'Motor', {
    values: core('Motor', { 'ICoreAttributes.Author': 'anna', 'ICoreAttributes.CreationTime': ticks }),
    texts: { 'ICoreAttributes.Comment': { 1031: 'Motor', 1033: 'Drive' } },
    relations: { AggregatingFolder: [folder] },
  })
  const version = (build: number, more: Partial<Made> = {}, part: StoredObject = block) =>
    named('CodeBlockDataByCopyVersionObject', '', {
      ...number(2, 1, build),
      relations: { VersionObjectToTypeObject: [type], VisibleParts: [part], ...more.relations },
      values: { 'ICoreLibObjectAttributes.State': 'Committed', ...more.values },
      texts: { 'ICoreAttributes.Comment': { 1031: 'Fassung' } },
    })
  const [first, second] = [version(3), version(4, { values: { 'ICoreLibObjectAttributes.State': 'InWork' } })]
  const twice = version(3, { relations: { DefaultVersionToType: [type] } }, content('Broken', 'FB'))
  const again = version(4)
  const lost = version(-1)
  const nothing = named('CodeBlockDataByCopyVersionObject', '', number(1, 1, 1))
  const screen = version(7, {}, named('HmiScreenData', 'Screen'))
  const parts = [own, ...interfacesOf(used)]
  const all = [...parts, usedVersion, first, second, twice, again, lost, nothing, screen]
  const { types, copies, notRead } = readLibrary(storeOf(all), reader)
  assert.deepEqual(copies, [])
  assert.deepEqual(notRead, {
    'library type version with the number of another one': 2,
    'library type version': 3,
  })
  const [set, motor] = types
  assert.deepEqual(
    [set?.name, set?.defaultVersion, set?.versions.map(({ version: text }) => text)],
    ['Set', '1.0.2', ['1.0.2']],
  )
  const { versions, ...entry } = motor!
  assert.deepEqual(entry, {
    ...{ name: 'Motor', folder: ['Hall'], author: 'anna', comment: 'Drive' },
    ...{ createdAt: '2024-01-02T03:04:05.000Z', defaultVersion: '2.1.4' },
  })
  // Of two of one number the default one counts.
  assert.deepEqual(
    versions.map(({ version: text, isReleased, comment, author, part, dependencies }) => [
      ...[text, isReleased, comment, author, part.kind, part.name, part.object?.name, dependencies],
    ]),
    [
      ['2.1.3', true, 'Fassung', '', 'FB', 'Motor', undefined, []],
      ['2.1.4', false, 'Fassung', '', 'FC', 'Motor', 'Motor', [{ type: 'Set', version: '1.0.2' }]],
    ],
  )
  assert.deepEqual(versions[1]?.part.object?.attributes, [
    { name: 'Name', value: 'Motor' },
    { name: 'Other', value: 'made 2' },
  ])
  const withDefault = named('LibraryTypeData', 'D', { relations: { TypeToDefaultVersion: [first] } })
  const only = named('CodeBlockDataByCopyVersionObject', '', {
    ...number(5, 0, 0),
    relations: { VersionObjectToTypeObject: [withDefault], VisibleParts: [block] },
  })
  assert.equal(readLibrary(storeOf([only]), reader).types[0]?.defaultVersion, '2.1.3')
})

/** The objects that a made object leads to as its interface. */
function interfacesOf(block: StoredObject): StoredObject[] {
  return storeOf([]).related(block, 'CurrentLibraryInterface')
}

test('an instance says of which version of which type it is', () => {
  const type = named('LibraryTypeData', 'Motor')
  const master = (more: Partial<Made>) => named('CodeBlockDataByCopyVersionObject', '', more)
  const instance = (of: readonly StoredObject[]) => named('CodeBlockData', 'M', { relations: { IsInstanceOf: of } })
  const versionOf = (object: StoredObject) => typeVersionOf(storeOf([]), object)
  const relations = { VersionObjectToTypeObject: [type] }
  assert.deepEqual(versionOf(instance([master({ ...number(0, 0, 1), relations })])), {
    type: 'Motor',
    version: '0.0.1',
  })
  assert.equal(versionOf(instance([])), undefined)
  assert.equal(versionOf(instance([master({ relations })])), undefined)
  assert.equal(versionOf(instance([master(number(1, 2, 3))])), undefined)
})

test('a master copy is a folder with all in it, or an object; devices, screens and others are told', () => {
  const copy = (name: string, ...visible: StoredObject[]) =>
    named('LibraryMasterCopyData', name, { values: core(name), relations: { VisibleParts: visible } })
  const outer = named('FolderData', 'Outer')
  const inside = (name: string, of: StoredObject, more: NonNullable<Made['relations']> = {}, kind = 'FC') =>
    named('CodeBlockData', name, {
      values: core(name, { 'IGeneralBlockSourceData.BlockType': kind }),
      relations: { Environment: [of], ...more },
    })
  const whole = copy('All', named('FolderData', 'Top'))
  const visible: StoredObject[] = []
  const one = named('LibraryMasterCopyData', 'One', { values: core('One'), relations: { VisibleParts: visible } })
  const single = inside('Single', one, { AggregatingFolder: [outer] })
  visible.push(single)
  const first = inside('First', whole, { AggregatingFolder: [outer] })
  const objects = [
    ...[whole, one, single, first],
    // What one does not see of a copy of one object, what is no object of its own, and what is elsewhere.
    inside('Beside', one),
    inside('Part', whole, { TRefParent: [first] }),
    inside('System', whole, {}, 'SDT'),
    inside('Stranger', named('ProjectData', 'P')),
    named('EAMTZTagTableData', 'Tags', { relations: { Environment: [whole] } }),
    named('FolderData', 'Inner', { relations: { Environment: [whole] } }),
    copy('Station', named('DeviceData', 'S'), named('HmiScreenData', 'H')),
    copy('Screen', named('OtherData', 'O'), named('HmiScreenData', 'H')),
    copy('Other', named('OtherData', 'O'), named('MoreData', 'M')),
    copy('Empty'),
  ]
  const { copies, notRead } = readLibrary(storeOf(objects), reader)
  assert.deepEqual(
    copies.map(({ name, isFolder, parts }) => [
      name,
      isFolder,
      parts.map(({ name: own, kind, folder }) => `${kind} ${[...folder, own].join('/')}`),
    ]),
    [
      ['All', true, ['FC Outer/First', 'TagTable Tags']],
      ['One', false, ['FC Single']],
    ],
  )
  assert.deepEqual(notRead, {
    'master copy of a station': 1,
    'master copy of an HMI object': 1,
    'master copy of the kind OtherData, MoreData': 1,
    'empty master copy': 1,
  })
})

test('folders of users have any name; those of the tool around them are not shown', () => {
  const pathOf = (...names: readonly string[]) => {
    const nested = names.reduce<StoredObject | undefined>(
      (above, name) => named('FolderData', name, { relations: { AggregatingFolder: above ? [above] : [] } }),
      undefined,
    )
    return folderPath(
      storeOf([]),
      named('CodeBlockData', 'B', { relations: { AggregatingFolder: nested ? [nested] : [] } }),
    )
  }
  assert.deepEqual(pathOf(), [])
  assert.deepEqual(pathOf('ProgramBlocksFolder'), [])
  assert.deepEqual(pathOf('ProgramBlocksFolder', 'Hall', 'MotorFolder', 'x'), ['Hall', 'MotorFolder', 'x'])
  assert.deepEqual(pathOf('ProgramBlocksFolder', 'SystemBlocksFolder', 'SafetyResourcesFolder'), [])
  assert.deepEqual(pathOf('ControllerDataTypeFolder', 'SystemDataTypeFolder', 'Own'), ['Own'])
  assert.deepEqual(pathOf('Hall', 'Inner'), ['Hall', 'Inner'])
  assert.equal(pathOf('TagsFolder', ...Array.from({ length: 100 }, (_, i) => `f${i}`)).length, 64)
})
