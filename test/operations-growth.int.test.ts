/**
 * Work grows in line with its input: operations that import, export and list, libraries, HMI stations and designs, and
 * the start of a gateway, in a project of some size and in one that is four times as large; files of GSD and of TIA
 * Portal. Work is counted, not timed.
 */
// In a process of its own: it counts the work of the process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packageDir } from '../core/boot/running-code.ts'
import { buildSchema } from '../core/contract/schema.ts'
import { readGsdml } from '../plc/formats/gsdml/read.ts'
import { readTiaProject } from '../plc/formats/tia-project/project.ts'
import { db, fc } from '../plc/review/examples.ts'
import { designExample } from '../plugins/block-generation/design/schema.ts'
import { countedFunctions } from './counted-work.ts'
import { each } from './growing-programs.ts'
import { tiaProjectOf } from './growing-tia-project.ts'
import { growth } from './growth.ts'
import { gsdFile, gsdFileName } from './gsd-file.ts'
import { openPlant, writeWorkspace } from './plant.ts'

const plc = { deviceName: 'PLC_1' }
const panel = { deviceName: 'Panel' }
const table = { ...plc, tableName: 'Default tag table' }
const rows = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ name: `tag_${i}`, dataType: 'Bool', logicalAddress: `%M${i >> 3}.${i & 7}` }))
const numbered = (n: number) => Array.from({ length: n }, (_, i) => ({ value: i, text: `text ${i}` }))
/** Texts that no other size has: what is kept by its text would be found. */
const block = (n: number) => (i: number) => fc('#q := #a;').replace('"Convert"', `"B${1000 * n + i}"`)
const type = (n: number) => (i: number) => `TYPE "T${1000 * n + i}"\nSTRUCT\n  a : Int;\nEND_STRUCT;\nEND_TYPE\n`
const watched = (n: number) =>
  `<?xml version="1.0" encoding="utf-8"?><Document><Engineering version="V19" /><SW.WatchAndForceTables.PlcWatchTable ID="0"><AttributeList><Name>Watch</Name></AttributeList><ObjectList>${each(n, (i) => `<SW.WatchAndForceTables.PlcWatchTableEntry ID="${i + 1}" CompositionName="Entries"><AttributeList><Address>%M${i}.0</Address></AttributeList></SW.WatchAndForceTables.PlcWatchTableEntry>`)}</ObjectList></SW.WatchAndForceTables.PlcWatchTable></Document>`
const phases = (n: number) =>
  `[CmTypes]\nCmType;Variable;Direction;DataType;Description\nV;Open;In;Bool;\n\n[Phases]\nPhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep\n${each(n, (i) => `F${i};1;One;TRUE;;;"V.Open";2\nF${i};2;Two;;TRUE;;;\n`)}`

type Step = readonly [operation: string, input: object]

/** What fills a project; the files are written before. */
const filling = (n: number): readonly Step[] => [
  ['tags.import', { ...plc, tags: rows(n) }],
  ['tags.export-csv', { ...table, exportPath: 'tags.csv' }],
  ['tags.import-csv', { ...table, filePath: 'tags.csv', overwrite: true }],
  ['tags.export-xlsx', { ...table, exportPath: 'tags.xlsx' }],
  ['tags.import-xlsx', { ...table, filePath: 'tags.xlsx', overwrite: true }],
  ['tags.export-xml', table],
  ['blocks.import', { ...plc, content: each(n, block(n)) }],
  ['blocks.import-and-generate', { ...plc, content: each(n, (i) => db('  a : Int;', `D${1000 * n + i}`)) }],
  ['types.import', { ...plc, content: each(n, type(n)) }],
  ['watch-tables.import', { ...plc, content: watched(n) }],
  [
    'block-generation.bulk-import',
    { ...plc, filePaths: Array.from({ length: n }, (_, i) => `b${i}.scl`), overwrite: true },
  ],
  ['blocks.compile-device', plc],
  ['cax.export-hardware', { ...plc, scope: 'project', exportPath: 'plant.aml' }],
  ['cax.import-hardware', { filePath: 'plant.aml', importOption: 'overwrite' }],
  ['design-spec.load', { filePath: 'phases.csv' }],
  ['block-generation.generate-from-design', { ...plc, design: designOf(n), dryRun: true }],
  ['hmi.export', { ...panel, kind: 'screen', name: 'S', exportPath: 'screens/screen.xml' }],
  ['hmi.import', { ...panel, filePath: 'screens/screen.xml' }],
  ['hmi.export-tags', { ...panel, exportPath: 'hmi.xlsx' }],
  ['hmi.import-tags', { ...panel, filePath: 'hmi.xlsx' }],
  ['hmi.export', { ...panel, kind: 'text-list', name: 'Long', exportPath: 'long.xml' }],
  ['hmi.import', { ...panel, filePath: 'long.xml', overwrite: true }],
  ['hmi.compile', { stationName: 'Panel' }],
  ['hmi.screen-values', { stationName: 'Panel' }],
  ['projects.save', {}],
  ['projects.archive', { archivePath: 'plant.zap19' }],
  ['projects.close', {}],
  ['projects.create-from-archive', { archivePath: 'plant.zap19', targetDirectory: 'restored' }],
  ['review.check', { path: '.' }],
]

