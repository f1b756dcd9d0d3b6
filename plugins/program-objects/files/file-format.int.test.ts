/** File formats of plugins, where files are imported, exported, checked and tested. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { builtInPlugins, packageDir } from '../../../core/boot/running-code.ts'
import { translateFile } from '../../../plc/formats/file-format.ts'
import { openPlant } from '../../../test/plant.ts'
import { pluginDirectory, problemOf } from '../../../test/system.ts'

const guide = await readFile(join(packageDir, 'plugins/system/docs/plugin-points.md'), 'utf8')
const typeLists = [...guide.matchAll(/```js\n([\s\S]*?)```/g)]
  .map(([, code]) => code!)
  .find((one) => one.includes("name: 'type-lists'"))!
const bytes = (text: string) => new TextEncoder().encode(text)

test('the format of the guide is imported, exported and checked like the others', async (t) => {
  const dir = await pluginDirectory(t, [])
  await mkdir(join(dir, 'type-lists'))
  await writeFile(join(dir, 'type-lists/index.mjs'), typeLists)
  const { call, gateway, dir: data } = await openPlant(t, { pluginDirs: [builtInPlugins, dir] })
  assert.deepEqual(gateway.pluginFaults, [])
  const workspace = join(data, 'workspace/plant')
  await mkdir(workspace, { recursive: true })
  const put = (name: string, text: string) => writeFile(join(workspace, name), text)
  await put('drives.types', 'Motor: speed Int, on Bool\n\nValve: open Bool\n')
  await put(
    'a.scl',
    'FUNCTION "Stop" : Void\nVAR_IN_OUT\n  m : "Motor";\nEND_VAR\nBEGIN\n  #m.on := FALSE;\nEND_FUNCTION\n',
  )
  const imported = await call<{ imported: number; warnings: string[] }>('blocks.import', {
    deviceName: 'PLC_1',
    filePath: 'plant',
  })
  assert.deepEqual([imported.imported, imported.warnings], [3, []])
  const names = async () => {
    const { udts } = await call<{ udts: { name: string }[] }>('types.list', { deviceName: 'PLC_1' })
    return udts.map(({ name }) => name).sort()
  }
  assert.deepEqual(await names(), ['Motor', 'Valve'])
  const exported = { deviceName: 'PLC_1', typeName: 'Motor', exportPath: 'out/Motor.types' }
  assert.equal((await call('types.export', exported)).format, 'type-lists.types')
  const text = await readFile(join(data, 'workspace/out/Motor.types'), 'utf8')
  assert.equal(text.replace('\uFEFF', ''), 'Motor: speed Int, on Bool\n')
  const refused = call('blocks.export', { deviceName: 'PLC_1', blockName: 'Stop', exportPath: 'out/Stop.types' })
  await assert.rejects(refused, problemOf('unacceptable_content', /cannot write "Stop": it holds types only\./))
  // What is wrong has its line in the file.
  await put('drives.types', 'Motor: speed Int, on Bool\nValve open\n')
  await assert.rejects(call('types.import', { deviceName: 'PLC_1', filePath: 'plant/drives.types' }), (error) => {
    const [fault] = (error as { details: { errors: { line: number; message: string }[] } }).details.errors
    assert.deepEqual([fault?.line, fault?.message], [2, 'a line is "Name: member Type, …"'])
    return true
  })
  await put('drives.types', '\nMotor: speed Int, on Bol\n')
  type Checked = {
    readonly findings: readonly { readonly file: string; readonly line: number; readonly message: string }[]
  }
  const { findings } = await call<Checked>('review.check', { path: 'plant', show: 'warning' })
  const own = findings.filter(({ file }) => file === 'drives.types')
  assert.deepEqual([...new Set(own.map(({ line }) => line))], [2])
  assert.match(own.map(({ message }) => message).join(), /Bol/)
})

test('formats are asked by the ending, then by the text; what they throw is a fault of the file', async () => {
  const seen: string[] = []
  const format = (name: string, read: (text: string) => { text: string }, detect?: (text: string) => boolean) => ({
    ...{ name, title: name, extensions: ['.plant.json'], ...(detect ? { detect } : {}) },
    read(text: string) {
      seen.push(name)
      return read(text)
    },
  })
  const formats = [
    format(
      'a.never',
      (text) => ({ text }),
      () => false,
    ),
    format(
      'b.throws',
      () => {
        throw new Error('as tested')
      },
      (text) => text.startsWith('throw'),
    ),
    format(
      'c.wrong',
      () => ({}) as { text: string },
      (text) => text.startsWith('wrong'),
    ),
    format('d.any', (text) => ({ text: text.toUpperCase() })),
  ]
  const read = async (path: string, text: string) => {
    const found = await translateFile(formats, path, bytes(text))
    return found && [found.format, new TextDecoder().decode(found.bytes), found.faults.map(({ message }) => message)]
  }
  assert.deepEqual(await read('x/A.PLANT.JSON', 'one'), ['d.any', 'ONE', []])
  assert.deepEqual(await read('a.plant.json', 'throw'), ['b.throws', '', ['its format "b.throws" failed: as tested']])
  assert.deepEqual(await read('a.plant.json', 'wrong'), [
    'c.wrong',
    '',
    ['its format "c.wrong" failed: read() gave no { text }'],
  ])
  assert.equal(await read('a.json', 'one'), undefined)
  // A text without a file: only formats that know their texts.
  assert.equal(await read('content', 'one'), undefined)
  assert.deepEqual((await read('content', 'throw'))?.[0], 'b.throws')
  assert.equal(await translateFile(formats, 'a.plant.json', Uint8Array.of(0xff, 0xd8, 0, 0)), undefined)
  assert.deepEqual(seen, ['d.any', 'b.throws', 'c.wrong', 'b.throws'])
})
