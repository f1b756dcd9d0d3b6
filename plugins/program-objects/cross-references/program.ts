/**
 * The linked program of a PLC: every use of every name, without compiling. What a document uses is remembered by the document's hash, the links
 * as long as no object of the device changes.
 */
import { LRUCache } from 'lru-cache'
import type { QueryContext } from '../../../core/index.ts'
import { parseOperand } from '../../../plc/model/operand-reader.ts'
import { type ObjectUses, type Use, type UseAccess, usedAddress } from '../../../plc/uses/use.ts'
import type { Device } from '../../devices/index.ts'
import { documentOf, taskWork } from '../documents.ts'
import { type ProgramObject, type ProgramSymbol, programContributor } from './contributor.ts'

/** A use, with who uses it and what it is a use of. */
export interface Reference {
  readonly user: ProgramObject
  readonly use: Use
  /** The name that is used; other than the use's own where that is an address, or an instance data block stands for its block. */
  readonly name: string
  readonly access: UseAccess
  /** The use names an address that lies in the tag's. */
  readonly byAddress: boolean
}

type Reader = Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>

/** Runs a function of uses.task.ts: here for little, on the engine for much. */
export const usesWork = taskWork(new URL('./uses.task.ts', import.meta.url).href, () => import('./uses.task.ts'))

/** Bytes of documents that go to the engine at once. */
const batchBytes = 1_000_000
/** What documents use, by their hash. */
const known = new LRUCache<string, ObjectUses>({
  // About 300 bytes each.
  maxSize: 500_000,
  sizeCalculation: ({ uses, parameters }) => 1 + uses.length + parameters.length,
})
const programs = new LRUCache<string, { signature: readonly unknown[]; program: Program }>({ max: 8 })

const NOTHING: ObjectUses = { uses: [], parameters: [] }

/** The program of a device as it is now. */
export async function programOf(ctx: Reader, device: Device): Promise<Program> {
  const parts = ctx.extensions(programContributor)
  const objects = parts.flatMap((part) => part.objects(ctx, device))
  const signature = objects.flatMap(({ category, name, typeName, path, stored, rows }) => [
    `${category} ${name} ${typeName} ${path} ${stored?.number} ${stored?.instanceOf} ${stored?.document}`,
    rows,
  ])
  const before = programs.get(device.id)
  if (before !== undefined && isSame(before.signature, signature)) return before.program
  const { found, unreadable } = await usesOfAll(ctx, objects)
  const symbols = parts.flatMap((part) => part.symbols(ctx, device))
  const program = new Program(objects, symbols, found, unreadable)
  await program.link()
  programs.set(device.id, { signature, program })
  return program
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i])
}

async function usesOfAll(ctx: Reader, objects: readonly ProgramObject[]) {
  const { usesOfRows } = await import('./uses.task.ts')
  const found = new Map<ProgramObject, ObjectUses>()
  const unreadable: ProgramObject[] = []
  let batch: ProgramObject[] = []
  let bytes = 0
  const flush = async () => {
    if (batch.length === 0) return
    const documents = await Promise.all(batch.map(({ stored }) => documentOf(ctx, stored!)))
    const results = await usesWork(ctx, 'readUses', documents, bytes)
    for (const [i, object] of batch.entries()) {
      const uses = results[i]
      if (uses === undefined) unreadable.push(object)
      else known.set(cacheKey(object), uses)
      found.set(object, uses ?? NOTHING)
    }
    batch = []
    bytes = 0
  }
  for (const object of objects) {
    const { stored, rows } = object
    const remembered = stored === undefined ? undefined : known.get(cacheKey(object))
    if (stored === undefined) found.set(object, rows === undefined ? NOTHING : usesOfRows(rows))
    else if (remembered !== undefined) found.set(object, remembered)
    else {
      batch.push(object)
      bytes += stored.size
      if (bytes >= batchBytes) await flush()
    }
  }
  await flush()
  return { found, unreadable }
}

/** The same text under another kind would be another object. */
function cacheKey({ stored }: ProgramObject): string {
  return `${stored?.document} ${stored?.kind} ${stored?.format}`
}

/** A block as its plugin keeps it. */
type StoredBlock = NonNullable<ProgramObject['stored']>

/** Widest tag whose bytes are all listed; what is longer (structures) is found by its first bytes. */
const maxListedBytes = 512

/** Uses that are linked in one go: a few milliseconds. */
const linkedAtOnce = 5000

