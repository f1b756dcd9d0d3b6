/** How objects get from files into the project: the contract between the import and the plugins that keep objects. */
import { type CommandContext, extensionPoint } from '../../core/index.ts'
import type { ImportedObject } from '../../plc/model/object.ts'
import type { StoredText } from '../blocks/block.ts'
import type { Device } from '../devices/index.ts'

/** An object as it is stored: its header and its exact text. What is inside is read from the text when it is asked for. */
export type StorableObject = Omit<ImportedObject, 'interface' | 'networks'>

export interface StoreOptions {
  /** Folder for it, made when absent; `''`: the root. Absent: a present object stays where it is, a new one goes to the root. */
  readonly folder?: string
  /** Replace a present object of the name; without it that is an error. */
  readonly overwrite?: boolean
  /** Where the text is, when it is kept already; else it is taken from the object. */
  readonly stored?: StoredText
  /** The object's number was asked for: a clash is an error. */
  readonly fixedNumber?: boolean
  /** What the project's files say of an object that is loaded from them. */
  readonly saved?: SavedIdentity
}

/** What an object was when it was saved. */
export interface SavedIdentity {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly modifiedAt: number
  readonly number?: number
  readonly autoNumber?: boolean
  readonly secondaryType?: string
  readonly isDefault?: boolean
}

/** What became of an object. */
export interface Stored {
  readonly name: string
  readonly kind: string
  readonly number?: number
  readonly action: 'created' | 'replaced' | 'unchanged'
  readonly warnings?: readonly string[]
}

/** Keeps objects of some kinds that an import finds. */
export interface ImportTarget {
  readonly kinds: readonly string[]
  /** @throws GatewayError when the object cannot be taken; nothing of it was emitted then */
  store(ctx: CommandContext, device: Device, object: StorableObject, options: StoreOptions): Promise<Stored>
}

/** Types and tag tables are kept by plugins of their own, which contribute to this point. */
export const importTarget = extensionPoint<ImportTarget>('blocks.import-target')
