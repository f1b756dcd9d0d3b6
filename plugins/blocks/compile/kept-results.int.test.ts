/**
 * Compiling keeps texts, links, units, messages, and the headers that gateway and engine have exchanged. Whatever was
 * changed, in whatever order: the result is that of a compiler with nothing kept.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runningModule } from '../../../core/boot/running-code.ts'
import { openPlant } from '../../../test/plant.ts'
import { devices } from '../../devices/index.ts'
import { type CompileTask, forget } from './compile.task.ts'
import { type CompileMessage, leavesOf } from './messages.ts'
import { programObjects, tableHash, tableText } from './status.ts'

/** Another instance of the task, which shares no state with the gateway's. */
const scratch = (await import(
  `${runningModule(new URL('./compile.task.ts', import.meta.url).href)}?scratch`
)) as typeof import('./compile.task.ts')

const names = ['PLC_1', 'PLC_2']

const type = (member: string, limit: string) =>
  `TYPE "Data"\nSTRUCT\n  a : Int;\n  ${member} : Int;\n  list : Array[0..${limit}] of Int;\nEND_STRUCT;\nEND_TYPE\n`
const scale = (result: string, input: string, body: string) =>
  `FUNCTION "Scale" : ${result}\nVAR_INPUT\n  raw : Int;\n  ${input} : Int;\nEND_VAR\nBEGIN\n  ${body}\nEND_FUNCTION\n`
const unit = (member: string, body: string) =>
  `FUNCTION_BLOCK "Unit"\nVAR_INPUT\n  start : Bool;\nEND_VAR\nVAR\n  d : "Data";\n  ${member} : Int := 3;\nEND_VAR\nBEGIN\n  #d.a := 1;\n  ${body}\nEND_FUNCTION_BLOCK\n`
