/**
 * The one symbol table of a controller: blocks, PLC data types, tags and user constants share their names, compared
 * without case (TIA Portal refuses a second holder of a name within a CPU). Plugins that keep such objects contribute a
 * `SymbolHolder`.
 */
import { type CommandContext, extensionPoint, problem } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'

/** The holder of a name. */
export interface SymbolOwner {
  /** `block`, `type`, `tag`, `constant`. */
  readonly kind: string
  /** The name in its own spelling. */
  readonly name: string
  /** For people: `FB 12`, `tag of "Default tag table"`. */
  readonly description: string
}

/** Finds the holder of a name among the objects of one plugin. */
export interface SymbolHolder {
  readonly kinds: readonly string[]
  /** Id of the collection with an entry for each name; keys are `<id of the device>/<name in lower case>`. */
  readonly collection?: string
  find(ctx: Pick<CommandContext, 'read'>, deviceId: string, lowerCaseName: string): SymbolOwner | undefined
}

/** Plugins whose objects have names of the program contribute to this point. */
export const symbolHolder = extensionPoint<SymbolHolder>('program-objects.symbol-holders', {
  title: 'Holders of symbols',
  description:
    'Finds the holder of a name among the objects of a plugin: all names of a controller are in one table, whoever keeps the objects.',
  constant: 'symbolHolder',
  check: {
    kinds: 'text[]',
    collection: 'text?',
    find: 'function',
  },
  example: "{ kinds: ['recipe'], find: (ctx, deviceId, name) => undefined }",
  formerly: 'blocks.symbol-holder',
})

/** The holder of the name on the device; `except` leaves out kinds with rules of their own. */
export function findSymbol(
  ctx: Pick<CommandContext, 'read' | 'extensions'>,
  device: Pick<Device, 'id'>,
  name: string,
  except: readonly string[] = [],
): SymbolOwner | undefined {
  const wanted = name.toLowerCase()
  for (const holder of ctx.extensions(symbolHolder)) {
    if (holder.kinds.every((kind) => except.includes(kind))) continue
    const owner = holder.find(ctx, device.id, wanted)
    if (owner && !except.includes(owner.kind)) return owner
  }
  return undefined
}

/** @throws GatewayError `name_taken` naming the holder */
export function requireFreeSymbol(
  ctx: Pick<CommandContext, 'read' | 'extensions'>,
  device: Pick<Device, 'id' | 'name'>,
  name: string,
  except: readonly string[] = [],
): void {
  const owner = findSymbol(ctx, device, name, except)
  if (!owner) return
  throw problem(
    'name_taken',
    `"${owner.name}" is taken on "${device.name}" by a ${owner.kind} (${owner.description}). Blocks, PLC data types, tags and constants of a controller share their names.`,
  )
}
