/** How objects get from files into the project: the contract between the import and the plugins that keep objects. */
import { type CommandContext, extensionPoint, problem } from '../../../core/index.ts'
import type { ImportedObject } from '../../../plc/model/object.ts'
import type { Device } from '../../devices/index.ts'
import type { StoredText } from '../stored-text.ts'

/** An object to store: its header and its exact text. Its content is read from the text when it is needed. */
export type StorableObject = Omit<ImportedObject, 'interface' | 'networks'>

export interface StoreOptions {
  /**
   * Folder, created if missing; `''`: the root. Absent: a present object stays in its folder, a new one goes to the
   * root.
   */
  readonly folder?: string
  /** Namespace of its software unit. Absent: that of the present object. */
  readonly unit?: string
  /** Replace a present object of the name; otherwise that is an error. */
  readonly overwrite?: boolean
  /** The stored text, if there is one; else the text is taken from the object. */
  readonly stored?: StoredText
  /** The client requested this number: a clash is an error. */
  readonly fixedNumber?: boolean
  /** Attributes of an object that is loaded from the project's files. */
  readonly saved?: SavedIdentity
}

/** The attributes of an object at the save. */
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

/** The outcome of storing an object. */
export interface Stored {
  readonly name: string
  readonly kind: string
  readonly number?: number
  readonly action: 'created' | 'replaced' | 'unchanged'
  readonly warnings?: readonly string[]
}

/** Stores objects of some kinds that an import finds. */
export interface ImportTarget {
  readonly kinds: readonly string[]
  /** @throws GatewayError when the object cannot be stored; no event was emitted then */
  store(ctx: CommandContext, device: Device, object: StorableObject, options: StoreOptions): Promise<Stored>
  /**
   * Warnings about the objects that an import stored, made once for all of them: a check of the whole program for each
   * object would grow with its square.
   */
  warningsOf?(ctx: CommandContext, device: Device, stored: readonly Stored[]): Promise<readonly string[]>
}

/** Plugins that keep objects contribute to this point. */
export const importTarget = extensionPoint<ImportTarget>('program-objects.import-targets', {
  title: 'Targets of imports',
  description:
    'Stores the objects of some kinds that an import finds in files. The first target with the kind of an object stores it.',
  constant: 'importTarget',
  check: {
    kinds: 'text[]',
    store: 'function',
    warningsOf: 'function?',
  },
  example: "{ kinds: ['Recipe'], store: async (ctx, device, { name, kind }) => ({ name, kind, action: 'unchanged' }) }",
  formerly: 'program-objects.import-target',
})

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
 * The plugin that stores objects of a kind.
 * @throws GatewayError `unacceptable_content` naming the stored kinds
 */
export function targetFor(ctx: Pick<CommandContext, 'extensions'>, kind: string, name: string): ImportTarget {
  const target = ctx.extensions(importTarget).find(({ kinds }) => kinds.includes(kind))
  if (target) return target
  const kinds = ctx.extensions(importTarget).flatMap((other) => other.kinds)
  throw problem('unacceptable_content', `"${name}": ${unsupportedKind(kind)} Supported: ${kinds.join(', ')}.`)
}

/** The reason why an object of this kind is not stored. */
export function unsupportedKind(kind: string): string {
  return `Objects of kind ${kind} are not part of a PLC program and are not supported.`
}
