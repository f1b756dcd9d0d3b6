/** When organization blocks run, through every format and a saved project. */

import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPlant, writeWorkspace } from '../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
type Call = Awaited<ReturnType<typeof openPlant>>['call']

const source = (name: string, head = '') =>
  `${head}ORGANIZATION_BLOCK ${name}\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\n\nBEGIN\n\t;\nEND_ORGANIZATION_BLOCK\n\n`

/** Number and event class of each organization block by its name. */
async function events(call: Call): Promise<Record<string, string>> {
  const { blocks } = await call<{ blocks: { name: string; type: string; number: number; secondaryType?: string }[] }>(
    'blocks.list',
    on,
  )
  return Object.fromEntries(
    blocks
      .map(({ name, number, secondaryType }): [string, string] => [name, `${number} ${secondaryType}`])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const program = [
  source('"Main"'),
  source('OB80'),
  source('OB121'),
  source('"OB100"'),
  source('"Cyclic interrupt"'),
  source('"Fast"', "// Gantry { Number := '31'; SecondaryType := 'CyclicInterrupt'; CyclicTime := '2500' }\n"),
  source('"Later"', "// Gantry { Number := '123'; SecondaryType := 'TimeDelayInterrupt' }\n"),
].join('')
const expected = {
  'Cyclic interrupt': '30 CyclicInterrupt',
  Fast: '31 CyclicInterrupt',
  Later: '123 TimeDelayInterrupt',
  Main: '1 ProgramCycle',
  OB100: '100 Startup',
  OB121: '121 ProgrammingError',
  OB80: '80 TimeErrorInterrupt',
}

test('what a text does not say is guessed from name and title, and told', async (t) => {
  const { call } = await openPlant(t)
  const imported = await call<{ warnings: string[] }>('blocks.import', { ...on, content: program })
  assert.deepEqual(await events(call), expected)
  assert.deepEqual(
    imported.warnings.map((warning) =>
      /^OB "([^"]+)".* by its (name|title) it is taken to be (\w+) \(/.exec(warning)?.slice(1),
    ),
    [
      ['OB100', 'name', 'Startup'],
      ['Cyclic interrupt', 'name', 'CyclicInterrupt'],
    ],
  )
  const titled = source('"Init"').replace('\n', '\nTITLE = "Complete Restart"\n')
  const more = await call<{ warnings: string[] }>('blocks.import', { ...on, content: `${titled}${source('"Any"')}` })
  assert.match(more.warnings[0] ?? '', /"Init".* by its title .* Startup/)
  assert.match(more.warnings[1] ?? '', /"Any".* taken to be ProgramCycle/)
  const found = await events(call)
  assert.deepEqual([found.Init, found.Any], ['124 Startup', '125 ProgramCycle'])
  // What was guessed once is known; the same text again changes nothing.
  const again = await call<{ warnings: string[]; unchanged: number }>('blocks.import', { ...on, content: program })
  assert.deepEqual([again.warnings, again.unchanged], [[], 7])
})

for (const format of ['source', 'sd', 'xml'])
  test(`organization blocks exported as ${format} come back with number and event class`, async (t) => {
    const { call } = await openPlant(t)
    await call('blocks.import', { ...on, content: program })
    const exports = []
    for (const blockName of Object.keys(expected)) {
      const { content } = await call<{ content: string }>('blocks.export', { ...on, blockName, format })
      exports.push(content)
      await call('blocks.delete', { ...on, blockName, force: true })
    }
    assert.deepEqual(await events(call), {})
    for (const content of exports.reverse()) {
      const { warnings } = await call<{ warnings: string[] }>('blocks.import', { ...on, content })
      assert.deepEqual(warnings, [])
    }
    assert.deepEqual(await events(call), expected)
    if (format === 'xml') return
    const { content } = await call<{ content: string }>('blocks.export', { ...on, blockName: 'Fast', format: 'source' })
    assert.match(content.replace(/\r/g, ''), format === 'source' ? /CyclicTime := '2500'/ : /./)
  })

