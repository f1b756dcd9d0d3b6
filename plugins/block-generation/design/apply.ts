/** Brings a generated design into a program: only what differs is touched, and what a person wrote is kept. */

import { type CommandContext, type Fault, problem } from '../../../core/index.ts'
import { definitionsOf, restoreDefinitions } from '../../alarms/index.ts'
import {
  type Block,
  blocksOf,
  type CompileMessage,
  changeNetworks,
  compileBlocks,
  deleteBlock,
  findBlock,
  importSources,
} from '../../blocks/index.ts'
import type { Device } from '../../devices/index.ts'
import { cultureOf, documentOf, isInside, programContributor, usersOf, work } from '../../program-objects/index.ts'
import { findTagTable, putTags, type Tag, tagDeleted, tagTablesOf } from '../../tags/index.ts'
import { generateDesign } from './generate.ts'
import type { Design } from './model.ts'
import { userTexts, withUserTexts } from './regions.ts'
import type { GeneratedAlarm, GeneratedSource, GeneratedTag } from './sources.ts'

export interface DesignRequest {
  readonly dryRun?: boolean | undefined
  readonly prune?: boolean | undefined
  readonly overwrite?: boolean | undefined
  readonly compile?: boolean | undefined
}

export type Action = 'create' | 'change' | 'unchanged' | 'delete' | 'obsolete'

/** What becomes, or would become, of one thing. */
export interface Entry {
  readonly kind: string
  readonly name: string
  readonly action: Action
  /** Regions of a person that are kept. */
  readonly kept?: readonly string[]
  readonly detail?: string
}

export interface DesignResult {
  readonly design: string
  readonly dryRun: boolean
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly deleted: number
  readonly entries: readonly Entry[]
  readonly warnings: readonly string[]
  readonly compiled: boolean
  readonly compileStatus: string
  readonly compileMessages?: readonly CompileMessage[]
}

interface Change {
  readonly source: GeneratedSource
  readonly entry: Entry
  readonly text: string
}

/**
 * Generates the design and brings it into the program of a PLC.
 * @throws GatewayError `unacceptable_content` with the pointers of what is wrong with the design; `conflict` when
 * blocks
 *   that are not generated have the names of those of the design
 */
