/** Names that a program uses and a folder does not hold: blocks, types and tags of libraries or of other folders. */
import { anyOf } from '../../lib/wildcard.ts'
import { groupOfInstruction } from '../library/known-instructions.ts'
import type { Diagnostic } from '../program/program.ts'
import type { ReviewedObject, ReviewedProgram } from './reviewed-program.ts'

/** A name that is missing. */
export interface MissingName {
  readonly name: string
  /** What it has to be. */
  readonly what: 'block' | 'type' | 'block or tag'
  /** The first use. */
  readonly by: ReviewedObject
  readonly place: ReviewedObject['uses'][number]['place']
  readonly uses: number
  /** Objects that use it. */
  readonly users: readonly string[]
}

/** Codes of the compiler that may come from a missing name. */
const consequences = new Set([
  'undeclared',
  'unknown-type',
  'unknown-constant',
  'instance-of-unknown',
  'unknown-member',
  'unknown-parameter',
  'unknown-block',
  'type-mismatch',
])

export interface MissingNames {
  readonly missing: readonly MissingName[]
  /** The diagnostics that are of the program itself. */
  readonly own: readonly Diagnostic[]
}

/**
 * Separates what is missing from faults of the program.
 * @param libraries patterns of names that are known to be elsewhere
 */
export function missingNames(
  program: ReviewedProgram,
  diagnostics: readonly Diagnostic[],
  libraries: readonly string[],
): MissingNames {
  const found = new Map<string, { first: Omit<MissingName, 'uses' | 'users'>; uses: number; users: Set<string> }>()
  const tags = new Set(
    program.tables.flatMap(({ object }) =>
      [...(object.tags ?? []), ...(object.constants ?? [])].map(({ name }) => name.toLowerCase()),
    ),
  )
  const isKnown = (name: string): boolean =>
    program.named(name) !== undefined ||
    tags.has(name.toLowerCase()) ||
    program.program.constants.has(name.toLowerCase())
  const add = (name: string, what: MissingName['what'], by: ReviewedObject, place: MissingName['place']) => {
    const key = name.toLowerCase()
    const known = found.get(key)
    if (known) {
      known.uses++
      known.users.add(by.name)
    } else found.set(key, { first: { name, what, by, place }, uses: 1, users: new Set([by.name]) })
  }
  for (const object of program.objects) {
    if (/^(Watch|Force)Table$/.test(object.kind)) continue
    // STEP 7 classic writes the names of system functions in quotes too.
    const isSystem = (name: string) => object.object.language === 'STL' && groupOfInstruction(name) !== undefined
    for (const { name, access, isBare, place } of object.uses)
      if (name !== '' && isBare !== true && !isKnown(name) && !(access === 'Call' && isSystem(name)))
        add(name, access === 'Type' ? 'type' : access === 'Call' ? 'block' : 'block or tag', object, inObject(place))
  }
  const isLibrary = anyOf(libraries)
  const missing = [...found.values()]
    .filter(({ first }) => !isLibrary(first.name))
    .map(({ first, uses, users }) => ({ ...first, uses, users: [...users] }))
  return { missing, own: diagnostics.filter((one) => !isConsequence(one, found)) }
}

function isConsequence({ code, message }: Diagnostic, missing: ReadonlyMap<string, unknown>): boolean {
  if (!consequences.has(code)) return false
  for (const [, name = ''] of message.matchAll(/"([^"]+)"/g)) if (missing.has(name.toLowerCase())) return true
  return false
}

/** Paths of uses begin with the section, those of messages with the member. */
function inObject({ member, row, ...place }: MissingName['place']): MissingName['place'] {
  const path = member?.replace(/^(Input|Output|InOut|Static|Temp|Constant|Return)\./, '') ?? row
  return path === undefined ? place : { ...place, member: path }
}
