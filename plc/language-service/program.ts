/**
 * The files of a folder as a program whose names can be followed. Each text is read when it changes; what names mean
 * is found for the files that a question is about.
 */
import { importFile } from '../formats/import.ts'
import { type Declared, declaredOf, systemDeclared } from './declared.ts'
import { type Outline, outlineOf } from './outline.ts'
import { type Names, type Occurrence, Walk } from './walk.ts'

interface TextFile {
  readonly text: string
  outline: Outline | undefined
  /** For the search of names. */
  lower: string | undefined
  occurrences: { readonly version: number; readonly found: readonly Occurrence[] } | undefined
}

/** A declaration of a file. */
interface Entered {
  readonly path: string
  readonly declared: Declared
}

export class ProgramFiles implements Names {
  readonly #texts = new Map<string, TextFile>()
  /** Declarations of files that are no text. */
  readonly #others = new Map<string, { readonly declared: readonly Declared[]; readonly text: string }>()
  /** Declarations by name in upper case, those of one name in the order of their files' arrival. */
  readonly #objects = new Map<string, Entered[]>()
  /** When each file came. */
  readonly #arrivals = new Map<string, number>()
  #lastArrival = 0
  /** Of each file, the declarations that are in `#objects`. */
  readonly #entered = new Map<string, { readonly declared: readonly Declared[]; readonly print: string }>()
  /** Texts that have changed since their declarations were entered. */
  readonly #stale = new Set<string>()
  /** Counts changes of declarations: meanings found before are found again. */
  #version = 0

  /** The paths of the texts. */
  get paths(): Iterable<string> {
    return this.#texts.keys()
  }

