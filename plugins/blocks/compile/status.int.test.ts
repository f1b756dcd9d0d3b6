import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { interfaceFacts, ProgramInterfaces } from '../../../plc/compiler/interfaces.ts'
import { objectOf } from '../../../plc/edit/stored-document.ts'
import { openPlant } from '../../../test/plant.ts'
import { compileRecords, recordKey } from './records.ts'
import { programObjects } from './status.ts'

const on = { deviceName: 'PLC_1' }

const types = (member: string) => `TYPE "Data"\nSTRUCT\n  ${member} : Int;\nEND_STRUCT;\nEND_TYPE\n`
const block = (input: string, code: string) =>
  `FUNCTION_BLOCK "Unit"\nVAR_INPUT\n  ${input} : Int;\nEND_VAR\nVAR\n  d : "Data";\nEND_VAR\nBEGIN\n  ${code}\nEND_FUNCTION_BLOCK\n`
const user = (code: string) =>
  `FUNCTION "User" : Void\nVAR_TEMP\n  list : Array[0.."Most"] of Int;\nEND_VAR\nBEGIN\n  "Unit_DB"();\n  ${code}\nEND_FUNCTION\n`
const main = 'ORGANIZATION_BLOCK "Main"\nBEGIN\n  "User"();\nEND_ORGANIZATION_BLOCK\n'
const data = 'DATA_BLOCK "Unit_DB"\n"Unit"\nBEGIN\nEND_DATA_BLOCK\n'

const name = fc.constantFrom('a', 'b')
const code = fc.constantFrom('#d.a := 1;', ';', '// note')
const step = fc.oneof(
  fc.record({ id: fc.constant('blocks.import'), content: fc.tuple(name).map(([one]) => types(one)) }),
  fc.record({ id: fc.constant('blocks.import'), content: fc.tuple(name, code).map(([one, text]) => block(one, text)) }),
  fc.record({
    id: fc.constant('blocks.import'),
    content: fc.constantFrom('"Tag" := TRUE;', '%M0.1 := FALSE;', '"Nowhere" := 1;', 'DB1.DBW0 := 1;').map(user),
  }),
  fc.record({ id: fc.constant('blocks.import'), content: fc.constantFrom(main, data) }),
  fc.record({
    id: fc.constant('tags.update'),
    tableName: fc.constant('Default tag table'),
    tagName: fc.constant('Tag'),
    logicalAddress: fc.constantFrom('%M0.0', '%M0.1'),
  }),
  fc.record({
    id: fc.constant('tags.update-constant'),
    tableName: fc.constant('Default tag table'),
    constantName: fc.constant('Most'),
    value: fc.constantFrom('1', '2'),
  }),
  fc.record({
    id: fc.constant('blocks.delete'),
    blockName: fc.constantFrom('Unit', 'Unit_DB', 'User'),
    force: fc.constant(true),
  }),
  fc.record({ id: fc.constant('blocks.rename'), blockName: fc.constant('Unit_DB'), newName: fc.constant('Other_DB') }),
  fc.record({ id: fc.constant('blocks.compile-device') }),
  fc.record({ id: fc.constant('blocks.compile-device') }),
  fc.record({ id: fc.constant('blocks.compile'), blockName: fc.constantFrom('Main', 'Unit') }),
)

test('what is told of objects one by one is what the interfaces of the whole program say', async (t) => {
  const { call, gateway } = await openPlant(t)
  await call('tags.add', { ...on, name: 'Tag', logicalAddress: '%M0.0' })
  await call('tags.create-constant', { ...on, tableName: 'Default tag table', name: 'Most', value: '1' })
  await call('blocks.import', { ...on, content: [types('a'), block('a', ';'), data, user(';'), main].join('') })
  const seen = new Set<string>()
  const ctx = { read: gateway.state.read, extensions: gateway.extensions.bind(gateway) }
  const check = async () => {
    const deviceId = [...ctx.read(compileRecords).values()][0]?.deviceId
    const objects = deviceId === undefined ? [] : programObjects(ctx, deviceId)
    const visible = []
    for (const { stored } of objects) {
      if (stored === undefined) continue
      const text = (await gateway.store.blobs.get(stored.document)).toString('utf8')
      visible.push({ ...stored, facts: interfaceFacts(objectOf({ ...stored, text, culture: 'en-US' })) })
    }
    const interfaces = new ProgramInterfaces(
      visible,
      objects.flatMap(({ rows }) => rows ?? []),
    )
    const wanted = new Map<string, string>()
    for (const { stored } of objects) {
      if (stored === undefined) continue
      const record = ctx.read(compileRecords).get(recordKey(deviceId ?? '', stored.name))
      const holds = record?.document === stored.document && interfaces.hashOf(record.uses) === record.interfaces
      const result = record && record.errors > 0 ? 'error' : record && record.warnings > 0 ? 'warning' : 'success'
      wanted.set(stored.name, record === undefined ? 'notCompiled' : holds ? result : 'outdated')
    }
    for (const [id, key] of [['blocks.list', 'blocks'] as const, ['types.list', 'udts'] as const]) {
      const answer = await call<Record<string, { name: string; compileStatus: string }[]>>(id, on)
      for (const { name: own, compileStatus } of answer[key] ?? []) {
        assert.equal(compileStatus, wanted.get(own) ?? 'notCompiled', own)
        seen.add(compileStatus)
      }
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      for (const { id, ...input } of steps) {
        await call(id, { ...on, ...input }).catch((error) => assert.notEqual(error.code, 'internal_error'))
        await check()
      }
    }),
    { numRuns: 25 },
  )
  for (const status of ['success', 'error', 'outdated', 'notCompiled']) assert.ok(seen.has(status), status)
})
