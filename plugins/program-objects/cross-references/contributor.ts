/** What plugins contribute to the program of a PLC as cross-references see it: objects that use names, and names that can be used. */
import { type CommandContext, extensionPoint, type QueryContext } from '../../../core/index.ts'
import type { ImportedObject } from '../../../plc/model/object.ts'
import type { Device } from '../../devices/index.ts'
import type { StoredObject, StoredText } from '../stored-text.ts'

/** An object of the program: its text, and where people find it. */
export interface ProgramObject {
  /** `block`, `type`, `tag-table`, `watch-table`. */
  readonly category: string
  readonly name: string
  /** For people: `FB 12`, `PLC data type`, `Tag table`. */
  readonly typeName: string
  /** Folder with its root, as the project tree shows it: `Program blocks/Conveyor`. */
  readonly path: string
  /** Namespace of the software unit that it is of. */
  readonly unit?: string
  /** The stored document; what it uses is read from it and remembered by its hash. */
  readonly stored?: StoredObject & { readonly size: number }
  /** The document of such an object, as long as it has the same rows. */
  readonly text?: Pick<StoredText, 'document' | 'origin'>
  /** The rows of an object that is kept as data. The same object as long as nothing changes. */
  readonly rows?: Pick<ImportedObject, 'tags' | 'constants' | 'entries'>
}

/** A name of the whole program. */
export interface ProgramSymbol {
  /** `block`, `type`, `tag`, `constant`. */
  readonly kind: string
  readonly name: string
  /** `FB 12`, `Bool`, `PLC data type`. */
  readonly typeName: string
  /** Of tags: `%I0.0`. */
  readonly address?: string
  readonly path: string
}

/** What one plugin contributes to a program. */
export interface ProgramContributor {
  /** Each the same object as long as nothing of it changes. */
  objects(ctx: Pick<QueryContext, 'read'>, device: Device): readonly ProgramObject[]
  /** The object that has a name of the program, or the table in whose rows it is; case ignored. Absent: its objects have no such names. */
  find?(ctx: Pick<QueryContext, 'read'>, device: Pick<Device, 'id'>, name: string): ProgramObject | undefined
  /** As `objects`: each the same object as long as nothing of it changes. Asked again only when the objects have changed. */
  symbols(ctx: Pick<QueryContext, 'read'>, device: Device): readonly ProgramSymbol[]
  /**
   * Stores an object of this contributor with another text, in which names of the program were replaced (`stored` objects).
   * @throws GatewayError when the text is not acceptable
   */
  replaceText?(ctx: CommandContext, device: Device, object: ProgramObject, text: string): Promise<void>
  /** Gives the rows of an object that name a type its new name (`rows` objects). */
  renameType?(ctx: CommandContext, device: Device, object: ProgramObject, from: string, to: string): Promise<void>
}

export const programContributor = extensionPoint<ProgramContributor>('program-objects.program')
