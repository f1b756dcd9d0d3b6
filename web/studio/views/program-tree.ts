/** The blocks of a controller in their folders, for the view "Program". */
import { type Answer, get } from '../gateway.ts'
import { t } from '../i18n.ts'
import type { Block } from '../model.ts'
import { naturally } from '../order.ts'
import type { TreeNode } from '../ui/tree.tsx'
import { inStation } from './project-lists.tsx'
import { blockIcon, stateIcon } from './states.tsx'

/** A folder of `GET /api/devices/{deviceName}/blocks/tree`. */
type Folder = Extract<Answer<'blocks.tree'>['children'][number], { isFolder: true }>

export interface ProgramBlocks {
  readonly tree: readonly (Folder | Block)[]
  /** All of them, in the order of their names. */
  readonly blocks: readonly Block[]
}

const isFolder = (entry: Folder | Block): entry is Folder => (entry as Folder).isFolder

function blocksIn(entries: readonly (Folder | Block)[]): Block[] {
  return entries.flatMap((entry) => (isFolder(entry) ? blocksIn(entry.children ?? []) : [entry]))
}

/** Where TIA Portal keeps the data blocks that it makes for timers, counters and other system blocks. */
const resources = ['System blocks', 'Program resources'] as const

/**
 * Asks for the blocks of a controller. Data blocks of system blocks that are in no folder are put where TIA Portal
 * has those that it makes: forty timers would bury the program.
 */
export async function programBlocks(station: string, until: AbortSignal): Promise<ProgramBlocks> {
  const { children } = await get<Answer<'blocks.tree'>>(
    inStation('/api/devices/{deviceName}/blocks/tree', station),
    until,
  )
  const blocks = blocksIn(children).sort((a, b) => naturally(a.name, b.name))
  const instances = children.filter((one) => !isFolder(one) && one.type === 'InstanceDB') as Block[]
  if (instances.length === 0) return { tree: children, blocks }
  const { udts } = await get<Answer<'types.list'>>(inStation('/api/devices/{deviceName}/udts', station), until)
  // What they are an instance of is no block and no type of the program.
  const own = new Set([...blocks, ...udts].map(({ name }) => name.toLowerCase()))
  const isSystems = ({ instanceOf = '', compileStatus }: Block) =>
    instanceOf !== '' && !own.has(instanceOf.toLowerCase()) && compileStatus !== 'error'
  const moved = instances.filter(isSystems)
  const rest = children.filter((one) => !moved.includes(one as Block))
  return { tree: moved.length === 0 ? children : within(rest, resources, moved), blocks }
}

/** A tree with blocks put into a folder of it, which is made when it is not there. */
function within(
  entries: readonly (Folder | Block)[],
  [name = '', ...below]: readonly string[],
  blocks: readonly Block[],
  above = '',
): (Folder | Block)[] {
  const path = above === '' ? name : `${above}/${name}`
  const found = entries.find((one): one is Folder => isFolder(one) && one.name.toLowerCase() === name.toLowerCase())
  const inside = found?.children ?? []
  const children = below.length === 0 ? [...inside, ...blocks] : within(inside, below, blocks, path)
  return [...entries.filter((one) => one !== found), { name, path, isFolder: true, children }]
}

const folderId = (path: string) => `folder:${path}`
export const blockId = (name: string) => `block:${name.toLowerCase()}`

/** The nodes of the tree: folders first, then organization blocks, then the others, each in the order of their names. */
export function nodesOf(entries: readonly (Folder | Block)[]): TreeNode[] {
  const rank = (entry: Folder | Block) => (isFolder(entry) ? 0 : entry.type === 'OB' ? 1 : 2)
  const ordered = [...entries].sort((a, b) => rank(a) - rank(b) || naturally(a.name, b.name))
  return ordered.map((entry): TreeNode => {
    if (isFolder(entry)) {
      const { name, path, children } = entry
      return { id: folderId(path), text: shownName(path, name), icon: 'folder', children: nodesOf(children ?? []) }
    }
    return blockNode(entry)
  })
}

/** Folders of the tool are shown in the language of the page. */
function shownName(path: string, name: string): string {
  if (path === resources[0]) return t('program.systemBlocks')
  return path === resources.join('/') ? t('program.resources') : name
}

export function blockNode(block: Block): TreeNode {
  const { name, type, number, programmingLanguage } = block
  return {
    id: blockId(name),
    text: name,
    icon: blockIcon(type),
    aside: [stateIcon(block), type.endsWith('DB') ? `DB${number}` : `${type}${number} ${programmingLanguage}`],
  }
}

/** The folders above a block, from the outermost one. */
export function foldersAbove(entries: readonly (Folder | Block)[], name: string): string[] | undefined {
  for (const entry of entries) {
    if (!isFolder(entry)) {
      if (entry.name.toLowerCase() === name.toLowerCase()) return []
      continue
    }
    const below = foldersAbove(entry.children ?? [], name)
    if (below !== undefined) return [folderId(entry.path), ...below]
  }
  return undefined
}

/** The block that a program is opened at: OB 1, else the first organization block, else any. */
export function firstBlock(blocks: readonly Block[]): Block | undefined {
  const organization = blocks.filter(({ type }) => type === 'OB').sort((a, b) => a.number - b.number)
  return organization[0] ?? blocks[0]
}