const unitData = (value: number) => `DATA_BLOCK "Unit_DB"\n"Unit"\nBEGIN\n  d.a := ${value};\nEND_DATA_BLOCK\n`
const shared = (member: string) =>
  `DATA_BLOCK "Shared"\nVAR\n  one : "Data";\n  ${member} : Int := 7;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
const main = (body: string) =>
  `ORGANIZATION_BLOCK "Main"\nBEGIN\n  "Unit_DB"(start := "Go");\n  ${body}\nEND_ORGANIZATION_BLOCK\n`
const user = (body: string) => `FUNCTION "User" : Void\nBEGIN\n  ${body}\nEND_FUNCTION\n`

const contents = fc.oneof(
  fc.tuple(fc.constantFrom('b', 'c'), fc.constantFrom('3', '"Most"')).map(([member, limit]) => type(member, limit)),
  fc
    .tuple(
      fc.constantFrom('Int', 'DInt'),
      fc.constantFrom('more', 'less'),
      fc.constantFrom('#Scale := #raw;', '#Scale := #raw * 2;', '#Scale := #raw * "Factor";', 'faulty := 1;'),
    )
    .map(([result, input, body]) => scale(result, input, body)),
  fc
    .tuple(
      fc.constantFrom('x', 'y'),
      fc.constantFrom(';', '#d.b := 2;', '"Scale"(raw := 1, more := 2);', '%MW10 := 1;'),
    )
    .map(([member, body]) => unit(member, body)),
  fc.constantFrom(1, 2).map(unitData),
  fc.constantFrom('x', 'y').map(shared),
  fc
    .constantFrom(
      ';',
      '"User"();',
      '"Shared".one.list[2] := "Scale"(raw := 1, more := 2);',
      '"Shared".x := 1;',
      '%Q0.0 := "Go";',
    )
    .map(main),
  fc
    .constantFrom(
      ';',
      '"Scale"(raw := "Factor", less := 1);',
      '"Unit_DB".x := 1;',
      '"User"();',
      'FB1();',
      '%Q0.0 := TRUE;',
    )
    .map(user),
)

const block = fc.constantFrom('Scale', 'Unit', 'Unit_DB', 'Shared', 'Main', 'User', 'Renamed')
const table = { tableName: 'Default tag table' }
const edit = fc.oneof(
  { weight: 6, arbitrary: contents.map((content) => ({ id: 'blocks.import', content })) },
  { weight: 1, arbitrary: block.map((blockName) => ({ id: 'blocks.delete', blockName, force: true })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(block, fc.constantFrom('Renamed', 'Scale', 'Unit'))
      .map(([blockName, newName]) => ({ id: 'blocks.rename', blockName, newName })),
  },
  { weight: 1, arbitrary: block.map((blockName) => ({ id: 'history.snapshot-block', blockName })) },
  { weight: 2, arbitrary: block.map((blockName) => ({ id: 'history.load-snapshot', blockName })) },
  { weight: 1, arbitrary: fc.constantFrom('types.delete').map((id) => ({ id, udtName: 'Data', force: true })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('Data', 'Datum'), fc.constantFrom('Data', 'Datum'))
      .map(([udtName, newName]) => ({ id: 'types.rename', udtName, newName })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('Bool', 'Int'), fc.constantFrom('%M0.0', '%M0.1', '%MW2'))
      .map(([dataType, logicalAddress]) => ({ id: 'tags.update', ...table, tagName: 'Go', dataType, logicalAddress })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('Most', 'Factor'), fc.constantFrom('2', '4'))
      .map(([constantName, value]) => ({ id: 'tags.update-constant', ...table, constantName, value })),
  },
  { weight: 1, arbitrary: fc.constantFrom('tags.delete').map((id) => ({ id, ...table, tagName: 'Go', force: true })) },
  { weight: 1, arbitrary: fc.constantFrom('tags.add').map((id) => ({ id, name: 'Go', logicalAddress: '%M0.0' })) },
)

/** Other events between two compilations of a device. */
const between = fc.constantFrom(
  'nothing',
  'nothing',
  'nothing',
  'restart of the engine',
  'a block compiled',
  'a dry run',
)

const step = fc.record({ on: fc.constantFrom(0, 0, 1), edit, between, compiles: fc.boolean() })

interface Result {
  readonly errorCount: number
  readonly warningCount: number
  readonly messages: readonly CompileMessage[]
  readonly programHash?: string
}

/** Equal messages at several places are one message with a count. */
const texts = (messages: readonly string[]) =>
  [...new Set(messages.map((one) => one.replace(/ \(\d+ places\)$/, '')))].sort()

test('a compilation after any changes gives what a compilation of everything gives', async (t) => {
  const { call, gateway } = await openPlant(t)
  await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', deviceName: 'PLC_2' })
  const all = [type('b', '3'), scale('Int', 'more', '#Scale := #raw;'), unit('x', ';'), unitData(1), shared('x')]
  const content = [...all, user(';'), main('"User"();')].join('')
  const taken = (error: { code?: string }) => assert.equal(error.code, 'name_taken')
  const makeWhole = async () => {
    for (const deviceName of names) {
      await call('tags.add', { deviceName, name: 'Go', logicalAddress: '%M0.0' }).catch(taken)
      for (const [name, value] of [['Most', '3'] as const, ['Factor', '2'] as const])
        await call('tags.create-constant', { deviceName, ...table, name, value }).catch(taken)
      await call('blocks.import', { deviceName, content })
    }
  }
  await makeWhole()
  const ctx = { read: gateway.state.read, extensions: gateway.extensions.bind(gateway) }

  /** Compiles with a compiler that has nothing kept. */
  const fromScratch = async (deviceName: string) => {
    const device = [...ctx.read(devices).values()].find(({ name }) => name === deviceName)
    assert.ok(device)
    const objects = programObjects(ctx, device.id).sort((a, b) =>
      a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1,
    )
    const sent = new Map<string, string>()
    const documents = []
    for (const { stored } of objects) {
      if (!stored) continue
      const { document, format, kind, name, number, autoNumber, secondaryType, engineeringVersion } = stored
      sent.set(document, (await gateway.store.blobs.get(document)).toString('utf8'))
      const header = { document, format, kind, name, number, autoNumber, secondaryType, engineeringVersion }
      documents.push({ ...header, culture: 'en-US' })
    }
    const tables = objects.filter(({ rows }) => rows !== undefined)
    for (const one of tables) sent.set(tableHash(one), tableText(one))
    scratch.forget()
    const task: CompileTask = { device: device.id, documents, tables: tables.map(tableHash), texts: sent }
    const result = scratch.compile(task, { progress() {}, signal: new AbortController().signal })
    assert.ok('state' in result)
    const found = [...result.others, ...result.objects.flatMap(({ diagnostics }) => diagnostics)]
    const count = (wanted: string) => found.filter(({ severity }) => severity === wanted).length
    const messages = texts(found.map(({ message }) => message))
    return { errors: count('error'), warnings: count('warning'), messages, program: result.program?.hash }
  }

  const seen = { programs: new Set<string>(), faulty: 0 }
  const check = async (deviceName: string) => {
    const result = await call<Result>('blocks.compile-device', { deviceName, scope: 'software' })
    const wanted = await fromScratch(deviceName)
    const { errorCount: errors, warningCount: warnings, programHash: program } = result
    const messages = texts(leavesOf(result.messages).map(({ description }) => description))
    assert.deepEqual({ errors, warnings, messages, program }, wanted)
    if (program === undefined) seen.faulty++
    else seen.programs.add(program)
    const { blocks } = await call<{ blocks: { name: string; compileStatus: string }[] }>('blocks.list', { deviceName })
    for (const { name, compileStatus } of blocks)
      assert.ok(!['outdated', 'notCompiled'].includes(compileStatus), `${name} is ${compileStatus}`)
  }
  for (const deviceName of names) await check(deviceName)

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      await makeWhole()
      for (const {
        on,
        edit: { id, ...input },
        between: also,
        compiles,
      } of steps) {
        const deviceName = names[on] as string
        await call(id, { deviceName, ...input }).catch((error) => assert.notEqual(error.code, 'internal_error'))
        if (also === 'restart of the engine') forget()
        if (also === 'a dry run') await call('blocks.compile-device', { deviceName }, { dryRun: true })
        if (also === 'a block compiled')
          await call('blocks.compile', { deviceName, blockName: 'Main' }).catch((error) =>
            assert.equal(error.code, 'not_found'),
          )
        if (compiles) await check(deviceName)
      }
      for (const deviceName of names) await check(deviceName)
    }),
    { numRuns: 25 },
  )
  assert.ok(seen.programs.size > 10, `only ${seen.programs.size} programs were without errors`)
  assert.ok(seen.faulty > 0)
})
