/** The extension for Visual Studio Code: the file that is installed, and its command with a stand-in of the editor. */
// In a process of its own: it puts a stand-in in the place of the editor's module.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { builtinModules, createRequire, Module } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { XMLParser } from 'fast-xml-parser'
import yauzl from 'yauzl'
import { packageDir } from '../core/boot/running-code.ts'
import { launcher } from './built.ts'
import { temporaryFolder } from './folder.ts'

/** The files of a zip. */
async function unzipped(path: string): Promise<Map<string, string>> {
  const zip = await promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open)(path, { lazyEntries: true })
  const files = new Map<string, string>()
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject).on('end', resolve)
    zip.on('entry', (entry: yauzl.Entry) => {
      zip.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error)
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk as Buffer)
        files.set(entry.fileName, Buffer.concat(chunks).toString('utf8'))
        zip.readEntry()
      })
    })
    zip.readEntry()
  })
  return files
}

async function built(t: TestContext) {
  const dir = await temporaryFolder(t, 'gantry-vsix-')
  const make = async (name: string) => {
    const file = join(dir, name)
    await promisify(execFile)(process.execPath, ['scripts/vsix.mjs', file], { cwd: packageDir })
    return file
  }
  return { dir, make }
}

const list = <T>(given: T | T[] | undefined): T[] => (given === undefined ? [] : Array.isArray(given) ? given : [given])

test('the file has the two manifests, each part a type, and all that the extension names', async (t) => {
  const { make } = await built(t)
  const path = await make('a.vsix')
  assert.deepEqual(await readFile(path), await readFile(await make('b.vsix')), 'the same files make the same bytes')
  const files = await unzipped(path)
  const xml = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' })
  const types = list<{ Extension: string }>(xml.parse(files.get('[Content_Types].xml') ?? '').Types.Default)
  const known = types.map(({ Extension }) => Extension)
  for (const name of files.keys()) if (name !== '[Content_Types].xml') assert.ok(known.includes(extname(name)), name)
  const { Metadata, Installation, Assets } = xml.parse(files.get('extension.vsixmanifest') ?? '').PackageManifest
  const manifest = JSON.parse(files.get('extension/package.json') ?? '')
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))
  assert.deepEqual(
    [Metadata.Identity.Id, Metadata.Identity.Version, Metadata.Identity.Publisher, manifest.version],
    [manifest.name, version, manifest.publisher, version],
  )
  assert.equal(Metadata.Properties.Property.Value, manifest.engines.vscode)
  assert.equal(Installation.InstallationTarget.Id, 'Microsoft.VisualStudio.Code')
  for (const { Path } of list<{ Path: string }>(Assets.Asset)) assert.ok(files.has(Path), Path)
  assert.equal(manifest.dependencies, undefined, 'all is in the bundle')
  const named = [manifest.main, ...manifest.contributes.yamlValidation.map(({ url }: { url: string }) => url)]
  for (const one of named) assert.ok(files.has(join('extension', one).replaceAll('\\', '/')), one)
  for (const { url } of manifest.contributes.yamlValidation)
    assert.equal(files.get(`extension/${url.slice(2)}`), await readFile(join(packageDir, url), 'utf8'))
  const main = files.get('extension/extension.js') ?? ''
  for (const [, module = ''] of main.matchAll(/\brequire\("([^"]+)"\)/g))
    assert.ok(module === 'vscode' || builtinModules.includes(module.replace(/^node:/, '')), module)
  const { menus, commands } = manifest.contributes
  const ids = commands.map(({ command }: { command: string }) => command)
  for (const { command } of Object.values<{ command: string }[]>(menus).flat())
    assert.ok(ids.includes(command), command)
})

/** What the extension needs of the editor; all else is a class that does nothing. */
function editor(command: string) {
  const registered = new Map<string, (uri?: object) => Promise<void>>()
  const panels: { title: string; webview: { html: string } }[] = []
  const errors: string[] = []
  const saved: ((document: { uri: object }) => unknown)[] = []
  const nothing = { dispose() {} }
  const own = {
    commands: {
      registerCommand(id: string, run: (uri?: object) => Promise<void>) {
        registered.set(id, run)
        return nothing
      },
    },
    workspace: {
      getConfiguration: () => ({ get: () => command }),
      onDidSaveTextDocument(listener: (document: { uri: object }) => unknown) {
        saved.push(listener)
        return nothing
      },
    },
    window: {
      activeTextEditor: undefined,
      async showErrorMessage(message: string) {
        errors.push(message)
      },
      createWebviewPanel(_type: string, title: string) {
        const panel = { title, webview: { html: '' }, onDidDispose: () => nothing, dispose() {} }
        panels.push(panel)
        return panel
      },
    },
    ViewColumn: { Beside: -2 },
  }
  return { own, registered, panels, errors, saved }
}

/** Loads the bundle with a stand-in of the module `vscode`. */
function load(path: string, own: object): { activate(context: object): unknown } {
  const modules = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown }
  const before = modules._load
  const any: unknown = new Proxy(class {}, {
    get: (target, name) => (name === 'prototype' ? target.prototype : name === Symbol.toPrimitive ? () => 0 : any),
    apply: () => any,
  })
  const vscode = new Proxy(own, { get: (target, name) => (target as Record<string | symbol, unknown>)[name] ?? any })
  modules._load = (request, ...rest) => (request === 'vscode' ? vscode : before(request, ...rest))
  try {
    return createRequire(import.meta.url)(path)
  } finally {
    modules._load = before
  }
}

const skip = process.platform === 'win32' ? 'the stand-in of gantry is a shell script' : false

test('Show as ladder draws the networks of a file, again when it is saved, and says what is wrong', {
  skip,
}, async (t) => {
  const { dir, make } = await built(t)
  for (const [name, text] of await unzipped(await make('a.vsix'))) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  await writeFile(join(dir, 'gantry'), `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`)
  await chmod(join(dir, 'gantry'), 0o755)
  const { own, registered, panels, errors, saved } = editor(join(dir, 'gantry'))
  const { activate } = load(join(dir, 'extension/extension.js'), own)
  // The client of the language server needs the whole editor; the command is there before it starts.
  await Promise.resolve()
    .then(() => activate({ subscriptions: [] }))
    .catch(() => {})
  const show = registered.get('gantry.showAsLadder')
  assert.ok(show)
  await show()
  assert.match(errors[0] ?? '', /open an exported block/)
  const block = join(dir, '-a block.s7dcl')
  const text = await readFile(join(packageDir, 'plc/formats/simatic-sd/fixtures/dense.s7dcl'), 'utf8')
  await writeFile(block, text)
  const uri = { scheme: 'file', fsPath: block }
  await show(uri)
  const [panel] = panels
  assert.equal(panel?.title, '-a block.s7dcl')
  assert.match(panel.webview.html, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/)
  assert.match(panel.webview.html, /<figure><svg /)
  await writeFile(block, 'no block <b>')
  for (const listener of saved) await listener({ uri })
  assert.doesNotMatch(panel.webview.html, /<svg |<b>/)
  assert.match(panel.webview.html, /<pre>[^<]+<\/pre>/)
})
