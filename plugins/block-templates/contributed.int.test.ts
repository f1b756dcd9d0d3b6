/** A template of a plugin: that of the guide, listed, explained, checked and imported. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { builtInPlugins, packageDir } from '../../core/boot/running-code.ts'
import { openPlant } from '../../test/plant.ts'
import { pluginDirectory, problemOf } from '../../test/system.ts'

const guide = await readFile(join(packageDir, 'plugins/system/docs/plugin-points.md'), 'utf8')
const lamp = [...guide.matchAll(/```js\n([\s\S]*?)```/g)]
  .map(([, code]) => code!)
  .find((code) => code.includes("name: 'plant-blocks'"))!

test('the template of the guide is one of the list, and what it makes is imported and compiled', async (t) => {
  const dir = await pluginDirectory(t, [])
  await mkdir(join(dir, 'plant-blocks'))
  await writeFile(join(dir, 'plant-blocks/index.mjs'), lamp)
  const { call, gateway } = await openPlant(t, { pluginDirs: [builtInPlugins, dir] })
  assert.deepEqual(gateway.pluginFaults, [])
  const { templates } = await call<{ templates: { name: string; parameters: string[] }[] }>('block-templates.list')
  assert.deepEqual(templates.find(({ name }) => name === 'plant-blocks-lamp')?.parameters, ['blockName'])
  const name = 'plant-blocks-lamp'
  assert.match(String((await call('block-templates.get', { name })).source), /FUNCTION "Lamp" : Bool/)
  const make = (parameters: object) =>
    call<{ imported: boolean; objects: { name: string }[] }>('block-templates.generate', {
      ...{ name, parameters, deviceName: 'PLC_1', import: true },
    })
  await assert.rejects(make({ blockNam: 'x' }), problemOf('invalid_input', /did you mean "blockName"/))
  const made = await make({ blockName: 'Light' })
  assert.deepEqual([made.imported, made.objects], [true, [{ name: 'Light', kind: 'FC' }]])
  assert.equal((await call('blocks.list', { deviceName: 'PLC_1' })).total, 1)
})
