/** Lists tell the truth: every operation that has pages gives all entries, each once, and the total of what matches. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { compileInput } from '../core/input/validation.ts'
import { defined } from '../lib/optional.ts'
import { openTestGateway, type TestGateway } from './harness.ts'
import { type Answer, plc, withController, withProject } from './online.ts'
import { until } from './until.ts'

const panel = { deviceName: 'Panel' }
/** Kinds of objects of an HMI station. */
const stationLists = 'screen tag-table connection cycle script text-list graphic-list alarm library-type'.split(' ')

type Input = Readonly<Record<string, unknown>>

/**
 * What each list is asked for. The second input, when there is one, is a filter: it finds something, but not all that
 * the first finds.
 */
const inputs = (to: string): Readonly<Record<string, readonly [all: Input, some?: Input]>> => ({
  'projects.search': [{ q: 'data' }, { q: 'data', kind: 'block' }],
  'devices.list': [{}, { q: 'plc' }],
  'devices.parking-lot': [{}, { q: '2' }],
  'devices.catalog-search': [{ query: 'CPU 15' }, { query: 'CPU 1515' }],
  'blocks.list': [plc, { ...plc, type: 'DB' }],
  'blocks.tree': [{ ...plc, folder: '' }],
  'types.tree': [{ ...plc, folder: '' }],
  'tags.table-tree': [{ ...plc, folder: '' }],
  'watch-tables.tree': [{ ...plc, folder: '' }],
  'blocks.list-sources': [plc, { ...plc, q: 'two' }],
  'blocks.list-program-symbols': [plc, { ...plc, q: 'data' }],
  'blocks.list-program-memory': [plc, { ...plc, q: 'data' }],
  'simulation.list-tags': [{ name: 'Sim' }, { name: 'Sim', q: 'count' }],
  'online.list-snapshot-values': [
    { ...plc, blockName: 'Data' },
    { ...plc, blockName: 'Data', q: 'motor' },
  ],
  'simulation.get-diagnostics': [{ name: 'Sim' }, { name: 'Sim', code: 'mode-change' }],
  'alarms.list-pending': [{ name: 'Sim' }, { name: 'Sim', q: 'second' }],
  'alarms.list-log': [{ name: 'Sim' }, { name: 'Sim', q: 'second' }],
  'alarms.list-sources': [{ name: 'Sim' }, { name: 'Sim', q: 'second' }],
  'types.list': [plc, { ...plc, q: 'mot' }],
  'tags.list-tables': [plc, { ...plc, q: 'io' }],
  'tags.list': [
    { ...plc, tableName: 'Default tag table' },
    { ...plc, tableName: 'Default tag table', q: 'lamp' },
  ],
  'tags.list-all': [plc, { ...plc, q: 'lamp' }],
  'tags.list-constants': [
    { ...plc, tableName: 'Default tag table' },
    { ...plc, tableName: 'Default tag table', q: 'most' },
  ],
  'tags.list-system-constants': [
    { ...plc, tableName: 'Default tag table' },
    { ...plc, tableName: 'Default tag table', q: 'main' },
  ],
  'tags.list-user-constants': [
    { ...plc, tableName: 'Default tag table' },
    { ...plc, tableName: 'Default tag table', q: 'most' },
  ],
  'hardware.channels': [plc, { ...plc, address: '%IB0' }],
  'hardware.compatible-slots': [{ ...plc, orderNumber: '6ES7 521-1BL00-0AB0' }],
  'hardware.connections': [{}, { q: 'connection_2' }],
  'hardware.modules': [plc, { ...plc, q: 'di' }],
  'hardware.subnets': [{}, { q: 'second' }],
  'hardware.topology': [{}, { q: 'parked' }],
  'simulation.modules': [{ name: 'Sim' }, { name: 'Sim', q: 'dq' }],
  'history.list': [{}, { type: 'tag-table' }],
  'history.undoable': [{}, { q: 'devices.add' }],
  'history.list-block': [
    { ...plc, blockName: 'Data' },
    { ...plc, blockName: 'Data', q: 'first' },
  ],
  'history.list-tags': [
    { ...plc, tableName: 'Default tag table' },
    { ...plc, tableName: 'Default tag table', q: 'first' },
  ],
  'watch-tables.list': [plc, { ...plc, q: 'more' }],
  'watch-tables.list-force': [plc],
  'block-templates.list': [{}, { q: 'valve' }],
  'libraries.list-master-copies': [{}, { q: 'beg' }],
  'libraries.list-types': [{}, { q: 'oth' }],
  'libraries.consistency': [{}, plc],
  'libraries.list-global-master-copies': [{}, { q: 'beg' }],
  'libraries.list-global-types': [{}, { q: 'oth' }],
  'hmi.list-all-screens': [{}, { q: 'two' }],
  'hmi.list-objects': [{ screenName: 'One' }, { screenName: 'One', q: 'two' }],
  'hmi.list-pending-alarms': [{ stationName: 'Panel' }, { stationName: 'Panel', q: 'two' }],
  'hmi.list-alarm-log': [{ stationName: 'Panel' }, { stationName: 'Panel', q: 'two' }],
  'hmi.screen-values': [{ stationName: 'Panel' }, { stationName: 'Panel', q: 'two' }],
  'hmi.list-tags': [panel, { ...panel, q: 'two' }],
  'hmi.list-table-tags': [
    { ...panel, tableName: 'One' },
    { ...panel, tableName: 'One', q: 'two' },
  ],
  ...Object.fromEntries(
    [...stationLists, 'project-graphic'].map((kind) => [`hmi.list-${kind}s`, [panel, { ...panel, q: 'two' }]] as const),
  ),
  'diagnostics.list-namespaces': [{}],
  'diagnostics.list-types': [{ filter: 'Gantry.Tags' }, { filter: 'Gantry.Tags', q: 'table' }],
  'security.list-roles': [{}, { q: 'engineering' }],
  'security.list-users': [{}, { q: 'an' }],
  'assistant.list-history': [{}, { projectKey: 'Two' }],
  'assistant.list-approvals': [{}, { q: 'tags' }],
  'assistant.list-models': [{}],
  'review.list-rules': [{}, { group: 'naming' }],
  'plc-tests.list': [{}, { ...plc, q: 'sec' }],
  'pipelines.list-executions': [{}, { name: 'Two' }],
  'jobs.list': [{}, { status: 'Failed' }],
  'audit.list': [{ to }, { to, operation: 'tags.*' }],
  'audit.sessions': [{}],
  'audit.state': [{ seq: 60, collection: 'blocks.blocks' }],
})

