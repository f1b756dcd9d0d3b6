/**
 * Further sources of catalog entries beside the catalog that comes with the plugin, such as GSD files of the workspace.
 */
import { type CommandContext, extensionPoint, type QueryContext } from '../../../core/index.ts'
import type { Device } from '../device.ts'
import type { CatalogEntry } from './entry.ts'

/** What a source needs of the context of an operation. */
export type SourceContext = Pick<QueryContext | CommandContext, 'read' | 'files' | 'gateway'>

/** A file of a source. */
export interface SourceFile {
  readonly fileName: string
  /** What it describes, e.g. maker and family; empty when it cannot be read. */
  readonly title: string
  /** Entries that it gives. */
  readonly entries: number
  /** Why it cannot be used, with line. */
  readonly fault?: string
  readonly warnings: readonly string[]
}

/** A source of entries. */
export interface CatalogSource {
  /** All entries. */
  entries(ctx: SourceContext): Promise<readonly CatalogEntry[]>
  /** The entry of an identifier. */
  find(ctx: SourceContext, text: string): Promise<CatalogEntry | undefined>
  files(ctx: SourceContext): Promise<readonly SourceFile[]>
  /** Emits what a new device with one of its entries has besides: its hardware. */
  added?(ctx: CommandContext, device: Device, entry: CatalogEntry): Promise<readonly string[]>
}

/** Further sources, in load order. */
export const catalogSource = extensionPoint<CatalogSource>('devices.catalog-sources', {
  title: 'Sources of catalog entries',
  description:
    'Entries of the hardware catalog beside those that come with Gantry, e.g. of GSD files. Sources are asked as they were loaded.',
  constant: 'catalogSource',
  check: {
    entries: 'function',
    find: 'function',
    files: 'function',
    added: 'function?',
  },
  example: '{ entries: async () => [], find: async (ctx, identifier) => undefined, files: async () => [] }',
  formerly: 'devices.catalog-source',
})

/** What is to be done for a device or module of a GSD file that is not there. */
export const gsdAdvice = 'Put the GSDML file into the folder that the setting engineering.gsdFolder names.'