test('so do those of a saved project, whose files say it all, and of a folder of exports', async (t) => {
  const gateway = await openPlant(t)
  const { call, dir } = gateway
  await call('blocks.import', { ...on, content: program })
  await call('blocks.create', { ...on, name: 'Made', type: 'OB', eventClass: 'CyclicInterrupt', code: ';' })
  await call('blocks.create', { ...on, name: 'Startup', type: 'OB', eventClass: 'CyclicInterrupt', code: ';' })
  const all = { ...expected, Made: '32 CyclicInterrupt', Startup: '33 CyclicInterrupt' }
  assert.deepEqual(await events(call), all)
  await call('projects.save')
  await call('projects.close')
  const project = join(dir, 'workspace', 'Plant')
  const files = await readdir(project, { recursive: true })
  for (const file of files.filter((path) => path.endsWith('blocks/index.json'))) await rm(join(project, file))
  await call('projects.open', { path: 'Plant' })
  assert.deepEqual(await events(call), all)
  const exported: Record<string, string> = {}
  for (const blockName of Object.keys(all)) {
    const { content } = await call<{ content: string }>('blocks.export', { ...on, blockName, format: 'source' })
    exported[`export/PLC_1/Program blocks/${blockName}.scl`] = content
  }
  await writeWorkspace(gateway, exported)
  await call('projects.close')
  const opened = await call<{ warnings: string[] }>('projects.open', { path: 'export' })
  assert.deepEqual(
    opened.warnings.filter((warning) => warning.startsWith('OB ')),
    [],
  )
  assert.deepEqual(await events(call), all)
})

test('a new number and a new text of an organization block', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.import', { ...on, content: program })
  const text = async (blockName: string) =>
    (await call<{ sourceText: string }>('blocks.source', { ...on, blockName })).sourceText
  const before = (await text('Cyclic interrupt')).trimStart()
  assert.match(before, /^\/\/ Gantry \{ Number := '30'; SecondaryType := 'CyclicInterrupt' \}\n/)
  const sourceText = before
    .replace("'30'", "'38'")
    .replace('CyclicInterrupt', 'HardwareInterrupt')
    .replace("'38'", "'40'")
  await call('blocks.update-content', { ...on, blockName: 'Cyclic interrupt', sourceText })
  assert.equal((await events(call))['Cyclic interrupt'], '40 HardwareInterrupt')
  // A text that does not say it leaves it as it is.
  const plain = sourceText.slice(sourceText.indexOf('\n') + 1)
  await call('blocks.update-content', { ...on, blockName: 'Cyclic interrupt', sourceText: plain })
  assert.equal((await events(call))['Cyclic interrupt'], '40 HardwareInterrupt')
  assert.match(
    await text('Cyclic interrupt'),
    /^\/\/ Gantry \{ Number := '40'; SecondaryType := 'HardwareInterrupt' \}\n/,
  )
  await call('blocks.rename', { ...on, blockName: 'Fast', newName: 'Startup' })
  assert.equal((await events(call)).Startup, '31 CyclicInterrupt')
})

type Made = { number: number; secondaryType?: string; warnings: string[] }
const xmlOb = (name: string, attributes: Readonly<Record<string, string>>) =>
  `<?xml version="1.0" encoding="utf-8"?><Document><Engineering version="V19" /><SW.Blocks.OB ID="0"><AttributeList>${Object.entries(
    { Name: name, ProgrammingLanguage: 'SCL', ...attributes },
  )
    .map(([key, value]) => `<${key}>${value}</${key}>`)
    .join('')}</AttributeList><ObjectList /></SW.Blocks.OB></Document>`
const sdOb = (name: string, head = '') => `${head}ORGANIZATION_BLOCK ${name}\nEND_ORGANIZATION_BLOCK\n`

