import type { ProgramSymbols, TypeNumber } from './program-symbols.ts'

/**
 * Tells of which types data can contain a structure with one of these names, at any depth, so that a walk through the
 * data of a program leaves out what holds none. Each type is looked at once.
 * @param isWanted whether a structure of this name is one
 */
export function typesWith(
  { types }: ProgramSymbols,
  isWanted: (name: string | undefined) => boolean,
): (number: TypeNumber) => boolean {
  const known = new Map<TypeNumber, boolean>()
  const has = (number: TypeNumber): boolean => {
    const before = known.get(number)
    if (before !== undefined) return before
    // A type that holds itself, as damaged symbols may, has nothing more by that.
    known.set(number, false)
    const type = types[number]
    const found =
      type?.kind === 'array'
        ? has(type.element)
        : type?.kind === 'struct' && (isWanted(type.name) || type.members.some((member) => has(member.type)))
    known.set(number, found)
    return found
  }
  return has
}
