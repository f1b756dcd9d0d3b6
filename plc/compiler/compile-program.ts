/**
 * Compiles a program: links it, checks and lowers its blocks, generates their code, and assembles the result. Results
 * that are still valid are reused.
 */

import { isDeepStrictEqual } from 'node:util'
import { defined } from '../../lib/optional.ts'
import type { CpuFamily } from '../program/cpu-family.ts'
import type { LinkTagTable } from '../program/link-program.ts'
import type { Diagnostic, Program, ProgramBlock } from '../program/program.ts'
import { compileBlock } from './codegen/function.ts'
import type { ProgramInterfaces } from './interfaces.ts'
import { located } from './located.ts'
import type { BlockFacts } from './lower/checks/block-facts.ts'
import { checkProgram } from './lower/checks/program-checks.ts'
import { lowerBlock } from './lower/lower-block.ts'
import type { ProgramDocument } from './program-document.ts'
import { unpublishedUses } from './publication.ts'
import { type CompiledProgram, putTogether } from './put-together.ts'
import { type LinkedState, relink } from './relink.ts'
import { trackUses } from './tracked-program.ts'
import type { Unit } from './unit.ts'

export interface CompileInput {
  readonly documents: readonly ProgramDocument[]
  readonly tables: readonly LinkTagTable[]
  /** See `compilerVersion`: units of other versions are not used. */
  readonly compiler: string
  /** Units that may still be valid for a document, the likeliest first. */
  readonly unitsOf: (name: string, document: string) => Iterable<Unit>
  /**
   * The result of the last compilation of the same program. What has not changed since then is reused; a document that
   * is the same object is not examined again.
   */
  readonly before?: CompileState | undefined
  /** Of the CPU, where it is known; give `compiler` another text then. */
  readonly family?: CpuFamily | undefined
  /** Compiles only these blocks (case ignored) and what they use; no program is assembled then. */
  readonly only?: readonly string[] | undefined
  /** Makes code that records its execution (program/probes.ts); give `compiler` another text then. */
  readonly isProbed?: boolean | undefined
  /** Compiles everything again. */
  readonly rebuild?: boolean | undefined
  /** Called before each block is compiled. It throws to cancel the compilation. */
  readonly progress?: ((done: number, of: number, name: string) => void) | undefined
}

/** What a compilation keeps for the next one of the same program. */
export interface CompileState {
  readonly linked: LinkedState
  readonly checked?: CheckedProgram | undefined
  /** The last program without errors. */
  readonly program?: CompiledProgram | undefined
}

/** The result for one object. */
export interface CompiledObject {
  readonly name: string
  readonly kind: string
  readonly document: string
  /** Names that it depends on, and a hash of what they mean. */
  readonly uses: readonly string[]
  readonly interfaces: string
  readonly diagnostics: readonly Diagnostic[]
  /** The unit of a code block. */
  readonly unit?: Unit
  /** The unit was reused. */
  readonly isUnchanged: boolean
}

export interface CompileOutput {
  readonly objects: readonly CompiledObject[]
  /** Diagnostics of objects that are neither block nor type: tag tables. */
  readonly others: readonly Diagnostic[]
  /** Pass it as `before` to the next compilation. */
  readonly state: CompileState
  /** Present for a whole program without errors. */
  readonly program?: CompiledProgram
}

/**
 * Compiles a program. Faults of the program give diagnostics and never throw.
 * @throws what `progress` throws
 */
export function compileProgram(input: CompileInput): CompileOutput {
  const { documents, tables, before } = input
  const linked = relink(documents, tables, before?.linked, input.family)
  const { program, interfaces } = linked
  const told = byObject(program.diagnostics)
  const wanted = input.only === undefined ? undefined : new Set(input.only.map((name) => name.toLowerCase()))
  const chosen = wanted && choose(documents, interfaces, wanted)
  const compiler = new ObjectCompiler(input, linked, told)
  const objects: CompiledObject[] = []
  let count = 0
  for (const one of chosen ?? documents) {
    const object = compiler.objectOf(one, () =>
      input.progress?.(count, chosen?.size ?? documents.length, one.object.name),
    )
    objects.push(object)
    // The names that a block uses are known only after it is compiled.
    if (chosen && object.unit) for (const more of choose(documents, interfaces, new Set(object.uses))) chosen.add(more)
    count++
  }
  const isWhole = wanted === undefined
  const checkedBefore = before?.linked.interfaces === interfaces ? before.checked : undefined
  const checked = checkTogether(program, objects, isWhole, checkedBefore)
  addWarnings(objects, checked.warnings, documents)
  addWarnings(objects, byObject(unpublishedUses(documents, objects)), documents)
  if (told.size > 0) for (const { object } of documents) told.delete(object.name.toLowerCase())
  const others = [...told.values()].flat()
  const state: CompileState = { linked, checked: isWhole ? checked : checkedBefore, program: before?.program }
  const isRight = isWhole && !hasError(others) && !objects.some(({ diagnostics }) => hasError(diagnostics))
  if (!isRight) return { objects, others, state }
  const units: Unit[] = []
  for (const { unit } of objects) if (unit) units.push(unit)
  const whole = putTogether(program, units, before?.program)
  return { objects, others, state: { ...state, program: whole }, program: whole }
}

