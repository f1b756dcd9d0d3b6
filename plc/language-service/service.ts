/**
 * Answers what editors ask about a program: what a name means, where it is declared and used, what may be typed, how a
 * text is structured. Offsets are UTF-16 code units of the text of a file.
 */
import { formatSource } from '../formats/source/format.ts'
import type { FormatOptions } from '../languages/scl/format.ts'
import { type Completion, completionAt } from './completion.ts'
import type { Declared } from './declared.ts'
import { describe } from './describe.ts'
import { ProgramFiles } from './program.ts'
import { type NameEdit, renameAll } from './rename.ts'
import { type Signature, signatureAt } from './signature.ts'
import type { Occurrence } from './walk.ts'
import { symbolsLike, type WorkspaceSymbol } from './workspace-symbols.ts'

/** A part of a file. */
export interface TextRange {
  readonly path: string
  readonly start: number
  readonly end: number
}

/** What is known about a name: Markdown. */
export interface Hover {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** An entry of the outline of a file. */
export interface OutlineEntry {
  readonly name: string
  readonly kind: Declared['kind']
  /** Type and section. */
  readonly detail: string
  readonly range: readonly [start: number, end: number]
  readonly nameRange: readonly [start: number, end: number]
  readonly children: readonly OutlineEntry[]
}

/** Why something cannot be renamed. */
export interface RenameFault {
  readonly fault: string
}

export type { Completion, NameEdit, Signature, WorkspaceSymbol }

export class LanguageService {
  /** The files; the caller sets and removes them. */
  readonly files = new ProgramFiles()

  /** What the name at an offset is; `undefined` where there is none, or it means nothing. */
  hover(path: string, offset: number): Hover | undefined {
    const at = this.#at(path, offset)
    if (at === undefined) return undefined
    const [declared] = this.files.withKey(at.declared.key)
    return { start: at.start, end: at.end, text: describe(declared ?? at.declared, this.files) }
  }

  /** Where the name at an offset is declared. A declaration in a file that is no text is at the beginning of it. */
  definition(path: string, offset: number): TextRange[] {
    const at = this.#at(path, offset)
    if (at === undefined) return []
    return this.files
      .withKey(at.declared.key)
      .flatMap(({ file, at: [start, end] = [0, 0] }) => (file === '' ? [] : [{ path: file, start, end }]))
  }

  /** Where the name at an offset is used in texts, in the order of the files' paths. */
  references(path: string, offset: number, withDeclaration = true): TextRange[] {
    const at = this.#at(path, offset)
    if (at === undefined) return []
    const { key, name } = at.declared
    const found: TextRange[] = []
    for (const one of this.files.pathsWith(name).sort())
      for (const { start, end, declared, isDeclaration } of this.files.occurrences(one))
        if (declared.key === key && (withDeclaration || !isDeclaration)) found.push({ path: one, start, end })
    return found
  }

  /** The name at an offset, when it can be renamed. */
  renameable(
    path: string,
    offset: number,
  ): { readonly start: number; readonly end: number; readonly name: string } | RenameFault {
    const at = this.#at(path, offset)
    if (at === undefined) return { fault: 'There is no name of the program here.' }
    const fault = this.#whyFixed(at.declared)
    return fault === undefined ? { start: at.start, end: at.end, name: at.declared.name } : { fault }
  }

  /** The edits that give the name at an offset another name, in all texts. Work grows in line with these. */
  rename(path: string, offset: number, newName: string): readonly NameEdit[] | RenameFault {
    const at = this.#at(path, offset)
    if (at === undefined) return { fault: 'There is no name of the program here.' }
    const fault = this.#whyFixed(at.declared)
    return fault === undefined ? renameAll(this.files, at.declared, newName) : { fault }
  }

  #whyFixed({ key, name, file }: Declared): string | undefined {
    if (file === '') return `"${name}" belongs to the controller and cannot be renamed.`
    const [owner = '', ...members] = key.split('\0')
    if (members.at(-1) === 'THIS') return '"THIS" is the array of its data block and has no other name.'
    const declarations = this.files.withKey(key)
    const foreign = declarations.find(({ at }) => at === undefined)
    if (foreign !== undefined)
      return `"${name}" is declared in ${foreign.file}, which is no text: rename it in the project and export it again.`
    const others = this.files.othersWith(members.length === 0 ? [owner] : [members.at(-1) as string])
    if (others.length > 0)
      return `${others.slice(0, 3).join(', ')}${others.length > 3 ? ` and ${others.length - 3} more files` : ''} may use "${name}" and cannot be changed here: rename it in the project and export it again.`
    return undefined
  }

  /** What may be typed at an offset. */
  complete(path: string, offset: number): Completion {
    return completionAt(this.files, path, offset)
  }

  /** The parameters of the call that an offset is in; `undefined` where there is none. */
  signature(path: string, offset: number): Signature | undefined {
    return signatureAt(this.files, path, offset)
  }

  /** What the program declares whose name is like a query, the most alike first. */
  symbolsLike(query: string): WorkspaceSymbol[] {
    return symbolsLike(this.files, query)
  }

  /** The objects of a file and their members. */
  symbols(path: string): OutlineEntry[] {
    const outline = this.files.outline(path)
    return (outline?.parts ?? []).flatMap(({ object }) => entryOf(object))
  }

  /**
   * The text of a file, formatted; `undefined` when it is as it should be, has no formatter (statement lists, SIMATIC
   * SD), or cannot be parsed.
   */
  format(path: string, options: FormatOptions = {}): string | undefined {
    const text = this.files.textOf(path)
    if (text === undefined || !/\.(scl|udt|db)$/i.test(path)) return undefined
    const { text: formatted, changed } = formatSource(text, options)
    return changed ? formatted : undefined
  }

  /** The name that an offset is in or directly behind. */
  #at(path: string, offset: number): Occurrence | undefined {
    const all = this.files.occurrences(path)
    // Names are in the order of the text: the last that begins at or before the offset.
    let [low, high] = [0, all.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((all[middle] as Occurrence).start <= offset) low = middle + 1
      else high = middle
    }
    const found = all[low - 1]
    return found !== undefined && offset <= found.end ? found : undefined
  }
}

function entryOf({ kind, name, dataType, section, members, at, range }: Declared): OutlineEntry[] {
  if (range === undefined) return []
  return [
    {
      ...{ kind, range, name: name || '?' },
      detail: [section, dataType].filter(Boolean).join(' '),
      nameRange: at ?? [range[0], range[0]],
      children: members.flatMap(entryOf),
    },
  ]
}
