/**
 * Cross-references, guards and renaming on a program of sources, without a gateway: whole answers in
 * fixtures/references.txt, beside which some of them are computed from the texts.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type CommandContext, isGatewayError, type QueryContext } from '../../../core/index.ts'
import { readSource } from '../../../plc/formats/source/read.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import type { Device } from '../../devices/index.ts'
import { declaredFor, declaredNamed } from '../documents/declared.ts'
import { findSymbol, requireFreeSymbol, symbolHolder } from '../names/symbols.ts'
import { missingTypes } from '../needs.ts'
import { requireStartValues } from '../start-values.ts'
import { type ProgramContributor, type ProgramObject, type ProgramSymbol, programContributor } from './contributor.ts'
import { mayHold, renameUsers, requireUnused, usersOf } from './guard.ts'
import { findReferences, requireRowOf } from './lookup.ts'
import { memberScope, memberUser, renameMemberUsers, requireUnusedMember } from './member-guard.ts'
import { programOf } from './program.ts'

const source = `
TYPE "Drive"
VERSION : 0.1
  STRUCT
    speed : Real;
    on : Bool;
  END_STRUCT;
END_TYPE
TYPE "Line"
VERSION : 0.1
  STRUCT
    first : "Drive";
    list : Array[1..2] of "Drive";
  END_STRUCT;
END_TYPE
FUNCTION_BLOCK "Motor"
VERSION : 0.1
VAR_INPUT
  Start : Bool;
  Wanted : Real;
END_VAR
VAR_OUTPUT
  Running : Bool;
END_VAR
VAR_IN_OUT
  data : "Drive";
END_VAR
VAR
  delay : TON_TIME;
END_VAR
BEGIN
  #data.on := #Start AND NOT "Emergency";
  #data.speed := #Wanted;
  #Running := #data.on;
END_FUNCTION_BLOCK
FUNCTION "Scale" : Real
VERSION : 0.1
VAR_INPUT
  x : Int;
END_VAR
BEGIN
  #Scale := INT_TO_REAL(#x) * "FACTOR";
END_FUNCTION
FUNCTION_BLOCK "Twice"
VERSION : 0.1
VAR
  left : "Motor";
  right : "Motor";
END_VAR
BEGIN
  #left(Start := "Plant".line.first.on, data := "Plant".line.first);
  #right(Start := %M10.0, data := "Plant".line.list[2]);
END_FUNCTION_BLOCK
DATA_BLOCK "Plant"
VERSION : 0.1
  VAR
    line : "Line";
    level : Int;
    level2 : Int;
  END_VAR
BEGIN
  level := 3;
END_DATA_BLOCK
DATA_BLOCK "Twice_DB"
VERSION : 0.1
"Twice"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
VERSION : 0.1
VAR_TEMP
  helper : Real;
END_VAR
BEGIN
  "Twice_DB"();
  #helper := "Scale"("Plant".level);
  #helper := "Scale"(x := 5) + "Scale"("Plant".level2);
  "Lamp" := "Twice_DB".left.Running;
  "Flags" := 16#10;
  %QB4 := %MB10;
  "Spare".on := TRUE;
END_ORGANIZATION_BLOCK
`
const device = { id: 'd', name: 'PLC_1' } as unknown as Device
const numbers: Readonly<Record<string, number>> = { Motor: 1, Twice: 2, Scale: 1, Plant: 10, Twice_DB: 11, Main: 1 }
const tags = [
  { name: 'Emergency', dataType: 'Bool', logicalAddress: '%I0.0', comment: {} },
  { name: 'Lamp', dataType: 'Bool', logicalAddress: '%Q0.0', comment: {} },
  { name: 'Flags', dataType: 'Word', logicalAddress: '%MW10', comment: {} },
  { name: 'Wide', dataType: 'LReal', logicalAddress: '%MD4', comment: {} },
  { name: 'Spare', dataType: '"Drive"', logicalAddress: '%M100.0', comment: {} },
]
const constants = [{ name: 'FACTOR', dataType: 'Real', value: '0.5', comment: {} }]
const entries = [
  { name: 'Lamp', address: '%Q0.0' },
  { name: '"Plant".level', address: '' },
]

/** A device that holds the program. What is written into it is in `written`. */
function plant() {
  const texts = new Map<string, string>()
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const objects = blocks.map(({ object }): ProgramObject => {
    const { kind, name, text = '', instanceOf } = object
    const document = createHash('sha256').update(text).digest('hex')
    texts.set(document, text)
    const number = numbers[name]
    const isType = kind === 'UDT'
    return {
      ...{ category: isType ? 'type' : 'block', name, typeName: isType ? 'PLC data type' : `${kind} ${number}` },
      path: isType ? 'PLC data types' : 'Program blocks',
      stored: {
        ...{ name, deviceId: 'd', kind, format: 'source' as const, document, size: text.length },
        ...(number === undefined ? {} : { number }),
        ...(instanceOf === undefined ? {} : { instanceOf }),
      },
    }
  })
  const table = {
    category: 'tag-table',
    name: 'Tags',
    typeName: 'Tag table',
    path: 'PLC tags',
    rows: { tags, constants },
  }
  const watch = {
    category: 'watch-table',
    name: 'Watch',
    typeName: 'Watch table',
    path: 'Watch tables',
    rows: { entries },
  }
  const symbols: ProgramSymbol[] = [
    ...objects.map(({ category, name, typeName, path }) => ({ kind: category, name, typeName, path })),
    ...tags.map(({ name, dataType, logicalAddress }) => ({
      ...{ kind: 'tag', name, typeName: dataType, address: logicalAddress, path: 'PLC tags/Tags' },
    })),
    ...constants.map(({ name, dataType, value }) => ({
      ...{ kind: 'constant', name, typeName: dataType, value, path: 'PLC tags/Tags' },
    })),
  ]
  const written: string[] = []
  const code: ProgramContributor = {
    objects: () => objects,
    find: (_ctx, _device, wanted) => objects.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()),
    symbols: () => symbols,
    async replaceText(_ctx, _device, { name }, text) {
      written.push(`${name}:\n${text}`)
    },
  }
  const rows: ProgramContributor = {
    objects: () => [table, watch] as unknown as ProgramObject[],
    symbols: () => [],
    async renameType(_ctx, _device, { name }, names) {
      written.push(`${name}: ${names.map(({ from, to }) => `${from} is ${to}`).join(', ')}`)
    },
  }
  const holder = {
    kinds: ['block', 'type', 'tag', 'constant'],
    find(_ctx: unknown, _id: string, wanted: string) {
      const found = symbols.find(({ name }) => name.toLowerCase() === wanted)
      return found && { kind: found.kind, name: found.name, description: found.typeName }
    },
  }
  const ctx = {
    read: () => new Map(),
    blobs: { text: async (hash: string) => texts.get(hash) ?? assert.fail(hash) },
    engine: { run: () => assert.fail('small documents are read here') },
    extensions: (point: unknown) =>
      point === programContributor ? [code, rows] : point === symbolHolder ? [holder] : [],
  }
  return { ctx: ctx as unknown as CommandContext & QueryContext, written, symbols }
}

