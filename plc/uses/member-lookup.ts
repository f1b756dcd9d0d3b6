/**
 * Finds the declared member that a name after an operand refers to: `#drive.state.step` is `state.step` of the block
 * that `drive` is declared with. It works on the interfaces of the objects that lead to the member in question; objects
 * that are not among them have no members here.
 */
import type { DeclaredObject } from '../languages/ladder/declared-names.ts'
import type { InterfaceMember, InterfaceSection } from '../model/object.ts'

/** A member of a block's own declarations: the block's name, and the names from the outermost member inwards. */
export interface MemberTarget {
  readonly owner: string
  readonly path: readonly string[]
}

/** The member to find, and the relevant part of the program around it; plain data that can be sent to the engine. */
export interface MemberQuery {
  readonly target: MemberTarget
  /** The block of the member, and all objects declared with it, directly or indirectly. */
  readonly objects: readonly DeclaredObject[]
  /** Names of blocks by their numbers: `FB 5`, `DB 7`. */
  readonly numbers: Readonly<Record<string, string>>
}

/** The members that can follow a name: those of a block, a type or a structure in it. */
export interface Container {
  /** Upper-case name of the object that declares the members. */
  readonly owner: string
  /** Upper-case names of the structures around them. */
  readonly prefix: readonly string[]
  readonly members: readonly InterfaceMember[]
}

/** The meaning of a name in a container. */
export interface Step {
  readonly isTarget: boolean
  /** The members that can follow it; `undefined` where they cannot lead to the target. */
  readonly inner: Container | undefined
}

const nothing: Step = { isTarget: false, inner: undefined }
/** Sections whose members can only be named inside the block. */
const localSections: ReadonlySet<string> = new Set(['Temp', 'Constant'])

export class MemberLookup {
  readonly #objects = new Map<string, DeclaredObject>()
  readonly #owner: string
  readonly #path: readonly string[]
  readonly #numbers: Readonly<Record<string, string>>

  constructor({ target: { owner, path }, objects, numbers }: MemberQuery) {
    this.#numbers = numbers
    for (const object of objects) this.#objects.set(object.name.toUpperCase(), object)
    this.#owner = owner.toUpperCase()
    this.#path = path.map((name) => name.toUpperCase())
  }

  /** The members that a block names with `#`. */
  local(block: string): Container | undefined {
    const object = this.#objects.get(block.toUpperCase())
    if (object === undefined) return undefined
    return { owner: object.name.toUpperCase(), prefix: [], members: object.interface.flatMap(allMembers) }
  }

  /** The members that can follow a name of the whole program, and the parameters of a code block. */
  global(name: string): Container | undefined {
    const object = this.#objects.get(name.toUpperCase())
    if (object === undefined) return undefined
    if (object.kind === 'InstanceDB') {
      const type = this.#objects.get(object.instanceOf?.toUpperCase() ?? '')
      return type === undefined || type.kind === 'InstanceDB' ? undefined : this.global(type.name)
    }
    const members = object.interface.filter(({ section }) => !localSections.has(section)).flatMap(allMembers)
    const owner = object.name.toUpperCase()
    // "List"."THIS"[i]: the array of an array data block.
    const [array] = object.kind === 'ArrayDB' ? members : []
    return { owner, prefix: [], members: array === undefined ? members : [...members, { ...array, name: 'THIS' }] }
  }

  /** The members that can follow a block given by its number: `FB5`, `FB 5`, `DB 7`. */
  numbered(text: string): Container | undefined {
    const [, area = '', number = ''] = /^(FB|FC|DB)\s*(\d{1,5})$/i.exec(text.trim()) ?? []
    const name = this.#numbers[`${area.toUpperCase()} ${Number(number)}`]
    return name === undefined ? undefined : this.global(name)
  }

  /**
   * Where the member stands among the parameters that a call of `container` can give by position (inputs and in-outs,
   * from 0); `undefined` when it is none of them.
   */
  inputPosition(container: Container | undefined): number | undefined {
    if (container === undefined || container.owner !== this.#owner || container.prefix.length > 0) return undefined
    const sections = this.#objects.get(this.#owner)?.interface ?? []
    const inputs = sections
      .filter(({ section }) => section === 'Input' || section === 'InOut')
      .flatMap(allMembers)
      .filter(({ attributes }) => attributes.every(({ name }) => name !== 'At'))
    const at = inputs.findIndex(({ name }) => name.toUpperCase() === this.#path[0])
    return at === -1 || this.#path.length !== 1 ? undefined : at
  }

  /** Follows a name in `container`. */
  step(container: Container | undefined, name: string): Step {
    if (container === undefined) return nothing
    const { owner, prefix, members } = container
    const wanted = name.toUpperCase()
    const member = members.find((candidate) => candidate.name.toUpperCase() === wanted)
    if (member === undefined) return nothing
    const path = [...prefix, wanted]
    const isTarget =
      owner === this.#owner && path.length === this.#path.length && path.every((part, i) => part === this.#path[i])
    return { isTarget, inner: this.#inside(member, owner, path) }
  }

  #inside(member: InterfaceMember, owner: string, path: readonly string[]): Container | undefined {
    const type = elementType(member.dataType)
    if (/^struct$/i.test(type)) return { owner, prefix: path, members: member.members }
    return this.global(typeName(type))
  }
}

function allMembers({ members, base = [] }: InterfaceSection): readonly InterfaceMember[] {
  return base.length === 0 ? members : [...members, ...base.flatMap(allMembers)]
}

/** The element type of an array, however deep; for a reference, the type it points to. */
function elementType(dataType: string): string {
  let type = dataType.trim()
  for (let before = ''; before !== type; ) {
    before = type
    type = type
      .replace(/^array\s*\[[^\]]*\]\s*of\s+/i, '')
      .replace(/^REF_TO\s+/i, '')
      .trim()
  }
  return type
}

/** `"Motor"`, `Motor`, `_.lib.Motor` -> `Motor`. */
function typeName(type: string): string {
  return type.startsWith('_.') ? type.slice(type.lastIndexOf('.') + 1) : type.replace(/^"(.*)"$/, '$1')
}
