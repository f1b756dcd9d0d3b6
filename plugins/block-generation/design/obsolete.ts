/** What a design made when it was applied before and does not have any more. */

import { isDeepStrictEqual } from 'node:util'
import type { CommandContext } from '../../../core/index.ts'
import { alarmKey, definitionsOf, restoreDefinitions } from '../../alarms/index.ts'
import { type Block, deleteBlock, findBlock } from '../../blocks/index.ts'
import type { Device } from '../../devices/index.ts'
import { isInside, usersOf } from '../../program-objects/index.ts'
import { findTagTable, tagDeleted } from '../../tags/index.ts'
import type { MadeAlarm, MadeByDesign, MadeTag } from './made.ts'
import type { Design } from './model.ts'
import { isGenerated, sourceOf } from './present.ts'
import { userTexts } from './regions.ts'
import type { Entry, GeneratedDesign } from './sources.ts'

/** A design that is applied, and what it made before. */
interface Applied {
  readonly design: Design
  readonly generated: GeneratedDesign
  readonly made: MadeByDesign
  readonly tableName: string
}

/** Something obsolete; `stays`: why it is not deleted. */
interface Obsolete<T> {
  readonly made: T
  readonly kind: string
  readonly name: string
  readonly stays?: string | undefined
}

const key = (name: string) => name.toLowerCase()

/**
 * Finds what is obsolete. Only what the design is known to have made is: a name or a mark may be that of a copy. What a
 * person has changed since is told and stays.
 */
export async function findObsolete(ctx: CommandContext, device: Device, applied: Applied, warnings: string[]) {
  const { made, generated, tableName } = applied
  const blocks = await obsoleteBlocks(ctx, device, applied, warnings)
  const tags = obsoleteTags(ctx, device, applied)
  const wanted = new Set(generated.alarms.map(alarmKey))
  const inUse = new Set<string>()
  let alarms: readonly Obsolete<MadeAlarm>[] = []
  const staying = ({ name, stays }: Obsolete<unknown>) => stays ?? (inUse.has(name) ? 'it is used' : undefined)
  return { judge, remove }

  /**
   * What becomes of each, and what stays that the design made.
   * @param replaced blocks whose text is going to be replaced: they use nothing
   */
  async function judge(prune: boolean, replaced: readonly string[]) {
    if (prune) await findUsed(replaced)
    alarms = obsoleteAlarms()
    const all = [...blocks, ...tags, ...alarms]
    const entries = all.map((one): Entry => {
      const why = staying(one)
      const detail = `no longer in the design${why === undefined ? '' : `; ${why}`}`
      return { kind: one.kind, name: one.name, action: prune && why === undefined ? 'delete' : 'obsolete', detail }
    })
    const left = <T>(of: readonly Obsolete<T>[]) =>
      of.filter((one) => !prune || staying(one) !== undefined).map((one) => one.made)
    const kept = { blocks: left(blocks).map(({ name }) => name), tags: left(tags), alarms: left(alarms) }
    return { entries, kept }
  }

  function remove(): void {
    const free = <T>(of: readonly Obsolete<T>[]) => of.filter((one) => staying(one) === undefined)
    for (const one of free(blocks)) deleteBlock(ctx, device, one.made)
    for (const { name } of free(tags))
      ctx.emit(tagDeleted, { deviceId: device.id, tableName, name }, `tag-table/${device.name}/${tableName}`)
    const gone = new Set(free(alarms).map((one) => alarmKey(one.made)))
    if (gone.size === 0) return
    const definitions = definitionsOf(ctx, device)
    const rest = definitions.alarms.filter((alarm) => !gone.has(alarmKey(alarm)))
    restoreDefinitions(ctx, device, { ...definitions, alarms: rest })
  }

  /** Names of what is used by what stays. */
  async function findUsed(replaced: readonly string[]): Promise<void> {
    const names = blocks.filter(({ stays }) => stays === undefined).map(({ name }) => name)
    const leaving = [...names, ...replaced].map((name) => ({ category: 'block', name }))
    const ofTags = tags.filter(({ stays }) => stays === undefined).map(({ name }) => name)
    for (const name of [...names, ...ofTags])
      if ((await usersOf(ctx, device, [name], leaving)).length > 0) inUse.add(name)
  }

  function obsoleteAlarms(): Obsolete<MadeAlarm>[] {
    const present = new Map(definitionsOf(ctx, device).alarms.map((alarm) => [alarmKey(alarm), alarm]))
    const stayingBlocks = new Set(blocks.filter((one) => staying(one) !== undefined).map(({ name }) => key(name)))
    return made.alarms.flatMap((alarm): Obsolete<MadeAlarm>[] => {
      const { instance } = alarm
      const now = present.get(alarmKey(alarm))
      if (wanted.has(alarmKey(alarm)) || now === undefined) return []
      const dataBlock = /^"([^"]+)"/.exec(instance)?.[1] ?? ''
      const stays = !isDeepStrictEqual(now, alarm)
        ? 'it has text of a person'
        : stayingBlocks.has(key(dataBlock))
          ? `"${dataBlock}" stays`
          : undefined
      return [{ made: alarm, kind: 'Alarm', name: instance, stays }]
    })
  }
}

/** Tags of the design's table that it made and no longer has. */
function obsoleteTags(ctx: CommandContext, device: Device, { generated, made, tableName }: Applied) {
  const wanted = new Set(generated.tags.map(({ name }) => key(name)))
  const present = new Map((findTagTable(ctx, device.id, tableName)?.tags ?? []).map((tag) => [key(tag.name), tag]))
  return made.tags.flatMap((tag): Obsolete<MadeTag>[] => {
    const now = present.get(key(tag.name))
    if (wanted.has(key(tag.name)) || now === undefined) return []
    const isSame = now.dataType === tag.dataType && now.logicalAddress === tag.address
    return [{ made: tag, kind: 'Tag', name: now.name, stays: isSame ? undefined : 'a person has changed it' }]
  })
}

/** Blocks in the design's folder that it made and no longer has. */
async function obsoleteBlocks(
  ctx: CommandContext,
  device: Device,
  { design, generated, made }: Applied,
  warnings: string[],
): Promise<Obsolete<Block>[]> {
  const wanted = new Set(generated.sources.map(({ name }) => key(name)))
  const found: Obsolete<Block>[] = []
  const family = new RegExp(`^\\s*FAMILY\\s*:\\s*'?${design.name}'?\\s*$`, 'm')
  for (const block of made.blocks.flatMap((name) => findBlock(ctx, device.id, name) ?? [])) {
    const { name, kind } = block
    if (wanted.has(key(name)) || !isInside(block.folder, design.name) || block.isKnowHowProtected) continue
    const text = (await sourceOf(ctx, device, name))?.text ?? ''
    if (!isGenerated(text) || !family.test(text)) continue
    const isFree = userTexts(text).size === 0
    if (!isFree) warnings.push(`"${name}" is no longer in the design, but has text of a person: it stays.`)
    found.push({ made: block, kind, name, stays: isFree ? undefined : 'it has text of a person' })
  }
  return found
}
