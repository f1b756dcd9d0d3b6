/** Brings a generated design into a program: only what differs is touched, and what a person wrote is kept. */

import { isDeepStrictEqual } from 'node:util'
import { type CommandContext, type Fault, problem } from '../../../core/index.ts'
import { alarmKey, definitionsOf, restoreDefinitions } from '../../alarms/index.ts'
import {
  blocksOf,
  type CompileMessage,
  changeNetworks,
  compileBlocks,
  findBlock,
  importSources,
} from '../../blocks/index.ts'
import type { Device } from '../../devices/index.ts'
import { cultureOf, findSymbol, usersOf } from '../../program-objects/index.ts'
import { putTags, type Tag, tagTablesOf } from '../../tags/index.ts'
import { generateDesign } from './generate.ts'
import { keepMade, type MadeAlarm, type MadeTag, madeBy } from './made.ts'
import type { Design } from './model.ts'
import { findObsolete } from './obsolete.ts'
import { isGenerated, sourceOf, titleOf } from './present.ts'
import { userTexts, withUserTexts } from './regions.ts'
import type { Action, Entry, GeneratedAlarm, GeneratedDesign, GeneratedSource, GeneratedTag } from './sources.ts'

export interface DesignRequest {
  readonly dryRun?: boolean | undefined
  readonly prune?: boolean | undefined
  readonly overwrite?: boolean | undefined
  readonly compile?: boolean | undefined
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
  warnings.push(...absentNames(ctx, device, generated))
  const made = madeBy(ctx, device, design.name)
  const tags = tagChanges(ctx, device, design, generated.tags, made.tags)
  const alarms = alarmChanges(ctx, device, generated.alarms, made.alarms)
  const obsolete = await findObsolete(ctx, device, { design, generated, made, tableName: tableOf(design) }, warnings)
  const call = await callChange(ctx, device, generated.callBlock)
  if (!dryRun) await store()
  // In a dry run the blocks that would be replaced still have their old text.
  const replaced = dryRun
    ? changes.filter(({ entry }) => entry.action === 'change').map(({ source }) => source.name)
    : []
  const { entries: obsoleteEntries, kept } = await obsolete.judge(prune, replaced)
  if (!dryRun) {
    if (prune) obsolete.remove()
    keep()
  }
  const entries = [
    ...tags.entries,
    ...changes.map(({ entry }) => entry),
    ...call.entries,
    ...alarms.entries,
    ...obsoleteEntries,
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

  /** Keeps what this design has made until now, so that it knows its own when it is applied again. */
  function keep(): void {
    const blocks = generated.sources.filter(({ kind }) => kind !== 'UDT').map(({ name }) => name)
    const now = {
      deviceId: device.id,
      design: design.name,
      blocks: [...kept.blocks, ...blocks],
      tags: [...kept.tags, ...tags.own],
      alarms: [...kept.alarms, ...alarms.own],
    }
    if (!isDeepStrictEqual(now, made)) keepMade(ctx, device, now)
  }
}

/** Warnings of the names in the design that neither the program has nor the design makes: they would not compile. */
function absentNames(ctx: CommandContext, device: Device, { sources, tags, named }: GeneratedDesign): string[] {
  const made = new Set([...sources, ...tags].map(({ name }) => name.toLowerCase()))
  const absent = new Map<string, { name: string; paths: string[] }>()
  for (const { name, path } of named) {
    const key = name.toLowerCase()
    const known = absent.get(key)
    if (known) known.paths.push(path)
    else if (!made.has(key) && !findSymbol(ctx, device, name)) absent.set(key, { name, paths: [path] })
  }
  return [...absent.values()].map(({ name, paths: [first, ...others] }) => {
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`
    return `${first}${more}: "${name}" is no tag, block or constant of "${device.name}": add it, or declare it in /design/tags.`
  })
}

/** The tag table of a design. */
const tableOf = ({ name }: Pick<Design, 'name'>): string => name

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

function tagChanges(
  ctx: CommandContext,
  device: Device,
  design: Design,
  wanted: readonly GeneratedTag[],
  made: readonly MadeTag[],
) {
  const present = new Map(
    tagTablesOf(ctx, device.id).flatMap((table) =>
      table.tags.map((tag) => [tag.name.toLowerCase(), { tag, table }] as const),
    ),
  )
  const culture = cultureOf(ctx)
  const madeBefore = new Set(made.map(({ name }) => name.toLowerCase()))
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
  // A tag of a person stays that of a person when the design uses it.
  const own = wanted
    .filter(({ name }) => madeBefore.has(name.toLowerCase()) || !present.has(name.toLowerCase()))
    .map(({ name, dataType, address }): MadeTag => ({ name, dataType, address }))
  return { entries, toPut, own }
}

function alarmChanges(
  ctx: CommandContext,
  device: Device,
  wanted: readonly GeneratedAlarm[],
  made: readonly MadeAlarm[],
) {
  const definitions = definitionsOf(ctx, device)
  const culture = cultureOf(ctx)
  const present = new Set(definitions.alarms.map(alarmKey))
  const all = [...definitions.alarms]
  const madeBefore = new Map(made.map((alarm) => [alarmKey(alarm), alarm]))
  const own: MadeAlarm[] = []
  const entries = wanted.map(({ instance, text, alarmClass }): Entry => {
    const entry = { kind: 'Alarm', name: instance, detail: text }
    // Texts that a person has changed stay, in every language.
    if (present.has(alarmKey({ instance }))) {
      const before = madeBefore.get(alarmKey({ instance }))
      if (before !== undefined) own.push(before)
      return { ...entry, action: 'unchanged' }
    }
    const alarm = { instance, text: { [culture]: text }, ...(alarmClass === undefined ? {} : { alarmClass }) }
    all.push(alarm)
    own.push(alarm)
    return { ...entry, action: 'create' }
  })
  return {
    entries,
    own,
    isChanged: entries.some(({ action }) => action !== 'unchanged'),
    definitions: { ...definitions, alarms: all },
  }
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
