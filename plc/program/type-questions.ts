/** Small questions about types, names of types and sections that the type resolver asks. */
import type { Member, Section, Type } from './type.ts'

export function isTechnologyName(name: string): boolean {
  return /^TO_/i.test(name)
}

/** Placeholder for a type that is not known yet. */
export const waiting: Type = { kind: 'unknown', text: '' }

/**
 * Members of a structure belong to the section of the structure; those of parameters that are addresses belong to none.
 */
export function innerSection(section: Section): Section {
  return section === 'Temp' || section === 'Constant' ? section : 'None'
}

export function baseSection(section: string): Section {
  return section === 'Base' ? 'Static' : (section as Section)
}

export function withMembers(type: Type, members: readonly Member[]): Type {
  if (type.kind === 'array') return { ...type, element: withMembers(type.element, members) }
  return type.kind === 'struct' && type.name === undefined ? { ...type, members } : type
}

/** Whether a type belongs to the system: start values that a file gives to its parts are then the file's own. */
export function isSystemText(dataType: string): boolean {
  return !dataType.includes('"')
}

/**
 * Converts the hexadecimal digits that an export writes for a whole array to a list; any other text is returned
 * unchanged.
 */
export function bulkValue(digits: string): string {
  const pairs = /^(?:[0-9A-F]{2})+$/i.test(digits) ? digits.match(/../g) : undefined
  return pairs ? `[${pairs.map((pair) => `16#${pair}`).join(', ')}]` : digits
}