/** They answer at most so many, and how many there are; nothing follows. */
const withoutPages = new Set(['simulation.get-trace', 'plc-tests.run'])

/** Two alarms. */
const alarmProgram = `
FUNCTION_BLOCK "Alarms"
{ S7_Optimized_Access := 'TRUE' }
VAR
  first : Program_Alarm;
  second : Program_Alarm;
END_VAR
BEGIN
  #first(SIG := TRUE);
  #second(SIG := TRUE);
END_FUNCTION_BLOCK
DATA_BLOCK "Alarms_DB"
{ S7_Optimized_Access := 'TRUE' }
"Alarms"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "AlarmCycle"
BEGIN
  "Alarms_DB"();
END_ORGANIZATION_BLOCK
`

/** Something in every list. */
async function withContent(t: TestContext): Promise<TestGateway> {
  const first = await openTestGateway(t)
  const at = await withProject(t, await first.restart())
  await at.call('blocks.create', { ...plc, name: 'Begin', type: 'OB', eventClass: 'Startup' })
  await at.call('blocks.import', { ...plc, content: alarmProgram })
  for (const orderNumber of ['6ES7 521-1BL00-0AB0', '6ES7 522-1BL00-0AB0'])
    await at.call('hardware.plug-module', { ...plc, orderNumber })
  await withController(at)
  await at.call('online.download', { ...plc, compile: true, startAfter: true })
  // Both alarms come in the first cycle.
  await at.call('simulation.advance', { name: 'Sim', cycles: 1 })
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'Other' })
  for (const name of ['Parked_1', 'Parked_2'])
    await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name, unplaced: true })
  for (const [port, partner, partnerPort] of [
    ['X1 P1', 'Other', 'X1 P1'],
    ['X2 P1', 'Parked_1', 'X1 P1'],
  ])
    await at.call('hardware.link-ports', { ...plc, port, partner, partnerPort })
  for (const name of ['First', 'Second']) await at.call('hardware.create-subnet', { name })
  for (const partner of ['Other', 'Parked_1']) await at.call('hardware.create-connection', { ...plc, partner })
  for (const name of ['One', 'Two'])
    await at.call('blocks.add-source-from-text', {
      ...plc,
      sourceName: `${name}.scl`,
      content: `TYPE "${name}"\nSTRUCT\nx : Int;\nEND_STRUCT;\nEND_TYPE\n`,
    })
  const content = 'program: true\ncases:\n  - name: runs\n    steps: [{ run: 1 cycle, expect: { "%M0.0": false } }]\n'
  for (const testName of ['first', 'second']) await at.call('plc-tests.write', { ...plc, testName, content })
  for (const name of ['One', 'Two']) {
    await at.call('pipelines.save', { name, steps: [{ name: 'Tags', action: 'tags.list-all', params: plc }] })
    await at.call('pipelines.run', { name })
  }
  await at.call('types.create', { ...plc, name: 'Other', members: [{ name: 'x', dataType: 'Int' }] })
  await at.call('tags.create-table', { ...plc, name: 'IO' })
  const table = { ...plc, tableName: 'Default tag table' }
  await at.call('tags.create-constant', { ...table, name: 'Least', dataType: 'Int', value: '1' })
  for (const label of ['first', 'second']) {
    await at.call('history.snapshot-block', { ...plc, blockName: 'Data', label })
    await at.call('history.snapshot-tags', { ...table, label })
  }
  await at.call('online.snapshot-actual-values', plc)
  await at.call('watch-tables.create', { ...plc, name: 'More' })
  await at.call('watch-tables.create-force', { ...plc, name: 'Force' })
  for (const name of ['anna', 'berta']) await at.call('security.create-user', { name, password: 'Valve-42-open' })
  await at.call('libraries.create-global', { name: 'Shared' })
  for (const objectName of ['Data', 'Begin']) {
    await at.call('libraries.create-master-copy', { ...plc, objectName })
    await at.call('libraries.create-global-master-copy', { ...plc, objectName })
  }
  for (const objectName of ['Other', 'Alarms']) {
    await at.call('libraries.store-type-version', { ...plc, objectName })
    await at.call('libraries.store-type-version', { ...plc, objectName, library: 'Shared' })
  }
  await at.call('libraries.instantiate-type', { typeName: 'Other', deviceName: 'Other', newName: 'Another' })
  await withPanel(at)
  await withTalks(at)
  await at.call('projects.index', {})
  await assert.rejects(at.call('blocks.delete', { ...plc, blockName: 'None' }))
  return at
}

