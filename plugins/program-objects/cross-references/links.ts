/** The references of a program, by used name and by user. */
import type { ObjectUses, Use, UseAccess } from '../../../plc/uses/use.ts'
import type { ProgramObject } from './contributor.ts'
import type { ProgramDeclarations } from './declarations.ts'

/** A use with its user and the used name. */
export interface Reference {
  readonly user: ProgramObject
  readonly use: Use
  /**
   * The used name. Differs from the text of the use for an address, and for an instance data block that means its
   * block.
   */
  readonly name: string
  readonly access: UseAccess
  /** The use names an address inside that of the tag. */
  readonly byAddress: boolean
}

export class Links {
  readonly byName = new Map<string, Reference[]>()
  readonly byUser = new Map<ProgramObject, Reference[]>()
  readonly byAddress: Reference[] = []
  readonly #declarations: ProgramDeclarations

  constructor(declarations: ProgramDeclarations) {
    this.#declarations = declarations
  }

  /** Links every use of an object. */
  link(user: ProgramObject, { uses }: ObjectUses): void {
    for (const use of uses) this.#link(user, use)
  }

  /**
   * New links with some objects replaced, by the same declarations; these links stay unchanged. Takes time for the uses
   * of the replaced objects and other users of the same names, not for the program.
   * @param uses of all objects, in their order
   */
  replaced(
    gone: readonly ProgramObject[],
    come: readonly ProgramObject[],
    uses: ReadonlyMap<ProgramObject, ObjectUses>,
  ): Links {
    const links = new Links(this.#declarations)
    const isGone = new Set(gone)
    const stays = ({ user }: Reference) => !isGone.has(user)
    for (const object of come) links.link(object, uses.get(object)!)
    const touched = new Set(links.byName.keys())
    for (const object of gone)
      for (const { name } of this.byUser.get(object) ?? []) touched.add(this.#declarations.meaningOf(name).key)
    const places = new Map([...uses.keys()].map((object, i) => [object, i]))
    const inOrder = (a: Reference, b: Reference) => places.get(a.user)! - places.get(b.user)!
    for (const [key, references] of this.byName) {
      if (!touched.has(key)) {
        links.byName.set(key, references)
        continue
      }
      const all = [...references.filter(stays), ...(links.byName.get(key) ?? [])].sort(inOrder)
      if (all.length > 0) links.byName.set(key, all)
    }
    for (const [user, references] of this.byUser) if (!isGone.has(user)) links.byUser.set(user, references)
    links.byAddress.push(...this.byAddress.filter(stays))
    links.byAddress.sort(inOrder)
    return links
  }

  #link(user: ProgramObject, use: Use): void {
    const { symbol, block, name } = this.#declarations.meaningOf(use.name)
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
      // The data block is the instance; the callee is its function block.
      access = 'Instance'
      if (use.path.length === 0 && block.instanceOf !== undefined)
        this.#add({ user, use, name: block.instanceOf, access: 'Call', byAddress: false })
    }
    this.#add({ user, use, name, access, byAddress: false })
  }

  #argumentAccess({ argument }: Use, access: UseAccess): UseAccess {
    if (argument === undefined || access !== 'Read') return access
    const section = this.#declarations.sectionOf(argument)
    return section === 'InOut' ? 'ReadWrite' : section === 'Output' ? 'Write' : access
  }

  #linkAddress(user: ProgramObject, use: Use): void {
    const { area, number } = use.address!
    if (area === 'DB' || area === 'FB' || area === 'FC') {
      const block = this.#declarations.blockWithNumber(area, number)
      this.byAddress.push({ user, use, name: block?.name ?? '', access: use.access, byAddress: true })
      if (block !== undefined) this.#add({ user, use, name: block.name, access: use.access, byAddress: true })
      return
    }
    this.byAddress.push({ user, use, name: '', access: use.access, byAddress: true })
    for (const name of this.#declarations.namesAt(use.address!))
      this.#add({ user, use, name, access: use.access, byAddress: true })
  }

  #add(reference: Reference): void {
    const { user, name, access } = reference
    const { key } = this.#declarations.meaningOf(name)
    const hasName = user.category === 'block' || user.category === 'type'
    if (hasName && access !== 'Call' && this.#declarations.meaningOf(user.name).key === key) return
    push(this.byName, key, reference)
    push(this.byUser, user, reference)
  }
}

function push<K>(lists: Map<K, Reference[]>, key: K, reference: Reference): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [reference])
  else list.push(reference)
}
