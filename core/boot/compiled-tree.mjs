/**
 * Gantry's TypeScript as JavaScript that Node loads by itself: a mirror of `core/`, `store/` and `plugins/` under `node_modules/.cache/gantry`.
 *
 * Why: a loader that compiles while modules are loaded is asked for each of them in a thread of its own, 2 to 3 ms apiece (measured), again in
 * every start, every engine and every virtual controller. What has not changed since the last start is not compiled again; what cannot be
 * written (a read-only installation) is left to that loader.
 *
 * A dropped-in plugin that is a package of its own (a link to elsewhere, or with a `package.json` or `node_modules`) is not mirrored: where it
 * stands and what stands beside it decide how it is loaded, as for those of `--plugins-dir`.
 *
 * Plain JavaScript because it runs before TypeScript can be loaded.
 */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { copyFile, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Raised when the same sources become other files. */
const format = 4

/** The oldest Node that Gantry runs on: one tree serves all, whichever Node made it. */
const target = 'node20.19'

/** Clocks of file systems are as coarse as 2 s: a source younger than that may change again without showing it. */
const coarsestClockMs = 2000

/** The folder of Gantry's package. */
export const packageDir = fileURLToPath(new URL('../..', import.meta.url))

/** Where the compiled tree stands: from here the packages in `node_modules` are found as from the sources. */
export const treeDir = join(packageDir, 'node_modules', '.cache', 'gantry')

const roots = ['core', 'lib', 'plc', 'plugins', 'store']

/** Something else stands where a file or folder of the tree belongs. */
const misshapen = ['EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY']

/**
 * Brings the compiled tree up to date.
 * @returns {Promise<string | undefined>} its folder; undefined when it cannot be written
 */
export async function compiledTree(from = packageDir, to = treeDir) {
  try {
    try {
      await update(from, to)
    } catch (error) {
      if (!misshapen.includes(error?.code)) throw error
      await rm(to, { recursive: true, force: true })
      await update(from, to)
    }
    return to
  } catch (error) {
    // What cannot be finished must not keep the disk full.
    if (error?.code === 'ENOSPC' || error?.code === 'EDQUOT') await rm(to, { recursive: true, force: true })
    if (error?.syscall !== undefined || error?.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/**
 * The stamp says of each source its mark (times and size: nothing has happened to it), the hash of the text that was compiled (a new mark alone is
 * no change: a container's layers, a checkout and back), and the size of what stands in the tree (a power failure leaves empty files).
 */
async function update(from, to) {
  const stampFile = join(to, 'stamp.json')
  const maker = makerOf(from)
  const startedAt = Date.now()
  const sources = listSources(from)
  const stamp = await readStamp(stampFile, maker)
  const files = {}
  const changed = []
  for (const [path, facts] of sources) {
    const known = stamp.files[path]
    const present = known && statSync(join(to, compiledName(path)), { throwIfNoEntry: false })
    const mark = markOf(facts, startedAt)
    if (present === undefined || present.size !== known.size) changed.push(path)
    else if (known.mark === mark && mark !== '') files[path] = known
    else if (await isSame(known, join(from, path), facts, present)) files[path] = { ...known, mark }
    else changed.push(path)
  }
  const isWhole = changed.length === 0 && Object.keys(stamp.files).every((path) => sources.has(path))
  if (!isWhole) {
    // Ended in the middle, the next start must not take new files for those of the old stamp.
    const { transform, stop } = await import('esbuild')
    if (stamp.text !== '') await replace(to, stampFile, stampText(maker, files))
    await removeUnknown(to, sources)
    for (const folder of new Set(changed.map(dirname))) await mkdir(join(to, folder), { recursive: true })
    const make = async (path) => {
      const hash = await mirror(transform, from, to, path)
      const { size } = statSync(join(to, compiledName(path)))
      files[path] = { mark: markOf(sources.get(path), startedAt), size, ...(hash === undefined ? {} : { hash }) }
    }
    try {
      await Promise.all(changed.map(make))
    } finally {
      await stop()
    }
  }
  const text = stampText(maker, files)
  if (text === stamp.text) return
  if (!isWhole) {
    await replace(to, join(to, 'code-version'), codeVersionOf(files))
    await removeOldDrafts(to)
  }
  // Without a new stamp the tree is as good, and only costs more to look at.
  await replace(to, stampFile, text).catch((error) => (isWhole ? undefined : Promise.reject(error)))
}

/** What besides a file's own text decides what becomes of it. */
function makerOf(from) {
  const manifest = readFileSync(join(from, 'package.json'), 'utf8')
  return createHash('sha256')
    .update(`${format}\0${realpathSync(from)}\0${manifest}`)
    .digest('base64url')
}

/** Every file that the gateway may load or read, with its times and size. */
function listSources(from) {
  const found = new Map([['package.json', statSync(join(from, 'package.json'))]])
  const visit = (folder, above) => {
    const place = realpathSync.native(join(from, folder))
    if (above.includes(place)) return
    const entries = readdirSync(place, { withFileTypes: true })
    const names = new Set(entries.map((entry) => entry.name))
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`
      if (/^\.|\.(test|d)\.m?ts$/.test(entry.name) || entry.name === 'node_modules') continue
      if (folder === 'plugins' && isPackage(join(from, path), entry)) continue
      // Of a module that is there as TypeScript and as JavaScript the first is meant, as for the loader.
      if (/\.m?js$/.test(entry.name) && names.has(entry.name.replace(/js$/, 'ts'))) continue
      const facts = entry.isDirectory() ? undefined : statSync(join(from, path), { throwIfNoEntry: false })
      if (entry.isDirectory() || facts?.isDirectory()) visit(path, [...above, place])
      else if (facts?.isFile()) found.set(path, facts)
    }
  }
  for (const root of roots) visit(root, [])
  return found
}

function isPackage(folder, entry) {
  return entry.isSymbolicLink() || existsSync(join(folder, 'package.json')) || existsSync(join(folder, 'node_modules'))
}

/** Empty when the file is too young to be known by its times. */
function markOf({ mtimeMs, ctimeMs, size }, now) {
  const isYoung = Math.abs(now - mtimeMs) < coarsestClockMs || Math.abs(now - ctimeMs) < coarsestClockMs
  return isYoung ? '' : `${mtimeMs} ${ctimeMs} ${size}`
}

/** Whether what stands in the tree was made of what the source now holds. */
async function isSame(known, source, facts, present) {
  if (known.hash === undefined) return facts.ino === present.ino && facts.dev === present.dev
  return known.hash === textHash(await readFile(source))
}

function stampText(maker, files) {
  return JSON.stringify({ maker, files: Object.fromEntries(Object.entries(files).sort()) })
}

/** The same for the same code. */
function codeVersionOf(files) {
  const hashes = Object.entries(files).map(([path, { hash }]) => `${path} ${hash}`)
  return createHash('sha256')
    .update(`${format}\n${hashes.sort().join('\n')}`)
    .digest('base64url')
    .slice(0, 22)
}

/** Of another maker or not readable: as if there were none. */
async function readStamp(file, maker) {
  try {
    const text = await readFile(file, 'utf8')
    const stamp = JSON.parse(text)
    if (stamp?.maker === maker && Object.values(stamp.files).every((known) => typeof known?.mark === 'string'))
      return { text, files: stamp.files }
  } catch {}
  return { text: '', files: {} }
}

/** Removes what belongs to no source: of older versions, of plugins that are gone. */
async function removeUnknown(to, sources) {
  const expected = new Set()
  for (const path of sources.keys())
    for (let part = compiledName(path); part !== '.'; part = dirname(part)) expected.add(part)
  const visit = async (folder) => {
    for (const entry of readdirSync(join(to, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (!expected.has(path)) await rm(join(to, path), { recursive: true, force: true })
      else if (entry.isDirectory()) await visit(path)
    }
  }
  for (const root of roots) if (existsSync(join(to, root))) await visit(root)
}

/** Brings one file into the tree. @returns the hash of its text, when it is not merely linked */
async function mirror(transform, from, to, path) {
  const source = join(from, path)
  const file = join(to, compiledName(path))
  if (!isCode(path)) return shareFile(source, file)
  const text = await readFile(source)
  await replace(
    to,
    file,
    isTypeScript(path) ? await compile(transform, source, text) : withCompiledNames(text.toString(), source),
  )
  return textHash(text)
}

const textHash = (text) => createHash('sha256').update(text).digest('base64url')

/** A source that cannot be compiled becomes a module that says so when it is loaded: one faulty plugin must not keep the gateway from starting. */
async function compile(transform, source, text) {
  try {
    const { code } = await transform(text, {
      loader: 'ts',
      format: 'esm',
      target,
      sourcefile: pathToFileURL(source).href,
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
    })
    return withCompiledNames(code, source)
  } catch (error) {
    const [fault] = error?.errors ?? []
    if (fault === undefined) throw error
    const place = fault.location ? `:${fault.location.line}:${fault.location.column + 1}` : ''
    return `throw new SyntaxError(${JSON.stringify(`${source}${place}: ${fault.text}`)})\n`
  }
}

/**
 * Relative names of TypeScript files, in imports as in URLs of workers and tasks, become those of the compiled files; imports that leave the
 * extension or `index` to the loader get it, because Node adds none.
 */
function withCompiledNames(text, source) {
  return text
    .replace(/(["'])(\.\.?\/[^"'\n]*\.m?)ts\1/g, '$1$2js$1')
    .replace(/(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.\.?(?:\/[^"'\n]*)?)\2/g, (all, before, quote, name) => {
      if (/\.(m?js|json|wasm|node)$/.test(name)) return all
      const file = join(dirname(source), name)
      const ending = ['.ts', '.mts', '.js', '/index.ts', '/index.mts', '/index.js'].find((end) =>
        existsSync(file + end),
      )
      return ending === undefined ? all : `${before}${quote}${name.replace(/\/$/, '')}${compiledName(ending)}${quote}`
    })
}

function compiledName(path) {
  return isTypeScript(path) ? path.replace(/ts$/, 'js') : path
}

function isTypeScript(path) {
  return /\.m?ts$/.test(path)
}

function isCode(path) {
  return /\.m?[jt]s$/.test(path) || path === 'package.json'
}

let drafts = 0

/** As a whole or not at all: another gateway may start at the same moment. */
async function replace(to, file, text) {
  const folder = join(to, '.drafts')
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `${process.pid}.${drafts++}`)
  try {
    await writeFile(draft, text)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  }
}

async function shareFile(source, file) {
  await rm(file, { recursive: true, force: true })
  // A link to a link would be read from another folder.
  await link(realpathSync(source), file).catch((error) =>
    error.code === 'EEXIST' ? undefined : copyFile(source, file),
  )
}

/** Of starts that were killed. */
async function removeOldDrafts(to) {
  const folder = join(to, '.drafts')
  for (const name of readdirSync(folder)) {
    const facts = statSync(join(folder, name), { throwIfNoEntry: false })
    if (facts && Date.now() - facts.mtimeMs > 3_600_000) await rm(join(folder, name), { force: true })
  }
}
