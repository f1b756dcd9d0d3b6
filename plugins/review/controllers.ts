/** The controllers of a folder of exports, and what is of each of them. */
import type { FolderFile } from '../../plc/review/read-folder.ts'
import type { FolderContent } from './folder.ts'
import type { ReadHardware } from './hardware.ts'

/** The controllers whose programs are apart; undefined: what is of none of them. */
export interface Division {
  readonly devices: readonly (string | undefined)[]
  readonly deviceOf: (path: string) => string | undefined
}

/**
 * The controllers are those of the hardware that folders are called like. Where there is no such folder, or one
 * controller, the program is one.
 */
export function divisionOf(sides: readonly FolderContent[], hardware: readonly ReadHardware[]): Division {
  const named = new Map(
    hardware.flatMap(({ controllers }) => controllers).map((name) => [name.toLowerCase(), name] as const),
  )
  const deviceOf = (path: string) => {
    const folders = path.toLowerCase().split('/').slice(0, -1)
    return named.get(folders.find((folder) => named.has(folder)) ?? '')
  }
  const isDivided = ({ program, sheets }: FolderContent) => {
    const files = [...program, ...sheets]
    return files.length === 0 || files.some(({ path }) => deviceOf(path) !== undefined)
  }
  return named.size < 2 || !sides.every(isDivided)
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