/** What a call ends with, as text. */
async function endOf(call: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await call(), (_name, value) => (value instanceof Map ? [...value] : value)) ?? 'nothing'
  } catch (error) {
    if (!isGatewayError(error)) throw error
    const { errors = [], suggestion } = error.details
    return `${error.code}: ${error.message} ${JSON.stringify({ suggestion, errors })}`
  }
}

test('references, users, guards and renamed names are as recorded', async () => {
  const lines: string[] = []
  const say = async (title: string, call: () => unknown) => lines.push(`${title}\n  ${await endOf(call)}`)
  const { ctx, symbols, written } = plant()
  for (const { name } of symbols) await say(`references of ${name}`, () => findReferences(ctx, device, name))
  for (const text of [
    ...[
      'plant.LEVEL',
      '"Plant".line',
      'Plant.line.list[1].on',
      'Plant.nothing',
      '"Spare".on',
      '%M10.0',
      '%MW10',
      '%MB11',
    ],
    ...[
      '%MB12',
      '%MD4',
      '%M11.7',
      '%QB4',
      '%QW3',
      '%I0.0',
      '%DB10',
      '%DB11',
      '%DB99',
      '%FB1',
      '%FC1',
      '%T1',
      '%',
      'Gone',
    ],
  ])
    await say(`references of ${text}`, () => findReferences(ctx, device, text))
  for (const [name, kind] of [
    ['Lamp', 'tag'],
    ['Lamp', 'constant'],
    ['Drive', 'type'],
  ] as const)
    await say(`references of the ${kind} ${name}`, () => findReferences(ctx, device, name, kind))
  for (const [table, row] of [
    ['tags', 'lamp'],
    ['Tags', 'factor'],
    ['Tags', 'lam'],
    ['Tag', 'Lamp'],
    ['Watch', 'Lamp'],
  ] as const)
    await say(`row ${row} of ${table}`, () => requireRowOf(ctx, device, table, row))
  for (const { name, kind } of symbols) {
    await say(`delete ${name}`, () => requireUnused(ctx, device, `The ${kind} "${name}"`, [name]))
    await say(`delete ${name} by force`, () => requireUnused(ctx, device, name, [name], { force: true }))
  }
  await say('users of Motor and Twice without Twice', () =>
    usersOf(ctx, device, ['Motor', 'Twice'], [{ category: 'block', name: 'TWICE' }]),
  )
  for (const { name } of symbols) {
    await say(`rename ${name}`, () => renameUsers(ctx, device, name, `${name}_new`))
    lines.push(...written.splice(0))
  }
  for (const [owner, ...path] of [
    ['Motor', 'Start'],
    ['Motor', 'Running'],
    ['Motor', 'delay'],
    ['Motor', 'data'],
    ['Drive', 'on'],
    ['drive', 'speed'],
    ['Line', 'list'],
    ['Line', 'first'],
    ['Plant', 'level'],
    ['Plant', 'line'],
    ['Scale', 'x'],
    ['Twice', 'left'],
    ['Main', 'helper'],
    ['Gone', 'x'],
  ] as const) {
    const target = { owner, path }
    await say(`delete ${owner}.${path}`, () => requireUnusedMember(ctx, device, { name: owner }, path, false))
    await say(`delete ${owner}.${path} by force`, () => requireUnusedMember(ctx, device, { name: owner }, path, true))
    await say(`rename ${owner}.${path}`, async () =>
      renameMemberUsers(ctx, device, await memberScope(ctx, device, target), 'Other'),
    )
    lines.push(...written.splice(0))
  }
  assertRecorded(import.meta.url, 'references.txt', `${lines.join('\n')}\n`)
})

