import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CommandContext, isGatewayError } from '../../core/index.ts'
import type { GivenLibraryFile, TiaContent } from '../projects/index.ts'
import type { LibraryContent } from './files.ts'
import { convertLibrary, withoutGaps } from './tia-library.ts'

function context(): CommandContext {
  let count = 0
  return { newId: () => `id${++count}`, now: Date.UTC(2026, 0, 2) } as unknown as CommandContext
}

const file = (name: string, kind: string, more: Partial<GivenLibraryFile> = {}): GivenLibraryFile => ({
  ...{ name, kind, folder: '', uses: [], text: `<${name}>` },
  ...more,
})

const entry = { folder: '', author: 'anna', comment: '' }

function content(more: Partial<TiaContent>): TiaContent {
  const library = { types: [], copies: [], instances: [] }
  return {
    ...{ name: 'Ours', author: 'anna', version: 'V19', kind: 'Library', products: [], saves: [], controllers: [] },
    ...{ otherStations: [], stations: [], unknownStations: [], files: [], library, report: [] },
    ...{ systemElements: 0, systemConstants: 0, damaged: [], notRead: {} },
    ...more,
  } as TiaContent
}

/** The files of a library with their JSON read. */
function converted(given: Partial<TiaContent>, path = '/libs/Ours.al19') {
  const { contents, warnings } = convertLibrary(context(), path, content(given))
  const read = (name: string, bytes: Buffer): unknown =>
    /json|gantrylib$/.test(name) ? JSON.parse(`${bytes}`) : `${bytes}`
  return { files: Object.fromEntries([...contents].map(([name, bytes]) => [name, read(name, bytes)])), warnings }
}

const now = '2026-01-02T00:00:00.000Z'
const manifest = {
  ...{ format: 'gantry-library', formatVersion: 1, id: 'id1', version: 'V19', author: 'anna', comment: '' },
  createdAt: now,
}

