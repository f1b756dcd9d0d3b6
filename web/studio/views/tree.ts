/** The nodes of the project tree; what is in a station is asked for when it is opened. */
import { get, pathWith, queryOf } from '../gateway.ts'
import { t } from '../i18n.ts'
import type { Block } from '../model.ts'
import { inOrder } from '../order.ts'
import type { Route } from '../router.ts'
import { controllers, type Station, stations } from '../state.ts'
import type { TreeNode, TreePage } from '../ui/tree.tsx'
import { blockIcon, stateIcon } from './states.tsx'

const of = (path: string, deviceName: string) => pathWith(path, { deviceName })

/** A folder or object as the tree operations answer. */
interface Entry {
  readonly name: string
  readonly path?: string
  readonly isFolder?: boolean
  readonly children?: readonly Entry[]
}

/** Entries that are asked for at once. */
const pageSize = 500

/** Ids are addresses: `PLC_1/blocks/Main`. */
export const idOf = (parts: readonly string[]) => parts.map(encodeURIComponent).join('/')
export const partsOf = (id: string) => id.split('/').map(decodeURIComponent)

/** The node that an address names. */
export function placeId({ parts, query: { folder, library } }: Route): string {
  if (library !== undefined) return idOf(['', 'libraries', ...library.split('/').filter((one) => one !== '')])
  return idOf(folder === undefined ? parts : [...parts, folderPart(folder)])
}

const folderPart = (path: string) => `folder:${path}`

/** The folders of a path as nodes: `A/B` is in `A`. */
const folderNodes = (prefix: readonly string[], path: string) => {
  const names = path.split('/').filter((name) => name !== '')
  return names.map((_, i) => idOf([...prefix, folderPart(names.slice(0, i + 1).join('/'))]))
}

/** Lists of a kind of objects, which tell their folders: the path and the field of the answer. */
const objectLists: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  types: { '/api/devices/{deviceName}/udts': 'udts' },
  tags: { '/api/devices/{deviceName}/tag-tables': 'tagTables' },
  watch: {
    '/api/devices/{deviceName}/watch-tables': 'watchTables',
    '/api/devices/{deviceName}/force-tables': 'forceTables',
  },
}

/** The nodes above the one that an address names, from the outermost one; none for an object that is not there. */
export async function branchesAbove({ parts, query }: Route, until: AbortSignal): Promise<readonly string[]> {
  const [station, kind, name] = parts
  if (query.library !== undefined) {
    const names = query.library.split('/').filter((one) => one !== '')
    return names.map((_, i) => idOf(['', 'libraries', ...names.slice(0, i)]))
  }
  if (station === undefined || kind === undefined || !stations.value.some((one) => one.name === station)) return []
  const branch = [idOf([station]), idOf([station, kind])]
  if (query.folder !== undefined) return [...branch, ...folderNodes([station, kind], query.folder).slice(0, -1)]
  if (name === undefined) return branch.slice(0, 1)
  const lists = Object.entries(objectLists[kind] ?? {}).map(async ([path, field]) => {
    const answer = await get<Record<string, readonly { name: string; folder: string }[]>>(of(path, station), until)
    return answer[field]?.find((one) => one.name === name)?.folder
  })
  const folder = (await Promise.all(lists)).find((one) => one !== undefined) ?? ''
  return [...branch, ...folderNodes([station, kind], folder)]
}

type Branches = NonNullable<TreeNode['children']>

/** What tells an entry of the tree apart: by its kind. */
interface Look {
  /** What tells an entry from another one of its name. */
  part?(entry: Entry): readonly string[]
  icon(entry: Entry): TreeNode['icon']
  aside?(entry: Entry): TreeNode['aside']
}

/** Objects in the order of their names; of a folder that comes in pages they stay in the order of the pages. */
function leaves(entries: readonly Entry[]): readonly Entry[] {
  const own = entries.filter(({ isFolder }) => !isFolder)
  return entries.length < pageSize ? inOrder(own) : own
}

/** Entries as nodes. @param folder the branches of a folder; default: those that it has */
function nodesOf(
  entries: readonly Entry[],
  prefix: readonly string[],
  look: Look,
  folder: (entry: Entry) => Branches = ({ children = [] }) => nodesOf(children, prefix, look),
): TreeNode[] {
  const ordered = [...inOrder(entries.filter(({ isFolder }) => isFolder)), ...leaves(entries)]
  return ordered.map((entry) => {
    if (entry.isFolder)
      return {
        id: idOf([...prefix, folderPart(entry.path ?? entry.name)]),
        text: entry.name,
        icon: 'folder',
        children: folder(entry),
      }
    const symbol = look.icon(entry)
    return {
      id: idOf([...prefix, entry.name, ...(look.part?.(entry) ?? [])]),
      text: entry.name,
      ...(symbol === undefined ? {} : { icon: symbol }),
      aside: look.aside?.(entry),
    }
  })
}

