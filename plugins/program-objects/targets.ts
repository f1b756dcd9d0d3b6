/** How objects get from files into the project: the contract between the import and the plugins that keep objects. */
import { type CommandContext, extensionPoint, problem } from '../../core/index.ts'
import type { ImportedObject } from '../../plc/model/object.ts'
import type { Device } from '../devices/index.ts'
import type { StoredText } from './stored-text.ts'

/** An object as it is stored: its header and its exact text. What is inside is read from the text when it is asked for. */
export type StorableObject = Omit<ImportedObject, 'interface' | 'networks'>

export interface StoreOptions {
  /** Folder for it, made when absent; `''`: the root. Absent: a present object stays where it is, a new one goes to the root. */
  readonly folder?: string
  /** Namespace of the software unit that it is of. Absent: that of a present object. */
  readonly unit?: string
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
  readonly unit?: string
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
  /**
   * Warnings about what an import stored, looked at together when all of it is there: a look at the whole program for each object would
   * grow with the square of it.
   */
  warningsOf?(ctx: CommandContext, device: Device, stored: readonly Stored[]): Promise<readonly string[]>
}

/** Plugins that keep objects contribute to this point. */
export const importTarget = extensionPoint<ImportTarget>('program-objects.import-target')

/**
 * Stores an object of any kind that a loaded plugin keeps.
 * @throws GatewayError `name_taken`, `conflict` (number), `invalid_input` (name, folder), `unacceptable_content` (kind)
 */
export async function storeObject(
  ctx: CommandContext,
  device: Device,
  object: StorableObject,
  options: StoreOptions = {},
): Promise<Stored> {
  return targetFor(ctx, object.kind, object.name).store(ctx, device, object, options)
}

/**
 * Who keeps objects of a kind.
 * @throws GatewayError `unacceptable_content` naming the kinds that are kept
 */
export function targetFor(ctx: Pick<CommandContext, 'extensions'>, kind: string, name: string): ImportTarget {
  const target = ctx.extensions(importTarget).find(({ kinds }) => kinds.includes(kind))
  if (target) return target
  const kinds = ctx.extensions(importTarget).flatMap((other) => other.kinds)
  throw problem('unacceptable_content', `"${name}": ${unsupportedKind(kind)} Supported: ${kinds.join(', ')}.`)
}

/** Why an object of this kind is not taken. */
export function unsupportedKind(kind: string): string {
  return `Objects of kind ${kind} are not part of a PLC program and are not supported.`
}
