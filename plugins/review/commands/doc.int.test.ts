/** `gantry doc` and `gantry render` as processes, and `review.document`. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { launcher } from '../../../test/built.ts'
import { publicDir } from '../../../test/corpus.ts'
import { temporaryFolder } from '../../../test/folder.ts'
import { fails, openPlant } from '../../../test/plant.ts'
import { largeArchive } from '../../../test/tia-files.ts'
import { documentOf } from '../documentation.task.ts'

const program = `FUNCTION_BLOCK "Motor"
TITLE = Starts <one> & stops
VAR_INPUT
  start : Bool; // from | the panel
END_VAR
VAR_OUTPUT
  run : Bool;
END_VAR
BEGIN
  #run := #start;
END_FUNCTION_BLOCK
DATA_BLOCK "Motor_1"
"Motor"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Motor_1"(start := "go", run => "lamp");
END_ORGANIZATION_BLOCK
`
const tags = `<?xml version="1.0" encoding="utf-8"?><Document><Engineering version="V19" /><SW.Tags.PlcTagTable ID="0"><AttributeList><Name>Tags</Name></AttributeList><ObjectList>${[
  ['lamp', '%Q0.1'],
  ['go', '%I0.3'],
]
  .map(
    ([name, address], i) =>
      `<SW.Tags.PlcTag ID="${i + 1}" CompositionName="Tags"><AttributeList><DataTypeName>Bool</DataTypeName><LogicalAddress>${address}</LogicalAddress><Name>${name}</Name></AttributeList></SW.Tags.PlcTag>`,
  )
  .join('')}</ObjectList></SW.Tags.PlcTagTable></Document>`

async function folder(t: TestContext): Promise<string> {
  const dir = await temporaryFolder(t, 'gantry-doc-')
  await mkdir(join(dir, 'plant'))
  await writeFile(join(dir, 'plant/Program.scl'), program)
  await writeFile(join(dir, 'plant/Tags.xml'), tags)
  return dir
}

function gantry(cwd: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [launcher, ...args], { cwd, maxBuffer: 1e8 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

test('gantry doc: objects, calls, inputs and outputs, texts; in both formats', async (t) => {
  const dir = await folder(t)
  const markdown = await gantry(dir, 'doc', 'plant', '--format', 'markdown')
  assert.equal(markdown.code, 0, markdown.stderr)
  assert.match(markdown.stdout, /^- Main\n {2}- Motor$/m, 'the instance is the call of its block')
  const rows = markdown.stdout.split('\n').filter((line) => /^\| %/.test(line))
  assert.deepEqual(rows, ['| %I0.3 | go | Bool | Tags |  | Main |', '| %Q0.1 | lamp | Bool | Tags |  | Main |'])
  assert.match(markdown.stdout, /Starts &lt;one\\> & stops/)
  assert.match(markdown.stdout, /\| Input \| start \| Bool \| {2}\| from \\\| the panel \|/)
  assert.equal((await gantry(dir, 'doc', 'plant', '--out', 'plant.md')).code, 0)
  assert.equal(await readFile(join(dir, 'plant.md'), 'utf8'), markdown.stdout, 'the name of the file says the format')
  const denied = await gantry(dir, 'doc', 'plant', '--out', 'plant.md', '--format', 'html')
  assert.equal(denied.code, 2)
  assert.match(denied.stderr, /--format html contradicts --out plant\.md, which is a name for markdown/)
  const html = await gantry(dir, 'doc', 'plant', '--title', 'My <plant>')
  assert.equal(html.code, 0)
  assert.match(html.stdout, /<title>My &lt;plant&gt;<\/title>/)
  assert.match(html.stdout, /Starts &lt;one&gt; &amp; stops/)
  assert.doesNotMatch(html.stdout, /(?:src|href)="(?!#)/, 'nothing is loaded from elsewhere')
  assert.equal((await gantry(dir, 'doc', 'missing')).code, 3)
})

test('a real program is documented whole; its networks are drawn', async (t) => {
  const dir = await folder(t)
  const real = join(publicDir, 'Czarnak+simaticml-decoder')
  const { code, stdout, stderr } = await gantry(dir, 'doc', real)
  assert.equal(code, 0, stderr)
  assert.ok((stdout.match(/<svg /g)?.length ?? 0) > 20)
  assert.match(stdout, /data-step="1"/)
  const picture = await gantry(dir, 'render', real, '--block', 'fc_cargador', '--network', '2')
  assert.match(picture.stdout, /^<svg .*Network 2/)
  const wrong = await gantry(dir, 'render', real, '--block', 'fc_cargadar')
  assert.deepEqual([wrong.code, /Did you mean "FC_Cargador"/.test(wrong.stderr)], [2, true])
  assert.equal((await gantry(dir, 'render', real, '--block', 'FC_Cargador', '--network', '99')).code, 2)
  assert.equal((await gantry(dir, 'render', 'plant', '--block', 'Motor')).code, 3, 'SCL is text')
})

test('review.document writes the same over a folder of the workspace', async (t) => {
  const { call, dir } = await openPlant(t)
  await cp(join(await folder(t), 'plant'), join(dir, 'workspace/plant'), { recursive: true })
  const { text, notes } = await call<{ text: string; notes: string[] }>('review.document', {
    path: 'plant',
    format: 'markdown',
  })
  assert.match(text, /^# plant\n/)
  assert.deepEqual(notes, [])
  await fails(call('review.document', { path: 'nowhere' }), 'not_found', /nowhere/)
})

test('a project with several controllers is documented controller by controller', async (t) => {
  const dir = await folder(t)
  const { code, stdout, stderr } = await gantry(dir, 'doc', largeArchive, '--format', 'markdown')
  assert.deepEqual([code, stderr], [0, ''])
  const [, ...controllers] = [...stdout.matchAll(/^# (.*)$/gm)].map(([, name]) => name)
  assert.equal(controllers.length, 8)
  assert.equal(stdout.match(/^## OB Main$/gm)?.length, 8)
  const page = await gantry(dir, 'doc', largeArchive)
  const ids = [...page.stdout.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
  assert.equal(new Set(ids).size, ids.length, 'ids of one page')
  for (const [, target] of page.stdout.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(target!), target)
})

test('an object that another one of its name hides is told', async () => {
  const block = (value: number) => Buffer.from(`FUNCTION "A" : Void\nBEGIN\n  "x" := ${value};\nEND_FUNCTION\n`)
  const program = [1, 2].map((value) => ({ path: `PLC_${value}/A.scl`, bytes: block(value) }))
  const content = { program, sheets: [], hardware: [] }
  const { notes } = await documentOf({ content, format: 'markdown', title: 'p', culture: 'en-US' })
  assert.equal(notes.length, 1)
  assert.match(notes[0]!, /"A" is in PLC_1\/A\.scl too.* in the document\./)
})

test('devices and ignore of gantry.yml: controllers as listed, without what is left out; faults of it are told', async () => {
  const block = (name: string) => Buffer.from(`FUNCTION "${name}" : Void\nBEGIN\n  ;\nEND_FUNCTION\n`)
  const program = ['north/A.scl', 'south/A.scl', 'south/B.scl', 'old/C.scl', 'spare/D.scl', 'spare/E.scl'].map(
    (path) => ({ path, bytes: block(path.charAt(path.length - 5)) }),
  )
  const config = `ignore: ["old/*"]
devices:
  - name: North
    folders: [north]
  - name: South
    folders: [south]
colour: red
`
  const content = { program, sheets: [], hardware: [], config, configFile: 'gantry.yml' }
  const { text, notes } = await documentOf({ content, format: 'markdown', title: 'plant', culture: 'en-US' })
  assert.deepEqual(text.match(/^#{1,2} .*(North|South|FC .*)$/gm), [
    '# North',
    '## FC A',
    '# South',
    '## FC A',
    '## FC B',
  ])
  assert.deepEqual(notes, [
    'gantry.yml:7:1: there is no field "colour"; allowed are devices, ignore, libraries, culture, failOn, missing, format, plugins, rules.',
    'spare/D.scl: this file and 1 other are of no controller (North, South) and not in the document.',
  ])
})
