/** A stored document read again, with faults as problems: what the tasks on documents have in common. */
import { isGatewayError, problem } from '../../core/index.ts'
import { readSource } from '../formats/source/read.ts'
import { FormatError } from '../model/fault.ts'
import type { ImportedObject } from '../model/object.ts'
import { objectFromXml } from './edit.ts'

/** A stored object with its text: enough to read it again as it is. */
export interface StoredDocument {
  readonly text: string
  readonly format: 'simaticml' | 'source'
  readonly kind: string
  readonly name: string
  readonly number?: number | undefined
  readonly autoNumber?: boolean | undefined
  readonly secondaryType?: string | undefined
  readonly engineeringVersion?: string | undefined
  /** Culture of texts in external sources, and the one that is shown. */
  readonly culture: string
  /** FB by the upper-case name of its instance data block: how calls in sources are told apart. */
  readonly instances?: Readonly<Record<string, string>> | undefined
}

/** The object as the readers give it. What a source has no place for is added. */
export function objectOf(document: StoredDocument): ImportedObject {
  const { text, format, number, secondaryType, engineeringVersion, culture } = document
  if (format === 'simaticml') return objectFromXml(text, engineeringVersion)
  const { blocks, faults } = readSource(text, { culture })
  const object = blocks[0]?.object
  if (object === undefined || faults.length > 0) throw new FormatError(faults)
  return {
    ...object,
    ...(number === undefined ? {} : { number }),
    ...(secondaryType === undefined ? {} : { secondaryType }),
  }
}

export function calleeOf({ instances }: StoredDocument) {
  if (!instances) return {}
  return {
    callee: (name: string) => {
      const type = instances[name.toUpperCase()]
      return type === undefined ? undefined : { kind: 'FB' as const, name: type }
    },
  }
}

/** Runs one piece of work; what the format library objects to becomes a 422. */
export function faultsAsProblems<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (isGatewayError(error) || !(error instanceof FormatError)) throw error
    throw faultyText(what, error)
  }
}

function faultyText(what: string, { faults }: FormatError) {
  const [first] = faults
  const hasPlace = first !== undefined && first.code !== 'edit' && first.code !== 'unsupported'
  const at = hasPlace ? `line ${first.line}, column ${first.column}: ` : ''
  const errors = faults.map(({ offset: _offset, code, line, column, ...fault }) =>
    code === 'edit' || code === 'unsupported' ? { code, ...fault } : { code, line, column, ...fault },
  )
  return problem('unacceptable_content', `${what}: ${at}${first?.message ?? 'cannot be read'}`, { errors })
}