/** Two talks with the assistant, and two changes that wait for a yes. */
async function withTalks(at: TestGateway): Promise<void> {
  for (const projectKey of ['One', 'Two'])
    await at.call('assistant.chat', { message: 'Which blocks are there?', projectKey })
  for (const operation of ['tags.add', 'blocks.delete']) {
    const turn = JSON.stringify({ call: { operation, input: {} } })
    const approval = { turnId: 'J1-one', actor: 'test', operation, turn }
    await at.call('assistant.keep-turn', { projectKey: 'One', limit: 10, entries: [], approval })
  }
}

/** An HMI station with two objects of each kind. */
async function withPanel(at: TestGateway): Promise<void> {
  await at.call('devices.add', { orderNumber: '6AV2 124-0MC01-0AX0', name: 'Panel' })
  for (const name of ['One', 'Two']) {
    for (const kind of stationLists) await at.call(`hmi.create-${kind}`, { ...panel, name })
    await writeFile(
      join(at.dir, 'workspace', `${name}.svg`),
      '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
    )
    await at.call('hmi.import', { ...panel, filePath: `${name}.svg` })
    await at.call('hmi.add-tag', { ...panel, tableName: 'One', name: `Tag ${name}` })
  }
  for (const name of ['One', 'Two']) await at.call('hmi.add-object', { screenName: 'One', type: 'Circle', name })
  // Both alarms of the station are there as soon as it follows the controller.
  const violated = { ...panel, alarmType: 'analog', tag: 'Data.limit', limit: 5 }
  for (const alarmName of ['One', 'Two']) await at.call('hmi.update-alarm', { ...violated, alarmName })
  await at.call('hmi.compile', { stationName: 'Panel' })
  const pending = () => at.call<Answer>('hmi.list-pending-alarms', { stationName: 'Panel' })
  await until(async () => (await pending()).total === 2, 'both alarms are pending')
}