test('master copies of TIA Portal: folders of objects, single ones, names that a library of ours cannot have', () => {
  const { files, warnings } = converted({
    library: {
      types: [],
      instances: [],
      copies: [
        {
          ...entry,
          ...{ name: 'Line', folder: 'A/B.copy', isFolder: true, createdAt: '2025-05-06T07:08:09.000Z' },
          files: [
            file('Motor', 'FB', { folder: 'Line/Sub', number: 7, uses: ['Data', 'Gone'] }),
            file('Data', 'UDT', { folder: 'Line' }),
            file('MOTOR', 'TagTable', { folder: 'Line' }),
            file('Look', 'WatchTable'),
            file('Force', 'ForceTable'),
          ],
        },
        { ...entry, name: 'a/b\\c', isFolder: false, files: [file('x', 'FC'), file('x', 'FC')] },
        { ...entry, name: 'A_b_c', isFolder: false, files: [file('T', 'UDT')] },
        { ...entry, name: ' ', folder: 'A', isFolder: false, files: [file('O', 'OB', { secondaryType: 'Startup' })] },
        { ...entry, name: 'n'.repeat(130), isFolder: false, files: [file('y', 'FC')] },
      ],
    },
  })
  const object = (name: string, objectKind: string, kind: string, more: object = {}) => ({
    ...{ name, folder: '', uses: [], kind, objectKind, file: `${kind}/${name}.xml` },
    ...more,
  })
  const long = 'n'.repeat(120)
  const copyOf = (id: number, name: string, kind: string, more: object) => ({
    ...entry,
    ...{ name, id: `id${id}`, kind, createdAt: now, folders: [] },
    ...more,
  })
  assert.deepEqual(files, {
    'master-copies/A/B%2Ecopy/Line.copy/block/Motor.xml': '<Motor>',
    'master-copies/A/B%2Ecopy/Line.copy/type/Data.xml': '<Data>',
    'master-copies/A/B%2Ecopy/Line.copy/tag-table/MOTOR.xml': '<MOTOR>',
    'master-copies/A/B%2Ecopy/Line.copy/watch-table/Look.xml': '<Look>',
    'master-copies/A/B%2Ecopy/Line.copy/watch-table/Force.xml': '<Force>',
    'master-copies/A/B%2Ecopy/Line.copy/copy.json': copyOf(1, 'Line', 'folder', {
      ...{ folder: 'A/B.copy', createdAt: '2025-05-06T07:08:09.000Z' },
      folders: [
        { kind: 'block', path: 'Line/Sub' },
        { kind: 'type', path: 'Line' },
        { kind: 'tag-table', path: 'Line' },
      ],
      objects: [
        object('Motor', 'FB', 'block', { folder: 'Line/Sub', number: 7, uses: ['Data'] }),
        object('Data', 'UDT', 'type', { folder: 'Line' }),
        object('MOTOR', 'TagTable', 'tag-table', { folder: 'Line' }),
        object('Look', 'WatchTable', 'watch-table'),
        object('Force', 'ForceTable', 'watch-table'),
      ],
    }),
    'master-copies/a_b_c.copy/block/x.xml': '<x>',
    'master-copies/a_b_c.copy/block/x~2.xml': '<x>',
    'master-copies/a_b_c.copy/copy.json': copyOf(2, 'a_b_c', 'block', {
      objects: [object('x', 'FC', 'block'), object('x', 'FC', 'block', { file: 'block/x~2.xml' })],
    }),
    'master-copies/A_b_c_2.copy/type/T.xml': '<T>',
    'master-copies/A_b_c_2.copy/copy.json': copyOf(3, 'A_b_c_2', 'type', { objects: [object('T', 'UDT', 'type')] }),
    'master-copies/A/_.copy/block/O.xml': '<O>',
    'master-copies/A/_.copy/copy.json': copyOf(4, '_', 'block', {
      folder: 'A',
      objects: [object('O', 'OB', 'block', { secondaryType: 'Startup' })],
    }),
    [`master-copies/${long}.copy/block/y.xml`]: '<y>',
    [`master-copies/${long}.copy/copy.json`]: copyOf(5, long, 'block', { objects: [object('y', 'FC', 'block')] }),
    'Ours.gantrylib': { ...manifest, id: 'id6' },
  })
  assert.deepEqual(warnings, [
    '"a/b\\c" of the library is called "a_b_c" here.',
    '"A_b_c" of the library is called "A_b_c_2" here.',
    '" " of the library is called "_" here.',
    `"${'n'.repeat(130)}" of the library is called "${long}" here.`,
  ])
})

