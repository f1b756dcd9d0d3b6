import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer, listen } from '../../test/http-server.ts'
import { fails, fixtures, openPlant, writeWorkspace } from '../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
interface Udt {
  name: string
  number: null
  folder: string
  isConsistent: boolean
  members: { name: string; dataType: string; startValue?: string; comment: string; members: unknown[] }[]
  sourceText?: string
  changed?: boolean
}

test('a type is created of members, read, changed and deleted', async (t) => {
  const { call } = await openPlant(t)
  const created = await call<Udt>('types.create', {
    ...on,
    name: 'UDT_Motor',
    folder: 'Drives',
    members: [
      { name: 'run', dataType: 'bool', startValue: 'TRUE', comment: 'on' },
      { name: 'limits', dataType: 'Struct', members: [{ name: 'max', dataType: 'Real' }] },
      { name: 'log', dataType: 'Array[0..9] of Int' },
    ],
  })
  assert.deepEqual([created.number, created.isConsistent, created.folder], [null, false, 'Drives'])
  assert.deepEqual(
    created.members.map(({ name, dataType, startValue, comment }) => [name, dataType, startValue, comment]),
    [
      ['run', 'Bool', 'TRUE', 'on'],
      ['limits', 'Struct', undefined, ''],
      ['log', 'Array[0..9] of Int', undefined, ''],
    ],
  )
  assert.equal(created.members[1]?.members.length, 1)
  assert.match(created.sourceText ?? '', /^TYPE "UDT_Motor"/)
  const changed = await call<Udt>('types.update', { ...on, udtName: 'udt_motor', members: created.members.slice(0, 2) })
  assert.deepEqual([changed.changed, changed.members.length, changed.members[0]?.comment], [true, 2, 'on'])
  const same = await call<Udt>('types.update', { ...on, udtName: 'UDT_Motor', members: changed.members })
  assert.equal(same.changed, false)
  await fails(call('types.update', { ...on, udtName: 'UDT_Motor', members: [] }), 'invalid_input', /at least one/)
  await fails(call('types.get', { ...on, udtName: 'UDT_Moter' }), 'not_found', /Did you mean "UDT_Motor"/)
  await fails(
    call('types.create', {
      ...on,
      name: 'T',
      members: [
        { name: 'a', dataType: 'Int' },
        { name: 'A', dataType: 'Int' },
      ],
    }),
    'unacceptable_content',
    /twice/,
  )
  await fails(
    call('types.create', { ...on, name: 'udt_motor', members: [{ name: 'a', dataType: 'Int' }] }),
    'name_taken',
  )
  await call('types.delete', { ...on, udtName: 'UDT_Motor' })
  assert.equal((await call('types.list', on)).total, 0)
})

test('a real type goes through import, change, export and import again', async (t) => {
  const gateway = await openPlant(t)
  const { call, dir } = gateway
  const file = await readFile(join(fixtures, 'PlankOnChain.xml'), 'utf8')
  await writeWorkspace(gateway, { 'in/PlankOnChain.xml': file })
  await call('types.import', { ...on, filePath: 'in/PlankOnChain.xml' })
  const before = await call<Udt>('types.get', { ...on, udtName: 'PlankOnChain' })
  assert.ok(before.members.length > 0)
  // A response can be sent back: comments keep their language.
  const same = await call<Udt>('types.update', { ...on, udtName: 'PlankOnChain', members: before.members })
  assert.deepEqual(same.members, before.members)
  const { content } = await call<{ content: string }>('types.export', { ...on, udtName: 'PlankOnChain' })
  assert.deepEqual(content.match(/Lang="[\w-]+"/g), file.match(/Lang="[\w-]+"/g))
  const extra = { name: 'extra', dataType: 'DInt', startValue: '5' }
  await call('types.update', { ...on, udtName: 'PlankOnChain', members: [...before.members, extra] })
  const out = await call<{ exportPath: string }>('types.export', { ...on, udtName: 'PlankOnChain', exportPath: 'out' })
  assert.equal(out.exportPath, join(dir, 'workspace/out/PlankOnChain.xml'))
  await call('types.delete', { ...on, udtName: 'PlankOnChain' })
  await call('types.import', { ...on, filePath: out.exportPath, folder: 'X' })
  const after = await call<Udt>('types.get', { ...on, udtName: 'PlankOnChain' })
  const plain = (udt: Udt) =>
    udt.members.map(({ name, dataType, startValue, comment }) => [name, dataType, startValue, comment])
  assert.deepEqual(plain(after), [...plain(before), ['extra', 'DInt', '5', '']])
  await fails(call('types.delete-folder', { ...on, folderPath: 'X' }), 'conflict', /holds 1 type/)
  const gone = await call<{ udts: string[] }>('types.delete-folder', { ...on, folderPath: 'X', force: true })
  assert.deepEqual(gone.udts, ['PlankOnChain'])
})