const listsIn = (answer: Answer) => Object.values(answer).filter((value): value is unknown[] => Array.isArray(value))

/**
 * A list as a whole and page by page. It is read again when it has changed meanwhile, as the running session of the
 * audit does whenever records reach the disk.
 */
async function twice(at: TestGateway, id: string, input: Input) {
  const whole = async () => listsIn(await at.call<Answer>(id, { ...input, limit: 1000 }))[0]
  let before = await whole()
  for (;;) {
    const pages = await walked(at, id, input)
    const after = await whole()
    if (isDeepStrictEqual(before, after)) return { ...pages, whole: after }
    before = after
  }
}

/** All entries of a list, page by page with one entry each. */
async function walked(at: TestGateway, id: string, input: Input) {
  const entries: unknown[] = []
  const totals = new Set<number | undefined>()
  let cursor: unknown
  do {
    const answer = await at.call<Answer>(id, { ...input, limit: 1, ...defined({ cursor }) })
    const page = listsIn(answer)[0] ?? assert.fail(`${id} answers no list`)
    assert(page.length <= 1, `${id} answers ${page.length} entries for limit 1`)
    assert(page.length === 1 || answer.nextCursor === undefined, `${id} tells of a page after the last one`)
    entries.push(...page)
    totals.add(answer.total)
    cursor = answer.nextCursor
    assert(entries.length < 5000, `${id} does not end`)
  } while (cursor !== undefined)
  return { entries, totals: [...totals] }
}

test('every list gives all that it counts, page by page, with its filters', async (t) => {
  const at = await withContent(t)
  const known = inputs(new Date().toISOString())
  const lists: string[] = []
  for (const operation of at.gateway.registry.operations.values()) {
    if (operation.kind !== 'query') continue
    const { schema } = await compileInput(operation)
    if (schema.properties?.limit !== undefined && !withoutPages.has(operation.id)) lists.push(operation.id)
  }
  assert.deepEqual(lists.sort(), Object.keys(known).sort(), 'a list is checked with inputs of its own')
  for (const [id, [all, some]] of Object.entries(known)) {
    const found: number[] = []
    for (const input of [all, ...(some ? [some] : [])]) {
      const { entries, totals, whole } = await twice(at, id, input)
      assert.deepEqual(entries, whole, `${id} ${JSON.stringify(input)}: pages and the whole list`)
      const told = totals.filter((total) => total !== undefined)
      assert.deepEqual(told, told.length > 0 ? [entries.length] : [], `${id} ${JSON.stringify(input)}: total`)
      found.push(entries.length)
    }
    const [count = 0, fewer] = found
    assert(count > (fewer === undefined ? 0 : 1), `${id} has nothing to look at: ${count}`)
    if (fewer !== undefined) assert(fewer > 0 && fewer < count, `${id}: the filter finds ${fewer} of ${count}`)
  }
})
