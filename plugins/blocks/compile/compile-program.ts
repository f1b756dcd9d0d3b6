/** Compiles a program: links it, checks and lowers its blocks, generates their code, and puts it together. What is still valid is taken over. */
import { compileBlock } from '../codegen/function.ts'
import { checkProgram } from '../lower/checks/program-checks.ts'
import { lowerBlock } from '../lower/lower-block.ts'
import type { ImportedObject } from '../model/object.ts'
import type { LinkTagTable } from '../program/link-program.ts'
import type { Diagnostic, Program, ProgramBlock } from '../program/program.ts'
import type { InterfaceFacts, ProgramInterfaces } from './interfaces.ts'
import { type CompiledProgram, putTogether } from './put-together.ts'
import { type LinkedState, relink } from './relink.ts'
import { trackUses } from './tracked-program.ts'
import type { Unit } from './unit.ts'

/** A block or PLC data type of the program. */
export interface ProgramDocument {
  readonly object: ImportedObject
  /** Hash of the document. */
  readonly document: string
  readonly facts: InterfaceFacts
}

export interface CompileInput {
  readonly documents: readonly ProgramDocument[]
  readonly tables: readonly LinkTagTable[]
  /** See `compilerVersion`: units of other ones are not taken. */
  readonly compiler: string
  /** Units that may still be right for a document, the likeliest first. */
  readonly unitsOf: (name: string, document: string) => Iterable<Unit>
  /** Only these blocks (any case) and what they use; nothing is put together then. */
  /** What the last compilation of the same program gave: less is to be linked then. */
  readonly before?: LinkedState | undefined
  readonly only?: readonly string[] | undefined
  /** Everything is compiled anew. */
  readonly rebuild?: boolean | undefined
  /** Told before each block that is compiled. Throws when nobody waits any more. */
  readonly progress?: ((done: number, of: number, name: string) => void) | undefined
}

/** What became of one object. */
export interface CompiledObject {
  readonly name: string
  readonly kind: string
  readonly document: string
  /** Names it depends on, and a hash of what they stand for. */
  readonly uses: readonly string[]
  readonly interfaces: string
  readonly diagnostics: readonly Diagnostic[]
  /** Of code blocks. */
  readonly unit?: Unit
  /** The unit was taken over. */
  readonly isUnchanged: boolean
}

export interface CompileOutput {
  readonly objects: readonly CompiledObject[]
  /** Diagnostics of what is no block or type: tag tables. */
  readonly others: readonly Diagnostic[]
  /** For `before` of the next compilation. */
  readonly state: LinkedState
  /** Of a whole program without errors. */
  readonly program?: CompiledProgram
}

/** Never throws for what a program holds: that gives diagnostics. Throws what `progress` throws. */
export function compileProgram(input: CompileInput): CompileOutput {
  const { documents, tables } = input
  const state = relink(documents, tables, input.before)
  const { program, interfaces } = state
  const linked = byObject(program.diagnostics)
  const wanted = input.only === undefined ? undefined : new Set(input.only.map((name) => name.toLowerCase()))
  const chosen = choose(documents, interfaces, wanted)
  const compiler = new UnitCompiler(input, program, interfaces)
  const objects: CompiledObject[] = []
  let count = 0
  for (const one of chosen) {
    const { object, document } = one
    const key = object.name.toLowerCase()
    const block = program.blocks.get(key)
    const own = linked.get(key) ?? []
    if (block === undefined || !isCode(block)) {
      objects.push({ ...headOf(one), ...interfaces.usesOf(key), diagnostics: own, isUnchanged: false })
    } else {
      input.progress?.(count, chosen.size, object.name)
      const { unit, isUnchanged } = compiler.unitOf(block, document)
      const { uses, interfaces: hash, diagnostics } = unit
      objects.push({
        ...headOf(one),
        uses,
        interfaces: hash,
        diagnostics: [...own, ...diagnostics],
        unit,
        isUnchanged,
      })
      // What a block uses is known when it was compiled.
      if (wanted !== undefined) for (const more of choose(documents, interfaces, new Set(uses))) chosen.add(more)
    }
    count++
  }
  addProgramChecks(program, objects, wanted === undefined)
  for (const { object } of documents) linked.delete(object.name.toLowerCase())
  const others = [...linked.values()].flat()
  const isWhole = wanted === undefined && !hasError(others) && !objects.some(({ diagnostics }) => hasError(diagnostics))
  if (!isWhole) return { objects, others, state }
  const units = objects.flatMap(({ unit }) => (unit ? [unit] : []))
  return { objects, others, state, program: putTogether(program, units) }
}