test('types survive save, close and open, as source and as XML', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await call('types.create', { ...on, name: 'Größe', members: [{ name: 'a', dataType: 'Int', comment: 'µm' }] })
  await call('types.import', {
    ...on,
    content: await readFile(join(fixtures, 'PlankOnChain.xml'), 'utf8'),
    folder: 'A/B',
  })
  await call('types.create-folder', { ...on, path: 'Empty' })
  const state = async () => [
    await call('types.tree', on),
    await call('types.get', { ...on, udtName: 'Größe' }),
    await call('types.get', { ...on, udtName: 'PlankOnChain' }),
  ]
  const before = await state()
  await call('projects.save')
  await call('projects.close')
  await call('projects.open', { path: 'Plant' })
  assert.deepEqual(await state(), before)
})

test('a type cannot contain itself, not by way of others either; unknown types are warnings', async (t) => {
  const { call } = await openPlant(t)
  const create = (name: string, members: object[]) =>
    call<Udt & { warnings: string[] }>('types.create', { ...on, name, members })
  const a = await create('A', [
    { name: 'next', dataType: '"B"' },
    { name: 'speed', dataType: 'Reel' },
    { name: 'timer', dataType: 'IEC_TIMER', version: '1.0' },
  ])
  assert.deepEqual(a.warnings, [
    'member "next": "B" is not a PLC data type of this PLC',
    'member "speed": Reel is not a known data type; did you mean Real?',
  ])
  const b = await create('B', [
    { name: 'group', dataType: 'Struct', members: [{ name: 'list', dataType: 'Array[0..3] of "C"' }] },
  ])
  assert.match(b.warnings.join(), /^member "group\.list": "C" is not a PLC data type/)
  const c = await create('C', [{ name: 'x', dataType: 'Int' }])
  assert.deepEqual(c.warnings, [])
  // The type exists now, so its name needs no quotes.
  const again = await call<Udt>('types.update', {
    ...on,
    udtName: 'B',
    members: [{ name: 'group', dataType: 'Struct', members: [{ name: 'list', dataType: 'Array[0..3] of c' }] }],
  })
  const inner = again.members[0]?.members as { dataType: string }[] | undefined
  assert.equal(inner?.[0]?.dataType, 'Array[0..3] of "C"')
  const update = (members: object[]) => call('types.update', { ...on, udtName: 'C', members })
  await fails(
    update([{ name: 'me', dataType: 'c' }]),
    'unacceptable_content',
    /"C" would contain itself: "C"\.me -> "C"/,
  )
  await fails(
    update([{ name: 'all', dataType: 'Array[1..2] of "A"' }]),
    'unacceptable_content',
    /"C"\.all -> "A"\.next -> "B"\.group\.list -> "C"/,
  )
  await fails(create('D', [{ name: 'd', dataType: '"D"' }]), 'unacceptable_content', /"D" would contain itself/)
  assert.equal((await call<Udt>('types.get', { ...on, udtName: 'C' })).members[0]?.dataType, 'Int')
})

