/** The hardware of AML files for a compare. */
import { type AmlHardware, mainItem } from '../../plc/formats/aml/hardware.ts'
import { interpretAml } from '../../plc/formats/aml/interpret.ts'
import { readAml } from '../../plc/formats/aml/read.ts'
import { decodeText } from '../../plc/model/decode.ts'
import { FormatError } from '../../plc/model/fault.ts'
import type { FileNote, FolderFile } from '../../plc/review/read-folder.ts'

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
