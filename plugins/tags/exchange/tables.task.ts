/** Reads and writes exchange files on the engine: a file of 20 000 rows would delay all other requests. */
import { type EngineTask, problem } from '../../../core/index.ts'
import type { ExchangeContent } from './content.ts'

/** What the engine provides to a task: progress and cancelling. */
interface TaskApi {
  progress(percent: number, message?: string): void
  readonly signal: AbortSignal
}

/** Formats of exchange files; `.sdf`, `.asc` and the XML of TIA Portal's editor are recognised when reading CSV. */
export type ExchangeFormat = 'csv' | 'xlsx' | 'json'

/** Share of reading in the progress of an import, in percent; the rest is checking against the project. */
export const readingPercent = 60

/** Reads a file. Faults of rows are part of the result. @throws GatewayError when the whole file cannot be read */
export async function readFile(
  input: { readonly bytes: Uint8Array; readonly format: ExchangeFormat },
  api: TaskApi,
): Promise<ExchangeContent> {
  const { maxTextBytes, RowFaults } = await import('./content.ts')
  const faults = new RowFaults()
  // The number of rows is unknown until the end, so progress is an estimate that grows with them.
  const progress = (rows: number) => {
    api.signal.throwIfAborted()
    api.progress((readingPercent * rows) / (rows + 20_000), `Read ${rows} rows`)
  }
  if (input.format === 'xlsx') {
    const { readWorkbook } = await import('./spreadsheet.ts')
    return readWorkbook(input.bytes, faults, progress)
  }
  if (input.bytes.length > maxTextBytes)
    throw problem('payload_too_large', `The file has ${input.bytes.length} bytes; at most ${maxTextBytes} are taken.`)
  const { decodeTable } = await import('./decode.ts')
  const { text, warnings } = await decodeTable(input.bytes)
  const read = async () => {
    if (input.format === 'json') {
      const { parseJson, readJson } = await import('./json.ts')
      return readJson(parseJson(text), faults)
    }
    const { isSdf, readSdf } = await import('./sdf.ts')
    if (isSdf(text)) return readSdf(text, faults, progress)
    const { isAsc, readAsc } = await import('./asc.ts')
    if (isAsc(text)) return readAsc(text, faults, progress)
    const { isTagtableXml, readTagtableXml } = await import('./tagtable-xml.ts')
    if (isTagtableXml(text)) return orProblem(() => readTagtableXml(text, faults, progress))
    return (await import('./csv.ts')).readCsv(text, faults, progress)
  }
  const content = await read()
  return { ...content, warnings: [...warnings, ...content.warnings] }
}

/** Faults of XML as a problem. */
async function orProblem<T>(read: () => T): Promise<T> {
  const { FormatError } = await import('../../../plc/model/fault.ts')
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const errors = error.faults.map(({ line, column, message }) => ({ line, column, message }))
    throw problem('unacceptable_content', `Line ${errors[0]!.line}: ${errors[0]!.message}.`, { errors })
  }
}

/** Writes sheets as a workbook. */
export async function writeFile(input: {
  readonly sheets: readonly { readonly name: string; readonly rows: readonly (readonly string[])[] }[]
  readonly modifiedAt: number
}): Promise<Uint8Array> {
  const { writeWorkbook } = await import('./spreadsheet.ts')
  return writeWorkbook(input.sheets, input.modifiedAt)
}

/** The task that reads. */
export function readTask(input: Parameters<typeof readFile>[0]): EngineTask {
  return { module: import.meta.url, fn: 'readFile', input }
}

/** The task that writes. */
export function writeTask(input: Parameters<typeof writeFile>[0]): EngineTask {
  return { module: import.meta.url, fn: 'writeFile', input }
}