/** Entries of the HMI station and of the library, each by calls of its own. */
const entries = (n: number): readonly Step[] =>
  Array.from({ length: n }, (_, i): Step[] => [
    ['hmi.create-screen', { ...panel, name: `S${i}` }],
    ['hmi.create-text-list', { ...panel, name: `L${i}`, entries: [{ value: 0, text: 'off' }] }],
    ['hmi.create-alarm', { ...panel, name: `A${i}`, alarmType: 'analog', tag: `hmi_${i}`, limit: 80, text: 'high' }],
    ['libraries.create-master-copy', { ...plc, objectName: `B${1000 * n + i}` }],
    ['libraries.store-type-version', { ...plc, objectName: `T${1000 * n + i}`, version: '1.0.0' }],
    ['libraries.store-type-version', { ...plc, objectName: `T${1000 * n}`, version: `2.0.${i}` }],
  ]).flat()

/** The design of a plant, of which a unit has so many more analog outputs. */
function designOf(n: number) {
  const unit = designExample.units[0]!
  const more = Array.from({ length: n }, (_, i) => ({
    ...{ name: `Steam${i}`, output: `%QW${1000 + 2 * i}`, low: 0, high: 100, value: 'Heating.output' },
  }))
  return { ...designExample, units: [{ ...unit, analogOutputs: [...unit.analogOutputs, ...more] }] }
}

/**
 * Lists of what is not in the project, which tests of their own fill, and the lists of jobs and states, which look at a
 * bounded number of records.
 */
const elsewhere =
  /^(?:(?:simulation|alarms|online|plc-tests|diagnostics|assistant)\.|history\.list-|projects\.search|devices\.catalog|jobs\.list|audit\.state|hmi\.list-(?:pending-alarms|alarm-log)|libraries\.list-global)/

/** Answers that have all of something. */
const wholeViews = new Set([
  ...['hmi.screen-tree', 'hmi.tag-tree', 'hmi.summary', 'hmi.show-model', 'hmi.text-list-xml', 'libraries.tree'],
  ...['libraries.get', 'design-spec.model', 'design-spec.phases', 'design-spec.status'],
])

/** They read or write one object: growth.int.test.ts looks at these formats. */
const ofOneObject = new Set([
  ...['blocks.export', 'blocks.export-xml', 'blocks.export-source', 'blocks.export-diagnostics', 'types.export'],
  ...['watch-tables.export', 'watch-tables.export-force', 'block-generation.import-only', 'cax.import-device'],
  ...['hmi.export-screen', 'hmi.import-screens', 'hmi.export-connections', 'hmi.import-connections'],
])

async function plant(n: number, t: Parameters<typeof openPlant>[0]) {
  const at = await openPlant(t, { checkOutputs: false })
  const files = Object.fromEntries(Array.from({ length: n }, (_, i) => [`b${i}.scl`, block(n)(i)]))
  await writeWorkspace(at, { ...files, 'phases.csv': phases(n) })
  for (let i = 0; i < n; i++) await at.call('devices.add', { orderNumber: '6ES7 155-6AU01-0BN0', name: `IO_${i}` })
  await at.call('devices.add', { orderNumber: '6AV2 124-0MC01-0AX0', name: 'Panel' })
  await at.call('hmi.create-screen', { ...panel, name: 'S' })
  await at.call('hmi.create-tag-table', { ...panel, name: 'T' })
  for (let i = 0; i < n; i++) {
    await at.call('hmi.add-tag', { ...panel, tableName: 'T', name: `hmi_${i}`, dataType: 'Int' })
    const place = { left: 10, top: i * 10, width: 10, height: 10 }
    const bindings = [{ property: 'value', tag: `hmi_${i}` }]
    await at.call('hmi.add-object', { screenName: 'S', type: 'IOField', name: `F${i}`, ...place, bindings })
  }
  return at
}

/** A GSD file of n modules, each with a text, all of them usable. */
function gsdOf(n: number): string {
  const copies = (pattern: RegExp, make: (whole: string, i: number) => string) => (text: string) =>
    text.replace(pattern, (whole) => each(n, (i) => make(whole, i)))
  const renamed = (whole: string, i: number) => whole.replace(/VALVES|V1\b/g, (id) => `${id}_${i}`)
  return [
    copies(/<ModuleItem ID="VALVES"[\s\S]*?<\/ModuleItem>/, renamed),
    copies(/<ModuleItemRef ModuleItemTarget="VALVES"[^>]*>/, renamed),
    copies(/<Text TextId="T_V(?:ALVES|1)"[^>]*>/g, renamed),
  ].reduce((text, change) => change(text), gsdFile)
}

