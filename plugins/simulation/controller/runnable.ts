import { isGatewayError, problem } from '../../../core/index.ts'
import { blobHash, decodeProgram } from '../../../plc/compiler/program-file.ts'
import { functionBlocksThatAsk } from '../../../plc/runtime/instance-names.ts'
import { instancePaths, numberedBlocks } from '../../../plc/runtime/numbered-blocks.ts'
import type { AlarmSource } from './alarm-messages.ts'
import type { KnownAlarm } from './alarm-sources.ts'
import type { LoadedProgram, LoadPackage } from './contract.ts'
import { hardwareIn } from './io-modules.ts'
import type { RunnableProgram } from './messages.ts'
import { planOrganizationBlocks } from './organization-blocks.ts'
import { programAlarms } from './program-alarms.ts'

/**
 * Reads the program of a package.
 * @throws GatewayError `unacceptable_content` when a part is missing, does not match its hash, or was made by another
 *   version
 */
export async function readPackage({ hash, manifest, program, blobs }: LoadPackage): Promise<LoadedProgram> {
  const read = async (name: string) => {
    const bytes = blobs.get(name)
    if (bytes === undefined) throw problem('unacceptable_content', `The package names ${name}, which is not in it.`)
    if (blobHash(bytes) !== name)
      throw problem('unacceptable_content', `The content of ${name} in the package has another hash.`)
    return bytes
  }
  const compiled = await understood(() => decodeProgram(program, read))
  return { hash: program, package: { hash, manifest }, compiled, symbols: compiled.symbols }
}

/** Content that matches its hashes but is not a program was written by another version. */
async function understood<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isGatewayError(error)) throw error
    throw problem(
      'unacceptable_content',
      `The program cannot be read (${(error as Error).message}). Compile it with this version and load it again.`,
      { cause: error },
    )
  }
}

/** Kinds of blocks in the start information of OB 121 (OB121_BLK_TYPE). */
const blockTypes = { OB: 0x88, FB: 0x8e, FC: 0x8c } as const

/** Compiles the module and writes the start values to a new memory. */
export async function makeRunnable(program: LoadedProgram): Promise<RunnableProgram> {
  const { compiled, symbols } = program
  const { wasm, ...linked } = compiled.linked
  const module = await understood(() => WebAssembly.compile(Buffer.concat(wasm)))
  const memory = newMemory(linked.pages)
  const bytes = new Uint8Array(memory.buffer)
  for (const part of compiled.image) bytes.set(part.bytes, part.address)
  const { alarms, plans, faults } = programAlarms(program)
  return {
    linked,
    module,
    memory,
    image: compiled.image,
    dataBlocks: symbols.dataBlocks.flatMap((block) => {
      const place = linked.dataBlocks.get(block.name.toLowerCase())
      if (!place) return []
      const retentive = block.retentive.map(([byte, size]) => [place.address + byte, size] as const)
      return [{ ...place, retentive }]
    }),
    organizationBlocks: planOrganizationBlocks(symbols, compiled.linked),
    numbers: numberedBlocks(symbols, linked.dataBlocks),
    instancePaths: instancePaths(symbols, linked.dataBlocks, functionBlocksThatAsk(linked)),
    alarms: alarms.map(sourceOf),
    ...hardwareIn(program.package?.manifest ?? ''),
    supervisions: plans,
    unwatched: faults,
    codeBlocks: new Map(
      symbols.codeBlocks.map(({ name, number, kind }) => [name, { number, type: blockTypes[kind] }] as const),
    ),
  }
}

/** What the thread needs of an alarm. */
function sourceOf({ id, name, address, alarmClass, needsAcknowledgement }: KnownAlarm): AlarmSource {
  const at = address === undefined ? {} : { address }
  return { id, name, alarmClass, needsAcknowledgement, ...at }
}

function newMemory(pages: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  } catch (error) {
    const mebibytes = Math.ceil(pages / 16)
    throw problem('unacceptable_content', `The program needs ${mebibytes} MiB of memory, which the computer has not.`, {
      cause: error,
    })
  }
}
