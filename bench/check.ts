/**
 * Measures `gantry check` of a folder with 1 000 generated blocks: a cold check as a ratio to importing and compiling
 * alone, and a warm run of the command (nothing changed) as a ratio to a cold one.
 *
 *   node --import tsx bench/check.ts [blocks]
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileProgram } from '../plc/compiler/compile-program.ts'
import { interfaceFacts } from '../plc/compiler/interfaces.ts'
import { blobHash } from '../plc/compiler/program-file.ts'
import { inOrderOfNeeds, needsOf } from '../plc/edit/import-order.ts'
import { extensionOf } from '../plc/edit/object-file.ts'
import { importFile } from '../plc/formats/import.ts'
import { checkContent, configOf } from '../plugins/review/check/check.ts'
import { type FolderContent, readFolderContent } from '../plugins/review/folder/folder.ts'
import { localFiles } from '../plugins/review/folder/local-files.ts'
import { program } from './plant.ts'
import { median, report } from './report.ts'

const rounds = 7
const count = Number(process.argv[2] ?? 1000)

const dir = mkdtempSync(join(tmpdir(), 'gantry-bench-check-'))
const folder = join(dir, 'plc')
mkdirSync(folder)
for (const { name, kind, text } of program(count))
  writeFileSync(join(folder, `${name}${extensionOf({ format: 'source', kind, language: 'SCL' })}`), text)

async function importAndCompile({ program: files }: FolderContent): Promise<void> {
  const objects = (await Promise.all(files.map(({ path, bytes }) => importFile(bytes, { path })))).flatMap(
    (one) => one.objects,
  )
  const { ordered } = inOrderOfNeeds(objects, (object) => ({ ...object, needs: needsOf(object) }))
  const documents = ordered.map((object) => ({
    object,
    document: blobHash(object.text ?? ''),
    facts: interfaceFacts(object),
  }))
  compileProgram({ documents, tables: [], compiler: 'bench', unitsOf: () => [] })
}

async function timed(run: () => unknown): Promise<number> {
  globalThis.gc?.()
  const start = performance.now()
  await run()
  return performance.now() - start
}

const launcher = fileURLToPath(new URL('../core/cli/gantry.mjs', import.meta.url))
const cache = join(dir, 'cache')
const command = () => {
  const { status, stderr } = spawnSync(process.execPath, [
    launcher,
    'check',
    folder,
    '--cache',
    cache,
    '--fail-on',
    'never',
  ])
  if (status !== 0) throw new Error(String(stderr))
}

const content = await readFolderContent(localFiles, folder)
const [checks, compiles, colds, warms]: [number[], number[], number[], number[]] = [[], [], [], []]
for (let i = 0; i < rounds; i++) {
  compiles.push(await timed(() => importAndCompile(content)))
  checks.push(await timed(() => checkContent(content, configOf(undefined))))
}
for (let i = 0; i < 3; i++) {
  rmSync(cache, { recursive: true, force: true })
  colds.push(await timed(command))
  warms.push(await timed(command))
}
report(`check of ${count} blocks, ms`, median(checks), '')
report('check / import and compile alone', median(checks) / median(compiles), '<= 1.3')
report('command, cold, ms', median(colds), '')
report('command, warm, ms', median(warms), '')
report('command, warm / cold', median(warms) / median(colds), '<= 0.1')
rmSync(dir, { recursive: true, force: true })
