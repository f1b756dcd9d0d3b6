import assert from 'node:assert/strict'
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { removeFolder, temporaryFolder } from '../../test/folder.ts'
import { noLinks } from '../../test/links.ts'
import { State } from '../state/state.ts'
import { pluginApiVersion } from './plugin-check.ts'
import { isThrownBy, loadPlugins, throwingFolder } from './plugin-loader.ts'
import { Registry } from './registry.ts'

test('a plugin whose import never ends is skipped, and the others are loaded', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-plugins-')
  for (const [name, text] of [
    ['good', "export default { name: 'good', version: '1.0.0' }"],
    ['waits', 'await new Promise(() => {})'],
  ] as const) {
    await mkdir(join(dir, name))
    await writeFile(join(dir, name, 'index.mjs'), text)
  }
  const { loaded, faults } = await loadPlugins([dir], new Registry(), new State(), { importMs: 2000 })
  assert.deepEqual(
    loaded.map(({ plugin }) => plugin.name),
    ['good'],
  )
  assert.deepEqual(
    faults.map(({ name }) => name),
    ['waits'],
  )
  assert.match(faults[0]!.reason, /^its import has not ended after 2000 ms/)
})

/** A directory of plugins, each with a file `index.mjs`, or with the files that are given. */
async function pluginsIn(t: TestContext, plugins: Record<string, string | Record<string, string>>) {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'gantry-plugins-')))
  t.after(() => removeFolder(dir))
  for (const [name, text] of Object.entries(plugins)) {
    await mkdir(join(dir, name))
    for (const [file, content] of Object.entries(typeof text === 'string' ? { 'index.mjs': text } : text))
      await writeFile(join(dir, name, file), content)
  }
  return dir
}

const exported = (name: string, fields = '') => `export default { name: '${name}', version: '1.0.0', ${fields} }`

test('plugins are loaded behind those that they require, else by folder; each that is not is named with the reason', {
  skip: noLinks,
}, async (t) => {
  const dir = await pluginsIn(t, {
    'a-needs-z': exported('a', "requires: ['z']"),
    'b-needs-none': exported('b', "requires: ['none', 'other']"),
    'c-circle': exported('c', "requires: ['d']"),
    'd-circle': exported('d', "requires: ['c']"),
    'e-needs-circle': exported('e', "requires: ['c']"),
    'f-factory': 'export default async ({ definePlugin }) => definePlugin({ name: "f", version: "1.0.0" })',
    'g-throws': 'throw new Error("as tested")',
    'h-throws-text': 'throw "as tested"',
    'i-number': 'export default 5',
    'j-nothing': 'export const a = 1',
    'k-null': 'export default null',
    'l-imports': "import 'gantry'",
    'm-range': exported('m', "api: '^99.0.0'"),
    'n-without': { 'readme.md': 'no plugin' },
    'o-script': { 'index.js': 'module.exports = { name: "o", version: "1.0.0" }', 'index.mjs': 'throw 1' },
    'p-again': exported('a'),
    'q-slice': exported(
      'q',
      "slice: { version: 1, collections: [{ id: 'x.items', indexes: {}, owners: [] }], reductions: [] }",
    ),
    '.hidden': exported('hidden'),
    z: exported('z'),
  })
  await writeFile(join(dir, 'a-file'), 'no folder')
  await symlink(join(dir, 'z'), join(dir, 'zz-link'), 'dir')
  const { loaded, faults } = await loadPlugins([dir, join(dir, 'absent')], new Registry(), new State())
  assert.deepEqual(
    loaded.map(({ plugin, folder }) => [plugin.name, basename(folder)]),
    [
      ['z', 'z'],
      ['a', 'a-needs-z'],
      ['f', 'f-factory'],
      ['o', 'o-script'],
    ],
  )
  const shape = (entry: string) =>
    `${entry} does not default-export definePlugin({ name, version, … }), or a function (gantry) => gantry.definePlugin(…)`
  const told = Object.fromEntries(faults.map(({ folder, reason }) => [basename(folder), reason]))
  assert.deepEqual(told, {
    absent: 'this directory of plugins does not exist',
    'b-needs-none': 'needs plugin "none", "other", which is not loaded',
    'c-circle': 'plugins require each other: c → d → c',
    'd-circle': told['d-circle'],
    'e-needs-circle': told['e-needs-circle'],
    'g-throws': `as tested (${join(dir, 'g-throws/index.mjs')}:1:7)`,
    'h-throws-text': 'it throws as tested',
    'i-number': shape('index.mjs'),
    'j-nothing': shape('index.mjs'),
    'k-null': shape('index.mjs'),
    'l-imports':
      "it imports 'gantry', which cannot be resolved from its folder: export a function (gantry) => gantry.definePlugin(…) instead",
    'm-range': `it is made for version "^99.0.0" of the plugin API; this gateway has ${pluginApiVersion}`,
    'p-again': 'a plugin "a" is loaded already',
    'q-slice': told['q-slice'],
    'zz-link': 'a plugin "z" is loaded already',
  })
  for (const name of ['d-circle', 'e-needs-circle']) assert.match(told[name]!, /require each other|is not loaded/, name)
  assert.match(told['q-slice']!, /x\.items/)
})

