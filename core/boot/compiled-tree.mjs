/**
 * Gantry's TypeScript as JavaScript that Node loads by itself: a mirror of `core/`, `store/` and `plugins/` under `node_modules/.cache/gantry`.
 *
 * Why: a loader that compiles while modules are loaded is asked for each of them in a thread of its own, 2 to 3 ms apiece (measured), again in
 * every start, every engine and every virtual controller. What has not changed since the last start is not compiled again; what cannot be
 * written (a read-only installation) is left to that loader.
 *
 * Plain JavaScript because it runs before TypeScript can be loaded.
 */

import { readdirSync, statSync } from 'node:fs'
import { copyFile, link, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Raised when the same sources become other files. */
const format = 2

/** The folder of Gantry's package. */
export const packageDir = fileURLToPath(new URL('../..', import.meta.url))

/** Where the compiled tree stands: from here the packages in `node_modules` are found as from the sources. */
export const treeDir = join(packageDir, 'node_modules', '.cache', 'gantry')

const roots = ['core', 'store', 'plugins']

/**
 * Brings the compiled tree up to date.
 * @returns {Promise<string | undefined>} its folder; undefined when it cannot be written
 */
export async function compiledTree(from = packageDir, to = treeDir) {
  try {
    const stampFile = join(to, 'stamp.json')
    const sources = listSources(from)
    const known = await readStamp(stampFile)
    const changed = [...sources].filter(([path, mark]) => known[path] !== mark).map(([path]) => path)
    const gone = Object.keys(known).filter((path) => !sources.has(path))
    if (changed.length === 0 && gone.length === 0) return to
    await update(from, to, changed, gone)
    await replace(stampFile, JSON.stringify({ format, files: Object.fromEntries(sources) }))
    return to
  } catch (error) {
    if (error?.syscall !== undefined || error?.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Size and time of every file that the gateway may load or read; folders of packages as links. */
function listSources(from) {
  const found = new Map()
  const visit = (folder) => {
    for (const entry of readdirSync(join(from, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (entry.name.startsWith('.') || /\.(test|d)\.m?ts$/.test(entry.name)) continue
      if (entry.name === 'node_modules') found.set(path, 'packages')
      else if (entry.isDirectory()) visit(path)
      else {
        const facts = statSync(join(from, path), { throwIfNoEntry: false })
        if (facts?.isDirectory()) visit(path)
        else if (facts?.isFile()) found.set(path, `${facts.mtimeMs} ${facts.size}`)
      }
    }
  }
  for (const root of roots) visit(root)
  const { mtimeMs, size } = statSync(join(from, 'package.json'))
  found.set('package.json', `${mtimeMs} ${size}`)
  return found
}

async function readStamp(file) {
  try {
    const stamp = JSON.parse(await readFile(file, 'utf8'))
    return stamp.format === format ? stamp.files : {}
  } catch {
    return {}
  }
}

async function update(from, to, changed, gone) {
  for (const path of gone) await rm(join(to, compiledName(path)), { force: true, recursive: true })
  for (const folder of new Set(changed.map(dirname))) await mkdir(join(to, folder), { recursive: true })
  const { transform } = await import('esbuild')
  await Promise.all(
    changed.map(async (path) => {
      const source = join(from, path)
      const target = join(to, compiledName(path))
      if (isTypeScript(path)) await replace(target, await compile(transform, source))
      else if (/\.m?js$/.test(path) || path === 'package.json')
        await replace(target, withCompiledNames(await readFile(source, 'utf8')))
      else if (path.endsWith('/node_modules')) await shareFolder(source, target)
      else await shareFile(source, target)
    }),
  )
}

/** A source that cannot be compiled becomes a module that says so when it is loaded: one faulty plugin must not keep the gateway from starting. */
async function compile(transform, source) {
  const text = await readFile(source, 'utf8')
  try {
    const { code } = await transform(text, {
      loader: 'ts',
      format: 'esm',
      target: `node${process.versions.node}`,
      sourcefile: pathToFileURL(source).href,
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
    })
    return withCompiledNames(code)
  } catch (error) {
    const [fault] = error?.errors ?? []
    if (fault === undefined) throw error
    const place = fault.location ? `:${fault.location.line}:${fault.location.column + 1}` : ''
    return `throw new SyntaxError(${JSON.stringify(`${source}${place}: ${fault.text}`)})\n`
  }
}

/** Relative names of TypeScript files, in imports as in URLs of workers and tasks, become those of the compiled files. */
function withCompiledNames(text) {
  return text.replace(/(["'])(\.\.?\/[^"'\n]*\.m?)ts\1/g, '$1$2js$1')
}

function compiledName(path) {
  return isTypeScript(path) ? path.replace(/ts$/, 'js') : path
}

function isTypeScript(path) {
  return /\.m?ts$/.test(path)
}

let drafts = 0

/** As a whole or not at all: another gateway may start at the same moment. */
async function replace(file, text) {
  const draft = `${file}.${process.pid}.${drafts++}`
  await writeFile(draft, text)
  await rename(draft, file)
}

async function shareFile(source, target) {
  await rm(target, { force: true })
  await link(source, target).catch((error) => (error.code === 'EEXIST' ? undefined : copyFile(source, target)))
}

async function shareFolder(source, target) {
  const present = await stat(target).catch(() => undefined)
  if (!present)
    await symlink(source, target, 'junction').catch((error) =>
      error.code === 'EEXIST' ? undefined : Promise.reject(error),
    )
}