export async function applyDesign(
  ctx: CommandContext,
  device: Device,
  design: Design,
  request: DesignRequest,
): Promise<DesignResult> {
  const { dryRun = false, prune = false, overwrite = false, compile = true } = request
  const { generated, faults } = generateDesign(design, '/design')
  const [first] = faults
  if (first) throw problem('unacceptable_content', `${first.path}: ${first.message}.`, { errors: faults })
  const warnings: string[] = []
  const changes: Change[] = []
  const taken: Fault[] = []
  for (const source of generated.sources) {
    const change = await changeOf(ctx, device, source, design, taken, warnings)
    changes.push(change)
  }
  if (taken.length > 0 && !overwrite)
    throw problem('conflict', `${taken[0]?.message}${taken.length > 1 ? ` (and ${taken.length - 1} more)` : ''}.`, {
      errors: taken,
      suggestion: 'Rename them or the units, or send overwrite: true to replace them.',
    })
  const tags = tagChanges(ctx, device, design, generated.tags)
  const alarms = alarmChanges(ctx, device, generated.alarms)
  const stale = await staleBlocks(ctx, device, design, generated.sources, warnings)
  const staleTags = staleTagsOf(ctx, device, design, generated.tags)
  const call = await callChange(ctx, device, generated.callBlock)
  if (!dryRun) await store()
  // In a dry run the blocks that would be replaced still have their old text.
  const replaced = dryRun
    ? changes.filter(({ entry }) => entry.action === 'change').map(({ source }) => source.name)
    : []
  const inUse = prune ? await usedOf(ctx, device, stale, staleTags, replaced) : new Set<string>()
  if (!dryRun && prune) remove()
  const gone = (kind: string, name: string, isFree: boolean): Entry => ({
    kind,
    name,
    action: prune && isFree && !inUse.has(name) ? 'delete' : 'obsolete',
    detail: `no longer in the design${isFree ? '' : '; it has text of a person'}${inUse.has(name) ? '; it is used' : ''}`,
  })
  const staleEntries = [
    ...stale.map(({ block, isFree }) => gone(block.kind, block.name, isFree)),
    ...staleTags.map(({ name }) => gone('Tag', name, true)),
  ]
  const entries = [
    ...tags.entries,
    ...changes.map(({ entry }) => entry),
    ...call.entries,
    ...alarms.entries,
    ...staleEntries,
  ]
  const count = (action: Action) => entries.filter((entry) => entry.action === action).length
  const names = generated.sources.map(({ name }) => name)
  const compiled =
    dryRun || !compile
      ? undefined
      : await compileBlocks(ctx, device, [...names, ...call.entries.map(({ name }) => name)])
  return {
    design: design.name,
    dryRun,
    created: count('create'),
    changed: count('change'),
    unchanged: count('unchanged'),
    deleted: count('delete'),
    entries,
    warnings,
    ...(compiled ?? { compiled: false, compileStatus: 'notCompiled' }),
  }

  async function store(): Promise<void> {
    if (tags.toPut.length > 0) {
      const put = await putTags(ctx, device, [{ name: tableOf(design), tags: tags.toPut }])
      warnings.push(...put.warnings)
    }
    const toImport = changes.filter(({ entry }) => entry.action !== 'unchanged')
    if (toImport.length > 0) {
      const texts = toImport.map(({ source, text }) => ({
        ...source,
        text,
        ...(findBlock(ctx, device.id, source.name) ? {} : { folder: design.name }),
      }))
      const imported = await importSources(ctx, device, texts)
      warnings.push(...imported.warnings)
    }
    await call.run()
    if (alarms.isChanged) restoreDefinitions(ctx, device, alarms.definitions)
  }

  function remove(): void {
    for (const { block, isFree } of stale) if (isFree && !inUse.has(block.name)) deleteBlock(ctx, device, block)
    const tableName = tableOf(design)
    for (const { name } of staleTags)
      if (!inUse.has(name))
        ctx.emit(tagDeleted, { deviceId: device.id, tableName, name }, `tag-table/${device.name}/${tableName}`)
  }
}

/** Names of what is no longer in the design and is used by what stays. */
async function usedOf(
  ctx: CommandContext,
  device: Device,
  blocks: readonly { readonly block: Block; readonly isFree: boolean }[],
  tags: readonly Tag[],
  replaced: readonly string[],
): Promise<Set<string>> {
  const names = blocks.filter(({ isFree }) => isFree).map(({ block }) => block.name)
  const leaving = [...names, ...replaced].map((name) => ({ category: 'block', name }))
  const used = new Set<string>()
  for (const name of [...names, ...tags.map((tag) => tag.name)])
    if ((await usersOf(ctx, device, [name], leaving)).length > 0) used.add(name)
  return used
}

/** The tag table of a design. */
const tableOf = ({ name }: Pick<Design, 'name'>): string => name

/** Types have no author: those of the library are known by their title. */
const titleOf = (text: string | undefined): string | undefined => /^\s*TITLE\s*=\s*(.*?)\s*$/m.exec(text ?? '')?.[1]

/** Whether a text says that it was generated. */
const isGenerated = (text: string): boolean => /^\s*AUTHOR\s*:\s*'?Gantry'?\s*$/m.test(text)

async function sourceOf(ctx: CommandContext, device: Device, name: string) {
  for (const part of ctx.extensions(programContributor)) {
    const found = part.find?.(ctx, device, name)
    if (found?.stored === undefined || !/^(?:block|type)$/.test(found.category)) continue
    const source = await work(ctx, 'readSourceText', await documentOf(ctx, found.stored), found.stored.size)
    return { text: source?.text, kind: found.stored.kind, instanceOf: found.stored.instanceOf }
  }
  return undefined
}