function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}

/** The warnings of the rules over the whole program, and the facts they come from. */
interface CheckedProgram {
  /** In the order of the objects. */
  readonly facts: readonly (BlockFacts | undefined)[]
  /** No block has an error. */
  readonly isSound: boolean
  readonly warnings: ReadonlyMap<string, readonly Diagnostic[]>
}

/**
 * Applies the rules over the whole program.
 * @param before their last result for the whole program with the same declarations
 */
function checkTogether(
  program: Program,
  objects: readonly CompiledObject[],
  isWhole: boolean,
  before: CheckedProgram | undefined,
): CheckedProgram {
  const facts = objects.map(({ unit }) => unit?.facts)
  const isSound = !objects.some(({ diagnostics }) => hasError(diagnostics))
  const isSame = (one: BlockFacts | undefined, i: number) =>
    one === before?.facts[i] || isDeepStrictEqual(one, before?.facts[i])
  if (isWhole && before?.isSound === isSound && before.facts.length === facts.length && facts.every(isSame))
    return { facts, isSound, warnings: before.warnings }
  const byName = new Map<string, BlockFacts>()
  for (const { name, unit } of objects) if (unit?.facts) byName.set(name.toLowerCase(), unit.facts)
  return { facts, isSound, warnings: byObject(checkProgram(program, byName, { isWhole, isSound })) }
}

/** Adds the warnings of the rules over the whole program to their objects. */
function addWarnings(
  objects: CompiledObject[],
  warnings: CheckedProgram['warnings'],
  documents: readonly ProgramDocument[],
): void {
  if (warnings.size === 0) return
  const texts = new Map(documents.map(({ object }) => [object.name, object]))
  for (const [i, object] of objects.entries()) {
    const own = diagnosticsOf(object.name, warnings, texts)
    const text = texts.get(object.name)
    if (text && own.length > 0) objects[i] = { ...object, diagnostics: [...object.diagnostics, ...located(text, own)] }
  }
}

/**
 * Returns the diagnostics of an object. Of two whose names differ only in case, which is a fault, each has its own.
 * @param names names of all objects
 */
function diagnosticsOf(
  name: string,
  told: ReadonlyMap<string, readonly Diagnostic[]>,
  names: { has(name: string): boolean },
): readonly Diagnostic[] {
  const list = told.get(name.toLowerCase()) ?? []
  return list.filter(({ object }) => object === name || !names.has(object))
}

function headOf({ object: { name, kind }, document }: ProgramDocument) {
  return { name, kind, document }
}

function isCode({ kind }: ProgramBlock): boolean {
  return kind === 'OB' || kind === 'FB' || kind === 'FC'
}

/** Chooses the documents of these names and those whose names occur in their interfaces. */
function choose(
  documents: readonly ProgramDocument[],
  interfaces: ProgramInterfaces,
  names: ReadonlySet<string>,
): Set<ProgramDocument> {
  const closure = new Set(interfaces.closure(names))
  return new Set(documents.filter(({ object }) => closure.has(object.name.toLowerCase())))
}

function byObject(diagnostics: readonly Diagnostic[]): Map<string, Diagnostic[]> {
  const found = new Map<string, Diagnostic[]>()
  for (const diagnostic of diagnostics) {
    const key = diagnostic.object.toLowerCase()
    const list = found.get(key)
    if (list) list.push(diagnostic)
    else found.set(key, [diagnostic])
  }
  return found
}

/** The interfaces that a unit is known to agree with. */
const checkedWith = new WeakMap<Unit, ProgramInterfaces>()

/** The result for a document, without the rules over the whole program; valid while no declaration changes. */
interface Outcome {
  readonly compiler: string
  readonly interfaces: ProgramInterfaces
  readonly object: CompiledObject
}
const outcomes = new WeakMap<ProgramDocument, Outcome>()

/** Reuses results and units, or makes them. */
class ObjectCompiler {
  readonly #input: CompileInput
  readonly #program: Program
  readonly #interfaces: ProgramInterfaces
  readonly #told: ReadonlyMap<string, readonly Diagnostic[]>
  readonly #names: ReadonlySet<string>

  constructor(
    input: CompileInput,
    { program, interfaces }: LinkedState,
    told: ReadonlyMap<string, readonly Diagnostic[]>,
  ) {
    this.#input = input
    this.#program = program
    this.#interfaces = interfaces
    this.#told = told
    this.#names = new Set(input.documents.map(({ object }) => object.name))
  }