test('a GSD file takes work in line with its modules', async () => {
  const read = (n: number) => {
    const text = gsdOf(n)
    return () => assert.ok(readGsdml(text, gsdFileName).modules.length > n)
  }
  const [, few, many] = await countedFunctions(packageDir, read(10), read(40), read(160))
  assert.deepEqual(growth(few!, many!), [])
})

test('a project file of TIA Portal takes work in line with its objects, those of its library and its saves', async () => {
  const read = (n: number) => {
    const file = tiaProjectOf(n)
    return () => {
      const { programs, library, saves } = readTiaProject(file)
      assert.deepEqual([programs[0]?.objects.length, saves.length], [2 * n + 1, n])
      assert.deepEqual([library.types.length, library.copies.length, library.notRead], [n, n + 1, {}])
      assert.deepEqual([library.types[0]?.versions.length, library.copies[0]?.parts.length], [n + 1, n])
    }
  }
  const [, few, many] = await countedFunctions(packageDir, read(10), read(40), read(160))
  assert.deepEqual(growth(few!, many!), [])
})

test('imports, exports and lists take work in line with their size', async (t) => {
  const sizes = [10, 20, 80]
  const counts = new Map<string, ReadonlyMap<string, number>[]>()
  for (const n of sizes) {
    const at = await plant(n, t)
    const count = async (operation: string, input: object) => {
      const found = await countedFunctions(packageDir, () => at.call(operation, input as Record<string, unknown>))
      counts.set(operation, [...(counts.get(operation) ?? []), ...found])
    }
    await at.call('hmi.create-text-list', { ...panel, name: 'Long', entries: numbered(n) })
    for (const [operation, input] of filling(n)) await count(operation, input)
    for (const [operation, input] of entries(n)) await at.call(operation, { ...input })
    // Words, and a bit within each.
    const [added] = await countedFunctions(packageDir, async () => {
      for (let i = 0; i < n; i++) {
        const place = i % 2 === 0 ? ['Word', `%MW${1000 + i}`] : ['Bool', `%M${1000 + i}.0`]
        await at.call('tags.add', { ...plc, name: `added_${i}`, dataType: place[0], logicalAddress: place[1] })
      }
    })
    counts.set('tags.add, one by one', [...(counts.get('tags.add, one by one') ?? []), added!])
    // Lists of what the compile of the restored project finds.
    await at.call('blocks.compile-device', plc)
    await at.call('hmi.compile', { stationName: 'Panel' })
    for (const { id, kind, input } of at.gateway.registry.operations) {
      const fields = (await buildSchema(input)).properties ?? {}
      const isWhole = wholeViews.has(id)
      if (!isWhole && (kind !== 'query' || !('limit' in fields) || elsewhere.test(id))) continue
      const isHmi = id.startsWith('hmi.')
      const own = {
        ...('deviceName' in fields ? (isHmi ? panel : plc) : {}),
        ...('stationName' in fields ? { stationName: 'Panel' } : {}),
        ...('tableName' in fields ? { tableName: isHmi ? 'T' : 'Default tag table' } : {}),
        ...('screenName' in fields ? { screenName: 'S' } : {}),
        ...('listName' in fields ? { listName: 'Long' } : {}),
        ...(id === 'hardware.compatible-slots' ? { orderNumber: '6ES7 521-1BL00-0AB0' } : {}),
        ...(isWhole ? {} : { limit: 10 }),
      }
      await count(id, own)
    }
    const [opened] = await countedFunctions(packageDir, () => at.restart())
    counts.set('the start of a gateway', [...(counts.get('the start of a gateway') ?? []), opened!])
    await at.close()
  }
  // A new operation that imports, exports or lists has its row here.
  const { gateway } = await openPlant(t)
  const missing = gateway.registry.operations.filter(
    ({ id }) =>
      /\.(?:bulk-)?(?:import|export)/.test(id) && !counts.has(id) && !elsewhere.test(id) && !ofOneObject.has(id),
  )
  assert.deepEqual(
    missing.map(({ id }) => id),
    [],
  )
  for (const [operation, [, few, many]] of counts) assert.deepEqual(growth(few!, many!), [], operation)
  t.diagnostic(`${counts.size} operations`)
})

test('removing files and folders of what was deleted takes work in line with their number', async (t) => {
  const saves = []
  for (const n of [20, 80]) {
    const at = await openPlant(t, { checkOutputs: false })
    const names = Array.from({ length: n }, (_, i) => `IO_${i}`)
    for (const name of names) await at.call('devices.add', { orderNumber: '6ES7 155-6AU01-0BN0', name })
    await at.call('projects.save', {})
    for (const deviceName of names) await at.call('devices.delete', { deviceName })
    const [counts] = await countedFunctions(packageDir, async () => {
      const { removed } = await at.call<{ removed: number }>('projects.save', {})
      assert.ok(removed >= n)
    })
    saves.push(counts!)
    await at.close()
  }
  const [few, many] = saves
  assert.deepEqual(growth(few!, many!), [])
})
