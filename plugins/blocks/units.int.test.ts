import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { openPlant, writeWorkspace } from '../../test/plant.ts'

const inUnit = (unit: string, text: string) =>
  unit === '' ? text : `NAMESPACE ${unit}\n${text.trimEnd()}\nEND_NAMESPACE\n\n`

/** A type, a function block with a member of it, a function, and a caller of both: the same names in every unit. */
function unitFiles(unit: string, factor: number): Record<string, string> {
  const data = 'TYPE "Data"\nVERSION : 0.1\n   STRUCT\n      value : Int;\n   END_STRUCT;\n\nEND_TYPE\n\n'
  const motor = `FUNCTION_BLOCK "Motor"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\n   VAR_INPUT \n      in : Int;\n   END_VAR\n   VAR_OUTPUT \n      out : Int;\n   END_VAR\n   VAR \n      data : "Data";\n   END_VAR\n\nBEGIN\n\t#data.value := #in * ${factor};\n\t#out := "Scale"(#data.value);\nEND_FUNCTION_BLOCK\n\n`
  const scale = `FUNCTION "Scale" : Int\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\n   VAR_INPUT \n      x : Int;\n   END_VAR\n\nBEGIN\n\t#Scale := #x + ${factor};\nEND_FUNCTION\n\n`
  const instance = `DATA_BLOCK "Motor_DB"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\nNON_RETAIN\n"Motor"\n\nBEGIN\n\nEND_DATA_BLOCK\n\n`
  const base = unit === '' ? 'Cell' : `Cell/Software units/${unit}`
  const name = (file: string) => (unit === '' ? file : `${unit}.${file}`)
  return {
    [`${base}/PLC data types/${name('Data')}.udt`]: inUnit(unit, data),
    [`${base}/Program blocks/${name('Motor')}.scl`]: inUnit(unit, motor),
    [`${base}/Program blocks/${name('Scale')}.scl`]: inUnit(unit, scale),
    [`${base}/Program blocks/${name('Motor_DB')}.db`]: inUnit(unit, instance),
  }
}

const files: Record<string, string> = {
  ...unitFiles('', 1),
  ...unitFiles('Oven', 2),
  ...unitFiles('Press', 3),
  // A reference from one unit to another, and one to what has its name only once.
  'Cell/Software units/Press/Program blocks/Press.Cross.scl': inUnit(
    'Press',
    `FUNCTION "Cross" : Int\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\n\nBEGIN\n\t#Cross := "Scale"(1) + _.Oven.Scale(1);\nEND_FUNCTION\n\n`,
  ),
}

interface Row {
  name: string
  folder: string
}
interface Compiled {
  state: string
  messages: unknown[]
}

