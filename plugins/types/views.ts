/** PLC data types as clients read them. */
import { textIn } from '../blocks/index.ts'
import type { PlcType } from './type.ts'

/** A type as clients read it. There is no compiler yet, so nothing is claimed to be consistent. */
export function typeView(type: PlcType, culture?: string) {
  return {
    name: type.name,
    type: 'UDT' as const,
    isFolder: false as const,
    number: null,
    folder: type.folder,
    size: type.size,
    format: type.format,
    isConsistent: false,
    compileStatus: 'notAvailable' as const,
    title: textIn(type.title, culture),
    comment: textIn(type.comment, culture),
    version: type.version,
    createdAt: new Date(type.createdAt).toISOString(),
    modifiedDate: new Date(type.modifiedAt).toISOString(),
  }
}
