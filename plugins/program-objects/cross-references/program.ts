/**
 * The linked program of a PLC: every use of every name, without compiling. The uses of a document are kept by its hash,
 * the links while no object of the device changes.
 */
import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { QueryContext } from '../../../core/index.ts'
import { parseOperand } from '../../../plc/model/operand-reader.ts'
import { type ObjectUses, type Use, usedAddress } from '../../../plc/uses/use.ts'
import type { Device } from '../../devices/index.ts'
import { documentOf, taskWork } from '../documents/documents.ts'
import { type ProgramObject, type ProgramSymbol, programContributor } from './contributor.ts'
import { ProgramDeclarations } from './declarations.ts'
import { Links, type Reference } from './links.ts'

export type { Reference } from './links.ts'

type Reader = Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>

/** Runs a function of uses.task.ts: small inputs here, large ones on the engine. */
export const usesWork = taskWork(new URL('./uses.task.ts', import.meta.url).href, () => import('./uses.task.ts'))

/** Bytes of documents that go to the engine at once. */
const batchBytes = 1_000_000
/** Uses of documents, by hash. */
const known = new LRUCache<string, ObjectUses>({
  // About 300 bytes each.
  maxSize: 500_000,
  sizeCalculation: ({ uses, parameters }) => 1 + uses.length + parameters.length,
})
const programs = new LRUCache<string, Program>({ max: 8 })

const NOTHING: ObjectUses = { uses: [], parameters: [] }

/** The present program of a device. After a change of code only the changed objects are linked again. */
export async function programOf(ctx: Reader, device: Device): Promise<Program> {
  const parts = ctx.extensions(programContributor)
  const objects = parts.flatMap((part) => part.objects(ctx, device))
  const before = programs.get(device.id)
  if (before !== undefined && isSame(before.objects, objects)) return before
  const { found, unreadable } = await usesOfAll(ctx, objects, before)
  const program =
    before?.withCode(found, unreadable) ??
    (await Program.link(
      new ProgramDeclarations(
        parts.flatMap((part) => part.symbols(ctx, device)),
        found,
      ),
      found,
      unreadable,
    ))
  programs.set(device.id, program)
  return program
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i])
}

/** The uses of each object, in the order of the objects. */
async function usesOfAll(ctx: Reader, objects: readonly ProgramObject[], before: Program | undefined) {
  const { usesOfRows } = await import('./uses.task.ts')
  const found = new Map<ProgramObject, ObjectUses>()
  const unreadable = new Set<ProgramObject>()
  const wasUnreadable = new Set(before?.unreadable)
  let batch: ProgramObject[] = []
  let bytes = 0
  const flush = async () => {
    if (batch.length === 0) return
    const documents = await Promise.all(batch.map(({ stored }) => documentOf(ctx, stored!)))
    const results = await usesWork(ctx, 'readUses', documents, bytes)
    for (const [i, object] of batch.entries()) {
      const uses = results[i]
      if (uses === undefined) unreadable.add(object)
      else known.set(cacheKey(object), uses)
      found.set(object, uses ?? NOTHING)
    }
    batch = []
    bytes = 0
  }
  for (const object of objects) {
    const { stored, rows } = object
    const remembered = before?.uses.get(object) ?? (stored === undefined ? undefined : known.get(cacheKey(object)))
    if (wasUnreadable.has(object)) unreadable.add(object)
    if (remembered !== undefined) found.set(object, remembered)
    else if (stored === undefined) found.set(object, rows === undefined ? NOTHING : usesOfRows(rows))
    else {
      // Keeps its place among the others; its uses come with its batch.
      found.set(object, NOTHING)
      batch.push(object)
      bytes += stored.size
      if (bytes >= batchBytes) await flush()
    }
  }
  await flush()
  return { found, unreadable: [...unreadable] }
}

/** The same text under another kind would be another object. */
function cacheKey({ stored }: ProgramObject): string {
  return `${stored?.document} ${stored?.kind} ${stored?.format}`
}

/** Uses linked without a pause: a few milliseconds. */
const linkedAtOnce = 5000

/** All references between the objects of a device. Immutable: a change of the device makes a new one. */
export class Program {
  readonly objects: readonly ProgramObject[]
  /** The uses of each object, in the order of the objects. */
  readonly uses: ReadonlyMap<ProgramObject, ObjectUses>
  /** Objects whose text could not be read: their uses are unknown. */
  readonly unreadable: readonly ProgramObject[]
  readonly #declarations: ProgramDeclarations
  readonly #links: Links

  private constructor(
    declarations: ProgramDeclarations,
    uses: ReadonlyMap<ProgramObject, ObjectUses>,
    unreadable: readonly ProgramObject[],
    links: Links,
  ) {
    this.objects = [...uses.keys()]
    this.uses = uses
    this.unreadable = unreadable
    this.#declarations = declarations
    this.#links = links
  }

