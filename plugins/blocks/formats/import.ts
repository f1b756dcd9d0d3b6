/** One entry for files of unknown format: detects, reads, and answers objects and faults the same way for all. */

import { FormatError, type FormatFault } from '../model/fault.ts'
import type { ImportedObject } from '../model/object.ts'
import { readSource } from '../source/read.ts'
import { detectFile, type FileFormat } from './detect.ts'

export interface ImportedFile {
  readonly format: FileFormat
  readonly engineeringVersion?: string
  readonly objects: readonly ImportedObject[]
  /**
   * What is wrong. SimaticML is all or nothing (faults and no objects); external sources give every block that
   * could be read, so a caller decides whether to go on as TIA Portal's KeepOnError does.
   */
  readonly faults: readonly FormatFault[]
}

export interface ImportOptions {
  /** Culture of texts in external sources. Default `en-US`. */
  readonly culture?: string
}

/** Reads a file from its bytes. Never throws for what the bytes hold. The XML reader is loaded on first use. */
export async function importFile(bytes: Uint8Array, options: ImportOptions = {}): Promise<ImportedFile> {
  let format: FileFormat = 'unknown'
  try {
    const file = detectFile(bytes)
    format = file.format
    if (format === 'source') {
      const { blocks, faults } = readSource(file.text, options)
      return { format, objects: blocks.map(({ object }) => object), faults }
    }
    if (format === 'simaticml' || format === 'xml') {
      const { readSimaticMlText } = await import('../simaticml/read.ts')
      return { format, faults: [], ...readSimaticMlText(file.text) }
    }
    const message =
      format === 'unknown'
        ? 'this is neither SimaticML (<Document>…) nor an external source (FUNCTION_BLOCK, FUNCTION, ORGANIZATION_BLOCK, DATA_BLOCK or TYPE first)'
        : `files of format ${format} (SIMATIC SD) are not imported here; allowed: SimaticML and external sources`
    return { format, objects: [], faults: [{ code: 'unsupported', message, line: 1, column: 1 }] }
  } catch (error) {
    if (error instanceof FormatError) return { format, objects: [], faults: error.faults }
    throw error
  }
}