test('blocks and types of one name in several units are one PLC: they compile, are renamed and exported, each with its own', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await call('projects.close', { force: true })
  await writeWorkspace(gateway, Object.fromEntries(Object.entries(files).map(([path, text]) => [`vci/${path}`, text])))
  const opened = await call<{ imported: number; warnings: string[] }>('projects.open', { path: 'vci' })
  assert.equal(opened.imported, Object.keys(files).length)
  const { devices } = await call<{ devices: Row[] }>('devices.list')
  assert.deepEqual(
    devices.map(({ name }) => name),
    ['Cell'],
  )
  const cell = { deviceName: 'Cell' }
  const namesIn = async (id: string, list: string) =>
    (await call<Record<string, Row[]>>(id, cell))[list]?.map(({ name, folder }) => `${folder}|${name}`)
  assert.deepEqual(
    await namesIn('blocks.list', 'blocks'),
    [
      '|Motor',
      '|Motor_DB',
      'Oven|Oven.Motor',
      'Oven|Oven.Motor_DB',
      'Oven|Oven.Scale',
      'Press|Cross',
      'Press|Press.Motor',
      'Press|Press.Motor_DB',
      'Press|Press.Scale',
      '|Scale',
    ].sort((a, b) => ((a.split('|')[1] as string).toLowerCase() < (b.split('|')[1] as string).toLowerCase() ? -1 : 1)),
  )
  const compiled = await call<Compiled>('blocks.compile-device', { ...cell, scope: 'software' })
  assert.equal(compiled.state, 'Success', JSON.stringify(compiled.messages))

  // Each uses its own: who uses the function of a unit.
  const usersOf = async (blockName: string) => {
    const found = await call<{ sources: { referenceObjects: { name: string }[] }[] }>('blocks.cross-references', {
      ...cell,
      blockName,
    })
    return found.sources.flatMap(({ referenceObjects }) => referenceObjects.map(({ name }) => name)).sort()
  }
  assert.deepEqual(await usersOf('Scale'), ['Motor'])
  assert.deepEqual(await usersOf('Oven.Scale'), ['Cross', 'Oven.Motor'])
  assert.deepEqual(await usersOf('Press.Scale'), ['Cross', 'Press.Motor'])

  // Exports are what came in.
  for (const [path, text] of Object.entries(files).filter(([file]) => file.includes('Press/Program blocks'))) {
    const blockName = (path.split('/').at(-1) as string).replace(/\.[a-z]+$/, '').replace('Press.Cross', 'Cross')
    const { content } = await call<{ content: string }>('blocks.export', { ...cell, blockName, format: 'source' })
    assert.equal(content, text, path)
  }
  const xml = await call<string>('blocks.export-xml', { ...cell, blockName: 'Oven.Motor', version: 'V19' })
  assert.match(xml, /<Namespace>Oven<\/Namespace>/)
  assert.match(xml, /<Name>Motor<\/Name>/)
  assert.doesNotMatch(xml, /Oven\.(Motor|Scale|Data)/)
  const { content: sd } = await call<{ content: string }>('blocks.export', {
    ...cell,
    blockName: 'Oven.Motor',
    format: 'sd',
  })
  assert.doesNotMatch(sd, /Oven\.(Motor|Scale|Data)/)

  // The same files again change nothing.
  const again = await call<{ unchanged: number; imported: number }>('blocks.import', { ...cell, filePath: 'vci/Cell' })
  assert.deepEqual([again.imported, again.unchanged], [0, Object.keys(files).length])

  // Renamed in its unit, and in the one that refers to it.
  await call('blocks.rename', { ...cell, blockName: 'Oven.Scale', newName: 'Oven.Factor' })
  assert.deepEqual(await usersOf('Oven.Factor'), ['Cross', 'Oven.Motor'])
  assert.deepEqual(await usersOf('Scale'), ['Motor'])
  const { content } = await call<{ content: string }>('blocks.export', {
    ...cell,
    blockName: 'Oven.Motor',
    format: 'source',
  })
  assert.match(content, /#out := "Factor"\(#data\.value\);/)
  const after = await call<Compiled>('blocks.compile-device', { ...cell, scope: 'software' })
  assert.equal(after.state, 'Success', JSON.stringify(after.messages))

  // What has its name only once has a whole name too.
  await writeWorkspace(gateway, {
    'uses.scl': `FUNCTION "Uses" : Int\nVERSION : 0.1\n\nBEGIN\n\t#Uses := _.Press.Cross() + "Press.Cross"() + _.Oven.Factor(1);\nEND_FUNCTION\n\n`,
  })
  await call('blocks.import', { ...cell, filePath: 'uses.scl' })
  await call('blocks.rename', { ...cell, blockName: 'Cross', newName: 'Sum of both' })
  const uses = await call<{ sourceText: string }>('blocks.source', { ...cell, blockName: 'Uses' })
  assert.match(
    uses.sourceText,
    /#Uses := _\.Press\."Sum of both"\(\) \+ "Press\.Sum of both"\(\) \+ _\.Oven\.Factor\(1\);/,
  )
  const last = await call<Compiled>('blocks.compile-device', { ...cell, scope: 'software' })
  assert.equal(last.state, 'Success', JSON.stringify(last.messages))
})

