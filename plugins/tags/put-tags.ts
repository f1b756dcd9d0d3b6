/** Puts whole lists of tags into tables, for importers of other files than those of tags. */
import { type CommandContext, type Fault, problem } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { requireName } from '../program-objects/index.ts'
import { checkRows } from './check.ts'
import { overlapWarnings } from './overlap-warnings.ts'
import { nameClashes } from './store.ts'
import {
  findTagTable,
  type Tag,
  type TagTable,
  tagTableCollection,
  tagTableCreated,
  tagTableReplaced,
} from './tag-table.ts'

/** See `putTags` in index.ts. */
export async function putTags(
  ctx: CommandContext,
  device: Device,
  tables: readonly { readonly name: string; readonly tags: readonly Tag[] }[],
): Promise<{ readonly tags: number; readonly warnings: readonly string[] }> {
  const faults: Fault[] = []
  const warnings: string[] = []
  const changed = new Set<string>()
  for (const { name, tags } of tables) {
    requireName(name, '/name', 'tag table')
    const before = findTagTable(ctx, device.id, name)
    const incoming = new Map(tags.map((tag) => [tag.name.toLowerCase(), tag]))
    // A tag that is there keeps its place.
    const kept = (before?.tags ?? []).map((tag) => {
      const key = tag.name.toLowerCase()
      const next = incoming.get(key)
      incoming.delete(key)
      return next ?? tag
    })
    const all = [...kept, ...incoming.values()]
    const {
      file: _file,
      isAsDocument: _same,
      ...table
    }: TagTable = {
      ...(before ?? {
        ...tagTableCollection.identityOf(ctx, device, name, {}, undefined),
        isDefault: false,
        constants: [],
      }),
      // A default table that was never changed is not saved: this one was.
      modifiedAt: Math.max(ctx.now, (before?.createdAt ?? 0) + 1),
      tags: all,
    }
    const checked = await checkRows(ctx, device, { tags, constants: [] })
    const found = [...checked.faults, ...nameClashes(ctx, device, table)]
    faults.push(...found.map((fault) => ({ ...fault, message: `table "${name}": ${fault.message}` })))
    warnings.push(...checked.warnings.map((text) => `Tag table "${name}": ${text}`))
    if (found.length > 0 || (before && tags.length === 0)) continue
    for (const tag of tags) changed.add(tag.name.toLowerCase())
    ctx.emit(before ? tagTableReplaced : tagTableCreated, { table }, tagTableCollection.entityOf(device, name))
  }
  if (faults.length > 0)
    throw problem('unacceptable_content', `The tags of "${device.name}" cannot be stored: ${faults[0]!.message}.`, {
      errors: faults,
    })
  return { tags: changed.size, warnings: [...warnings, ...overlapWarnings(ctx, device, changed)] }
}
