/** The program of tests, compiled together with what calls single blocks. */
import { type CompileState, compileProgram } from '../compiler/compile-program.ts'
import { compilerVersion } from '../compiler/compiler-version.ts'
import { interfaceFacts } from '../compiler/interfaces.ts'
import { blobHash } from '../compiler/program-file.ts'
import type { CompiledProgram } from '../compiler/put-together.ts'
import { inOrderOfNeeds, needsOf } from '../edit/import-order.ts'
import type { ImportedObject } from '../model/object.ts'
import type { Diagnostic } from '../program/program.ts'
import { type Harness, harnessOf } from './harness.ts'

/** The program, and why parts of it do not run. */
export interface TestedProgram {
  /** Absent when nothing compiles. */
  readonly compiled?: CompiledProgram
  /** By the name of the block in lower case. */
  readonly harnesses: ReadonlyMap<string, Harness>
  /** Names in lower case of what the harnesses add to the program. */
  readonly added: ReadonlySet<string>
  /** Errors of objects that were left out, by name in lower case, in the order in which they were found. */
  readonly errors: ReadonlyMap<string, readonly Diagnostic[]>
  /** Names of all objects. */
  readonly names: readonly string[]
  /**
   * Compiles the program with another body of one block, whose interface stays; undefined when it does not compile.
   */
  readonly withChanged?: (object: ImportedObject) => CompiledProgram | undefined
}

const codeKinds = new Set(['OB', 'FB', 'FC'])
const tableKind = /Table$/

/**
 * Compiles the objects of a program. Objects with errors, and those that need them, are left out, so that tests of the
 * others run. CPU-heavy.
 * @param blocks names of the blocks that are called alone
 */
export function compileTested(
  objects: readonly ImportedObject[],
  blocks: readonly string[],
  { isProbed = false }: { readonly isProbed?: boolean } = {},
): TestedProgram {
  const byName = new Map(objects.filter(({ kind }) => codeKinds.has(kind)).map((one) => [one.name.toLowerCase(), one]))
  const harnesses = new Map<string, Harness>()
  for (const name of blocks) {
    const key = name.toLowerCase()
    const block = byName.get(key)
    if (block && !harnesses.has(key)) harnesses.set(key, harnessOf(block, harnesses.size + 1))
  }
  const made = [...harnesses.values()].flatMap((one) => one.objects)
  const added = new Set(made.map(({ name }) => name.toLowerCase()))
  const all = [...objects, ...made]
  const ordered = inOrderOfNeeds(all, (object) => ({ ...object, needs: needsOf(object) })).ordered
  const tables = ordered.flatMap(({ kind, name, tags = [], constants = [] }) =>
    kind === 'TagTable' ? [{ name, tags, constants }] : [],
  )
  let documents = ordered.flatMap((object) =>
    tableKind.test(object.kind)
      ? []
      : [{ object, document: blobHash(object.xml ?? object.text ?? ''), facts: interfaceFacts(object) }],
  )
  const compiler = `${compilerVersion(import.meta.url)}${isProbed ? ' probed' : ''}`
  const errors = new Map<string, readonly Diagnostic[]>()
  const names = objects.map(({ name }) => name)
  let before: CompileState | undefined
  // Each round leaves out at least one object.
  for (;;) {
    const {
      program,
      objects: results,
      others,
      state,
    } = compileProgram({
      ...{ documents, tables, compiler, before, isProbed },
      unitsOf: () => [],
    })
    if (program) {
      const compiledOnes = documents
      let changes = 0
      const withChanged = (object: ImportedObject) => {
        const changed = compiledOnes.map((one) =>
          one.object.name === object.name ? { ...one, object, document: `${one.document} ${++changes}` } : one,
        )
        const input = { documents: changed, tables, compiler, before: state, isProbed }
        return compileProgram({ ...input, unitsOf: () => [] }).program
      }
      return { compiled: program, harnesses, added, errors, names, withChanged }
    }
    before = state
    const failed = new Set<string>()
    for (const one of [...others, ...results.flatMap(({ diagnostics }) => diagnostics)]) {
      if (one.severity !== 'error') continue
      const key = one.object.toLowerCase()
      if (!failed.has(key) && !errors.has(key)) errors.set(key, [])
      failed.add(key)
      errors.set(key, [...(errors.get(key) ?? []), one])
    }
    const kept = documents.filter(({ object }) => !failed.has(object.name.toLowerCase()))
    if (kept.length === documents.length || kept.length === 0) return { harnesses, added, errors, names }
    documents = kept
  }
}

/** Codes whose reason may be an object that is not there. */
const missingCodes = new Set(['undeclared', 'unknown-type', 'instance-of-unknown', 'unknown-block'])

/**
 * Says why a block does not run.
 * @param name of an object in `errors`
 */
export function whyNot(program: TestedProgram, name: string): string {
  const list = program.errors.get(name.toLowerCase()) ?? []
  const [first] = list
  if (!first) return `"${name}" does not compile.`
  const more = list.length > 1 ? ` (and ${list.length - 1} more)` : ''
  const place = first.network === undefined ? '' : `, network ${first.network}`
  const line = first.line === undefined ? '' : `, line ${first.line}`
  // What calls a block alone is no text of the user's.
  const where = program.added.has(first.object.toLowerCase()) ? '' : `"${first.object}"${place}${line}: `
  const text = `${where}${first.message.replace(/\.$/, '')}${more}.`
  // What it needs was left out because of its own errors.
  const cause = [...first.message.matchAll(/"([^"]+)"|#?(\w+)/g)]
    .map(([, quoted, plain]) => (quoted ?? plain ?? '').toLowerCase())
    .find((one) => one !== first.object.toLowerCase() && program.errors.has(one))
  if (cause !== undefined) return `${text} ${whyNot(withoutError(program, name), cause)}`
  const isMissing = missingCodes.has(first.code)
  return isMissing
    ? `${text} What is not in the folder can be given by a stub: a source listed under "stubs" in the test file.`
    : text
}

/** So that objects that need each other end. */
function withoutError(program: TestedProgram, name: string): TestedProgram {
  const errors = new Map(program.errors)
  errors.delete(name.toLowerCase())
  return { ...program, errors }
}
