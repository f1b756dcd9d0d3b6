/** Start values: finds the parts they belong to, and checks whether a value fits its type. */
import type { AssignedValue } from '../model/assigned-value.ts'
import type { InterfaceMember, InterfaceSection } from '../model/object.ts'
import { countOf } from './layout.ts'
import { literalOf, misfit } from './literals.ts'
import type { ArrayType, ElementValue, Member, Type } from './type.ts'
import { parseValueText, type ValueTree } from './value-text.ts'

/**
 * Returns the start values of parts of a member, without values that only repeat those of a type of the program.
 * @param isCopy the member itself is in a copy of a type, as in an instance data block: the values of a structure in it
 *   are not in the declaration either
 */
export function assignedValues(
  member: InterfaceMember,
  isSystem: (dataType: string) => boolean,
  isCopy = false,
): AssignedValue[] {
  const found: AssignedValue[] = []
  collect(member, [], { isSystem, isCopy, isOwn: false }, found)
  return found
}

interface Around {
  readonly isSystem: (dataType: string) => boolean
  readonly isCopy: boolean
  /** Every value is the member's own: types of the system have none that are known here. */
  readonly isOwn: boolean
}

function collect(member: InterfaceMember, names: readonly string[], around: Around, found: AssignedValue[]): void {
  for (const { path, startValue } of member.subelements ?? []) {
    if (startValue === undefined) continue
    const indices = path.split(/[;,]/).map(Number)
    if (indices.every(Number.isInteger)) found.push({ names, indices, value: startValue })
  }
  collectInner(member.members, names, around, found)
  if (member.sections)
    collectCopy(member.sections, names, { ...around, isCopy: true, isOwn: around.isSystem(member.dataType) }, found)
}

/**
 * Collects the values in the copy of a type that a file contains: they belong to the member unless the file marks them
 * as the type's.
 */
function collectCopy(
  sections: readonly InterfaceSection[],
  names: readonly string[],
  around: Around,
  found: AssignedValue[],
): void {
  for (const { members, base } of sections) {
    if (base) collectCopy(base, names, around, found)
    collectInner(members, names, around, found)
  }
}

function collectInner(
  members: readonly InterfaceMember[],
  names: readonly string[],
  around: Around,
  found: AssignedValue[],
): void {
  for (const inner of members) {
    const path = [...names, inner.name]
    if (around.isCopy && inner.startValue !== undefined && (around.isOwn || !inner.startValueIsInformative))
      found.push({ names: path, indices: [], value: inner.startValue })
    collect(inner, path, around, found)
  }
}

/** A part of a value: the path to it, and its type. */
export interface FoundElement {
  readonly path: ElementValue['path']
  readonly type: Type
}

/**
 * Returns the path from a value of a type to one of its parts. A text gives the reason why there is none; an empty text
 * means that the type is unknown.
 */
export function stepsOf(type: Type, { names, indices }: Omit<AssignedValue, 'value'>): FoundElement | string {
  const path: (string | readonly number[])[] = []
  let at = type
  let used = 0
  for (let i = 0; ; i++) {
    while (at.kind === 'array' && used < indices.length) {
      const index = indices.slice(used, used + at.dimensions.length)
      const fault = indexFault(at, index)
      if (fault !== undefined) return fault
      path.push(index)
      used += index.length
      at = at.element
    }
    const name = names[i]
    if (name === undefined) break
    if (at.kind === 'unknown') return ''
    const structure: Type | undefined = at.kind === 'struct' || at.kind === 'instance' ? at : undefined
    const member = structure && memberNamed(structure.members, name)?.member
    // Members that the table of system types leaves out are hidden from programs.
    if (!member) return structure?.isSystem ? '' : `There is no member "${name}" that the start value could be of.`
    path.push(member.name)
    at = member.type
  }
  if (at.kind === 'unknown') return ''
  return used === indices.length ? { path, type: at } : 'The start value names an element, but here is no array.'
}

const indices = new WeakMap<readonly Member[], Map<string, number>>()

/** Finds a member by its name, case ignored. */
export function memberNamed(members: readonly Member[], name: string): { member: Member; index: number } | undefined {
  let known = indices.get(members)
  if (!known) {
    known = new Map()
    for (const [i, one] of members.entries())
      if (!known.has(one.name.toLowerCase())) known.set(one.name.toLowerCase(), i)
    indices.set(members, known)
  }
  const index = known.get(name.toLowerCase())
  const member = index === undefined ? undefined : members[index]
  return member && index !== undefined ? { member, index } : undefined
}

