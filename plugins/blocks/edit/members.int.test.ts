import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fails, fixtures, openPlant, writeWorkspace } from '../../../test/plant.ts'

const on = { deviceName: 'PLC_1' }

interface Member {
  section: string
  name: string
  dataType: string
  startValue?: string
  comment: string
  members: Member[]
}
interface Content {
  rawXml?: string
  sourceText?: string
  interface: Member[]
}

const SOURCE = `FUNCTION_BLOCK "Drive"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
   // kept
   VAR_INPUT${' '}
      start    : Bool;   // begin
      a, b : Int;
   END_VAR

   VAR RETAIN
      hours : DInt := 5;
   END_VAR
   VAR${' '}
      state : Struct
         step : Int;   (* where *)
         text : String[20];
      END_STRUCT;
   END_VAR

BEGIN
	#hours := #hours + 1;
END_FUNCTION_BLOCK
`

async function open(t: Parameters<typeof openPlant>[0], file: string, name: string, text: string) {
  const plant = await openPlant(t)
  await writeWorkspace(plant, { [file]: text })
  await plant.call('blocks.import', { ...on, filePath: file })
  const input = (fields: object) => ({ ...on, blockName: name, ...fields })
  return {
    ...plant,
    content: () => plant.call<Content>('blocks.content', { ...on, blockName: name }),
    add: (fields: object) => plant.call('blocks.add-members', input(fields)),
    update: (memberName: string, fields: object) =>
      plant.call('blocks.update-member', input({ memberName, ...fields })),
    remove: (memberName: string) => plant.call('blocks.delete-member', input({ memberName })),
  }
}

