/** Data types that not every CPU has (TIA help V19, "Overview of the valid data types"). */
import type { ImportedObject, InterfaceMember } from '../model/object.ts'
import type { Diagnostic } from './program.ts'

/** Types that S7-1200 has not, as declarations write them, in upper case. */
const notInS71200: ReadonlySet<string> = new Set(
  'LWORD LINT ULINT LTIME LTOD LTIME_OF_DAY LDT DATE_AND_LTIME S5TIME DT DATE_AND_TIME'.split(' '),
)

/** Whether the CPUs of a family lack data types; those of S7-1200 G2 are not known to. */
export const lacksTypes = (family: string): boolean => /S7-1200$/.test(family)

/**
 * Reports the members of an object whose type an S7-1200 has not.
 * @param cpu what messages call the CPU: `CPU 1214C DC/DC/DC`
 */
export function missingTypes(object: ImportedObject, cpu: string): Diagnostic[] {
  const found: Diagnostic[] = []
  const visit = (members: readonly InterfaceMember[], above: string): void => {
    for (const { name, dataType, informative, members: inner } of members) {
      if (informative === true) continue
      const path = above === '' ? name : `${above}.${name}`
      const type = dataType.replace(/^.* of /i, '').trim()
      if (notInS71200.has(type.toUpperCase()))
        found.push({
          ...{ code: 'type-of-cpu', severity: 'error', object: object.name, member: path },
          message: `${path} is of type ${type}, which ${cpu} does not have.`,
          hint: 'S7-1200 has no types of 64 bits but LReal, no S5Time and no Date_And_Time (DTL instead).',
        })
      visit(inner, path)
    }
  }
  for (const { members } of object.kind === 'InstanceDB' ? [] : object.interface) visit(members, '')
  return found
}
