/** PLC data types as shown to clients. */
import type { CompileStatus } from '../blocks/index.ts'
import { textIn } from '../program-objects/index.ts'
import type { PlcType } from './type.ts'

/** A type as shown to clients. */
export function typeView(
  type: PlcType,
  { isConsistent, compileStatus }: Pick<CompileStatus, 'isConsistent' | 'compileStatus'>,
  culture?: string,
) {
  return {
    name: type.name,
    type: 'UDT' as const,
    isFolder: false as const,
    number: null,
    folder: type.folder,
    size: type.size,
    format: type.format,
    isConsistent,
    compileStatus,
    title: textIn(type.title, culture),
    comment: textIn(type.comment, culture),
    version: type.version,
    createdAt: new Date(type.createdAt).toISOString(),
    modifiedDate: new Date(type.modifiedAt).toISOString(),
  }
}
