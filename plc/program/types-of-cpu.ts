/** Data types that not every CPU has (cpu-family.ts). */
import type { ImportedObject, InterfaceMember } from '../model/object.ts'
import { type CpuFamily, elementType, lacksType } from './cpu-family.ts'
import type { Diagnostic } from './program.ts'

const hints: Readonly<Record<CpuFamily, string>> = {
  'S7-300/400':
    'S7-300 and S7-400 have no unsigned numbers, none of 8 and 64 bits, no LReal and no DTL (Date_And_Time instead).',
  'S7-1200':
    'S7-1200 has no types of 64 bits but LReal, no S5Time, no Date_And_Time (DTL instead) and no pointers but Variant.',
  'S7-1200 G2': 'S7-1200 G2 has DTL and LDT instead.',
  'S7-1500': '',
}

/**
 * Reports the members of an object whose type a CPU has not.
 * @param cpu what messages call the CPU: `CPU 1214C DC/DC/DC`
 */
export function missingTypes(object: ImportedObject, cpu: string, family: CpuFamily): Diagnostic[] {
  const found: Diagnostic[] = []
  const visit = (members: readonly InterfaceMember[], above: string): void => {
    for (const { name, dataType, informative, members: inner } of members) {
      if (informative === true) continue
      const path = above === '' ? name : `${above}.${name}`
      const type = elementType(dataType)
      if (lacksType(family, type))
        found.push({
          ...{ code: 'type-of-cpu', severity: 'error', object: object.name, member: path },
          message: `${path} is of type ${type}, which ${cpu} does not have.`,
          hint: hints[family],
        })
      visit(inner, path)
    }
  }
  for (const { members } of object.kind === 'InstanceDB' ? [] : object.interface) visit(members, '')
  return found
}
