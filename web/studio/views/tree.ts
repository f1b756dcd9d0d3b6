/** The nodes of the project tree; what is in a station is asked for when it is opened. */
import { get, pathWith } from '../gateway.ts'
import { t } from '../i18n.ts'
import type { Block } from '../model.ts'
import { controllers, type Station, stations } from '../state.ts'
import type { TreeNode } from '../ui/tree.tsx'
import { blockIcon, stateIcon } from './states.tsx'

const of = (path: string, deviceName: string) => pathWith(path, { deviceName })

/** A folder or object as the tree operations answer. */
interface Entry {
  readonly name: string
  readonly path?: string
  readonly isFolder?: boolean
  readonly children?: readonly Entry[]
}

/** Ids are addresses: `PLC_1/blocks/Main`. */
export const idOf = (parts: readonly string[]) => parts.map(encodeURIComponent).join('/')
export const partsOf = (id: string) => id.split('/').map(decodeURIComponent)

function nodesOf(
  entries: readonly Entry[],
  prefix: readonly string[],
  icon: (entry: Entry) => TreeNode['icon'],
  aside: (entry: Entry) => TreeNode['aside'] = () => undefined,
): TreeNode[] {
  const ordered = [...entries.filter(({ isFolder }) => isFolder), ...entries.filter(({ isFolder }) => !isFolder)]
  return ordered.map((entry) => {
    if (entry.isFolder)
      return {
        id: idOf([...prefix, `folder:${entry.path ?? entry.name}`]),
        text: entry.name,
        icon: 'folder',
        children: nodesOf(entry.children ?? [], prefix, icon, aside),
      }
    const symbol = icon(entry)
    return {
      id: idOf([...prefix, entry.name]),
      text: entry.name,
      ...(symbol === undefined ? {} : { icon: symbol }),
      aside: aside(entry),
    }
  })
}

/** The branches of a controller. */
function controllerNodes({ name }: Station): TreeNode[] {
  const load = (path: string) => get<{ children: readonly Entry[] }>(of(path, name))
  return [
    {
      id: idOf([name, 'blocks']),
      text: t('project.blocks'),
      icon: 'folder',
      isOpen: controllers.value.length === 1,
      children: async () => {
        const { children } = await load('/api/devices/{deviceName}/blocks/tree')
        return nodesOf(
          children,
          [name, 'blocks'],
          (entry) => blockIcon((entry as unknown as Block).type),
          (entry) => stateIcon(entry as unknown as Block),
        )
      },
    },
    {
      id: idOf([name, 'types']),
      text: t('project.types'),
      icon: 'folder',
      children: async () =>
        nodesOf((await load('/api/devices/{deviceName}/udts/tree')).children, [name, 'types'], () => 'type'),
    },
    {
      id: idOf([name, 'tags']),
      text: t('project.tags'),
      icon: 'folder',
      children: async () =>
        nodesOf(
          (await load('/api/devices/{deviceName}/tag-tables/tree')).children,
          [name, 'tags'],
          () => 'tag',
          (entry) => (entry as unknown as { tagCount: number }).tagCount,
        ),
    },
    {
      id: idOf([name, 'watch']),
      text: t('project.watch'),
      icon: 'folder',
      children: async () =>
        nodesOf(
          (await load('/api/devices/{deviceName}/watch-force-tables/tree')).children,
          [name, 'watch'],
          () => 'watch',
        ),
    },
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
        return nodesOf(children, [name, 'hmi'], () => 'screen')
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
