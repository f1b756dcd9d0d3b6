/** Reads and changes files of HMI objects; large ones on the engine, so that nothing waits for them. */

import { editHmi } from '../../../plc/formats/hmi/edit.ts'
import type { HmiRead } from '../../../plc/formats/hmi/model.ts'
import { readHmiFile } from '../../../plc/formats/hmi/read.ts'
import type { HmiToWrite } from '../../../plc/formats/hmi/write.ts'
import { exportDocument } from '../../../plc/formats/simaticml/export-version.ts'
import { parseXml } from '../../../plc/formats/simaticml/xml.ts'
import { FormatError, type FormatFault } from '../../../plc/model/fault.ts'

/** The objects of a file, or what is wrong with it. */
export type FileRead =
  | { readonly objects: readonly HmiRead[] }
  | { readonly message: string; readonly faults: readonly FormatFault[] }

/** Never fails for what the file holds. */
export function readFile(bytes: Uint8Array): FileRead {
  try {
    return { objects: readHmiFile(bytes).objects }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { message: error.faults[0]?.message ?? error.message, faults: error.faults }
  }
}

/** A document with the changes of its object. */
export function editFile({ document, object }: { readonly document: string; readonly object: HmiToWrite }) {
  return editHmi(document, object)
}

/** The objects of several files in one, in their order, with running IDs. @param version e.g. `V19` */
export function joinFiles({ texts, version }: { readonly texts: readonly string[]; readonly version: string }): string {
  const frame = new Set(['Engineering', 'DocumentInfo'])
  const roots = texts.flatMap((marked) => {
    const text = marked.replace(/^\uFEFF/, '')
    return parseXml(text)
      .children.filter(({ name }) => !frame.has(name))
      .map(({ start, end }) => text.slice(start, end))
  })
  return exportDocument(roots, { engineeringVersion: version }).text
}