export function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}

/** Tells each object what the rules over the whole program say of it. */
function addProgramChecks(program: Program, objects: CompiledObject[], isWhole: boolean): void {
  const facts = new Map(objects.flatMap(({ name, unit }) => (unit?.facts ? [[name.toLowerCase(), unit.facts]] : [])))
  const warnings = byObject(checkProgram(program, facts, isWhole))
  if (warnings.size === 0) return
  for (const [i, object] of objects.entries()) {
    const own = warnings.get(object.name.toLowerCase())
    if (own) objects[i] = { ...object, diagnostics: [...object.diagnostics, ...own] }
  }
}

function headOf({ object: { name, kind }, document }: ProgramDocument) {
  return { name, kind, document }
}

function isCode({ kind }: ProgramBlock): boolean {
  return kind === 'OB' || kind === 'FB' || kind === 'FC'
}

/** The documents of these names and those whose names stand in their interfaces; all without names. */
function choose(
  documents: readonly ProgramDocument[],
  interfaces: ProgramInterfaces,
  names: ReadonlySet<string> | undefined,
): Set<ProgramDocument> {
  if (names === undefined) return new Set(documents)
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

/** The interfaces that a unit was found to agree with. */
const checkedWith = new WeakMap<Unit, ProgramInterfaces>()

/** Takes units over or makes them. */
class UnitCompiler {
  readonly #input: CompileInput
  readonly #program: Program
  readonly #interfaces: ProgramInterfaces

  constructor(input: CompileInput, program: Program, interfaces: ProgramInterfaces) {
    this.#input = input
    this.#program = program
    this.#interfaces = interfaces
  }

  unitOf(block: ProgramBlock, document: string): { unit: Unit; isUnchanged: boolean } {
    const { compiler, rebuild, unitsOf } = this.#input
    if (rebuild !== true)
      for (const unit of unitsOf(block.name, document))
        if (
          unit.compiler === compiler &&
          unit.name === block.name &&
          unit.document === document &&
          this.#stillHolds(unit)
        )
          return { unit, isUnchanged: true }
    return { unit: this.#compile(block, document), isUnchanged: false }
  }

  #stillHolds(unit: Unit): boolean {
    if (checkedWith.get(unit) === this.#interfaces) return true
    if (unit.interfaces !== this.#interfaces.hashOf(unit.uses)) return false
    checkedWith.set(unit, this.#interfaces)
    return true
  }

  #compile(block: ProgramBlock, document: string): Unit {
    const { program, uses: asked } = trackUses(this.#program)
    const { diagnostics, code, facts } = lowered(program, block)
    const uses = this.#interfaces.closure([block.name.toLowerCase(), ...asked])
    return {
      compiler: this.#input.compiler,
      name: block.name,
      document,
      uses,
      interfaces: this.#interfaces.hashOf(uses),
      diagnostics,
      ...(facts === undefined ? {} : { facts }),
      ...(code === undefined ? {} : { code }),
    }
  }
}

/** A mistake of ours in one block is told as such and does not hide what is wrong with the others. */
function lowered(program: Program, block: ProgramBlock): Pick<Unit, 'diagnostics' | 'facts' | 'code'> {
  if (block.isKnowHowProtected) return { diagnostics: [protectedBlock(block.name)] }
  try {
    const { code, diagnostics, facts, temporaries = [] } = lowerBlock(program, block)
    if (code === undefined) return { diagnostics, facts }
    return { diagnostics, facts, code: { compiled: compileBlock(code), sites: code.sites, temporaries } }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
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

function protectedBlock(object: string): Diagnostic {
  return {
    code: 'protected-block',
    severity: 'error',
    object,
    message: 'The block is know-how protected: its code is not in the project, so it cannot be compiled.',
    hint: 'Import it again from an export without protection.',
  }
}