test('the path of a folder to delete stands in the route, with slashes or without them', async (t) => {
  const { gateway, call } = await openPlant(t)
  const app = await createServer(gateway)
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const remove = async (path: string) => {
    const response = await fetch(`${url}/api/devices/PLC_1/${path}`, {
      method: 'DELETE',
      headers: { 'X-API-Key': gateway.createdKey ?? '' },
    })
    return [response.status, ((await response.json()) as { folders?: string[] }).folders] as const
  }
  for (const [kind, operation] of [
    ['udts', 'types.create-folder'],
    ['blocks', 'blocks.create-folder'],
    ['tag-tables', 'tags.create-folder'],
  ] as const) {
    await call(operation, { ...on, path: 'A/B/C d' })
    assert.deepEqual(await remove(`${kind}/folders/A/B/C%20d`), [200, ['A/B/C d']], kind)
    assert.deepEqual(await remove(`${kind}/folders/A%2FB`), [200, ['A/B']], kind)
    assert.deepEqual(await remove(`${kind}/folders/A`), [200, ['A']], kind)
    assert.equal((await remove(`${kind}/folders/A/B`))[0], 404, kind)
  }
})

test('a member with its old name is renamed with whoever names it: blocks, values, tags, other types', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.import', {
    ...on,
    content: `TYPE "UDT_set"
   STRUCT
      speed : Real;
      limits : Struct
         top : Real;
      END_STRUCT;
   END_STRUCT;
END_TYPE
TYPE "UDT_pair"
   STRUCT
      left : "UDT_set";
      speed : Real;
   END_STRUCT;
END_TYPE
FUNCTION_BLOCK "Drive"
   VAR
      set : "UDT_set";
      pairs : Array[0..1] of "UDT_pair";
      speed : Real;
   END_VAR
BEGIN
	#set.speed := #speed + #pairs[1].left.speed + #pairs[0].speed;
	#set.limits.top := "Data".one.speed + "Motor".speed;
END_FUNCTION_BLOCK
DATA_BLOCK "Data"
   VAR
      one : "UDT_set";
   END_VAR
BEGIN
   one.speed := 5.0;
END_DATA_BLOCK
`,
  })
  await call('tags.create-table', { ...on, name: 'Table' })
  await call('tags.add', { ...on, tableName: 'Table', name: 'Motor', dataType: '"UDT_set"', logicalAddress: '%M100.0' })
  const real = { dataType: 'Real' }
  const update = (members: unknown[]) =>
    call<Udt & { updated: { name: string; count: number }[] }>('types.update', { ...on, udtName: 'UDT_set', members })
  const limits = { name: 'limits', dataType: 'Struct', members: [{ name: 'highest', oldName: 'top', ...real }] }
  const { updated, members } = await update([{ name: 'pace', oldName: 'speed', ...real }, limits])
  assert.deepEqual(updated.map(({ name, count }) => [name, count]).sort(), [
    ['Data', 1],
    ['Drive', 5],
  ])
  assert.deepEqual(
    members.map(({ name }) => name),
    ['pace', 'limits'],
  )
  const text = async (blockName: string) =>
    (await call<{ sourceText: string }>('blocks.content', { ...on, blockName })).sourceText
  assert.match(await text('Drive'), /#set\.pace := #speed \+ #pairs\[1\]\.left\.pace \+ #pairs\[0\]\.speed;/)
  assert.match(await text('Drive'), /#set\.limits\.highest := "Data"\.one\.pace \+ "Motor"\.pace;/)
  assert.match(await text('Data'), /one\.pace := 5\.0;/)
  const present = [
    { name: 'pace', ...real },
    { ...limits, members: [{ name: 'highest', ...real }] },
  ]
  assert.deepEqual((await update(present)).changed, false)
  await fails(update([{ name: 'x', oldName: 'speed', ...real }]), 'invalid_input', /has no member speed/)
  await fails(update([{ name: 'limits', oldName: 'pace', ...real }]), 'invalid_input', /has a member limits now/)
  await fails(update([{ name: 'x', oldName: 5, ...real }]), 'invalid_input', /\/members\/0\/oldName/)
  assert.match(await text('Drive'), /#set\.pace/)
})
