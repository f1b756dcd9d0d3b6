/** Start values of a request that are plain words: they must be constants. */
import { type Fault, nearest, problem, type QueryContext } from '../../core/index.ts'
import { parseElementaryType } from '../../plc/model/data-type.ts'
import type { InterfaceMember, InterfaceSection } from '../../plc/model/object.ts'
import type { Device } from '../devices/index.ts'
import { programContributor } from './cross-references/contributor.ts'

/** A member as a request gives it. */
interface GivenValue {
  readonly startValue?: string
  readonly members?: readonly GivenValue[]
}

const word = /^#?[\p{L}_][\p{L}\p{N}_]*$/u

function wordsOf(members: readonly GivenValue[]): string[] {
  return members.flatMap(({ startValue = '', members: inner = [] }) => [
    ...(word.test(startValue.trim()) && !/^(true|false)$/i.test(startValue.trim()) ? [startValue.trim()] : []),
    ...wordsOf(inner),
  ])
}

/**
 * Checks the start values of members that a request gives. A word such as `x` is a value of no elementary type, so it
 * must be a constant of the object or of the PLC; one in quotes may come later, as in TIA Portal.
 *
 * @param given the members of the request
 * @param sections the interface with these members
 * @throws GatewayError `unacceptable_content` naming each member
 */
export function requireStartValues(
  ctx: Pick<QueryContext, 'read' | 'extensions'>,
  device: Device,
  given: readonly GivenValue[],
  sections: readonly InterfaceSection[],
): void {
  const words = new Set(wordsOf(given))
  if (words.size === 0) return
  const local = sections.find(({ section }) => section === 'Constant')?.members.map(({ name }) => name) ?? []
  const symbols = ctx.extensions(programContributor).flatMap((part) => part.symbols(ctx, device))
  const constants = [...local, ...symbols.flatMap(({ kind, name }) => (kind === 'constant' ? [name] : []))]
  const known = new Set(constants.map((name) => name.toLowerCase()))
  const faults: Fault[] = []
  const visit = (members: readonly InterfaceMember[], above: string): void => {
    for (const { name, dataType, startValue = '', members: inner } of members) {
      const value = startValue.trim()
      const type = words.has(value) ? parseElementaryType(dataType) : undefined
      if (type !== undefined && !known.has(value.replace(/^#/, '').toLowerCase())) {
        const near = nearest(value, constants)
        const hint = near === undefined ? '' : ` ("${near}" is one)`
        const isText = type.family === 'character' || type.family === 'string'
        const message = `${above}${name}: ${value} is neither a ${isText ? "text such as 'abc'" : `value of ${dataType}`} nor a constant${hint}`
        faults.push({ path: '/startValue', message, value })
      }
      visit(inner, `${above}${name}.`)
    }
  }
  for (const { members } of sections) visit(members, '')
  if (faults[0]) throw problem('unacceptable_content', `${faults[0].message}.`, { errors: faults })
}