test('names with their declarations: tags, blocks, types, and what is declared with them', async () => {
  const { ctx } = plant()
  const names = async (...wanted: string[]) => {
    const { objects, tags: rows } = await declaredNamed(ctx, device, wanted)
    return [objects.map(({ name }) => name), rows]
  }
  const lamp = { name: 'Lamp', dataType: 'Bool', isConstant: false }
  assert.deepEqual(await names('LAMP', 'factor', 'gone'), [
    [],
    [lamp, { name: 'FACTOR', dataType: 'Real', isConstant: true }],
  ])
  assert.deepEqual(await names('spare'), [['Drive'], [{ name: 'Spare', dataType: '"Drive"', isConstant: false }]])
  assert.deepEqual(await names('Twice_DB'), [['Twice_DB', 'Twice', 'Motor', 'Drive'], []])
  assert.deepEqual(await names('plant', 'Line'), [['Plant', 'Line', 'Drive'], []])
  const own = [{ section: 'Static', members: [{ name: 'a', dataType: 'Array[1..2] of "Line"', members: [] }] }]
  const { objects, tags: rows } = await declaredFor(
    ctx,
    device,
    ['"Lamp" AND Scale(#x)', 'Emergency'],
    own as unknown as Parameters<typeof declaredFor>[3],
  )
  assert.deepEqual(
    objects.map(({ name }) => name),
    ['Scale', 'Line', 'Drive'],
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['Emergency', 'Lamp'],
  )
})

test('one name has one holder, compared without case', async () => {
  const { ctx } = plant()
  assert.deepEqual(findSymbol(ctx, device, 'LAMP'), { kind: 'tag', name: 'Lamp', description: 'Bool' })
  assert.equal(findSymbol(ctx, device, 'lamp', ['tag']), undefined)
  assert.equal(findSymbol(ctx, device, 'lamp', ['block', 'type', 'tag', 'constant']), undefined)
  assert.equal(findSymbol(ctx, device, 'lamp', ['block'])?.name, 'Lamp')
  assert.equal(findSymbol(ctx, device, 'gone'), undefined)
  requireFreeSymbol(ctx, device, 'gone')
  requireFreeSymbol(ctx, device, 'MOTOR', ['block'])
  assert.equal(
    await endOf(() => requireFreeSymbol(ctx, device, 'motor')),
    'name_taken: "Motor" is taken on "PLC_1" by a block (FB 1). Blocks, PLC data types, tags and constants of a controller share their names. {"errors":[]}',
  )
})

