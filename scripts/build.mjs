/**
 * Brings `dist/` of the working directory up to date: tsc compiles what changed since the last time, other files that
 * the code reads are copied beside it, and files without a source are removed. `--types` also makes the declarations
 * for plugin authors. `--tests` brings `dist-test/` up to date instead: the same with the tests and what they read, so
 * that the tests too run without a loader (scripts/test.mjs).
 *
 * Code that does not compile is reported and makes the exit code 1, but the rest of `dist/` is made: a faulty plugin is
 * skipped when it is loaded. The script is plain JavaScript, so that it needs no loader: `npm start` waits for it.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePage } from './web.mjs'

const forTests = process.argv.includes('--tests')
const dist = forTests ? 'dist-test' : 'dist'
const project = forTests ? 'tsconfig.test.json' : 'tsconfig.build.json'

/** What is not copied: tests except for themselves, and the launcher, which starts `dist/`. */
const leftOut = ['node_modules', 'gantry.mjs', ...(forTests ? [] : ['fixtures', 'test', 'testing'])]

/** What this build has made of `web/`, as paths in `dist/`. */
const webFiles = new Set()

compile(process.argv.includes('--types') ? [project, 'tsconfig.types.json'] : [project])
for (const root of JSON.parse(readFileSync(project, 'utf8')).include) copyOthers(root)
copyPages()
await bundleWeb()
removeStale()
writeIfChanged(join(dist, 'code-version'), codeVersion())

function compile(projects) {
  const typescript = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
  if (!existsSync(typescript)) {
    process.stderr.write('gantry: TypeScript is not installed, so nothing is built; run "npm ci" first.\n')
    process.exit(1)
  }
  if (!existsSync(dist)) process.stderr.write(`gantry: ${dist}/ is being made; later builds are quicker.\n`)
  const { status } = spawnSync(process.execPath, [typescript, '--build', ...projects], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

/** Lists files and folders of a folder; an empty list when it does not exist. */
function entriesOf(folder) {
  return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
}

/** Copies files that are not TypeScript. */
function copyOthers(folder) {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (leftOut.includes(entry.name)) continue
    if (entry.isDirectory()) copyOthers(path)
    else if (entry.isFile() && !entry.name.endsWith('.ts')) writeIfChanged(join(dist, path), readFileSync(path))
  }
}

/** Copies the pages of the repository that the manual has. */
function copyPages() {
  const pages = entriesOf('docs').map(({ name }) => join('docs', name))
  for (const path of ['README.md', 'CONTRIBUTING.md', ...pages])
    if (path.endsWith('.md') && existsSync(path)) writeIfChanged(join(dist, path), readFileSync(path))
}

/** Bundles each page of `web/`. */
async function bundleWeb() {
  for (const entry of entriesOf('web')) {
    if (!entry.isDirectory()) continue
    for (const [file, content] of await bundlePage(entry.name)) {
      webFiles.add(join('web', entry.name, file))
      writeIfChanged(join(dist, 'web', entry.name, file), content)
    }
  }
}

/**
 * Removes made files whose source is gone, and folders that become empty. The build itself owns the files directly in
 * `dist/`.
 */
function removeStale(folder = '') {
  const made = join(dist, folder)
  for (const entry of entriesOf(made)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removeStale(path)
    else if (folder !== '' && !hasSource(path)) rmSync(join(dist, path))
  }
  if (readdirSync(made).length === 0) rmdirSync(made)
}

function hasSource(path) {
  if (webFiles.has(path)) return true
  // Tests import some modules of the pages; otherwise there are only bundles.
  if (!forTests && /^web[\\/]/.test(path)) return false
  const sources = ['.ts', '.tsx'].map((extension) => path.replace(/(\.js|\.js\.map|\.d\.ts)$/, extension))
  return [path, ...sources].some((one) => existsSync(one))
}

/** A hash that is the same for the same code. */
function codeVersion() {
  const hash = createHash('sha256')
  for (const path of readdirSync(dist, { recursive: true }).sort())
    if (/\.(m?js|json|tsv)$/.test(path)) hash.update(`${path}\0`).update(readFileSync(join(dist, path)))
  return hash.digest('base64url').slice(0, 22)
}

/** A gateway may be reading the file, so unchanged content is not written. */
function writeIfChanged(path, content) {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
