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
  assert.deepEqual([found.Init, found.Any], ['101 Startup', '124 ProgramCycle'])
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