test('types that are missing are told with those that need them, five by name', async () => {
  const { ctx } = plant()
  const needing = (name: string, types: string[], ...plain: string[]) => ({
    name,
    needs: { types, plainTypes: plain.map((type) => ({ type, member: 'x' })) } as never,
  })
  const told = await missingTypes(ctx, device, [
    needing('A', ['drive', 'Gone', 'space.Line']),
    ...['B', 'C', 'D', 'E', 'F', 'G'].map((name) => needing(name, ['Gone'])),
    needing('H', ['Lost'], 'TON_TIME', 'Motor', 'Strange', 'IEC_TIMER'),
    needing('I', [], 'STRANGE'),
    needing('J', [], 'Once'),
  ])
  assert.deepEqual(told, [
    '"Gone" is not in the program; "A", "B", "C", "D", "E" and 2 more need it.',
    '"Lost" is not in the program; "H" needs it.',
    'Strange is neither a data type nor in the program; "H" (x), "I" (x) use it.',
    'Once is neither a data type nor in the program; "J" (x) uses it.',
  ])
})

test('plain words as start values are constants of the object or of the program', async () => {
  const { ctx } = plant()
  const member = (name: string, dataType: string, startValue?: string, members: object[] = []) => ({
    ...{ name, dataType, members },
    ...(startValue === undefined ? {} : { startValue }),
  })
  const of = (...members: ReturnType<typeof member>[]) =>
    endOf(() =>
      requireStartValues(
        ctx,
        device,
        members as never,
        [
          { section: 'Static', members },
          { section: 'Constant', members: [member('OWN', 'Int')] },
        ] as never,
      ),
    )
  for (const value of ['5', ' true ', 'FALSE', 'factor', '#own', 'Own', '"Gone"', 'T#1s', '', '16#FF', "'abc'"])
    assert.equal(await of(member('a', 'Int', value)), 'nothing', value)
  assert.equal(await of(member('a', 'Int')), 'nothing')
  // What is no elementary type is left to the compiler.
  assert.equal(await of(member('a', '"Drive"', 'word')), 'nothing')
  const fault = (message: string, value: string) => {
    const errors = [{ path: '/startValue', message, value }]
    return `unacceptable_content: ${message}. ${JSON.stringify({ errors })}`
  }
  assert.equal(
    await of(member('a', 'Int', 'FACTR')),
    fault('a: FACTR is neither a value of Int nor a constant ("FACTOR" is one)', 'FACTR'),
  )
  assert.equal(
    await of(member('s', 'Struct', undefined, [member('t', 'String[5]', ' zzzzzz ')])),
    fault("s.t: zzzzzz is neither a text such as 'abc' nor a constant", 'zzzzzz'),
  )
  assert.equal(
    await of(member('c', 'Char', 'Lamp')),
    fault("c: Lamp is neither a text such as 'abc' nor a constant", 'Lamp'),
  )
})

test('a program stays the same while its objects do, and unreadable objects are told', async () => {
  const { ctx } = plant()
  const program = await programOf(ctx, device)
  assert.equal(await programOf(ctx, device), program)
  assert.deepEqual(program.unreadable, [])
  assert.equal(program.object('block', 'MOTOR')?.name, 'Motor')
  assert.equal(program.object('type', 'Motor'), undefined)
  assert.equal(program.namespaceOf('Motor'), '')
  assert.equal(mayHold('a MOTOR b', 'motor'), true)
  assert.equal(mayHold('a &quot; b', 'x"y'), false)
  assert.equal(mayHold('<a>&quot;</a>', 'x"y'), true)
  assert.equal(mayHold('<a>&quot;</a>', 'x_ y'), false)
})

test('a user of a member names ten of its places, each once, and how many there are', () => {
  const site = (line: number) => ({ place: { network: 2, line }, canReplace: true, isDeclared: false })
  const sites = [...Array(12).keys()].flatMap((line) => [site(line), site(line)])
  const names = { name: 'Motor', typeName: 'FB', path: '/Motor' }
  const places = [...Array(10).keys()].map((line) => `Network 2, line ${line}`)
  assert.deepEqual(memberUser(names, sites), { ...names, places, count: 24 })
})
