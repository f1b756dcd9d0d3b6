/** Blocks as a part of the project: its files, its overview, its search entries; folders of exported files. */
import type { CommandContext, QueryContext } from '../../core/index.ts'
import { addDevice, type Device, devices, findDevice } from '../devices/index.ts'
import type {
  FolderImporter,
  PartProgress,
  Project,
  ProjectFile,
  ProjectFiles,
  SearchEntry,
} from '../projects/index.ts'
import { blockFolders, blocksOf } from './block.ts'
import { importFiles, isReadable, programFolder } from './import.ts'
import { loadArea, type Savable, saveArea } from './project-files.ts'

/** All files of all blocks. */
export async function saveBlocks(ctx: CommandContext): Promise<ProjectFile[]> {
  const files: ProjectFile[] = []
  for (const device of ctx.read(devices).values()) {
    const objects = blocksOf(ctx, device.id).map((block): Savable => {
      const { number, autoNumber, secondaryType, kind, format } = block
      // Sources have no place for the event class of an organization block.
      const event = kind === 'OB' && format === 'source' && secondaryType !== undefined ? { secondaryType } : {}
      return { ...block, more: { number, autoNumber, ...event } }
    })
    const folders = blockFolders.list(ctx, device.id).map(({ path }) => path)
    files.push(...(await saveArea(ctx, device, 'blocks', objects, folders)))
  }
  return files
}

/** Brings the blocks into the state. */
export async function loadBlocks(
  ctx: CommandContext,
  project: Project,
  files: ProjectFiles,
  progress: PartProgress,
): Promise<void> {
  await loadArea(ctx, project, files, 'blocks', blockFolders, progress)
}

/** Longest text of one object in the search index: what is behind it is rarely looked for and costs memory. */
const maxSearchText = 50_000

/** Entries of the search index. */
export async function searchBlocks(ctx: QueryContext): Promise<SearchEntry[]> {
  const entries: SearchEntry[] = []
  for (const device of ctx.read(devices).values()) {
    for (const block of blocksOf(ctx, device.id)) {
      const { name, kind, number, folder, title, comment, author, document, isKnowHowProtected } = block
      const texts = [`${kind}${number}`, kind, author, ...Object.values(title), ...Object.values(comment)]
      if (!isKnowHowProtected) texts.push(plainText((await ctx.blobs.text(document)).slice(0, 4 * maxSearchText)))
      const path = folder === '' ? 'Program blocks' : `Program blocks/${folder}`
      entries.push({ kind: 'block', name, device: device.name, path, text: texts.join(' ') })
    }
  }
  return entries
}

/** Words of a source or an XML without its tags. */
export function plainText(text: string): string {
  const words = text.startsWith('<') ? text.replace(/<[^>]*>/g, ' ') : text
  return words.replace(/\s+/g, ' ').slice(0, maxSearchText)
}

/** Imports folders of exported SimaticML and sources: Openness and version control interface exports. */
export const exportFolders: Pick<FolderImporter, 'recognizes' | 'import'> = {
  recognizes: (files) => files.list().filter(isReadable),
  async import(ctx, _project, files, progress) {
    const warnings: string[] = []
    const all = files.list()
    const paths = all.filter(isReadable)
    const groups = new Map<string, string[]>()
    for (const path of paths) {
      const station = programFolder(path).before.at(-1) ?? ''
      const group = groups.get(station)
      if (group) group.push(path)
      else groups.set(station, [path])
    }
    let imported = 0
    for (const [station, group] of groups) {
      const device = await plcFor(ctx, station, warnings)
      const sources = group.map((path) => ({ path, read: () => files.read(path), folder: programFolder(path).folder }))
      const result = await importFiles(
        ctx,
        device,
        sources,
        { overwrite: false, continueOnError: false, strict: false },
        [],
        (percent, message) => progress(percent / 100, message),
      )
      imported += result.files.filter(({ status }) => status === 'imported').length
      warnings.push(...result.warnings)
      for (const { path, status, message } of result.files)
        if (status === 'skipped') warnings.push(`${path} was left out: ${message}`)
    }
    const others = all.length - paths.length
    if (others > 0) warnings.push(`${others} other files in the folder are not part of a PLC program.`)
    return { imported, warnings }
  },
}

/** What is added when files do not say which CPU they are for. */
const defaultCpu = '6ES7 516-3AN02-0AB0'

async function plcFor(ctx: CommandContext, station: string, warnings: string[]): Promise<Device> {
  const name = station === '' ? 'PLC_1' : station
  const present = findDevice(ctx, name)
  if (present?.kind === 'PLC') return present
  const { device } = await addDevice(ctx, { orderNumber: defaultCpu, ...(present ? {} : { name }) })
  warnings.push(
    `The files do not say which CPU they are for: "${device.name}" was added as ${device.typeName} (${device.orderNumber}).`,
  )
  return device
}