  /** Links every use, with pauses for other work: a large program has hundreds of thousands. */
  static async link(
    declarations: ProgramDeclarations,
    uses: ReadonlyMap<ProgramObject, ObjectUses>,
    unreadable: readonly ProgramObject[],
  ): Promise<Program> {
    const links = new Links(declarations)
    let count = 0
    for (const [object, found] of uses) {
      links.link(object, found)
      count += found.uses.length
      if (count < linkedAtOnce) continue
      count = 0
      await new Promise((resolve) => setImmediate(resolve))
    }
    return new Program(declarations, uses, unreadable, links)
  }

  /**
   * The program with other code in some objects.
   * @param uses of all its objects
   * @returns undefined when more than code changed: then everything must be linked
   */
  withCode(uses: ReadonlyMap<ProgramObject, ObjectUses>, unreadable: readonly ProgramObject[]): Program | undefined {
    if (uses.size !== this.uses.size) return undefined
    const others = uses.entries()
    const gone: ProgramObject[] = []
    const come: ProgramObject[] = []
    for (const [object, own] of this.uses) {
      const [other, found] = others.next().value as [ProgramObject, ObjectUses]
      if (other === object) continue
      if (!isDeclaredAs(object, own, other, found)) return undefined
      gone.push(object)
      come.push(other)
    }
    return new Program(this.#declarations, uses, unreadable, this.#links.replaced(gone, come, uses))
  }

  /** The declaration of a name (any case), if there is one. */
  symbol(name: string): ProgramSymbol | undefined {
    return this.#declarations.symbol(name)
  }

  /** All names. */
  names(): string[] {
    return this.#declarations.names()
  }

  /** The namespace of an object whose name is bare; '' for others. */
  namespaceOf(name: string): string {
    for (const [object, { namespace = '' }] of this.uses)
      if (object.name.toLowerCase() === name.toLowerCase())
        return name.toLowerCase().startsWith(`${namespace}.`.toLowerCase()) ? '' : namespace
    return ''
  }

  /** The object of a category and name (any case). */
  object(category: string, name: string): ProgramObject | undefined {
    const wanted = name.toLowerCase()
    return this.objects.find((object) => object.category === category && object.name.toLowerCase() === wanted)
  }

  /** Every use of a name, in the order of the objects; a function that assigns its own result does not use itself. */
  usersOf(name: string): readonly Reference[] {
    return this.#links.byName.get(name.toLowerCase()) ?? []
  }

  /** The uses of an object that name something in the program. */
  usedBy(object: ProgramObject): readonly Reference[] {
    return this.#links.byUser.get(object) ?? []
  }

  /**
   * Uses of the memory of an address such as `%MW10`: absolute ones that touch it, and those of the tags that have it
   * (of a block number such as `%DB3` those of the block), in the order of the program. Undefined when the text is no
   * address.
   */
  usersOfAddress(text: string): readonly Reference[] | undefined {
    const operand = parseOperand(text)
    const wanted = operand?.kind === 'address' ? usedAddress(operand) : undefined
    if (wanted === undefined) return undefined
    const absolute = this.#links.byAddress.filter(({ use: { address } }) => {
      if (address === undefined || address.area !== wanted.area || address.number !== wanted.number) return false
      if (wanted.start === undefined || address.start === undefined) return true
      return address.start < wanted.start + (wanted.bits ?? 1) && wanted.start < address.start + (address.bits ?? 1)
    })
    const named = this.#declarations
      .namesAt(wanted)
      .flatMap((name) => this.usersOf(name).filter(({ byAddress }) => !byAddress))
    const found = [...absolute, ...named]
    const places = new Map(this.objects.map((object, i) => [object, i]))
    const order = new Map<Use, number>()
    for (const user of new Set(found.map((one) => one.user)))
      for (const [i, use] of (this.uses.get(user) ?? NOTHING).uses.entries()) order.set(use, i)
    return found.sort(
      (a, b) => places.get(a.user)! - places.get(b.user)! || (order.get(a.use) ?? 0) - (order.get(b.use) ?? 0),
    )
  }
}

/** True when two versions of an object differ only in code. */
function isDeclaredAs(a: ProgramObject, uses: ObjectUses, b: ProgramObject, others: ObjectUses): boolean {
  return (
    a.category === b.category &&
    a.name === b.name &&
    a.typeName === b.typeName &&
    a.path === b.path &&
    a.stored !== undefined &&
    b.stored !== undefined &&
    a.stored.kind === b.stored.kind &&
    a.stored.number === b.stored.number &&
    a.stored.instanceOf === b.stored.instanceOf &&
    uses.namespace === others.namespace &&
    isDeepStrictEqual(uses.parameters, others.parameters)
  )
}
