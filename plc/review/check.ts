/**
 * Checks the program of one controller: links and compiles it, applies the rules, and places what was found in files.
 */
import { defined } from '../../lib/optional.ts'
import { type CompileState, compileProgram } from '../compiler/compile-program.ts'
import { compilerVersion } from '../compiler/compiler-version.ts'
import { interfaceFacts } from '../compiler/interfaces.ts'
import type { ProgramDocument } from '../compiler/program-document.ts'
import { blobHash } from '../compiler/program-file.ts'
import type { Unit } from '../compiler/unit.ts'
import type { Severity } from '../diagnostics/diagnostic-code.ts'
import { inOrderOfNeeds, needsOf } from '../edit/import-order.ts'
import { decodeText } from '../model/decode.ts'
import { FormatError, LineIndex } from '../model/fault.ts'
import type { ImportedObject } from '../model/object.ts'
import type { ReviewConfig } from './config.ts'
import { missingNames } from './missing.ts'
import { type FilePlace, type FolderFile, type PlacedObject, type ReadFiles, readFolder } from './read-folder.ts'
import { ReviewedProgram } from './reviewed-program.ts'
import type { Finding, Rule } from './rule.ts'
import { review } from './run-rules.ts'

/** A change of a file: lines and columns from 1, the end excluded. */
export interface FileEdit {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly text: string
}

/** A finding with its place in a file; plain data. */
export interface PlacedFinding {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly hint?: string
  readonly file: string
  /** In the file, from 1. */
  readonly line: number
  readonly column: number
  /** The line, without white space at its ends, and the column of the place in that. */
  readonly lineText?: string
  readonly lineColumn?: number
  readonly device?: string
  /** Name and kind of the object. */
  readonly object?: string
  readonly kind?: string
  readonly network?: number
  /** In a LAD or FBD network: the element. */
  readonly uId?: number
  readonly element?: string
  readonly member?: string
  /** Why the program accepts it. */
  readonly reason?: string
  readonly fix?: { readonly description: string; readonly edits: readonly FileEdit[] }
}

export interface CheckedProgram {
  readonly findings: readonly PlacedFinding[]
  readonly suppressed: readonly PlacedFinding[]
  /** Rules of plugins that ended with an error. */
  readonly failed: readonly { readonly code: string; readonly message: string }[]
  readonly counts: {
    readonly files: number
    readonly objects: number
    readonly blocks: number
    readonly compiled: number
  }
}

const codeKinds = new Set(['OB', 'FB', 'FC'])
const longestLine = 300

/** What one check of a program leaves for the next with the same settings: only what changed is done again. */
export class CheckMemory {
  readonly files: ReadFiles = new WeakMap()
  readonly documents = new WeakMap<ImportedObject, ProgramDocument>()
  units: ReadonlyMap<string, Unit> = new Map()
  state: CompileState | undefined
}

/**
 * Checks the files of a program.
 * @param given objects that come from elsewhere: tags of spreadsheets
 * @param memory of the last check of the same program; it is renewed
 * @param rules of plugins
 */
export async function checkProgram(
  files: readonly FolderFile[],
  given: readonly PlacedObject[],
  config: ReviewConfig,
  memory = new CheckMemory(),
  rules: readonly Rule[] = [],
): Promise<CheckedProgram> {
  const { objects, notes } = await readFolder(files, given, config.culture, memory.files)
  const ordered = inOrderOfNeeds(objects, ({ object }) => ({ ...object, needs: needsOf(object) })).ordered
  const tables = ordered.flatMap(({ object: { kind, name, tags = [], constants = [] } }) =>
    kind === 'TagTable' ? [{ name, tags, constants }] : [],
  )
  const documents = ordered.flatMap(({ object }) => (/Table$/.test(object.kind) ? [] : [documentOf(object, memory)]))
  const compiler = compilerVersion(import.meta.url)
  const compiled = compileProgram({
    ...{ documents, tables, compiler, before: memory.state },
    unitsOf: (name) => {
      const unit = memory.units.get(name.toLowerCase())
      return unit === undefined ? [] : [unit]
    },
  })
  memory.state = compiled.state
  memory.units = new Map(compiled.objects.flatMap(({ name, unit }) => (unit ? [[name.toLowerCase(), unit]] : [])))
  const program = new ReviewedProgram(
    compiled.state.linked.program,
    ordered.map(({ object }) => object),
    new Map([...memory.units].flatMap(([name, { facts }]) => (facts ? [[name, facts] as const] : []))),
  )
  const diagnostics = [...compiled.others, ...compiled.objects.flatMap((one) => one.diagnostics)]
  const { missing, own } = missingNames(program, diagnostics, config.libraries)
  const reviewed = review(program, own, config, rules)
  const placer = new Placer(files, objects)
  const missed: Finding[] = missing.map(({ name, what, by, place, uses, users }) => ({
    ...place,
    code: `missing-${what === 'block or tag' ? 'name' : what}`,
    severity: config.missing,
    object: by.name,
    kind: by.kind,
    message: `The ${what} "${name}" is not in the folder (used ${uses === 1 ? 'once' : `${uses} times, in ${users.length === 1 ? `"${users[0]}"` : `${users.length} objects`}`}).`,
    hint: 'Export it into the folder, or list it under "libraries" in gantry.yml.',
  }))
  const blocks = compiled.objects.filter(({ kind }) => codeKinds.has(kind))
  return {
    findings: inOrder([
      ...notes.map((note) => ({ ...note, ...placer.lineOf(note.file, note) })),
      ...[...missed, ...reviewed.findings].map((one) => placer.placed(one)),
    ]),
    suppressed: reviewed.suppressed.map((one) => ({ ...placer.placed(one), reason: one.reason })),
    failed: reviewed.failed,
    counts: {
      files: files.length,
      objects: objects.length,
      blocks: blocks.length,
      compiled: blocks.filter(({ unit }) => unit?.code !== undefined).length,
    },
  }
}