const table = (name: string, rows: readonly (readonly [name: string, address: string])[], constant: number) =>
  '<?xml version="1.0" encoding="utf-8"?>\n<Document>\n  <Engineering version="V19" />\n  <SW.Tags.PlcTagTable ID="0">\n    <AttributeList>\n' +
  `      <Name>${name}</Name>\n    </AttributeList>\n    <ObjectList>\n` +
  rows
    .map(
      ([tag, address], i) =>
        `      <SW.Tags.PlcTag ID="${i + 1}" CompositionName="Tags">\n        <AttributeList>\n          <DataTypeName>Int</DataTypeName>\n          <LogicalAddress>${address}</LogicalAddress>\n          <Name>${tag}</Name>\n        </AttributeList>\n      </SW.Tags.PlcTag>\n`,
    )
    .join('') +
  `      <SW.Tags.PlcUserConstant ID="A" CompositionName="UserConstants">\n        <AttributeList>\n          <DataTypeName>Int</DataTypeName>\n          <Name>Limit</Name>\n          <Value>${constant}</Value>\n        </AttributeList>\n      </SW.Tags.PlcUserConstant>\n    </ObjectList>\n  </SW.Tags.PlcTagTable>\n</Document>\n`

const reader = (body: string, name = 'Read') =>
  `FUNCTION "${name}" : Int\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\n\nBEGIN\n\t${body}\nEND_FUNCTION\n\n`

