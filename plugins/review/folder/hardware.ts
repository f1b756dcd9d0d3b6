/** The hardware of AML files for a compare. */
import { type AmlHardware, type AmlItem, mainItem } from '../../../plc/formats/aml/hardware.ts'
import { interpretAml } from '../../../plc/formats/aml/interpret.ts'
import { readAml } from '../../../plc/formats/aml/read.ts'
import { decodeText } from '../../../plc/model/decode.ts'
import { FormatError } from '../../../plc/model/fault.ts'
import type { FileNote, FolderFile } from '../../../plc/review/read-folder.ts'

export interface ReadHardware {
  readonly hardware: readonly AmlHardware[]
  /** Names of CPUs. */
  readonly controllers: readonly string[]
  /** The file of each `Device <name>` and `Subnet <name>`, names in lower case. */
  readonly files: ReadonlyMap<string, string>
  /** What cannot be read. The hardware around a fault is compared. */
  readonly unread: readonly FileNote[]
}

/** Reads AML files. Faults are noted. */
export function readHardware(given: readonly FolderFile[]): ReadHardware {
  const hardware: AmlHardware[] = []
  const files = new Map<string, string>()
  const unread: FileNote[] = []
  const controllers: string[] = []
  const note = (file: string, message: string, line: number, column = 1) =>
    unread.push({ code: 'unreadable-file', severity: 'error', file, line, column, message })
  for (const { path, bytes } of given)
    try {
      const read = interpretAml(readAml(decodeText(bytes).text))
      hardware.push(read.hardware)
      for (const station of read.hardware.stations) {
        files.set(`Device ${station.name.toLowerCase()}`, path)
        const main = mainItem(station)
        if (main?.role === 'CPU') controllers.push(main.name)
      }
      for (const { name } of read.hardware.subnets) files.set(`Subnet ${name.toLowerCase()}`, path)
      for (const { severity, message, line } of read.problems) if (severity === 'error') note(path, message, line)
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      for (const { message, line, column } of error.faults) note(path, message, line, column)
    }
  return { hardware, controllers, files, unread }
}

/**
 * Hardware without some tag tables: a table that is compared as an object of the program is not told once more.
 * @param isLeftOut gets the name of the CPU and of the table
 */
export function withoutTables(
  hardware: readonly AmlHardware[],
  isLeftOut: (controller: string, table: string) => boolean,
): AmlHardware[] {
  const ofItem = (item: AmlItem): AmlItem => {
    const tagTables = item.tagTables?.filter(({ name }) => !isLeftOut(item.name, name))
    return { ...item, items: item.items.map(ofItem), ...(tagTables ? { tagTables } : {}) }
  }
  const ofStation = (station: AmlHardware['stations'][number]) => ({ ...station, racks: station.racks.map(ofItem) })
  return hardware.map((one) => ({ ...one, stations: one.stations.map(ofStation) }))
}
