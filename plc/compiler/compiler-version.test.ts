import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { packageDir } from '../../core/boot/running-code.ts'
import { compilerVersion, importClosure } from './compiler-version.ts'

test('the compile task reaches all that decides what a program becomes', () => {
  const files = importClosure(path.join(packageDir, 'plugins/blocks/compile/compile.task.ts')).map((file) =>
    path.relative(packageDir, file).replaceAll(path.sep, '/'),
  )
  for (const file of [
    'plugins/blocks/compile/compile.task.ts',
    'plc/edit/stored-document.ts',
    'plc/formats/simaticml/read.ts',
    'plc/formats/simaticml/flgnet-read.ts',
    'plc/formats/source/read.ts',
    'plc/languages/scl/lexer.ts',
    'plc/model/keywords.ts',
    'plc/program/link-program.ts',
    'plc/library/model-names.ts',
    'plc/compiler/lower/instructions/math.ts',
    'plc/compiler/codegen/link.ts',
    'plc/compiler/wasm/module.ts',
    'lib/nearest.ts',
  ])
    assert.ok(files.includes(file), file)
  assert.ok(files.every((file) => !file.endsWith('.test.ts') && !file.startsWith('plc/testing/')))
})

/** A tree of files below a new folder; each file except `entry.ts` is reached in a different way. */
function tree(extension: 'ts' | 'js', change?: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'compiler-version-'))
  const x = extension
  const texts: Record<string, string> = {
    entry: `import { a } from './rooms/value.${x}'\nimport './rooms/effect.${x}'\nimport fs from 'node:fs'\n\nexport * from "./rooms/again.${x}"\nawait import('./rooms/lazy.${x}')\n`,
    'rooms/value': `import {\n  a,\n  type B,\n} from './deep/deepest.${x}'\nexport { a }\n`,
    'rooms/deep/deepest': `import '../value.${x}'\nexport const a = 1\n`,
    'rooms/effect': 'export {}\n',
    'rooms/again': `export { c } from './named.${x}'\nimport * as all from './all.${x}'\n`,
    'rooms/named': `export const c = 1\n`,
    'rooms/all': `import one from './one.${x}'\n`,
    'rooms/one': 'export default 1\n',
    'rooms/lazy': 'export {}\n',
    'rooms/unused': 'export {}\n',
  }
  for (const [name, text] of Object.entries(texts)) {
    const file = path.join(folder, `${name}.${x}`)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, name === change ? `${text} ` : text)
  }
  return folder
}

for (const extension of ['ts', 'js'] as const)
  test(`one byte in any file that is reached gives another version, one in any other does not: .${extension}`, () => {
    const version = (change?: string) => {
      const folder = tree(extension, change)
      try {
        const entry = path.join(folder, `entry.${extension}`)
        const files = importClosure(entry).map((file) => path.relative(folder, file).replaceAll(path.sep, '/'))
        return { files, version: compilerVersion(pathToFileURL(entry).href) }
      } finally {
        rmSync(folder, { recursive: true })
      }
    }
    const { files, version: before } = version()
    assert.equal(files.length, 9)
    assert.equal(version().version, before)
    assert.equal(version('rooms/unused').version, before)
    for (const file of files) {
      const name = file.slice(0, -1 - extension.length)
      assert.notEqual(version(name).version, before, name)
    }
  })

test('imports of types alone are not followed', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'compiler-version-'))
  try {
    const entry = path.join(folder, 'entry.ts')
    writeFileSync(
      entry,
      "import type { A } from './a.ts'\nexport type { B } from './b.ts'\nimport type * as c from './c.ts'\n",
    )
    assert.deepEqual(importClosure(entry), [entry])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
