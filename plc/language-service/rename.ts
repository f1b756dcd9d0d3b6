/** Gives a declared name another name wherever texts write it. */
import { siteOf } from '../uses/member-sites-text.ts'
import type { Declared } from './declared.ts'
import type { ProgramFiles } from './program.ts'

/** An edit of a file. */
export interface NameEdit {
  readonly path: string
  readonly start: number
  readonly end: number
  readonly text: string
}

/** As TIA Portal allows it for blocks, tags and members. */
const longestName = 125

/** The edits, in the order of the files' paths and of their texts; or why the name cannot be given. */
export function renameAll(
  files: ProgramFiles,
  declared: Declared,
  newName: string,
): readonly NameEdit[] | { readonly fault: string } {
  const fault = faultOf(files, declared, newName)
  if (fault !== undefined) return { fault }
  const edits: NameEdit[] = []
  for (const path of files.pathsWith(declared.name).sort()) {
    const tokens = files.outline(path)?.tokens
    if (tokens === undefined) continue
    for (const one of files.occurrences(path))
      if (one.declared.key === declared.key)
        edits.push({ path, ...siteOf(tokens, one.token, newName, one.isLocal && !one.isDeclaration) })
  }
  return edits
}

function faultOf(files: ProgramFiles, { key, name }: Declared, newName: string): string | undefined {
  if (newName.trim() !== newName || newName === '') return 'A name has at least one character, and no blanks around it.'
  if (/["\p{Cc}]/u.test(newName)) return 'A name has no quotation marks and no control characters.'
  if (newName.length > longestName) return `A name has at most ${longestName} characters.`
  if (newName.toUpperCase() === name.toUpperCase()) return undefined
  const path = key.split('\0')
  path[path.length - 1] = newName.toUpperCase()
  const [other] = files.withKey(path.join('\0'))
  return other && `"${other.name}" is declared already${other.file === '' ? '' : ` in ${other.file}`}.`
}