test('tag tables and tags of one name in several units: each unit finds its own, exports are what came in', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await call('projects.close', { force: true })
  const own = '#Read := "Start" + "Limit";'
  const files: Record<string, string> = {
    'Cell/PLC tags/Signals.xml': table(
      'Signals',
      [
        ['Start', '%MW0'],
        ['Alone', '%MW2'],
      ],
      1,
    ),
    'Cell/Program blocks/Read.scl': reader(own),
    'Cell/Software units/Oven/PLC tags/Signals.xml': table(
      'Signals',
      [
        ['Start', '%MW10'],
        ['Heat', '%MW12'],
      ],
      2,
    ),
    'Cell/Software units/Oven/Program blocks/Oven.Read.scl': inUnit('Oven', reader(own)),
    'Cell/Software units/Press/PLC tags/Signals.xml': table('Signals', [['Start', '%MW20']], 3),
    'Cell/Software units/Press/Program blocks/Press.Read.scl': inUnit('Press', reader(own)),
    'Cell/Software units/Press/Program blocks/Press.Other.scl': inUnit(
      'Press',
      reader('#Other := _.Oven.Start + "Oven.Limit" + "Start" + "Heat";', 'Other'),
    ),
  }
  await writeWorkspace(gateway, Object.fromEntries(Object.entries(files).map(([path, text]) => [`vci/${path}`, text])))
  const opened = await call<{ imported: number; warnings: string[] }>('projects.open', { path: 'vci' })
  assert.equal(opened.imported, Object.keys(files).length, JSON.stringify(opened.warnings))
  const told = 'TagTable "Signals" of unit "Oven": "Start", "Limit" are "Oven.…" here: the names are taken.'
  assert.ok(
    opened.warnings.some((warning) => warning.includes(told)),
    opened.warnings.join('\n'),
  )
  const cell = { deviceName: 'Cell' }
  const { tagTables } = await call<{ tagTables: Row[] }>('tags.list-tables', cell)
  assert.deepEqual(
    tagTables.map(({ name, folder }) => `${folder}|${name}`).filter((name) => name.includes('Signals')),
    ['Oven|Oven.Signals', 'Press|Press.Signals', '|Signals'],
  )
  const compiled = await call<Compiled>('blocks.compile-device', { ...cell, scope: 'software' })
  assert.equal(compiled.state, 'Success', JSON.stringify(compiled.messages))
  const source = async (blockName: string) =>
    (await call<{ content: string }>('blocks.export', { ...cell, blockName, format: 'source' })).content
  for (const unit of ['Oven', 'Press'])
    assert.equal(await source(`${unit}.Read`), files[`Cell/Software units/${unit}/Program blocks/${unit}.Read.scl`])
  const xml = await call<string>('tags.export-xml', { ...cell, tableName: 'Oven.Signals', version: 'V19' })
  assert.match(xml, /<Name>Signals<\/Name>/)
  assert.match(xml, /<Name>Start<\/Name>[\s\S]*<Name>Heat<\/Name>[\s\S]*<Name>Limit<\/Name>/)
  assert.doesNotMatch(xml, /Oven/)

  // The same files again change nothing; a table of a unit alone finds its unit when that is told.
  const again = await call<{ unchanged: number; imported: number }>('blocks.import', { ...cell, filePath: 'vci/Cell' })
  assert.deepEqual([again.imported, again.unchanged], [0, Object.keys(files).length])
  await writeWorkspace(gateway, {
    'one.xml': table(
      'Signals',
      [
        ['Start', '%MW14'],
        ['Heat', '%MW12'],
      ],
      2,
    ),
    'two.scl': inUnit('Oven', reader('#Read := "Start" + "Heat";')),
  })
  await call('blocks.import', { ...cell, filePath: 'one.xml', unit: 'Oven' })
  const { tags } = await call<{ tags: { name: string; logicalAddress: string }[] }>('tags.list', {
    ...cell,
    tableName: 'Oven.Signals',
  })
  assert.deepEqual(tags.map(({ name, logicalAddress }) => `${name} ${logicalAddress}`).sort(), [
    'Heat %MW12',
    'Oven.Start %MW14',
  ])
  // A text with a namespace goes to the unit that has it.
  const two = await call<{ warnings: string[]; objects: { name: string; action: string }[] }>('blocks.import', {
    ...cell,
    filePath: 'two.scl',
  })
  assert.deepEqual(
    two.objects.map(({ name, action }) => [name, action]),
    [['Oven.Read', 'replaced']],
  )
  assert.ok(two.warnings.includes('FC "Read" of the namespace Oven goes to the unit "Oven".'), two.warnings.join('\n'))
  assert.match(await source('Oven.Read'), /#Read := "Start" \+ "Heat";/)

  await fails(call('blocks.import', { ...cell, filePath: 'two.scl', unit: 'Oven/Top' }), 'invalid_input', /\/unit: /)

  // Saved and opened again, a unit still is one.
  await call('projects.save', { path: 'saved' })
  await call('projects.close', {})
  await call('projects.open', { path: 'saved' })
  const reopened = await call<string>('tags.export-xml', { ...cell, tableName: 'Oven.Signals', version: 'V19' })
  assert.doesNotMatch(reopened, /Oven/)
  assert.match(await source('Oven.Read'), /#Read := "Start" \+ "Heat";/)
  const last = await call<Compiled>('blocks.compile-device', { ...cell, scope: 'software' })
  assert.equal(last.state, 'Success', JSON.stringify(last.messages))
})

test('a renamed type of a unit has its new name in tags too, with and without its unit', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  const on = { deviceName: 'PLC_1' }
  const type = 'TYPE "Data"\nVERSION : 0.1\n   STRUCT\n      value : Int;\n   END_STRUCT;\n\nEND_TYPE\n\n'
  await call('types.import', { ...on, content: inUnit('Oven', type) })
  const types = ['"Oven.Data"', '_.Oven.Data', '"Data"', 'Array[0..1] of "Oven.Data"', '"Oven.Data2"']
  const rows = types.map((_, i) => [`T${i}`, `%I${i * 20}.0`] as const)
  const content = types.reduce(
    (text, type) => text.replace('<DataTypeName>Int<', `<DataTypeName>${type}<`),
    table('Signals', rows, 1),
  )
  await call('blocks.import', { ...on, content })
  const { updated } = await call<{ updated: { name: string }[] }>('types.rename', {
    ...on,
    udtName: 'Data',
    newName: 'Values',
  })
  assert.deepEqual(
    updated.map(({ name }) => name),
    ['Signals'],
  )
  const { tags } = await call<{ tags: { dataType: string }[] }>('tags.list', { ...on, tableName: 'Signals' })
  assert.deepEqual(
    tags.map(({ dataType }) => dataType),
    ['"Oven.Values"', '_.Oven.Values', '"Values"', 'Array[0..1] of "Oven.Values"', '"Oven.Data2"'],
  )
})