  /**
   * Returns the result for an object.
   * @param begin called when the object must be compiled
   */
  objectOf(one: ProgramDocument, begin: () => void): CompiledObject {
    const { compiler, rebuild } = this.#input
    const known = outcomes.get(one)
    if (rebuild !== true && known?.interfaces === this.#interfaces && known.compiler === compiler) return known.object
    const made = this.#make(one, begin)
    const object = made.unit && !made.isUnchanged ? { ...made, isUnchanged: true } : made
    outcomes.set(one, { compiler, interfaces: this.#interfaces, object })
    return made
  }

  #make(one: ProgramDocument, begin: () => void): CompiledObject {
    const key = one.object.name.toLowerCase()
    const block = this.#program.blocks.get(key)
    const own = located(one.object, diagnosticsOf(one.object.name, this.#told, this.#names))
    // A second block of the name, in other case, is not in the program.
    if (block === undefined || !isCode(block) || block.name !== one.object.name)
      return { ...headOf(one), ...this.#interfaces.usesOf(key), diagnostics: own, isUnchanged: false }
    begin()
    const { unit, isUnchanged } = this.#unitOf(block, one)
    const { uses, interfaces, diagnostics } = unit
    return { ...headOf(one), uses, interfaces, diagnostics: [...own, ...diagnostics], unit, isUnchanged }
  }

  #unitOf(block: ProgramBlock, one: ProgramDocument): { unit: Unit; isUnchanged: boolean } {
    const { compiler, rebuild, unitsOf } = this.#input
    const { document } = one
    if (rebuild !== true)
      for (const unit of unitsOf(block.name, document))
        if (
          unit.compiler === compiler &&
          unit.name === block.name &&
          unit.document === document &&
          this.#stillHolds(unit)
        )
          return { unit, isUnchanged: true }
    return { unit: this.#compile(block, one), isUnchanged: false }
  }

  #stillHolds(unit: Unit): boolean {
    if (checkedWith.get(unit) === this.#interfaces) return true
    if (unit.interfaces !== this.#interfaces.hashOf(unit.uses)) return false
    checkedWith.set(unit, this.#interfaces)
    return true
  }

  #compile(block: ProgramBlock, { object, document }: ProgramDocument): Unit {
    const { program, uses: asked } = trackUses(this.#program)
    const { diagnostics, code, facts } = lowered(program, block, this.#input.isProbed)
    const uses = this.#interfaces.closure([block.name.toLowerCase(), ...asked])
    return {
      compiler: this.#input.compiler,
      name: block.name,
      document,
      uses,
      interfaces: this.#interfaces.hashOf(uses),
      diagnostics: located(object, diagnostics),
      ...defined({ facts, code }),
    }
  }
}

/**
 * Lowers a block. A mistake in this compiler is reported as such for its block and does not hide the faults of the
 * others.
 */
function lowered(
  program: Program,
  block: ProgramBlock,
  isProbed = false,
): Pick<Unit, 'diagnostics' | 'facts' | 'code'> {
  if (block.isKnowHowProtected && !hasCode(block)) return { diagnostics: [protectedBlock(block.name)] }
  try {
    const { code, diagnostics, facts, temporaries = [], probes } = lowerBlock(program, block, isProbed)
    if (code === undefined) return { diagnostics, facts }
    const compiled = compileBlock(code)
    return { diagnostics, facts, code: { compiled, sites: code.sites, temporaries, ...defined({ probes }) } }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof RangeError && /call stack/i.test(message)) return { diagnostics: [tooDeep(block.name)] }
    return {
      diagnostics: [
        {
          code: 'compiler-failure',
          severity: 'error',
          object: block.name,
          message: `The compiler failed on this block: ${message}.`,
          hint: 'This is a mistake of the compiler, not of the block. Please report it with the block.',
        },
      ],
    }
  }
}

/** Exports of a protected block have no code; a source with the word KNOW_HOW_PROTECT has it, and is to be compiled. */
function hasCode({ networks }: ProgramBlock): boolean {
  return networks.some(
    ({ text = '', statements = [], graph, chart }) =>
      /[^\s;]/.test(text) || statements.length > 0 || graph !== undefined || chart !== undefined,
  )
}

/** Readers bound how deep a text is; what a front end makes of it can be deeper: a call with thousands of inputs. */
function tooDeep(object: string): Diagnostic {
  return {
    code: 'code-too-deep',
    severity: 'error',
    object,
    message:
      'The block is nested too deep to be compiled: brackets, chains of operations, inputs of one box or branches.',
    hint: 'Divide the longest expression, network or statement of the block.',
  }
}

function protectedBlock(object: string): Diagnostic {
  return {
    code: 'protected-block',
    severity: 'error',
    object,
    message: 'The block is know-how protected: its code is not in the project, so it cannot be compiled.',
    hint: 'Import it again from an export without protection.',
  }
}