/** What is directly in a folder, page by page. @param path of the tree operation */
function level(path: string, folder: string, prefix: readonly string[], look: Look): Branches {
  const page = async (limit: number, cursor?: string): Promise<TreePage> => {
    const query = queryOf({ limit, cursor })
    const { children, nextCursor } = await get<{ children: readonly Entry[]; nextCursor?: string }>(
      `${path}${query}&folder=${encodeURIComponent(folder)}`,
    )
    return {
      nodes: nodesOf(children, prefix, look, (entry) => level(path, entry.path ?? entry.name, prefix, look)),
      next: nextCursor === undefined ? undefined : () => page(pageSize, nextCursor),
    }
  }
  return (count) => page(Math.max(pageSize, Math.min(count, 10_000)))
}

/** The branches of a controller. */
function controllerNodes({ name }: Station): TreeNode[] {
  const branch = (kind: string, text: string, path: string, look: Look): TreeNode => ({
    id: idOf([name, kind]),
    text,
    icon: 'folder',
    children: level(of(path, name), '', [name, kind], look),
  })
  return [
    {
      ...branch('blocks', t('project.blocks'), '/api/devices/{deviceName}/blocks/tree', {
        icon: (entry) => blockIcon((entry as unknown as Block).type),
        aside: (entry) => stateIcon(entry as unknown as Block),
      }),
      isOpen: controllers.value.length === 1,
    },
    branch('types', t('project.types'), '/api/devices/{deviceName}/udts/tree', { icon: () => 'type' }),
    branch('tags', t('project.tags'), '/api/devices/{deviceName}/tag-tables/tree', {
      icon: () => 'tag',
      aside: (entry) => (entry as unknown as { tagCount: number }).tagCount,
    }),
    branch('watch', t('project.watch'), '/api/devices/{deviceName}/watch-force-tables/tree', { icon: () => 'watch' }),
  ]
}

function panelNodes({ name }: Station): TreeNode[] {
  return [
    {
      id: idOf([name, 'hmi']),
      text: t('project.screens'),
      icon: 'folder',
      children: async () => {
        const { children } = await get<{ children: readonly Entry[] }>(
          of('/api/devices/{deviceName}/hmi/screens/tree', name),
        )
        // Templates, popups and slide-in screens may have the names of screens.
        const kind = (entry: Entry) => (entry as unknown as { screenType: string }).screenType.replace(/^Screen/, '')
        return nodesOf(children, [name, 'hmi'], {
          icon: () => 'screen',
          aside: kind,
          part: (entry) => [kind(entry)].filter((part) => part !== ''),
        })
      },
    },
  ]
}

interface LibraryEntry extends Entry {
  readonly kind?: string
  readonly defaultVersion?: string
}

async function libraryNodes(): Promise<TreeNode[]> {
  const library = await get<{ name: string; children: readonly LibraryEntry[] }>('/api/project/library/tree')
  const nodes = (entries: readonly LibraryEntry[], prefix: readonly string[]): TreeNode[] =>
    entries.map((entry) => ({
      id: idOf([...prefix, entry.name]),
      text: entry.name,
      icon: entry.isFolder ? 'folder' : 'library',
      ...(entry.children === undefined ? {} : { children: nodes(entry.children, [...prefix, entry.name]) }),
      ...(entry.defaultVersion === undefined ? {} : { aside: entry.defaultVersion }),
    }))
  return nodes(library.children, ['', 'libraries'])
}

/** The roots: stations and libraries. */
export function rootNodes(): TreeNode[] {
  return [
    ...stations.value.map((station): TreeNode => {
      const { name, kind } = station
      const isPanel = kind === 'HMI'
      const children = kind === 'PLC' ? controllerNodes(station) : isPanel ? panelNodes(station) : undefined
      return {
        id: idOf([name]),
        text: name,
        icon: isPanel ? 'hmi' : 'station',
        isOpen: true,
        ...(children === undefined ? {} : { children }),
        aside: station.typeName,
      }
    }),
    { id: idOf(['', 'libraries']), text: t('project.libraries'), icon: 'library', children: libraryNodes },
  ]
}