async function changeOf(
  ctx: CommandContext,
  device: Device,
  source: GeneratedSource,
  { name: design }: Design,
  taken: Fault[],
  warnings: string[],
): Promise<Change> {
  const { name, kind } = source
  const before = await sourceOf(ctx, device, name)
  if (before === undefined) return { source, text: source.text, entry: { kind, name, action: 'create' } }
  const isOwn =
    before.kind === kind &&
    (kind === 'UDT'
      ? titleOf(before.text) === titleOf(source.text)
      : kind === 'InstanceDB'
        ? source.text.includes(`\n"${before.instanceOf}"\n`)
        : before.text !== undefined && isGenerated(before.text))
  if (!isOwn)
    taken.push({ path: '/design', message: `${before.kind} "${name}" is there and was not generated`, value: name })
  // An instance keeps its start values.
  if (kind === 'InstanceDB' && isOwn) return { source, text: source.text, entry: { kind, name, action: 'unchanged' } }
  const { text, kept, lost } = withUserTexts(source.text, userTexts(before.text ?? ''))
  for (const { name: region, text: own } of lost)
    warnings.push(
      `"${name}": the region <user ${region}> is no longer in the block of ${design}; its text is lost: ${own.slice(0, 500)}`,
    )
  const isSame = isOwn && before.text?.trim() === text.trim()
  return {
    source,
    text,
    entry: { kind, name, action: isSame ? 'unchanged' : 'change', ...(kept.length > 0 ? { kept } : {}) },
  }
}

function tagChanges(ctx: CommandContext, device: Device, design: Design, wanted: readonly GeneratedTag[]) {
  const present = new Map(
    tagTablesOf(ctx, device.id).flatMap((table) =>
      table.tags.map((tag) => [tag.name.toLowerCase(), { tag, table }] as const),
    ),
  )
  const culture = cultureOf(ctx)
  const toPut: Tag[] = []
  const entries = wanted.map(({ name, dataType, address, comment }): Entry => {
    const known = present.get(name.toLowerCase())
    const isSame = known?.tag.logicalAddress === address && known.tag.dataType === dataType
    // A tag of another table is that of a person: it is taken as it is when it fits.
    if (isSame) return { kind: 'Tag', name, action: 'unchanged', detail: address }
    if (known !== undefined && known.table.name.toLowerCase() !== tableOf(design).toLowerCase())
      throw problem(
        'conflict',
        `Tag "${name}" is in table "${known.table.name}" with ${known.tag.dataType} at ${known.tag.logicalAddress}; the design needs ${dataType} at ${address}.`,
      )
    const flags = { externalAccessible: true, externalVisible: true, externalWritable: true }
    toPut.push({
      ...flags,
      ...known?.tag,
      name: known?.tag.name ?? name,
      dataType,
      logicalAddress: address,
      comment: known?.tag.comment ?? { [culture]: comment },
    })
    return { kind: 'Tag', name, action: known === undefined ? 'create' : 'change', detail: address }
  })
  return { entries, toPut }
}

/** Ends of the names of generated tags: a person may add others to the table. */
const generatedName =
  /^[A-Za-z_]\w*_(?:Run|Running|Trip|Forward|Reverse|RunningForward|RunningReverse|Open|Opened|Closed|Input|Output|Automatic|Manual|Horn|Lamp|Acknowledge)$/

/** Tags of the design's table that a design before had made and this one does not have. */
function staleTagsOf(ctx: CommandContext, device: Device, design: Design, wanted: readonly GeneratedTag[]): Tag[] {
  const names = new Set(wanted.map(({ name }) => name.toLowerCase()))
  const table = findTagTable(ctx, device.id, tableOf(design))
  return (table?.tags ?? []).filter(({ name }) => generatedName.test(name) && !names.has(name.toLowerCase()))
}