/** All references between the objects of a device. */
export class Program {
  readonly objects: readonly ProgramObject[]
  /** Objects whose text could not be read: what they use is not known. */
  readonly unreadable: readonly ProgramObject[]
  readonly #uses: ReadonlyMap<ProgramObject, ObjectUses>
  readonly #symbols = new Map<string, ProgramSymbol>()
  readonly #blocks = new Map<string, StoredBlock>()
  readonly #blockByNumber = new Map<string, StoredBlock>()
  readonly #usesByBlock = new Map<string, ObjectUses>()
  readonly #tagsByByte = new Map<string, { symbol: ProgramSymbol; start: number; end: number }[]>()
  /** Lower-case names by the whole name in a namespace, `ns.name`. */
  readonly #inNamespaces = new Map<string, string>()
  readonly #byName = new Map<string, Reference[]>()
  readonly #resolved = new Map<string, Resolved>()
  readonly #byUser = new Map<ProgramObject, Reference[]>()
  readonly #byAddress: Reference[] = []

  constructor(
    objects: readonly ProgramObject[],
    symbols: readonly ProgramSymbol[],
    uses: ReadonlyMap<ProgramObject, ObjectUses>,
    unreadable: readonly ProgramObject[],
  ) {
    this.objects = objects
    this.unreadable = unreadable
    for (const symbol of symbols) {
      this.#symbols.set(symbol.name.toLowerCase(), symbol)
      if (symbol.address !== undefined && symbol.address !== '') this.#placeTag(symbol, symbol.address)
    }
    for (const { category, stored: block } of objects) {
      if (category !== 'block' || block === undefined) continue
      this.#blocks.set(block.name.toLowerCase(), block)
      this.#blockByNumber.set(`${block.kind.endsWith('DB') ? 'DB' : block.kind} ${block.number}`, block)
    }
    for (const [{ name }, { namespace }] of uses)
      if (namespace !== undefined) this.#inNamespaces.set(`${namespace}.${name}`.toLowerCase(), name.toLowerCase())
    for (const [object, found] of uses)
      if (object.category === 'block') this.#usesByBlock.set(object.name.toLowerCase(), found)
    this.#uses = uses
  }

  /** Links every use; to be called once. Lets others go on in between: a large program has hundreds of thousands. */
  async link(): Promise<void> {
    let count = 0
    for (const [object, found] of this.#uses) {
      for (const use of found.uses) this.#link(object, use)
      count += found.uses.length
      if (count < linkedAtOnce) continue
      count = 0
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** What has a name (any case), if anything has. */
  symbol(name: string): ProgramSymbol | undefined {
    return this.#symbols.get(name.toLowerCase())
  }

  /** Names of everything. */
  names(): string[] {
    return [...this.#symbols.values()].map(({ name }) => name)
  }

  /** The namespace of an object whose name is bare; '' for others. */
  namespaceOf(name: string): string {
    for (const [object, { namespace = '' }] of this.#uses)
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
    return this.#byName.get(name.toLowerCase()) ?? []
  }

  /** What an object uses, as far as the program has it. */
  usedBy(object: ProgramObject): readonly Reference[] {
    return this.#byUser.get(object) ?? []
  }

  /** Absolute uses that touch the memory of an address such as `%MW10`; undefined when the text is none. */
  usersOfAddress(text: string): readonly Reference[] | undefined {
    const operand = parseOperand(text)
    const wanted = operand?.kind === 'address' ? usedAddress(operand) : undefined
    if (wanted === undefined) return undefined
    return this.#byAddress.filter(({ use: { address } }) => {
      if (address === undefined || address.area !== wanted.area || address.number !== wanted.number) return false
      if (wanted.start === undefined || address.start === undefined) return true
      return address.start < wanted.start + (wanted.bits ?? 1) && wanted.start < address.start + (address.bits ?? 1)
    })
  }

  #placeTag(symbol: ProgramSymbol, text: string): void {
    const operand = parseOperand(text)
    const address = operand?.kind === 'address' ? usedAddress(operand) : undefined
    if (address === undefined) return
    const start = address.start ?? (address.number ?? 0) * 8
    const end = start + Math.max(address.start === undefined ? 1 : (address.bits ?? 1), bitsOf(symbol.typeName))
    const last = Math.min((end - 1) >> 3, (start >> 3) + maxListedBytes)
    for (let byte = start >> 3; byte <= last; byte++) {
      const key = `${address.area}${byte}`
      const tags = this.#tagsByByte.get(key)
      if (tags === undefined) this.#tagsByByte.set(key, [{ symbol, start, end }])
      else tags.push({ symbol, start, end })
    }
  }

  #link(user: ProgramObject, use: Use): void {
    const { symbol, block, name } = this.#resolve(use.name)
    if (use.address !== undefined && symbol === undefined) {
      this.#linkAddress(user, use)
      return
    }
    // Bare words are functions and the like when the program has no such name.
    if (symbol === undefined && use.isBare === true) return
    let { access } = use
    if (use.argument !== undefined) access = this.#argumentAccess(use, access)
    if (access === 'Type' && block !== undefined) access = 'Instance'
    if (access === 'Call' && block?.kind.endsWith('DB') === true) {
      // The data block is the instance; what is called is its function block.
      access = 'Instance'
      if (use.path.length === 0 && block.instanceOf !== undefined)
        this.#add({ user, use, name: block.instanceOf, access: 'Call', byAddress: false })
    }
    this.#add({ user, use, name, access, byAddress: false })
  }

