/** The version of this compiler: code that another version made is not used. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Imports and re-exports of files by a relative path, static and lazy. Type-only imports are left out: they are not
 * code, and compiled files do not have them.
 */
const importPatterns = [
  /from\s*['"](\.[^'"]+\.[jt]s)['"]/g,
  /^import\s*['"](\.[^'"]+\.[jt]s)['"]/gm,
  /import\(\s*['"](\.[^'"]+\.[jt]s)['"]\s*\)/g,
]
const typeImport = /^(?:import|export) type (?:\{[^}]*\}|\* as \w+|\w+)\s+from\s*['"][^'"]*['"]/gm

/**
 * Returns every file of this repository that a module reaches by imports, including the module itself: absolute paths,
 * sorted. It reads sources (`.ts`) as well as compiled files (`.js`).
 */
export function importClosure(entry: string): string[] {
  return [...closureOf(entry).keys()].sort()
}

function closureOf(entry: string): Map<string, string> {
  const texts = new Map<string, string>()
  const open = [entry]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (texts.has(file)) continue
    const text = readFileSync(file, 'utf8')
    texts.set(file, text)
    const code = text.replace(typeImport, '')
    for (const pattern of importPatterns)
      for (const [, target = ''] of code.matchAll(pattern)) open.push(path.resolve(path.dirname(file), target))
  }
  return texts
}

const known = new Map<string, string>()

/**
 * Returns a hash of everything that determines the compiled program: the texts of every file that the compiling module
 * reaches, including readers of formats. So there is no version number or list to maintain. Computed once for each
 * module.
 * @param module `import.meta.url` of the module that compiles
 */
export function compilerVersion(module: string): string {
  const entry = fileURLToPath(module)
  const before = known.get(entry)
  if (before !== undefined) return before
  const texts = closureOf(entry)
  const hash = createHash('sha256')
  for (const file of [...texts.keys()].sort())
    hash
      .update(path.relative(path.dirname(entry), file).replaceAll(path.sep, '/'))
      .update('\0')
      .update(texts.get(file) as string)
      .update('\0')
  const version = hash.digest('base64url').slice(0, 22)
  known.set(entry, version)
  return version
}