function alarmChanges(ctx: CommandContext, device: Device, wanted: readonly GeneratedAlarm[]) {
  const definitions = definitionsOf(ctx, device)
  const culture = cultureOf(ctx)
  const present = new Map((definitions.alarms ?? []).map((alarm) => [alarm.instance?.toLowerCase(), alarm]))
  const all = [...(definitions.alarms ?? [])]
  const entries = wanted.map(({ instance, text, alarmClass }): Entry => {
    const known = present.get(instance.toLowerCase())
    const entry = { kind: 'Alarm', name: instance, detail: text }
    // Texts that a person has changed stay, in every language.
    if (known !== undefined) return { ...entry, action: 'unchanged' }
    all.push({ instance, text: { [culture]: text }, ...(alarmClass === undefined ? {} : { alarmClass }) })
    return { ...entry, action: 'create' }
  })
  return {
    entries,
    isChanged: entries.some(({ action }) => action !== 'unchanged'),
    definitions: { ...definitions, alarms: all },
  }
}

/** Generated blocks of this design that it no longer has. */
async function staleBlocks(
  ctx: CommandContext,
  device: Device,
  design: Design,
  sources: readonly GeneratedSource[],
  warnings: string[],
): Promise<{ block: Block; isFree: boolean }[]> {
  const names = new Set(sources.map(({ name }) => name.toLowerCase()))
  const found: { block: Block; isFree: boolean }[] = []
  const family = new RegExp(`^\\s*FAMILY\\s*:\\s*'?${design.name}'?\\s*$`, 'm')
  for (const block of blocksOf(ctx, device.id)) {
    if (names.has(block.name.toLowerCase()) || !isInside(block.folder, design.name) || block.isKnowHowProtected)
      continue
    const text = (await sourceOf(ctx, device, block.name))?.text ?? ''
    if (!isGenerated(text) || !family.test(text)) continue
    const own = userTexts(text)
    if (own.size > 0) warnings.push(`"${block.name}" is no longer in the design, but has text of a person: it stays.`)
    found.push({ block, isFree: own.size === 0 })
  }
  return found
}

/** The call of the design in a cyclic organization block, unless something calls it already. */
async function callChange(ctx: CommandContext, device: Device, callBlock: string) {
  const users = findBlock(ctx, device.id, callBlock) ? await usersOf(ctx, device, [callBlock]) : []
  const cyclic = blocksOf(ctx, device.id)
    .filter(({ kind, secondaryType, number }) => kind === 'OB' && (secondaryType === 'ProgramCycle' || number === 1))
    .sort((a, b) => a.number - b.number)
  const [main] = cyclic
  if (users.length > 0)
    return {
      entries: [
        { kind: 'OB', name: users[0]!.name, action: 'unchanged', detail: `calls "${callBlock}"` } satisfies Entry,
      ],
      run: async () => {},
    }
  const detail = `call of "${callBlock}"`
  if (main === undefined)
    return {
      entries: [{ kind: 'OB', name: 'Main', action: 'create', detail } satisfies Entry],
      run: async () => {
        const text = `ORGANIZATION_BLOCK "Main"\nTITLE = "Main Program Sweep (Cycle)"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\n\nBEGIN\n   "${callBlock}"();\nEND_ORGANIZATION_BLOCK\n\n`
        await importSources(ctx, device, [{ name: 'Main', kind: 'OB', text }])
      },
    }
  return {
    entries: [{ kind: 'OB', name: main.name, action: 'change', detail } satisfies Entry],
    run: async () => {
      const title = `Units: ${callBlock}`
      const content =
        main.language === 'SCL'
          ? { code: `"${callBlock}"();` }
          : main.language === 'STL'
            ? { code: `CALL "${callBlock}";` }
            : { expressions: `"${callBlock}"()` }
      await changeNetworks(ctx, device, main, { kind: 'add', networks: [{ title, ...content }] })
    },
  }
}