test('the number of an organization block says its class, whichever way it is made', async (t) => {
  const { call } = await openPlant(t)
  const numbers = { 35: 'CyclicInterrupt', 82: 'DiagnosticErrorInterrupt', 100: 'Startup', 121: 'ProgrammingError' }
  for (const [number, eventClass] of Object.entries(numbers)) {
    const ways: Record<string, () => Promise<unknown>> = {
      create: () => call('blocks.create', { ...on, name: 'X', type: 'OB', number: Number(number) }),
      createLadder: () =>
        call('blocks.create', { ...on, name: 'X', type: 'OB', language: 'LAD', number: Number(number) }),
      createText: () => call('blocks.create', { ...on, name: `OB${number}`, type: 'OB', code: source(`OB${number}`) }),
      source: () => call('blocks.import', { ...on, content: source(`OB${number}`) }),
      sd: () => call('blocks.import', { ...on, content: sdOb(`OB${number}`) }),
      sdNumber: () => call('blocks.import', { ...on, content: sdOb('X', `{ S7_BlockNumber := "${number}" }\n`) }),
      xml: () => call('blocks.import', { ...on, content: xmlOb('X', { Number: number, AutoNumber: 'false' }) }),
      generate: () =>
        call('block-generation.generate-and-import', {
          ...on,
          specification: { type: 'OB', name: 'X', number: Number(number) },
        }),
    }
    for (const [way, make] of Object.entries(ways)) {
      await make()
      const made = Object.entries(await events(call))
      assert.deepEqual(
        made.map(([, event]) => event),
        [`${number} ${eventClass}`],
        way,
      )
      await call('blocks.delete', { ...on, blockName: made[0]![0], force: true })
    }
  }
})

test('a number of another class is refused; an automatic one of a file gives way', async (t) => {
  const { call } = await openPlant(t)
  const ob = { ...on, name: 'X', type: 'OB' }
  await assert.rejects(call('blocks.create', { ...ob, number: 35, eventClass: 'Startup' }), /that of a CyclicInterrupt/)
  await assert.rejects(call('blocks.create', { ...ob, number: 50 }), /number 50 belongs to no event class/)
  await assert.rejects(call('blocks.create', { ...ob, number: 101 }), /a Startup has 100, or from 123 on/)
  await assert.rejects(call('blocks.create', { ...ob, eventClass: 'AccessError' }), /no event class of controllers/)
  await assert.rejects(
    call('block-generation.generate-and-import', {
      ...on,
      specification: { type: 'OB', name: 'X', eventClass: 'Startup', number: 35 },
    }),
    /that of a CyclicInterrupt/,
  )
  const wrong = { Number: '35', SecondaryType: 'Startup' }
  await assert.rejects(
    call('blocks.import', { ...on, content: xmlOb('X', { ...wrong, AutoNumber: 'false' }) }),
    /OB "X" is a Startup: number 35 is that of a CyclicInterrupt/,
  )
  assert.deepEqual(await events(call), {})
  const { warnings } = await call<Made>('blocks.import', { ...on, content: xmlOb('X', wrong) })
  assert.match(warnings[0] ?? '', /OB "X" is a Startup: number 35 is that of a CyclicInterrupt.* gets another number/)
  assert.deepEqual(await events(call), { X: '100 Startup' })
  // An edit that would part the two is refused as well.
  const { rawXml } = await call<{ rawXml: string }>('blocks.content', { ...on, blockName: 'X', view: 'full' })
  const changed = rawXml.replace('>Startup<', '>HardwareInterrupt<')
  const edit = (text: string) => call('blocks.update-content', { ...on, blockName: 'X', rawXml: text })
  await assert.rejects(edit(changed.replace('<Name>', '<AutoNumber>false</AutoNumber><Name>')), /that of a Startup/)
  await edit(changed)
  assert.deepEqual(await events(call), { X: '40 HardwareInterrupt' })
})

test('an organization block from XML without its class has one everywhere', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.create', { ...on, name: 'First', type: 'OB', number: 100 })
  const { warnings } = await call<Made>('blocks.import', { ...on, content: xmlOb('Second', { Number: '100' }) })
  // Its number is taken: what it says of the class remains.
  assert.deepEqual([warnings, (await events(call)).Second], [[], '123 Startup'])
  const xml = await call<string>('blocks.export-xml', { ...on, blockName: 'Second' })
  assert.match(xml, /<SecondaryType>Startup</)
  const { warnings: told } = await call<Made>('blocks.import', { ...on, content: xmlOb('Third', { Number: '0' }) })
  assert.match(told[0] ?? '', /"Third".* taken to be ProgramCycle/)
})