function indexFault({ dimensions }: ArrayType, index: readonly number[]): string | undefined {
  if (index.length !== dimensions.length)
    return `The start value has ${index.length} indices, the array ${dimensions.length} dimensions.`
  for (const [i, { low = 0, high = 0 }] of dimensions.entries()) {
    const at = index[i] as number
    if (at < low || at > high) return `The start value is of element ${at}, the array has ${low} to ${high}.`
  }
  return undefined
}

/**
 * Returns why a text is no start value of a type; `undefined` when it is one. `constantOf` gives the value of a
 * constant.
 */
export function startValueFault(text: string, type: Type, constantOf: (name: string) => string): string | undefined {
  if (type.kind === 'unknown' || text.trim() === '') return undefined
  const tree = parseValueText(text)
  return tree ? treeFault(tree, type, constantOf) : `${text} is no value: a bracket or a value is missing`
}

/** `1,5` for a real number. */
function decimalComma(tree: ValueTree, type: Type): string {
  const [whole, decimals, ...more] = tree.kind === 'list' ? tree.items.map(({ value }) => value) : []
  if (type.kind !== 'scalar' || type.family !== 'real' || more.length > 0) return ''
  if (whole?.kind !== 'one' || decimals?.kind !== 'one') return ''
  const isNumber = /^[+-]?\d+$/.test(whole.text) && /^\d+$/.test(decimals.text)
  return isNumber ? `; a decimal point is written: ${whole.text}.${decimals.text}` : ''
}

function treeFault(tree: ValueTree, type: Type, constantOf: (name: string) => string): string | undefined {
  if (type.kind === 'unknown') return undefined
  if (tree.kind === 'one') return oneFault(tree.text, type, constantOf)
  if (tree.kind === 'list') {
    // `()` leaves a part at the value of its type.
    if (tree.items.length === 0) return undefined
    if (type.kind === 'array') return listFault(tree.items, type, constantOf)
    if (type.kind !== 'struct') return `a list is the start value of an array only${decimalComma(tree, type)}`
    const values = tree.items.flatMap(({ count, value }) => (count <= 1000 ? Array<ValueTree>(count).fill(value) : []))
    if (values.length > type.members.length)
      return `the list has ${values.length} values, the structure ${type.members.length} members`
    for (const [i, value] of values.entries()) {
      const fault = treeFault(value, type.members[i]?.type ?? type, constantOf)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  if (type.kind !== 'struct' && type.kind !== 'instance') return 'values with names are those of a structure'
  for (const { name, value } of tree.fields) {
    const member = type.members.find((one) => one.name.toLowerCase() === name.toLowerCase())
    const fault = member ? treeFault(value, member.type, constantOf) : `there is no member "${name}"`
    if (fault !== undefined) return fault
  }
  return undefined
}

function listFault(
  items: Extract<ValueTree, { kind: 'list' }>['items'],
  type: ArrayType,
  constantOf: (name: string) => string,
): string | undefined {
  // An inner list is an array of an inner dimension, or continues the same dimension.
  const total = countOf(type)
  const given = scalarsIn({ kind: 'list', items }, type.element.kind === 'array' || type.element.kind === 'struct')
  if (total > 0 && given > total) return `the list has ${given} values, the array ${total} elements`
  for (const { value } of items) {
    const fault =
      value.kind === 'list' && type.element.kind !== 'array' && type.element.kind !== 'struct'
        ? listFault(value.items, type, constantOf)
        : treeFault(value, type.element, constantOf)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** The number of elements that a list fills; with `areElementsLists` an inner list is one element. */
function scalarsIn(tree: ValueTree, areElementsLists: boolean): number {
  if (tree.kind !== 'list') return 1
  return tree.items.reduce((sum, { count, value }) => sum + count * (areElementsLists ? 1 : scalarsIn(value, false)), 0)
}

function oneFault(text: string, type: Type, constantOf: (name: string) => string): string | undefined {
  // Pointers are given as P#… or NULL, which have no value here.
  if (type.kind === 'pointer' || type.kind === 'reference')
    return /^(NULL|P#.*|16#0+|0)$/is.test(text) ? undefined : `${text} is no pointer: NULL or P#… is`
  const value = constantOf(text)
  // Thousands of members have the same few values.
  let known = checked.get(type)
  if (!known || known.size > 1000) {
    known = new Map()
    checked.set(type, known)
  }
  if (!known.has(value)) known.set(value, literalFault(value, type))
  return known.get(value)
}

const checked = new WeakMap<Type, Map<string, string | undefined>>()

function literalFault(text: string, type: Type): string | undefined {
  const read = literalOf(text)
  if ('kind' in read) return misfit(read, type)
  const isName = /^#?(?:"[^"]*"|[A-Za-z_]\w*)$/.test(text)
  return isName ? `there is no constant ${text}` : read.message.replace(/\.$/, '')
}
