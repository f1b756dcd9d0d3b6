/** Resolves the operands of a table: tags by name and by address, data blocks, and their data types. */

import { type CommandContext, defined } from '../../core/index.ts'
import { type Block, findBlock } from '../blocks/index.ts'
import type { Device } from '../devices/index.ts'
import { documentOf, work } from '../program-objects/index.ts'
import { type Tag, tagTablesOf } from '../tags/index.ts'
import { findType } from '../types/index.ts'

type Reader = Pick<CommandContext, 'read'>

/** The tags and data blocks of a device by name and address. Valid for one call, because the program may change. */
export interface ProgramSymbols {
  /** The tag or data block with this name, ignoring case. */
  find(name: string): { readonly tag: Tag } | { readonly block: Block } | undefined
  /** The first tag at this address (`%M0.0`). */
  tagAt(address: string): Tag | undefined
}

/** Looks up tags and blocks of a device. */
export function programSymbols(ctx: Reader, device: Pick<Device, 'id'>): ProgramSymbols {
  const tags = new Map<string, Tag>()
  const byAddress = new Map<string, Tag>()
  for (const { tags: rows } of tagTablesOf(ctx, device.id)) {
    for (const tag of rows) {
      tags.set(tag.name.toLowerCase(), tag)
      const address = tag.logicalAddress.toUpperCase()
      if (address !== '' && !byAddress.has(address)) byAddress.set(address, tag)
    }
  }
  return {
    find(name) {
      const tag = tags.get(name.toLowerCase())
      if (tag) return { tag }
      const block = findBlock(ctx, device.id, name)
      return block && { block }
    },
    tagAt: (address) => byAddress.get(address.toUpperCase()),
  }
}

/** One step of an operand after its first name. */
export interface Step {
  readonly name: string
  /** True when the step is an index of an array. */
  readonly isElement: boolean
  /** For example `x7`, `b0`, `w1`, `d0`. */
  readonly slice?: string
}

interface Member {
  readonly name: string
  readonly dataType: string
  readonly members: readonly Member[]
}

/** The end of a path. */
export interface Declared {
  /** Undefined when the path does not exist. */
  readonly dataType?: string
  /** The names after the first, as far as they are declared written as in their declarations. */
  readonly names: readonly string[]
}

const sliceTypes: Readonly<Record<string, string>> = { x: 'Bool', b: 'Byte', w: 'Word', d: 'DWord' }

/** Finds the data types of operands; blocks and types are read once for all operands. */
export class OperandTypes {
  readonly #ctx: Pick<CommandContext, 'read' | 'blobs' | 'engine' | 'extensions'>
  readonly #device: Pick<Device, 'id'>
  readonly #members = new Map<string, Promise<readonly Member[]>>()

  constructor(ctx: Pick<CommandContext, 'read' | 'blobs' | 'engine' | 'extensions'>, device: Pick<Device, 'id'>) {
    this.#ctx = ctx
    this.#device = device
  }

  /** What a path that begins at a tag or data block is. */
  async of(owner: { readonly tag: Tag } | { readonly block: Block }, path: readonly Step[]): Promise<Declared> {
    const [first, ...rest] = path
    const names = rest.map(({ name }) => name)
    if (!first) return { names }
    const isTag = 'tag' in owner
    let type = isTag ? elementType(owner.tag.dataType, first) : undefined
    let members: readonly Member[] = isTag ? [] : await this.#membersOf(owner.block.name)
    for (const [i, step] of rest.entries()) {
      if (type !== undefined && members.length === 0) members = await this.#membersOfType(type)
      const member = members.find(({ name }) => name.toLowerCase() === step.name.toLowerCase())
      if (!member) return { names }
      names[i] = member.name
      type = elementType(member.dataType, step)
      members = member.members
    }
    return { names, ...defined({ dataType: type }) }
  }

  /** The members of a system type are known only when the file contains them. */
  #membersOfType(type: string): Promise<readonly Member[]> | readonly Member[] {
    const name = /^"(.+)"$/.exec(type.trim())?.[1]
    return name === undefined ? [] : this.#membersOf(name)
  }

  #membersOf(name: string): Promise<readonly Member[]> {
    const key = name.toLowerCase()
    let members = this.#members.get(key)
    if (!members) {
      members = this.#read(name)
      this.#members.set(key, members)
    }
    return members
  }

  async #read(name: string): Promise<readonly Member[]> {
    const { id } = this.#device
    const type = findType(this.#ctx, id, name)
    const block = type ? undefined : findBlock(this.#ctx, id, name)
    if (block?.isKnowHowProtected === true) return []
    const object = type ? { ...type, kind: 'UDT' } : block
    if (!object) return []
    const content = await work(this.#ctx, 'readContent', await documentOf(this.#ctx, object), object.size)
    if (content.interface.length > 0 || block?.instanceOf === undefined) return content.interface
    // The interface of an instance data block may be that of its type, which is no data block: a file may name two that
    // refer to each other.
    const isInstance = findBlock(this.#ctx, id, block.instanceOf)?.instanceOf !== undefined
    return isInstance ? [] : this.#membersOf(block.instanceOf)
  }
}

/** Type of a step: the element of an array, a slice of the operand, or the member itself. */
function elementType(dataType: string, { isElement, slice }: Step): string | undefined {
  if (slice !== undefined) return sliceTypes[slice[0] ?? '']
  if (!isElement) return dataType
  return /^array\s*\[.*?\]\s*of\s+(.*)$/is.exec(dataType.trim())?.[1]
}