test('types of TIA Portal: versions with what they depend on, by the names that types have here', () => {
  const version = { author: 'ben', comment: 'c', isReleased: true }
  const { files, warnings } = converted({
    library: {
      copies: [],
      instances: [],
      types: [
        {
          ...entry,
          ...{ name: 'Drive', folder: 'T', createdAt: '2025-01-01T00:00:00.000Z', defaultVersion: '1.0.1' },
          versions: [
            {
              ...version,
              ...{ version: '1.0.0', file: file('Drive', 'FB', { uses: ['in/out', 'Other'] }) },
              dependencies: [{ type: 'IN/OUT', version: '0.0.1' }],
            },
            {
              ...version,
              ...{ version: '1.0.1', isReleased: false, createdAt: '2025-02-02T00:00:00.000Z', dependencies: [] },
              file: file('Drive', 'FB'),
            },
          ],
        },
        {
          ...entry,
          ...{ name: 'in/out', defaultVersion: '0.0.1' },
          versions: [{ ...version, version: '0.0.1', file: file('in/out', 'UDT'), dependencies: [] }],
        },
      ],
    },
  })
  const object = (name: string, objectKind: string, kind: string, at: string, uses: string[] = []) => ({
    ...{ name, folder: '', uses, kind, objectKind, file: `${at}/${kind}/${name.replace('/', '%2F')}.xml` },
  })
  const made = { author: 'ben', comment: 'c', createdAt: now }
  assert.deepEqual(files, {
    'types/T/Drive.type/1.0.0/block/Drive.xml': '<Drive>',
    'types/T/Drive.type/1.0.1/block/Drive.xml': '<Drive>',
    'types/T/Drive.type/type.json': {
      ...entry,
      ...{ name: 'Drive', folder: 'T', defaultVersion: '1.0.1', id: 'id1', kind: 'block' },
      createdAt: '2025-01-01T00:00:00.000Z',
      versions: [
        {
          ...made,
          ...{ version: '1.0.0', status: 'released', dependencies: [{ type: 'in_out', version: '0.0.1' }] },
          object: object('Drive', 'FB', 'block', '1.0.0', ['in/out']),
        },
        {
          ...made,
          ...{ version: '1.0.1', status: 'inWork', createdAt: '2025-02-02T00:00:00.000Z', dependencies: [] },
          object: object('Drive', 'FB', 'block', '1.0.1'),
        },
      ],
    },
    'types/in_out.type/0.0.1/type/in%2Fout.xml': '<in/out>',
    'types/in_out.type/type.json': {
      ...entry,
      ...{ name: 'in_out', defaultVersion: '0.0.1', id: 'id2', kind: 'type', createdAt: now },
      versions: [
        {
          ...made,
          ...{ version: '0.0.1', status: 'released', dependencies: [] },
          object: object('in/out', 'UDT', 'type', '0.0.1'),
        },
      ],
    },
    'Ours.gantrylib': { ...manifest, id: 'id3' },
  })
  assert.deepEqual(warnings, ['"in/out" of the library is called "in_out" here.'])
})

test('what of a library of TIA Portal is not read is told; a project is none', () => {
  const part = (name: string, completeness: string, problems: string[]) =>
    ({ folder: 'Types', name, completeness, problems }) as unknown as TiaContent['report'][number]
  const { files, warnings } = converted(
    {
      name: '',
      report: [part('A', 'whole', []), part('B', 'partly', ['one', 'two'])],
      notRead: { screen: 3 },
      damaged: ['record 7 is damaged'],
    },
    '/libs/By file.al19',
  )
  assert.deepEqual(files, { 'By file.gantrylib': manifest })
  assert.deepEqual(warnings, ['Types/B (partly): one; two', 'Not read: 3 of the kind screen.', 'record 7 is damaged'])
  assert.throws(
    () => converted({ kind: 'Project' }, '/x/P.ap19'),
    (error) =>
      isGatewayError(error) &&
      error.code === 'unacceptable_content' &&
      error.message === '"P.ap19" is a project of TIA Portal, not a library.' &&
      error.details.suggestion === 'POST /api/projects/actions/open and /create-from-archive open it.',
  )
})

test('a library without its faulty parts is whole: no empty copies and types, no dependency on what is gone', () => {
  const version = (number: string, ...dependencies: string[]) => ({
    version: number,
    dependencies: dependencies.map((type) => ({ type, version: '1.0.0' })),
  })
  const folders = { masterCopies: ['A'], types: [] }
  const given = {
    folders,
    copies: [
      { name: 'empty', objects: [] },
      { name: 'full', objects: ['one'] },
    ],
    types: [
      { name: 'gone', defaultVersion: '1.0.0', versions: [] },
      { name: 'kept', defaultVersion: '1.0.0', versions: [version('1.0.0'), version('1.1.0', 'gone', 'kept')] },
      { name: 'newest', defaultVersion: '0.9.0', versions: [version('1.0.0'), version('2.0.0', 'newest')] },
    ],
  } as unknown as LibraryContent
  assert.deepEqual(withoutGaps(given), {
    folders,
    copies: [{ name: 'full', objects: ['one'] }],
    types: [
      { name: 'kept', defaultVersion: '1.0.0', versions: [version('1.0.0'), version('1.1.0', 'kept')] },
      { name: 'newest', defaultVersion: '2.0.0', versions: [version('1.0.0'), version('2.0.0', 'newest')] },
    ],
  })
})
