/** The program that rules read: linked, with its texts, and with what is derived from them once for all rules. */
import type { BlockFacts } from '../compiler/lower/checks/block-facts.ts'
import type { ImportedObject, InterfaceMember, Network, SectionName } from '../model/object.ts'
import { blockNamed, type Program, type ProgramBlock } from '../program/program.ts'
import type { Use } from '../uses/use.ts'
import { usesIn } from '../uses/uses-of.ts'
import { type LocalUse, localUsesOf } from './local-uses.ts'
import { SclCode } from './scl-code.ts'

const codeKinds = new Set(['OB', 'FB', 'FC'])

/** A member with its section. */
export interface ReviewedMember {
  readonly section: SectionName
  readonly member: InterfaceMember
}

/** One object of the program. */
export class ReviewedObject {
  readonly object: ImportedObject
  /** As it was linked; absent for types and tables. */
  readonly block: ProgramBlock | undefined
  readonly name: string
  readonly kind: string
  readonly isCode: boolean
  #scl: readonly SclCode[] | undefined
  #members: readonly ReviewedMember[] | undefined
  #types: ReadonlyMap<string, string> | undefined
  #uses: readonly Use[] | undefined
  #locals: ReadonlyMap<string, readonly LocalUse[]> | undefined

  constructor(object: ImportedObject, block: ProgramBlock | undefined) {
    this.object = object
    this.block = block
    this.name = object.name
    this.kind = object.kind
    this.isCode = codeKinds.has(object.kind)
  }

  /** The SCL networks. */
  get scl(): readonly SclCode[] {
    this.#scl ??= this.object.networks.flatMap(({ number, language, text, graph, statements, chart }) =>
      text !== undefined && language === 'SCL' && !graph && !statements && !chart ? [new SclCode(number, text)] : [],
    )
    return this.#scl
  }

  /** The LAD and FBD networks. */
  get graphs(): readonly (Network & Required<Pick<Network, 'graph'>>)[] {
    return this.object.networks.filter((one) => one.graph !== undefined) as (Network &
      Required<Pick<Network, 'graph'>>)[]
  }

  /** Names of the whole program that it uses. */
  get uses(): readonly Use[] {
    if (this.#uses === undefined) {
      // What the rules parse is not parsed again.
      this.#uses = usesIn(this.object, (number) => this.scl.find(({ network }) => network === number)?.tree)
    }
    return this.#uses
  }

  /** Uses of its own members by the first name in lower case. */
  get locals(): ReadonlyMap<string, readonly LocalUse[]> {
    this.#locals ??= localUsesOf(this.object, this.scl)
    return this.#locals
  }

  /** Members of sections, in order. */
  members(...sections: readonly SectionName[]): readonly ReviewedMember[] {
    this.#members ??= this.object.interface.flatMap(({ section, members }) =>
      members.map((member) => ({ section, member })),
    )
    return sections.length === 0 ? this.#members : this.#members.filter(({ section }) => sections.includes(section))
  }

  /** Data type of a member of its own interface. */
  typeOf(name: string): string | undefined {
    this.#types ??= new Map(this.members().map(({ member }) => [member.name.toLowerCase(), member.dataType]))
    return this.#types.get(name.toLowerCase())
  }

  /** Number of its networks, or for one text of its lines. */
  get networks(): readonly Network[] {
    return this.object.networks
  }
}

/** The whole program. */
export class ReviewedProgram {
  readonly program: Program
  readonly objects: readonly ReviewedObject[]
  /** OBs, FBs and FCs whose code can be read. */
  readonly code: readonly ReviewedObject[]
  readonly tables: readonly ReviewedObject[]
  readonly #byName = new Map<string, ReviewedObject>()
  #usesByName: Map<string, { readonly by: ReviewedObject; readonly use: Use }[]> | undefined
  #used: ReadonlySet<string> | undefined
  readonly #made = new Map<unknown, unknown>()

  /** Of the code blocks that were compiled, by their names in lower case. */
  readonly facts: ReadonlyMap<string, BlockFacts>

  constructor(
    program: Program,
    objects: readonly ImportedObject[],
    facts: ReadonlyMap<string, BlockFacts> = new Map<string, BlockFacts>(),
  ) {
    this.program = program
    this.facts = facts
    this.objects = objects.map(
      (object) => new ReviewedObject(object, isTable(object.kind) ? undefined : blockNamed(program, object.name)),
    )
    for (const one of this.objects) if (!isTable(one.kind)) this.#byName.set(one.name.toLowerCase(), one)
    this.code = this.objects.filter((one) => one.isCode && !one.object.isKnowHowProtected)
    this.tables = this.objects.filter(({ kind }) => kind === 'TagTable')
  }

  /** What several rules need of the whole program: made by the first that asks. */
  once<T>(make: (program: ReviewedProgram) => T): T {
    if (!this.#made.has(make)) this.#made.set(make, make(this))
    return this.#made.get(make) as T
  }

  /** A block or type; names of namespaces are found by their last part. */
  named(name: string): ReviewedObject | undefined {
    const key = name.toLowerCase()
    return this.#byName.get(key) ?? this.#byName.get(key.slice(key.lastIndexOf('.') + 1))
  }

  /** Uses of a name of the whole program, in lower case. */
  usesOf(name: string): readonly { readonly by: ReviewedObject; readonly use: Use }[] {
    this.#usesByName ??= this.#collect()
    return this.#usesByName.get(name.toLowerCase()) ?? []
  }

  /** Whether another object uses the name. */
  isUsed(name: string): boolean {
    return this.usesOf(name).some(({ by }) => by.name.toLowerCase() !== name.toLowerCase())
  }

  /** Whether the program begins somewhere: a folder with a library has no organization block. */
  get hasStart(): boolean {
    return this.objects.some(({ kind }) => kind === 'OB')
  }

  /** Absolute addresses that are used: `I 0.0`, `MW 10` as area, first bit and bits. */
  get usedAddresses(): ReadonlySet<string> {
    if (this.#used === undefined) {
      const found = new Set<string>()
      for (const { uses } of this.objects)
        for (const { address } of uses) if (address) found.add(`${address.area} ${address.start ?? address.number}`)
      this.#used = found
    }
    return this.#used
  }

  #collect() {
    const found = new Map<string, { readonly by: ReviewedObject; readonly use: Use }[]>()
    for (const by of this.objects)
      for (const use of by.uses) {
        if (use.name === '') continue
        const keys = [use.name.toLowerCase()]
        const dot = use.name.lastIndexOf('.')
        if (dot >= 0) keys.push(use.name.slice(dot + 1).toLowerCase())
        for (const key of keys) {
          const list = found.get(key)
          if (list) list.push({ by, use })
          else found.set(key, [{ by, use }])
        }
      }
    return found
  }
}

function isTable(kind: string): boolean {
  return kind.endsWith('Table')
}
