/** Which compiler this is: code that another one made is not taken. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Folders whose files decide what a block becomes. */
const folders = [
  'compiler',
  'diagnostics',
  'edit',
  'formats',
  'ir',
  'languages',
  'library',
  'model',
  'program',
  'runtime',
]

let known: string | undefined

/** A hash of the compiler's own files: a number that somebody has to raise would be forgotten. */
export function compilerVersion(): string {
  if (known !== undefined) return known
  const hash = createHash('sha256')
  const root = fileURLToPath(new URL('../', import.meta.url))
  for (const folder of folders)
    for (const name of filesIn(`${root}${folder}`))
      hash
        .update(name)
        .update('\0')
        .update(readFileSync(`${root}${folder}/${name}`))
  known = hash.digest('base64url').slice(0, 22)
  return known
}

function filesIn(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => /\.[jt]s$/.test(name) && !/\.test\.[jt]s$/.test(name))
    .sort()
}
