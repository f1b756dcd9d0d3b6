/** Reads and writes AML files on the engine: a file of 200 stations would delay all other requests. */
import { defined, type EngineTask, type Fault, problem } from '../../core/index.ts'
import type { DescribeOptions } from '../../plc/formats/aml/describe.ts'
import type { AmlHardware } from '../../plc/formats/aml/hardware.ts'
import type { AmlProblem } from '../../plc/formats/aml/interpret.ts'
import type { FormatFault } from '../../plc/model/fault.ts'

/** The result of reading a file. */
export interface AmlContent {
  readonly hardware: AmlHardware
  readonly problems: readonly AmlProblem[]
  /** `V17`; absent: not of TIA Portal. */
  readonly version?: string
  /** When it was written, ms. */
  readonly writtenAt?: number
  /** Text of the file around its stations. */
  readonly frame: string
  /** Text of each station, by its id in lower case. */
  readonly stations: Readonly<Record<string, string>>
}

/** Largest file that is read, bytes. */
const maxBytes = 128 * 1024 * 1024

/** Reads a file. @throws GatewayError `unacceptable_content` when it is not AML, with line */
export async function readAmlFile(input: { readonly bytes: Uint8Array; readonly path: string }): Promise<AmlContent> {
  const { bytes, path } = input
  if (bytes.length > maxBytes)
    throw problem('payload_too_large', `${path} has ${bytes.length} bytes; at most ${maxBytes} are read.`)
  const [aml, { decodeText }, { interpretAml }, { splitDocument, stationDocument }, { writeAml }] = await Promise.all([
    import('../../plc/formats/aml/read.ts'),
    import('../../plc/model/decode.ts'),
    import('../../plc/formats/aml/interpret.ts'),
    import('../../plc/formats/aml/split.ts'),
    import('../../plc/formats/aml/write.ts'),
  ])
  const document = await orProblem(path, () => aml.readAml(decodeText(bytes).text))
  const { hardware, problems } = interpretAml(document)
  const { frame, stations } = splitDocument(document)
  const { version, writtenAt } = aml.writerOf(document)
  return {
    hardware,
    problems,
    ...defined({ version }),
    ...(writtenAt === undefined ? {} : { writtenAt: Date.parse(writtenAt) }),
    frame: writeAml(frame),
    stations: Object.fromEntries([...stations].map(([id, one]) => [id, writeAml(stationDocument(one, document))])),
  }
}

/** What is written. */
export interface WriteInput {
  readonly hardware: AmlHardware
  readonly options: DescribeOptions
  /** Text of the frame that is kept. */
  readonly frame?: string
  /** Texts of stations that are kept. */
  readonly stations: readonly string[]
  /** Not all stations of the project. */
  readonly isPart: boolean
}

/** Writes a file. */
export async function writeAmlFile(input: WriteInput): Promise<{ text: string; warnings: readonly string[] }> {
  const [{ readAml }, { describeHardware }, { mergeKept }, { stationOf }, { writeAml }] = await Promise.all([
    import('../../plc/formats/aml/read.ts'),
    import('../../plc/formats/aml/describe.ts'),
    import('../../plc/formats/aml/merge.ts'),
    import('../../plc/formats/aml/split.ts'),
    import('../../plc/formats/aml/write.ts'),
  ])
  const { document, warnings } = describeHardware(input.hardware, input.options)
  const stations = input.stations.flatMap((text) => stationOf(readAml(text)) ?? [])
  const kept = { ...(input.frame === undefined ? {} : { frame: readAml(input.frame) }), stations }
  return { text: writeAml(mergeKept(document, kept, { isPart: input.isPart })), warnings }
}

/**
 * What an import adds to a project that has devices: the frame that is there, or the project itself, stays the first.
 */
export interface JoinInput {
  readonly first: string | { readonly id: string; readonly name: string }
  readonly second: string
}

/** Puts the frame of an import to the one that is there. */
export async function joinFrameTexts(input: JoinInput): Promise<string> {
  const [{ readAml }, { describeHardware }, { joinFrames }, { writeAml }] = await Promise.all([
    import('../../plc/formats/aml/read.ts'),
    import('../../plc/formats/aml/describe.ts'),
    import('../../plc/formats/aml/split.ts'),
    import('../../plc/formats/aml/write.ts'),
  ])
  const { first, second } = input
  const bare = (project: { readonly id: string; readonly name: string }) =>
    describeHardware(
      { project, subnets: [], stations: [], links: [] },
      { version: 'V19', fileName: `${project.name}.aml`, writtenAt: new Date(0).toISOString() },
    ).document
  return writeAml(joinFrames(typeof first === 'string' ? readAml(first) : bare(first), readAml(second)))
}

async function orProblem<T>(path: string, read: () => T): Promise<T> {
  const { FormatError } = await import('../../plc/model/fault.ts')
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const first = error.faults[0]
    throw problem(
      'unacceptable_content',
      `${path}, line ${first?.line ?? 1}: ${(first?.message ?? 'it is not AML').replace(/\.$/, '')}.`,
      {
        errors: error.faults.map((fault) => faultOf(path, fault)),
      },
    )
  }
}

function faultOf(file: string, { code, message, line, column, path }: FormatFault): Fault {
  return { path: file, message, code, line, column, ...defined({ element: path }) }
}

/** The task that reads. */
export function readTask(input: Parameters<typeof readAmlFile>[0]): EngineTask {
  return { module: import.meta.url, fn: 'readAmlFile', input }
}

/** The task that writes. */
export function writeTask(input: WriteInput): EngineTask {
  return { module: import.meta.url, fn: 'writeAmlFile', input }
}

/** The task that joins. */
export function joinTask(input: JoinInput): EngineTask {
  return { module: import.meta.url, fn: 'joinFrameTexts', input }
}