/** A declared extension point of objects with a function `find`, as JavaScript. */
const pointOf = (id: string, formerly = '') =>
  `{ id: '${id}', title: 'T', description: 'D', constant: 'source', check: { find: 'function' }, example: '{ find() {} }' ${formerly} }`
const contributes = (point: string, value = '{ find() {} }') => `extensions: [{ point: '${point}', value: ${value} }]`

test('contributions are checked when all plugins are known: unknown points and wrong shapes refuse a plugin', async (t) => {
  const dir = await pluginsIn(t, {
    // Before the plugin that declares the point.
    'a-early': exported('a', contributes('plant.sources')),
    'b-typo': exported('b', contributes('plant.source')),
    'c-shape': exported('c', contributes('plant.sources', '{}')),
    'd-undefined': exported('d', contributes('plant.sources', 'undefined')),
    'e-absent': exported('e', contributes('nowhere.places')),
    'f-former': exported('f', contributes('plant.part')),
    'g-refused': exported('g', `extensionPoints: [${pointOf('g.places')}], ${contributes('plant.sources', '1')}`),
    'h-of-refused': exported('h', contributes('g.places')),
    'i-needs-refused': exported('i', "requires: ['h']"),
    'j-owner': exported('j', `extensionPoints: [${pointOf('plant.others')}]`),
    'k-core': exported('k', contributes('core.web-pages', "{ path: '/k' }")),
    plant: exported('plant', `extensionPoints: [${pointOf('plant.sources', ", formerly: 'plant.part'")}]`),
  })
  const { loaded, faults } = await loadPlugins([dir], new Registry(), new State())
  assert.deepEqual(
    loaded.map(({ plugin }) => plugin.name),
    ['a', 'plant'],
  )
  const noObject = (id: string, value: string) => `extensions[0] (${id}) must be an object with find, not ${value}`
  assert.deepEqual(Object.fromEntries(faults.map(({ name, reason }) => [name, reason])), {
    b: 'extensions[0]: there is no extension point "plant.source". Did you mean "plant.sources"?',
    c: 'extensions[0] (plant.sources).find is missing: it must be a function',
    d: noObject('plant.sources', 'undefined'),
    e: 'extensions[0]: there is no extension point "nowhere.places". No plugin "nowhere" is there.',
    f: 'extensions[0]: the extension point "plant.part" is "plant.sources" now: extend(source, …)',
    g: noObject('plant.sources', '1'),
    h: `extensions[0]: there is no extension point "g.places". Plugin "g" is not loaded: ${noObject('plant.sources', '1')}`,
    i: 'needs plugin "h", which is not loaded',
    j: 'extension point "plant.others" must be named "j.<plural-noun>"',
    k: 'extensions[0] (core.web-pages).page is missing: it must be a function',
  })
})

test('an error is blamed on the folder in which it was thrown, also by way of a link', { skip: noLinks }, async (t) => {
  const dir = await pluginsIn(t, {
    guilty: 'export const run = () => { throw new Error("here") }',
    innocent: 'export const call = (run) => run()',
  })
  const links = await pluginsIn(t, {})
  await symlink(join(dir, 'guilty'), join(links, 'link'), 'dir')
  const { run } = (await import(pathToFileURL(join(dir, 'guilty/index.mjs')).href)) as { run: () => void }
  const { call } = (await import(pathToFileURL(join(dir, 'innocent/index.mjs')).href)) as {
    call: (run: () => void) => void
  }
  const thrown = (made: () => void): unknown => {
    try {
      made()
    } catch (error) {
      return error
    }
    return assert.fail('nothing was thrown')
  }
  const error = thrown(() => call(run))
  assert.equal(isThrownBy(error, join(dir, 'guilty')), true)
  assert.equal(isThrownBy(error, join(links, 'link')), true)
  assert.equal(isThrownBy(error, join(dir, 'innocent')), false)
  assert.equal(isThrownBy(error, join(dir, 'guil')), false)
  assert.equal(throwingFolder(error, [join(dir, 'absent'), links, dir]), join(links, 'link'))
  assert.equal(throwingFolder(error, [dir]), join(dir, 'guilty'))
  const own = thrown(() => {
    throw new Error('of the test')
  })
  assert.equal(throwingFolder(own, [dir, links]), undefined)
  for (const none of ['text', undefined, Object.assign(new Error('x'), { stack: undefined })])
    assert.equal(throwingFolder(none, [dir]), undefined)
})
