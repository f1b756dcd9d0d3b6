/** The stored form of an object: the header that the reader found, and the lossless text as a blob. */
import type { CommandContext } from '../../core/index.ts'
import { defined } from '../../core/index.ts'
import type { ImportedObject } from '../../plc/model/object.ts'

/** The header of an object that the reader found. */
export type ObjectHeader = Pick<
  ImportedObject,
  | 'element'
  | 'language'
  | 'title'
  | 'comment'
  | 'author'
  | 'family'
  | 'headerName'
  | 'version'
  | 'memoryLayout'
  | 'isKnowHowProtected'
  | 'secondaryType'
  | 'instanceOf'
  | 'engineeringVersion'
>

/**
 * Where the text of an object is in the file that it was imported from. An edit makes another document, and nothing is
 * claimed of that.
 */
export interface Origin {
  /** As the import named the file: a path of the workspace, the name of an upload, `content`. */
  readonly file: string
  /** Hash of the document with this origin. */
  readonly document: string
  /** Place of its first character in the file, from 1. */
  readonly line: number
  readonly column: number
  /** Blob: the places in the file, when the document was made from another format (`SdPlaces` as JSON). */
  readonly places?: string
}

/** The stored text of an object. */
export interface StoredText {
  readonly format: 'simaticml' | 'source'
  /** Blob: the lossless text in UTF-8 (root element of SimaticML, or the slice of the source). */
  readonly document: string
  /** Bytes of the document. */
  readonly size: number
  /** Blob: the whole file that holds this document and nothing else, byte for byte as it came; absent after an edit. */
  readonly file?: string
  readonly origin?: Origin
}

/** The origin of an object, if its document is still that of the file. */
export function originOf({ document, origin }: Pick<StoredText, 'document' | 'origin'>): Origin | undefined {
  return origin?.document === document ? origin : undefined
}

/** True for the same place in the same file. */
export function isSameOrigin(a: Origin | undefined, b: Origin | undefined): boolean {
  return a?.file === b?.file && a?.line === b?.line && a?.column === b?.column && a?.document === b?.document
}

/** Stores the text of an object as a blob. */
export async function storeText(
  ctx: CommandContext,
  object: Pick<ImportedObject, 'xml' | 'text' | 'format'>,
): Promise<StoredText> {
  const text = object.xml ?? object.text ?? ''
  return { format: object.format, document: await ctx.blobs.put(text), size: Buffer.byteLength(text) }
}

/** The header fields of an object that are kept beside its text. */
export function headerOf(object: Omit<ImportedObject, 'interface' | 'networks'>): ObjectHeader {
  return {
    element: object.element,
    language: object.language,
    title: object.title,
    comment: object.comment,
    author: object.author,
    family: object.family,
    headerName: object.headerName,
    version: object.version,
    ...defined({ memoryLayout: object.memoryLayout }),
    isKnowHowProtected: object.isKnowHowProtected,
    ...defined({
      secondaryType: object.secondaryType,
      instanceOf: object.instanceOf,
      engineeringVersion: object.engineeringVersion,
    }),
  }
}

/** The fields of an object beside its text, common to blocks, types and tables. */
export type StoredObject = Pick<StoredText, 'format' | 'document' | 'origin'> & {
  readonly name: string
  readonly deviceId: string
  readonly kind: string
  readonly engineeringVersion?: string
  readonly number?: number
  readonly autoNumber?: boolean
  readonly secondaryType?: string
  /** FB or type of an instance data block. */
  readonly instanceOf?: string
  /** Namespace of its software unit. */
  readonly unit?: string
}