  /** Sets the text of a file. */
  setText(path: string, text: string): void {
    if (this.#texts.get(path)?.text === text) return
    this.#arrive(path)
    this.#others.delete(path)
    this.#texts.set(path, { text, outline: undefined, lower: undefined, occurrences: undefined })
    this.#stale.add(path)
  }

  /** Reads a file of another format, such as SimaticML. Files that are no exports declare nothing. */
  async readOther(path: string, bytes: Uint8Array): Promise<void> {
    const { objects } = await importFile(bytes, { path })
    const declared = objects.flatMap((object) => declaredOf(object, path))
    this.#arrive(path)
    this.#others.set(path, {
      declared,
      text: objects
        .map(({ xml, text }) => (xml === undefined ? (text ?? '') : contentOf(xml)).toLowerCase())
        .join('\n'),
    })
    this.#enter(path, declared)
  }

  /** Sets what a file declares that is no text. */
  setDeclared(path: string, declared: readonly Declared[]): void {
    this.#texts.delete(path)
    this.#stale.delete(path)
    this.#arrive(path)
    this.#others.set(path, { declared, text: '' })
    this.#enter(path, declared)
  }

  /** Removes a file. */
  remove(path: string): void {
    this.#texts.delete(path)
    this.#others.delete(path)
    this.#stale.delete(path)
    this.#enter(path, [])
    this.#arrivals.delete(path)
  }

  /** The text of a file; `undefined` when it is not one of the program's texts. */
  textOf(path: string): string | undefined {
    return this.#texts.get(path)?.text
  }

  /** What a file that is no text declares; `undefined` for texts and files that are not there. */
  declaredBy(path: string): readonly Declared[] | undefined {
    return this.#others.get(path)?.declared
  }

  /** The declarations of a file; `undefined` when it is not one of the program's texts. */
  outline(path: string): Outline | undefined {
    const file = this.#texts.get(path)
    if (file === undefined) return undefined
    file.outline ??= outlineOf(file.text, path)
    return file.outline
  }

  object(name: string): Declared | undefined {
    this.#refresh()
    return this.#objects.get(name.toUpperCase())?.[0]?.declared
  }

  /** All declarations of a name of the program, case ignored: more than one when several files declare it. */
  declarations(name: string): readonly Declared[] {
    this.#refresh()
    return (this.#objects.get(name.toUpperCase()) ?? []).map(({ declared }) => declared)
  }

  /** The declarations with a key as they are now; those of the system too. */
  withKey(key: string): Declared[] {
    const [name = '', ...path] = key.split('\0')
    const objects = this.declarations(name)
    const system = objects.length === 0 ? systemDeclared(name) : undefined
    return (system ? [system] : objects).flatMap((object) => {
      let found: Declared | undefined = object
      for (const step of path) found = found?.members.find((member) => member.name.toUpperCase() === step)
      return found ? [found] : []
    })
  }

  /** Everything that has a name in the whole program. */
  everyObject(): Declared[] {
    this.#refresh()
    return Array.from(this.#objects.values(), ([first]) => (first as Entered).declared)
  }

  /** Every name of a file whose meaning is known, in the order of the text. */
  occurrences(path: string): readonly Occurrence[] {
    this.#refresh()
    const outline = this.outline(path)
    const file = this.#texts.get(path)
    if (outline === undefined || file === undefined) return []
    if (file.occurrences?.version === this.#version) return file.occurrences.found
    const found: Occurrence[] = []
    for (const part of outline.parts) {
      const walk = new Walk(outline, part, this, (one) => void found.push(one))
      walk.declarations()
      walk.body(part.body, part.to)
    }
    file.occurrences = { version: this.#version, found }
    return found
  }

  /** The texts that contain a name, case ignored: only these can name it. */
  pathsWith(name: string): string[] {
    const wanted = name.toLowerCase()
    return [...this.#texts].flatMap(([path, file]) => {
      file.lower ??= file.text.toLowerCase()
      return file.lower.includes(wanted) ? [path] : []
    })
  }

  /** Files of other formats that contain all of these names, each as a word of its own. */
  othersWith(names: readonly string[]): string[] {
    const wanted = names.map(wordPattern)
    return [...this.#others].flatMap(([path, { text }]) => (wanted.every((name) => name.test(text)) ? [path] : []))
  }

  /** A file that is there already keeps its place: what a name means does not depend on who was edited last. */
  #arrive(path: string): void {
    if (!this.#arrivals.has(path)) this.#arrivals.set(path, ++this.#lastArrival)
  }

  #refresh(): void {
    for (const path of this.#stale) this.#enter(path, this.outline(path)?.parts.map(({ object }) => object) ?? [])
    this.#stale.clear()
  }

  #enter(path: string, declared: readonly Declared[]): void {
    const before = this.#entered.get(path)
    const print = declared.map(fingerprint).join('\n')
    for (const one of before?.declared ?? []) {
      const key = one.name.toUpperCase()
      const others = (this.#objects.get(key) ?? []).filter((other) => other.path !== path)
      if (others.length === 0) this.#objects.delete(key)
      else this.#objects.set(key, others)
    }
    const arrivalOf = (file: string) => this.#arrivals.get(file) ?? 0
    for (const one of declared) {
      if (one.name === '') continue
      const key = one.name.toUpperCase()
      const known = this.#objects.get(key) ?? []
      const next = known.findIndex((other) => arrivalOf(other.path) > arrivalOf(path))
      known.splice(next < 0 ? known.length : next, 0, { path, declared: one })
      this.#objects.set(key, known)
    }
    if (declared.length === 0) this.#entered.delete(path)
    else this.#entered.set(path, { declared, print })
    // Code that changes keeps the meanings in other files.
    if (before?.print !== print) this.#version++
  }
}

/** What names of other files depend on: all but places and comments. */
function fingerprint({ kind, name, dataType, section, members }: Declared): string {
  return `${kind} ${name}:${dataType} ${section ?? ''}(${members.map(fingerprint).join(';')})`
}

/** The texts and values of XML: its own words (`<Name>`, `Name=`) name nothing of the program. */
function contentOf(xml: string): string {
  return xml.replace(/<\/?[\w.:-]+|\s[\w.:-]+=(?=")/g, ' ')
}

function wordPattern(name: string): RegExp {
  const text = name.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const isPart = '[\\p{L}\\p{N}_]'
  const [before, behind] = [/^[\p{L}\p{N}_]/u.test(name), /[\p{L}\p{N}_]$/u.test(name)]
  return new RegExp(`${before ? `(?<!${isPart})` : ''}${text}${behind ? `(?!${isPart})` : ''}`, 'u')
}
