/** What Gantry adds of its own to AML files. */
import { guidOf } from '../../plc/formats/aml/guid.ts'

/** Attribute of a communication interface: its device number in its IO system. CAx has no place for it; others leave it alone. */
export const deviceNumberAttribute = 'DeviceNumber'

/** GUID of the element of a project. */
export function projectGuid(projectId: string): string {
  return guidOf(projectId, 'project')
}