function documentOf(object: ImportedObject, { documents }: CheckMemory): ProgramDocument {
  let known = documents.get(object)
  if (known === undefined) {
    known = { object, document: blobHash(object.xml ?? object.text ?? ''), facts: interfaceFacts(object) }
    documents.set(object, known)
  }
  return known
}

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, information: 2 }

/** By file, line and column; at one place the worst first. */
export function inOrder(findings: readonly PlacedFinding[]): PlacedFinding[] {
  return [...findings].sort(
    (a, b) =>
      (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
      a.line - b.line ||
      a.column - b.column ||
      ranks[a.severity] - ranks[b.severity] ||
      (a.code < b.code ? -1 : a.code > b.code ? 1 : 0),
  )
}

/** Finds places in files. */
class Placer {
  readonly #objects: ReadonlyMap<string, PlacedObject>
  readonly #bytes: ReadonlyMap<string, Uint8Array>
  readonly #lines = new Map<string, readonly string[]>()
  #tables: Map<string, PlacedObject> | undefined

  constructor(files: readonly FolderFile[], objects: readonly PlacedObject[]) {
    this.#objects = new Map(objects.map((one) => [keyOf(one.object), one]))
    this.#bytes = new Map(files.map(({ path, bytes, translated }) => [path, translated?.original ?? bytes]))
  }

  placed(finding: Finding): PlacedFinding {
    const { code, severity, message, hint, object, kind, network, uId, element, member, fix } = finding
    const known = this.#objects.get(keyOf({ kind, name: object })) ?? this.#tableOf(object)
    const at = known?.placeOf(known.object.name === object ? finding : { member: object }) ?? { line: 1, column: 1 }
    const file = known?.file ?? ''
    const edits = fix && known?.isText ? this.#edits(known, fix.edits) : undefined
    return {
      ...{ code, severity, message, file, ...at, ...this.lineOf(file, at), object, kind },
      ...defined({ hint, network, uId, element, member }),
      ...(fix && edits ? { fix: { description: fix.description, edits } } : {}),
    }
  }

  /** Faults of tags name the tag: the last table that has it. */
  #tableOf(tag: string): PlacedObject | undefined {
    if (this.#tables === undefined) {
      this.#tables = new Map()
      for (const one of this.#objects.values())
        for (const { name } of [...(one.object.tags ?? []), ...(one.object.constants ?? [])])
          this.#tables.set(name.toLowerCase(), one)
    }
    return this.#tables.get(tag.toLowerCase())
  }

  /** The line of a place as it is shown; nothing for XML, whose lines say nothing to people. */
  lineOf(file: string, { line, column }: FilePlace): { lineText?: string; lineColumn?: number } {
    const text = /\.(xml|aml|xlsx)$/i.test(file) ? undefined : this.#linesOf(file)[line - 1]
    if (text === undefined || text.trim() === '') return {}
    const start = text.search(/\S/)
    return { lineText: text.slice(start, start + longestLine).trimEnd(), lineColumn: Math.max(1, column - start) }
  }

  #linesOf(file: string): readonly string[] {
    let lines = this.#lines.get(file)
    if (lines === undefined) {
      const bytes = this.#bytes.get(file)
      lines = bytes === undefined ? [] : linesIn(bytes)
      this.#lines.set(file, lines)
    }
    return lines
  }

  /** Edits of networks as edits of the file; `undefined` when one of them cannot be found exactly. */
  #edits({ object, file, placeOf }: PlacedObject, edits: NonNullable<Finding['fix']>['edits']): FileEdit[] | undefined {
    const lines = this.#linesOf(file)
    const found: FileEdit[] = []
    for (const { network, start, end, text } of edits) {
      const body = object.networks.find(({ number }) => number === network)?.text
      if (body === undefined) return undefined
      const index = new LineIndex(body)
      const from = placeOf({ network, ...index.at(start) })
      // The place of the last character is certain; that after it may be in white space that was left out.
      const last = placeOf({ network, ...index.at(end - 1) })
      const isOnOneLine = from.line === last.line
      const there = isOnOneLine ? lines[from.line - 1]?.slice(from.column - 1, last.column) : undefined
      if (isOnOneLine && there !== body.slice(start, end)) return undefined
      if (!isOnOneLine && lines[last.line - 1]?.[last.column - 1] !== body[end - 1]) return undefined
      found.push({ ...from, endLine: last.line, endColumn: last.column + 1, text })
    }
    return found
  }
}

/** Nothing for a file that cannot be decoded: its fault says so. */
function linesIn(bytes: Uint8Array): readonly string[] {
  try {
    return decodeText(bytes).text.replaceAll('\r\n', '\n').split('\n')
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return []
  }
}

function keyOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${/Table$/.test(kind) ? kind : ''} ${name.toLowerCase()}`
}
