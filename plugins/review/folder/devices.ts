/** The controllers of a folder, and which files are of which. */
import { everyItem, mainItem } from '../../../plc/formats/aml/hardware.ts'
import { interpretAml } from '../../../plc/formats/aml/interpret.ts'
import { readAml } from '../../../plc/formats/aml/read.ts'
import { decodeText } from '../../../plc/model/decode.ts'
import { FormatError } from '../../../plc/model/fault.ts'
import type { TagEntry } from '../../../plc/model/object.ts'
import type { ConfiguredDevice } from '../../../plc/review/config.ts'
import type { FileNote, FolderFile } from '../../../plc/review/read-folder.ts'
import { foldersOf } from './controllers.ts'

/** A controller of an AML file, with the tags that the file has. */
export interface AmlController {
  readonly name: string
  readonly file: string
  readonly tables: readonly { readonly name: string; readonly tags: readonly TagEntry[]; readonly line: number }[]
}

/** Reads the controllers of AML files; faults become notes. */
export function controllersIn(files: readonly FolderFile[], notes: FileNote[]): AmlController[] {
  return files.flatMap(({ path, bytes }) => {
    try {
      const { hardware, problems } = interpretAml(readAml(decodeText(bytes).text))
      for (const { severity, message, line } of problems)
        notes.push({ ...(severity === 'error' ? unreadable : imported), file: path, line, column: 1, message })
      return hardware.stations.flatMap((station) => {
        const main = mainItem(station)
        if (main?.role !== 'CPU') return []
        const tables = [...everyItem(station.racks)].flatMap(({ tagTables = [] }) => tagTables)
        return [
          {
            name: main.name,
            file: path,
            tables: tables.map(({ name, tags, line = 1 }) => ({
              name,
              line,
              tags: tags.map(({ name: tag, dataType, address, comment }) => ({
                name: tag,
                dataType,
                logicalAddress: address,
                comment,
              })),
            })),
          },
        ]
      })
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      for (const { message, line, column } of error.faults)
        notes.push({ ...unreadable, file: path, line, column, message })
      return []
    }
  })
}

const unreadable = { code: 'unreadable-file', severity: 'error' } as const
const imported = { code: 'import-warning', severity: 'warning' } as const

/** The files of one controller. */
export interface DevicePart {
  readonly name: string
  readonly isOf: (path: string) => boolean
}

/** Divides the files: as configured, else by folders with the names of the controllers, else all are of one. */
export function partsOf(
  configured: readonly ConfiguredDevice[],
  controllers: readonly AmlController[],
  paths: readonly string[],
): DevicePart[] {
  if (configured.length > 0)
    return configured.map(({ name, folders }) => ({
      name,
      isOf: (path) => folders.some((folder) => isBelow(path, folder)),
    }))
  const named = controllers.filter(({ name }) => paths.some((path) => hasFolder(path, name)))
  if (controllers.length > 1 && named.length > 0)
    return named.map(({ name }) => ({ name, isOf: (path) => hasFolder(path, name) }))
  return [{ name: controllers[0]?.name ?? 'PLC_1', isOf: () => true }]
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || folder === '.' || path === folder || path.startsWith(`${folder}/`)
}

/** Names of controllers are equal whatever the case of their letters, as in TIA Portal. */
function hasFolder(path: string, name: string): boolean {
  return foldersOf(path).includes(name.toLowerCase())
}
