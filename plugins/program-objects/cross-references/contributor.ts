/** Contributions of plugins to the cross-references of a PLC: objects that use names, and names that can be used. */
import { type CommandContext, extensionPoint, type QueryContext } from '../../../core/index.ts'
import type { ImportedObject } from '../../../plc/model/object.ts'
import type { NewName } from '../../../plc/uses/whole-names.ts'
import type { Device } from '../../devices/index.ts'
import type { StoredObject, StoredText } from '../stored-text.ts'

/** An object of the program: its text, and its place for people. */
export interface ProgramObject {
  /** `block`, `type`, `tag-table`, `watch-table`; `system-constants`: what the device itself names. */
  readonly category: string
  readonly name: string
  /** For people: `FB 12`, `PLC data type`, `Tag table`. */
  readonly typeName: string
  /** Folder with its root, as the project tree shows it: `Program blocks/Conveyor`. */
  readonly path: string
  /** Namespace of its software unit. */
  readonly unit?: string
  /** The stored document. Its uses are read from it and kept by its hash. */
  readonly stored?: StoredObject & { readonly size: number }
  /** The document of such an object; the same while its rows are the same. */
  readonly text?: Pick<StoredText, 'document' | 'origin'>
  /** The rows of an object that is kept as data. The same array while nothing changes. */
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
  /** Of constants. */
  readonly value?: string
  readonly path: string
}

/** What one plugin contributes to a program. */
export interface ProgramContributor {
  /** Each stays the same object while nothing of it changes. */
  objects(ctx: Pick<QueryContext, 'read' | 'extensions'>, device: Device): readonly ProgramObject[]
  /**
   * The object with a name of the program, or the table with it in a row; case ignored. Absent: there are no such
   * names.
   */
  find?(
    ctx: Pick<QueryContext, 'read' | 'extensions'>,
    device: Pick<Device, 'id'>,
    name: string,
  ): ProgramObject | undefined
  /** As `objects`: each stays the same while nothing of it changes. Called again only when the objects changed. */
  symbols(ctx: Pick<QueryContext, 'read' | 'extensions'>, device: Device): readonly ProgramSymbol[]
  /**
   * Stores an object of this contributor with a text in which names were replaced (`stored` objects).
   * @throws GatewayError when the text is not acceptable
   */
  replaceText?(ctx: CommandContext, device: Device, object: ProgramObject, text: string): Promise<void>
  /**
   * Gives the rows of an object that name a type its new name (`rows` objects).
   * @param names the name, and that with its namespace
   */
  renameType?(ctx: CommandContext, device: Device, object: ProgramObject, names: readonly NewName[]): Promise<void>
}

/** Plugins with objects that name others contribute to this point. */
export const programContributor = extensionPoint<ProgramContributor>('program-objects.program-contributors', {
  title: 'Contributors to cross-references',
  description: 'Objects of a plugin that use names of the program, and the names that it gives the program.',
  constant: 'programContributor',
  check: {
    objects: 'function',
    find: 'function?',
    symbols: 'function',
    replaceText: 'function?',
    renameType: 'function?',
  },
  example:
    "{ objects: () => [], symbols: () => [{ kind: 'constant', name: 'PI', typeName: 'LReal', value: '3.14', path: 'Constants' }] }",
  formerly: 'program-objects.program',
})
