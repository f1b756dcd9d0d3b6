/** Names that a program uses and a folder does not hold: blocks, types and tags of libraries or of other folders. */
import { nearest } from '../../lib/nearest.ts'
import { anyOf } from '../../lib/wildcard.ts'
import { groupOfInstruction } from '../library/known-instructions.ts'
import { builtInTypes } from '../model/names.ts'
import type { Diagnostic } from '../program/program.ts'
import type { ReviewedObject, ReviewedProgram } from './reviewed-program.ts'

/** A name that is missing. */
export interface MissingName {
  readonly name: string
  /** What it has to be: a type may be a PLC data type, a function block or one of the system. */
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

/** Codes that tell of a type that is not there, which may be one of the system that is not known here. */
const typeCodes = new Set(['unknown-type', 'instance-of-unknown'])
/** Codes that tell of an instruction that is not known here: libraries may supply it. */
const instructionCodes = new Set(['unknown-instruction', 'unknown-part'])

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
  const isLibrary = anyOf(libraries)
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
  const usedNames = new Set<string>()
  for (const object of program.objects) {
    if (/^(Watch|Force)Table$/.test(object.kind)) continue
    // STEP 7 classic writes the names of system functions in quotes too.
    const isSystem = (name: string) => object.object.language === 'STL' && groupOfInstruction(name) !== undefined
    for (const { name, access, isBare, place, address } of object.uses) {
      const isType = access === 'Type' || (access === 'Instance' && object.kind === 'InstanceDB')
      if (name === '') {
        // A data block by its number: `DB 88`.
        if (address?.area !== 'DB' || address.number === undefined) continue
        const block = `DB${address.number}`
        if (!program.program.byNumber.has(`DB ${address.number}`)) add(block, 'block or tag', object, inObject(place))
        continue
      }
      if (isKnown(name) || (access === 'Call' && isSystem(name))) continue
      if (isBare === true) continue
      usedNames.add(name.toLowerCase())
      add(name, isType ? 'type' : access === 'Call' ? 'block' : 'block or tag', object, inObject(place))
    }
  }
  // What is without quotes is no use of a name of the program, but the compiler knows no such type.
  for (const one of diagnostics) {
    const by = typeCodes.has(one.code) ? program.named(one.object) : undefined
    // The call of an instance only repeats what its data block names.
    if (one.code === 'instance-of-unknown' && by?.isCode === true) continue
    for (const name of by ? namesOf(one) : []) {
      // A slip in the name of a common type stays an error.
      const isSlip = !isLibrary(name) && nearest(name, builtInTypes) !== undefined
      if (by && !usedNames.has(name.toLowerCase()) && !isKnown(name) && !isSlip) add(name, 'type', by, one)
    }
  }
  const missing = [...found.values()]
    .filter(({ first }) => !isLibrary(first.name))
    .map(({ first, uses, users }) => ({ ...first, uses, users: [...users] }))
  return { missing, own: diagnostics.filter((one) => !isConsequence(one, found, isLibrary)) }
}

/** Names in a message: in quotes, types of the system without them, data blocks by number. */
const namesInMessage = /"([^"]+)"|\bno data type ([\w.]+)|\b((?:DB|FB|FC|UDT) \d+)\b/g

function* namesOf({ message }: Diagnostic): Generator<string> {
  for (const [, quoted, type = '', number] of message.matchAll(namesInMessage))
    yield quoted ?? number?.replace(' ', '') ?? type.replace(/\.$/, '')
}

function isConsequence(
  diagnostic: Diagnostic,
  missing: ReadonlyMap<string, unknown>,
  isLibrary: (name: string) => boolean,
): boolean {
  const { code, message } = diagnostic
  if (instructionCodes.has(code)) {
    const [, name] = /^(?:The instruction |TIA Portal has the instruction )?([\w.]+)/.exec(message) ?? []
    return name !== undefined && isLibrary(name)
  }
  if (!consequences.has(code)) return false
  for (const name of namesOf(diagnostic)) if (missing.has(name.toLowerCase())) return true
  return false
}

/** Paths of uses begin with the section, those of messages with the member. */
function inObject({ member, row, ...place }: MissingName['place']): MissingName['place'] {
  const path = member?.replace(/^(Input|Output|InOut|Static|Temp|Constant|Return)\./, '') ?? row
  return path === undefined ? place : { ...place, member: path }
}
