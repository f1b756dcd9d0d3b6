/** The files of a new plugin that contributes to one point: a rule, a file format, a view or a driver. */

export const pluginKinds = ['rule', 'format', 'view', 'driver'] as const
export type PluginKind = (typeof pluginKinds)[number]

export const isPluginKind = (text: string): text is PluginKind => pluginKinds.some((kind) => kind === text)

interface Template {
  readonly constant: string
  readonly contribution: string
  /** Body of the test; it has `gantry`, `assert`, `writeFile`, `mkdir` and `join`. */
  readonly test: string
  readonly title: string
  readonly more?: Readonly<Record<string, string>>
}

/**
 * @param name of the plugin: lower-case words with hyphens
 * @returns content by name of the file
 */
export function filesOfKind(
  kind: PluginKind,
  name: string,
  { api, isTypeScript }: { readonly api: string; readonly isTypeScript: boolean },
): Record<string, string> {
  const { constant, contribution, test, title, more = {} } = templates[kind](name)
  const head = isTypeScript
    ? `import type * as Gantry from 'gantry' // for the type checker only\nimport type * as Points from 'gantry/points'\n\n`
    : ''
  const [gantry, points] = isTypeScript ? [': typeof Gantry', ': typeof Points'] : ['', '']
  const plugin = `${head}export default ({ definePlugin, extend }${gantry}, { ${constant} }${points}) =>
  definePlugin({
    name: '${name}',
    version: '0.1.0',
    api: '${api}',
    extensions: [
      extend(${constant}, ${contribution.trim().replaceAll('\n', '\n      ')}),
    ],
  })
`
  const tested = `import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTestGateway } from 'gantry/testing'

test('${title}', async (t) => {
  const gantry = await openTestGateway({ plugins: [new URL('.', import.meta.url)] })
  t.after(() => gantry.close())
  const folder = join(gantry.dir, 'workspace/plant')
  await mkdir(folder, { recursive: true })
  ${test.trim().replaceAll('\n', '\n  ')}
})
`
  return { [isTypeScript ? 'index.ts' : 'index.js']: plugin, ...more, 'index.test.mjs': tested }
}

const templates: Readonly<Record<PluginKind, (name: string) => Template>> = {
  rule: (name) => ({
    constant: 'reviewRule',
    title: 'a block with a short name is found',
    contribution: `{
  code: '${name}.short-name',
  group: 'naming',
  severity: 'warning',
  title: 'The name of a block is short',
  why: 'A name of one or two letters says nothing.',
  fails: 'FUNCTION "A" : Void\\nBEGIN\\nEND_FUNCTION\\n',
  passes: 'FUNCTION "Add" : Void\\nBEGIN\\nEND_FUNCTION\\n',
  options: { least: { value: 3, description: 'Characters.' } },
  check(program, report, options) {
    for (const block of program.code)
      if (block.name.length < options.number('least')) report(block, {}, \`"\${block.name}" is short.\`)
  },
}`,
    test: `
await writeFile(join(folder, 'a.scl'), 'FUNCTION "A" : Void\\nBEGIN\\nEND_FUNCTION\\nFUNCTION "Add" : Void\\nBEGIN\\nEND_FUNCTION\\n')
const { findings } = await gantry.call('review.check', { path: 'plant' })
const own = findings.filter(({ code }) => code === '${name}.short-name')
assert.deepEqual(own.map(({ message }) => message), ['"A" is short.'])`,
  }),
  format: (name) => ({
    constant: 'fileFormat',
    title: 'a file of the format is imported',
    contribution: `{
  name: '${name}.lists',
  title: 'Lists of functions',
  extensions: ['.${name}'],
  // Each line is the name of a function.
  read(text) {
    const names = text.split('\\n').map((line) => line.trim()).filter((line) => line !== '')
    const sources = names.map((one) => \`FUNCTION "\${one}" : Void\\nBEGIN\\nEND_FUNCTION\\n\`)
    return { text: sources.join('') }
  },
}`,
    test: `
await writeFile(join(folder, 'all.${name}'), 'Pump\\nValve\\n')
await gantry.call('projects.create', { name: 'Plant' })
await gantry.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
const { imported } = await gantry.call('blocks.import', { deviceName: 'PLC_1', filePath: 'plant/all.${name}' })
assert.equal(imported, 2)`,
  }),
  view: (name) => ({
    constant: 'studioView',
    title: 'the view shows the open project',
    contribution: `{
  name: '${name}',
  title: '${name}',
  icon: 'table',
  module: new URL('./view.mjs', import.meta.url).href,
}`,
    more: {
      'view.mjs': `// The parts of the studio are in the manual: "What plugins add to, by example".
export default ({ h, project }) =>
  function View() {
    return h('p', { class: 'pad' }, project.value?.name ?? 'There is no project.')
  }
`,
    },
    test: `
const { default: view } = await import('./view.mjs')
const h = (type, props, ...children) => ({ type, props, children })
assert.deepEqual(view({ h, project: { value: { name: 'Plant' } } })().children, ['Plant'])
assert.deepEqual(view({ h, project: { value: null } })().children, ['There is no project.'])`,
  }),
  driver: (name) => ({
    constant: 'controllerDriver',
    title: 'the device is switched on and off',
    contribution: `{
  name: '${name}',
  title: '${name}',
  // Which instances are devices of this driver.
  drives: (instance) => instance.name.startsWith('${name}'),
  device() {
    let memory = new Uint8Array()
    return {
      async connect() {},
      async close() {},
      async load({ image }) {
        memory = image
      },
      async run() {},
      async stop() {},
      read: async (ranges) => ranges.map(({ address, size }) => memory.slice(address, address + size)),
      async write(writes) {
        for (const { address, bytes, mask = 255 } of writes)
          for (const [i, byte] of bytes.entries())
            memory[address + i] = ((memory[address + i] ?? 0) & ~mask) | (byte & mask)
      },
    }
  },
}`,
    test: `
await gantry.call('simulation.create-instance', { name: '${name}-1' })
await gantry.call('simulation.power-on', { name: '${name}-1' })
assert.equal((await gantry.call('simulation.get-instance-state', { name: '${name}-1' })).state, 'Stop')
await gantry.call('simulation.power-off', { name: '${name}-1' })`,
  }),
}
