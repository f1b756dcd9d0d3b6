/** The controllers of a folder of exports, and what is of each of them. */
import type { FolderFile } from '../../../plc/review/read-folder.ts'
import type { FolderContent } from './folder.ts'
import type { ReadHardware } from './hardware.ts'

/** The controllers whose programs are apart; undefined: what is of none of them. */
export interface Division {
  readonly devices: readonly (string | undefined)[]
  readonly deviceOf: (path: string) => string | undefined
}

/**
 * The folders of a file in lower case, as names of controllers are compared. Exports percent-encode what file systems
 * do not allow in names.
 */
export function foldersOf(path: string): string[] {
  const decoded = (folder: string) => {
    try {
      return decodeURIComponent(folder)
    } catch {
      return folder
    }
  }
  return path
    .split('/')
    .slice(0, -1)
    .map((folder) => decoded(folder).toLowerCase())
}

/**
 * The controllers are those of the hardware that folders are called like. Where there is no such folder, or one
 * controller on each side, whatever its name, the program is one.
 */
export function divisionOf(sides: readonly FolderContent[], hardware: readonly ReadHardware[]): Division {
  const named = new Map(
    hardware.flatMap(({ controllers }) => controllers).map((name) => [name.toLowerCase(), name] as const),
  )
  const deviceOf = (path: string) => named.get(foldersOf(path).find((folder) => named.has(folder)) ?? '')
  const isDivided = ({ program, sheets }: FolderContent) => {
    const files = [...program, ...sheets]
    return files.length === 0 || files.some(({ path }) => deviceOf(path) !== undefined)
  }
  const isSingle = ({ controllers }: ReadHardware) => new Set(controllers.map((one) => one.toLowerCase())).size < 2
  return hardware.every(isSingle) || !sides.every(isDivided)
    ? { devices: [undefined], deviceOf: () => undefined }
    : { devices: [...named.values(), undefined], deviceOf }
}

/** What a folder has of each controller, in their order. */
export function contentsOf(content: FolderContent, { devices, deviceOf }: Division): readonly FolderContent[] {
  const [programs, sheets] = [content.program, content.sheets].map((files) => {
    const own = new Map<string | undefined, FolderFile[]>(devices.map((device) => [device, []]))
    for (const file of files) own.get(deviceOf(file.path))?.push(file)
    return own
  })
  return devices.map((device, i) => ({
    ...content,
    // What cannot be read is told once.
    refused: i === 0 ? (content.refused ?? []) : [],
    program: programs?.get(device) ?? [],
    sheets: sheets?.get(device) ?? [],
  }))
}

/** The hardware of AML files; its reader is loaded when there are some. */
export async function hardwareOf(files: FolderContent['hardware']): Promise<ReadHardware> {
  return files.length === 0
    ? { hardware: [], controllers: [], files: new Map(), unread: [] }
    : (await import('./hardware.ts')).readHardware(files)
}