  /** What a name stands for; each spelling is looked up once. */
  #resolve(spelling: string): Resolved {
    let resolved = this.#resolved.get(spelling)
    if (resolved === undefined) {
      const key = this.#keyOf(spelling.toLowerCase())
      const symbol = this.#symbols.get(key)
      const references = this.#byName.get(key) ?? []
      this.#byName.set(key, references)
      resolved = { name: symbol?.name ?? spelling, key, symbol, block: this.#blocks.get(key), references }
      this.#resolved.set(spelling, resolved)
    }
    return resolved
  }

  /** The name that `name`, `ns.name` or `_.ns.name.member` is of, in lower case; itself when the program has none. */
  #keyOf(spelling: string): string {
    if (this.#symbols.has(spelling)) return spelling
    if (!spelling.startsWith('_.')) return this.#inNamespaces.get(spelling) ?? spelling
    const whole = spelling.slice(2)
    for (let end = whole.length; end > 0; end = whole.lastIndexOf('.', end - 1)) {
      const name = whole.slice(0, end)
      const key = this.#symbols.has(name) ? name : this.#inNamespaces.get(name)
      if (key !== undefined) return key
    }
    return whole
  }

  #argumentAccess({ argument }: Use, access: UseAccess): UseAccess {
    if (argument === undefined || access !== 'Read') return access
    const callee = this.#resolve(argument.callee).block
    const code = callee?.kind.endsWith('DB') === true ? callee.instanceOf : callee?.name
    const parameters = code === undefined ? undefined : this.#usesByBlock.get(this.#resolve(code).key)?.parameters
    if (parameters === undefined) return access
    const wanted = argument.parameter
    const parameter =
      typeof wanted === 'number'
        ? parameters[wanted]
        : parameters.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
    return parameter?.section === 'InOut' ? 'ReadWrite' : parameter?.section === 'Output' ? 'Write' : access
  }

  #linkAddress(user: ProgramObject, use: Use): void {
    const { area, number, start, bits } = use.address!
    if (area === 'DB' || area === 'FB' || area === 'FC') {
      const block = this.#blockByNumber.get(`${area} ${number}`)
      this.#byAddress.push({ user, use, name: block?.name ?? '', access: use.access, byAddress: true })
      if (block !== undefined) this.#add({ user, use, name: block.name, access: use.access, byAddress: true })
      return
    }
    this.#byAddress.push({ user, use, name: '', access: use.access, byAddress: true })
    const first = start ?? (number ?? 0) * 8
    const end = first + (start === undefined ? 1 : (bits ?? 1))
    const hit = new Set<ProgramSymbol>()
    for (let byte = first >> 3; byte <= (end - 1) >> 3; byte++)
      for (const tag of this.#tagsByByte.get(`${area}${byte}`) ?? [])
        if (tag.start < end && first < tag.end) hit.add(tag.symbol)
    for (const { name } of hit) this.#add({ user, use, name, access: use.access, byAddress: true })
  }

  #add(reference: Reference): void {
    const { user, name, access } = reference
    const { key, references } = this.#resolve(name)
    const hasName = user.category === 'block' || user.category === 'type'
    if (hasName && access !== 'Call' && this.#resolve(user.name).key === key) return
    references.push(reference)
    const own = this.#byUser.get(user)
    if (own === undefined) this.#byUser.set(user, [reference])
    else own.push(reference)
  }
}

interface Resolved {
  /** As it is declared. */
  readonly name: string
  readonly key: string
  readonly symbol: ProgramSymbol | undefined
  readonly block: StoredBlock | undefined
  readonly references: Reference[]
}

/** Bits of a tag by its type; 1 where its layout is for the compiler to know. */
function bitsOf(dataType: string): number {
  const text = /^(w?)string(?:\[(\d+)\])?$/i.exec(dataType)
  if (text !== null) return (Number(text[2] ?? 254) + 2) * (text[1] === '' ? 8 : 16)
  return { dtl: 96, date_and_time: 64, lword: 64, lreal: 64, lint: 64, ulint: 64 }[dataType.toLowerCase()] ?? 1
}
