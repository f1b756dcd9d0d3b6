/**
 * The program of a project as the files that an export gives: SimaticML, in folders by controller as the version
 * control interface of TIA Portal lays them out.
 */

import { escapeText } from '../../../lib/xml-text.ts'
import type { ImportedObject } from '../../model/object.ts'
import { exportDocument } from '../simaticml/export-version.ts'
import { tagRowXml, tagTableElement, watchTableElement } from '../simaticml/table-write.ts'
import type { TargetVersion } from '../simaticml/versions.ts'
import { writeSimaticMl } from '../simaticml/write.ts'
import type { PlacedObject, TiaProjectContent } from './project.ts'

export interface ProjectFile {
  /** Names of the folders, the controller first. */
  readonly folder: readonly string[]
  /** Name of the object. */
  readonly name: string
  readonly text: string
}

/** What became of an object of the project. */
export interface ObjectReport {
  readonly controller: string
  readonly name: string
  readonly kind: string
  readonly folder: string
  readonly completeness: PlacedObject['completeness']
  readonly problems: readonly string[]
}

const rootFolders: Readonly<Record<string, string>> = {
  UDT: 'PLC data types',
  TagTable: 'PLC tags',
  WatchTable: 'Watch and force tables',
  ForceTable: 'Watch and force tables',
}

/**
 * Writes what was read as files.
 * @param version for which they are written: the project's own, or the nearest that there is
 */
export function projectFiles(content: TiaProjectContent, version: TargetVersion) {
  const files: ProjectFile[] = []
  const report: ObjectReport[] = []
  for (const { name: controller, objects, systemConstants } of content.programs) {
    if (systemConstants) {
      const { text } = writeObjectFile(systemConstants, version)
      files.push({ folder: [controller, rootFolders.TagTable!], name: systemConstants.name, text })
    }
    for (const placed of objects) {
      const entry = {
        controller,
        name: placed.name,
        kind: placed.kind,
        folder: placed.folder.join('/'),
        completeness: placed.completeness,
        problems: placed.problems,
      }
      if (!placed.object) {
        report.push(entry)
        continue
      }
      try {
        const { text, warnings } = writeObjectFile(placed.object, version)
        const folder = [controller, rootFolders[placed.kind] ?? 'Program blocks', ...placed.folder]
        files.push({ folder, name: placed.name, text })
        report.push(warnings.length === 0 ? entry : { ...entry, problems: [...entry.problems, ...warnings] })
      } catch (error) {
        report.push({ ...entry, completeness: 'not-read', problems: [...entry.problems, messageOf(error)] })
      }
    }
  }
  return { files, report }
}

function writeObjectFile(object: ImportedObject, version: TargetVersion) {
  const { kind } = object
  if (kind === 'WatchTable' || kind === 'ForceTable')
    return exportDocument([watchTableElement(kind as 'WatchTable' | 'ForceTable', object.name, object.entries ?? [])], {
      target: version,
    })
  if (object.kind !== 'TagTable') return writeSimaticMl(object, { version })
  const rows = [...(object.tags ?? []), ...(object.constants ?? [])].map((row) => tagRowXml(row, 'en-US'))
  const name = `<AttributeList>\n      <Name>${escapeText(object.name)}</Name>\n    </AttributeList>`
  return exportDocument([tagTableElement(name, rows)], { target: version })
}

function messageOf(error: unknown): string {
  const [fault] = (error as { faults?: readonly { message: string }[] }).faults ?? []
  return fault?.message ?? (error as Error).message
}