test('members of a source are added, changed and deleted in place', async (t) => {
  const { add, update, remove, content } = await open(t, 'Drive.scl', 'Drive', SOURCE)
  const source = async () => (await content()).sourceText ?? ''
  await add({ section: 'Input', name: 'stop', dataType: 'Bool', comment: 'end', position: 2 })
  assert.equal(await source(), SOURCE.replace('   // begin\n', '   // begin\n      stop : Bool;   // end\n'))
  await remove('stop')
  assert.equal(await source(), SOURCE)

  await add({ section: 'Static', name: 'count', dataType: 'Int', startValue: 3 })
  assert.match(await source(), /END_STRUCT;\n {6}count : Int := 3;\n {3}END_VAR/)
  await add({ section: 'Static', name: 'total', dataType: 'DInt', retain: true })
  assert.match(await source(), /hours : DInt := 5;\n {6}total : DInt;\n {3}END_VAR/)
  await add({ name: 'state.speed', dataType: 'Real', position: 2 })
  assert.match(await source(), /step : Int; {3}\(\* where \*\)\n {9}speed : Real;\n {9}text/)
  assert.deepEqual(((await update('hours', { dataType: 'LInt' })) as { warnings: string[] }).warnings, [])
  assert.match(await source(), /hours : LInt := 5;\n/)
  const lost = (await update('count', { dataType: 'String[3]', newName: 'label' })) as { warnings: string[] }
  assert.deepEqual(lost.warnings, ['count: its start value 3 is lost with the data type String[3] instead of Int'])
  await remove('label')
  await update('state.step', { startValue: '7', newName: 'place' })
  assert.match(await source(), /place : Int := 7;/)
  await add({ section: 'Output', name: 'done', dataType: 'Bool', attributes: { ExternalWritable: false } })
  assert.match(await source(), /VAR_OUTPUT \n {6}done \{ ExternalWritable := 'False'\} : Bool;\n {3}END_VAR/)
  await update('a', { dataType: 'Word' })
  const { interface: members } = await content()
  assert.deepEqual(
    members.filter(({ section }) => section === 'Input').map(({ name, dataType }) => [name, dataType]),
    [
      ['start', 'Bool'],
      ['a', 'Word'],
      ['b', 'Int'],
    ],
  )
  assert.match(await source(), /#hours := #hours \+ 1;\nEND_FUNCTION_BLOCK\n$/)
})

test('members of a real export are added and deleted, and the XML is as it was', async (t) => {
  const { add, update, remove, content } = await open(
    t,
    'Counter_1.xml',
    'Counter_1',
    await readFile(join(fixtures, 'Counter_1.xml'), 'utf8'),
  )
  const before = (await content()).rawXml ?? ''
  for (const fields of [
    { section: 'Input', name: 'added', dataType: 'Bool', comment: 'by hand' },
    { section: 'Static', name: 'added', dataType: 'Array[0..3] of Int', position: 1, retain: true },
    { section: 'Temp', name: 'added', dataType: 'Struct', members: [{ name: 'x', dataType: 'Int' }] },
  ]) {
    await add(fields)
    const [member] = (await content()).interface.filter(({ name }) => name === 'added')
    assert.deepEqual([member?.section, member?.dataType], [fields.section, fields.dataType])
    await update('added', { comment: 'changed' })
    await remove('added')
    assert.ok((await content()).rawXml === before, `as before ${fields.section}`)
  }
})

test('a data block takes members and loses the values of those that go', async (t) => {
  const source = `DATA_BLOCK "Data"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\nNON_RETAIN\n   VAR \n      a : Int;\n      b : Real;\n   END_VAR\n\n\nBEGIN\n   a := 5;\n   b := 1.5;\n\nEND_DATA_BLOCK\n`
  const { add, update, remove, content } = await open(t, 'Data.db', 'Data', source)
  await add({ name: 'c', dataType: 'Bool', startValue: true })
  await update('a', { newName: 'first', startValue: 9 })
  await remove('b')
  const { interface: members, sourceText } = await content()
  assert.deepEqual(
    members.map(({ name, startValue }) => [name, startValue]),
    [
      ['first', '9'],
      ['c', 'TRUE'],
    ],
  )
  assert.match(sourceText ?? '', /BEGIN\n {3}first := 9;\n\nEND_DATA_BLOCK/)
})

test('what an interface cannot hold is refused, and nothing is changed', async (t) => {
  const { call, add, update, remove, content } = await open(t, 'Drive.scl', 'Drive', SOURCE)
  const code = 'unacceptable_content'
  await fails(
    add({ section: 'Input', name: 'HOURS', dataType: 'Int' }),
    code,
    /has a member HOURS already, in section Static/,
  )
  await fails(
    add({ section: 'Return', name: 'x', dataType: 'Int' }),
    code,
    /section "Return" does not exist.*Input, Output/,
  )
  await fails(add({ name: 'x', dataType: 'Int' }), code, /name a section/)
  await fails(add({ section: 'Input', name: 'x' }), code, /needs a data type/)
  await fails(add({ section: 'Input', name: 'x', dataType: 'No Type' }), code, /not a data type/)
  await fails(
    add({ section: 'Input', name: 'x', dataType: 'Int', startValue: '1; y : Int' }),
    code,
    /not a start value/,
  )
  await fails(add({ name: 'hours.x', dataType: 'Int' }), code, /takes no members/)
  await fails(add({ section: 'Input', name: 'x', dataType: 'Int', position: 9 }), code, /between 1 and 4/)
  await fails(update('hour', { dataType: 'Int' }), 'not_found', /no member "hour".*"hours"/)
  await fails(update('a', { newName: 'b' }), code, /has a member b already/)
  await fails(remove('state.none'), 'not_found', /state\.none/)
  await fails(add({ section: 'Input' }), 'invalid_input', /needs a name/)
  assert.equal((await content()).sourceText, SOURCE)
  await call('blocks.create', { ...on, name: 'Drive_DB', type: 'InstanceDB', instanceOf: 'Drive' })
  await fails(
    call('blocks.add-members', { ...on, blockName: 'Drive_DB', name: 'x', dataType: 'Int' }),
    code,
    /that of its type "Drive"/,
  )
})

test('several members at once, each with its section', async (t) => {
  const { add, content } = await open(t, 'Drive.scl', 'Drive', SOURCE)
  await add({
    members: [
      { section: 'Output', name: 'p', dataType: 'Int' },
      { Section: 'Output', Name: 'q', DataType: 'Struct', Members: [{ Name: 'x', Type: 'Int', DefaultValue: '7' }] },
      { section: 'Constant', name: 'MAX', dataType: 'Int', startValue: '10' },
    ],
  })
  const { interface: members } = await content()
  assert.deepEqual(
    members.filter(({ section }) => section === 'Output' || section === 'Constant').map(({ name }) => name),
    ['p', 'q', 'MAX'],
  )
  const inner = members.find(({ name }) => name === 'q')?.members?.[0]
  assert.deepEqual([inner?.name, inner?.dataType, inner?.startValue], ['x', 'Int', '7'])
})

test('a list of names is changed in place, with the comments in and around it', async (t) => {
  const list = (text: string) =>
    `FUNCTION_BLOCK "Drive"\n   VAR\n      // above\n${text}      // below\n   END_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n`
  const source = list(`      a { S7_SetPoint := 'True'}, b, "c d" : Int := 5;   // all\n`)
  const { call, add, update, remove, content } = await open(t, 'Drive.scl', 'Drive', source)
  const check = async (change: () => Promise<unknown>, ...lines: string[]) => {
    await change()
    assert.equal((await content()).sourceText, list(lines.map((line) => `      ${line}\n`).join('')))
    await call('blocks.update-content', { ...on, blockName: 'Drive', sourceText: source })
  }
  const marked = "a { S7_SetPoint := 'True'}"
  await check(() => update('b', { newName: 'x' }), `${marked}, x, "c d" : Int := 5;   // all`)
  await check(() => update('"c d"', { newName: 'c' }), `${marked}, b, "c" : Int := 5;   // all`)
  await check(() => remove('a'), 'b, "c d" : Int := 5;   // all')
  await check(() => remove('b'), `${marked}, "c d" : Int := 5;   // all`)
  await check(() => remove('"c d"'), `${marked}, b : Int := 5;   // all`)
  const word = { dataType: 'Word', comment: 'own' }
  await check(
    () => update('a', word),
    "a { S7_SetPoint := 'True'} : Word := 5;   // own",
    'b, "c d" : Int := 5;   // all',
  )
  await check(() => update('b', word), `${marked} : Int := 5;`, 'b : Word := 5;   // own', '"c d" : Int := 5;   // all')
  await check(() => update('"c d"', word), `${marked}, b : Int := 5;   // all`, '"c d" : Word := 5;   // own')
  await check(
    () => add({ section: 'Static', name: 'x', dataType: 'Bool', position: 2 }),
    `${marked} : Int := 5;`,
    'x : Bool;',
    'b, "c d" : Int := 5;   // all',
  )
})

test('what cannot be changed by itself is refused when comments would be lost', async (t) => {
  const source = `FUNCTION_BLOCK "Drive"
   VAR
      // of both
      a, b : Struct
         x : Int;   // one
      END_STRUCT;
   END_VAR
BEGIN
END_FUNCTION_BLOCK
`
  const { update, content } = await open(t, 'Drive.scl', 'Drive', source)
  await fails(update('a.x', { dataType: 'Real' }), 'unacceptable_content', /cannot be changed by itself.*"of both"/)
  assert.equal((await content()).sourceText, source)
})

test('a parameter that a call gives by its position is in use', async (t) => {
  const { call } = await openPlant(t)
  const scale = 'FUNCTION "Scale" : Int\nVAR_INPUT\nx : Int;\nEND_VAR\nBEGIN\n"Scale" := 1;\nEND_FUNCTION\n'
  const user = 'FUNCTION "User" : Void\nVAR_TEMP\na : Int;\nEND_VAR\nBEGIN\n#a := "Scale"(#a);\nEND_FUNCTION\n'
  await call('blocks.import', { ...on, content: `${scale}\n${user}` })
  const input = { ...on, blockName: 'Scale', memberName: 'x' }
  await fails(call('blocks.delete-member', input), 'conflict', /"User"/)
  const { users } = await call<{ users: { name: string }[] }>('blocks.delete-member', { ...input, force: true })
  assert.deepEqual(
    users.map(({ name }) => name),
    ['User'],
  )
})
