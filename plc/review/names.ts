/** The names that a program gives. */
import type { MessagePlace } from '../model/message-place.ts'
import type { ReviewedObject, ReviewedProgram } from './reviewed-program.ts'
import type { Report } from './rule.ts'

export type NameKind = 'block' | 'parameter' | 'static' | 'temporary' | 'constant' | 'type' | 'tag' | 'data-block'

export interface GivenName {
  readonly object: ReviewedObject
  readonly name: string
  readonly kind: NameKind
  /** With an article: `the parameter`. */
  readonly what: string
  readonly place: MessagePlace
}

const sections: Readonly<Record<string, NameKind>> = {
  Input: 'parameter',
  Output: 'parameter',
  InOut: 'parameter',
  Static: 'static',
  Temp: 'temporary',
  Constant: 'constant',
}

/** Every name that the program gives, once: instances have the names of their types. */
function* everyName({ objects }: ReviewedProgram): Generator<GivenName> {
  for (const object of objects) {
    if (object.kind === 'UDT') yield { object, name: object.name, kind: 'type', what: 'the PLC data type', place: {} }
    else if (object.kind.endsWith('DB'))
      yield { object, name: object.name, kind: 'data-block', what: 'the data block', place: {} }
    else if (object.isCode) {
      // Organization blocks have the names that the system proposes.
      if (object.kind !== 'OB') yield { object, name: object.name, kind: 'block', what: 'the block', place: {} }
      // Start information of organization blocks and the base of GRAPH have the names of the system.
      for (const { section, member } of object.members()) {
        const kind = sections[section]
        const isSystem = member.informative === true || member.attributes.some(({ systemDefined }) => systemDefined)
        if (kind === undefined || isSystem || (object.kind === 'OB' && section !== 'Temp' && section !== 'Constant'))
          continue
        yield { object, name: member.name, kind, what: `the ${kind}`, place: { member: member.name } }
      }
    } else if (object.kind === 'TagTable') {
      for (const { name } of object.object.tags ?? [])
        yield { object, name, kind: 'tag', what: 'the tag', place: { member: name } }
      for (const { name } of object.object.constants ?? [])
        yield { object, name, kind: 'constant', what: 'the constant', place: { member: name } }
    }
  }
}

function listNames(program: ReviewedProgram): readonly GivenName[] {
  return [...everyName(program)]
}

const asNames = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` … (${names.length})` : ''}`

/** Reports names that are not right; those of one object are one finding. */
export function reportNames(
  program: ReviewedProgram,
  isWrong: (one: GivenName) => boolean,
  messageOf: (names: string, first: GivenName) => string,
  hint: string,
  report: Report,
): void {
  const wrong = new Map<ReviewedObject, GivenName[]>()
  for (const one of program.once(listNames)) {
    if (!isWrong(one)) continue
    const list = wrong.get(one.object)
    if (list) list.push(one)
    else wrong.set(one.object, [one])
  }
  for (const [object, names] of wrong) {
    const [first] = names as [GivenName]
    report(object, first.place, messageOf(asNames(names.map(({ name }) => name)), first), { hint })
  }
}

/** Reports names of a kind that do not match a pattern. */
export function checkNames(program: ReviewedProgram, kind: NameKind, pattern: string, report: Report): void {
  const right = new RegExp(pattern, 'u')
  reportNames(
    program,
    (one) => one.kind === kind && !right.test(one.name),
    (names) => `${names}: not as agreed for a ${kind.replace('-', ' ')} (${pattern}).`,
    'Rename it with its uses, or give the rule another pattern.',
    report,
  )
}
