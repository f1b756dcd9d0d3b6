/** What a variable begins with, in every instance of the program. */
import { readConstant, wholeNumber } from '../program/constants.ts'
import type { ElementValue, Member, Type } from '../program/type.ts'
import type { ReviewedObject, ReviewedProgram } from './reviewed-program.ts'

/**
 * Returns the start values of a variable: its own, those that data blocks and members give to a part of its name, and
 * 0.
 * @param owner the function block whose data it is in
 * @param area `M`, `Q`, or `"name"` of a data block
 * @param text the variable as it is written: `#data.step`, `"Data".step`
 * @returns `undefined` when one is no whole number, or is not found
 */
export function startValuesOf(
  program: ReviewedProgram,
  owner: ReviewedObject | undefined,
  area: string,
  text: string,
): Set<bigint> | undefined {
  if (owner === undefined && !area.startsWith('"')) return new Set([0n])
  if (text.includes('[')) return undefined
  const names = text.replace(/^#/, '').replaceAll('"', '').toLowerCase().split('.')
  const path = owner === undefined ? names.slice(area.split('.').length) : names
  const block = program.program.blocks.get(owner ? owner.name.toLowerCase() : area.slice(1, -1))
  const leaf = leafOf(owner ? block?.members : membersOf(block?.type as Type | undefined), path)
  if (leaf === undefined) return undefined
  const texts = ['0', leaf.startValue ?? '0', ...(program.once(partValues).get(leaf.name.toLowerCase()) ?? [])]
  const found = new Set<bigint>()
  for (const one of texts) {
    const value = numberOf(one)
    if (value === undefined) return undefined
    found.add(value)
  }
  return found
}

function membersOf(type: Type | undefined): readonly Member[] | undefined {
  return type?.kind === 'struct' || type?.kind === 'instance' ? type.members : undefined
}

function leafOf(members: readonly Member[] | undefined, path: readonly string[]): Member | undefined {
  const [first, ...rest] = path
  const found = members?.find(({ name }) => name.toLowerCase() === first)
  return found === undefined || rest.length === 0 ? found : leafOf(membersOf(found.type), rest)
}

function numberOf(text: string): bigint | undefined {
  const value = readConstant(text.trim())
  return 'value' in value ? wholeNumber(value) : undefined
}

/** Start values that blocks and members give to parts, by the last name of the path in lower case. */
function partValues({ program }: ReviewedProgram): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const add = ({ path, value }: ElementValue) => {
    const name = path.findLast((one) => typeof one === 'string')
    if (typeof name !== 'string') return
    const list = found.get(name.toLowerCase())
    if (list) list.push(value)
    else found.set(name.toLowerCase(), [value])
  }
  for (const { members, startValues = [] } of program.blocks.values()) {
    for (const one of startValues) add(one)
    for (const { parts = [] } of members) for (const one of parts) add(one)
  }
  return found
}
