/** Loads start values: the data of one data block on a controller become the start values in load memory. */

import { type GatewayError, problem } from '../../core/index.ts'
import type { Block } from '../blocks/index.ts'
import type { LoadedProgram, MemoryWrite } from '../simulation/index.ts'

export interface StartValues {
  /** Number of the data block on the controller. */
  readonly number: number
  readonly write: MemoryWrite
}

/**
 * The values to write so that all values of a data block are its start values again, including retentive ones and those
 * of timers, counters and edges.
 *
 * @throws GatewayError `conflict` when the controller has no program, lacks this data block, or has it in an older
 * version
 */
export function startValuesOf(program: LoadedProgram | undefined, block: Block, instance: string): StartValues {
  if (!program) throw notLoaded(`Instance "${instance}" has no program.`)
  const key = block.name.toLowerCase()
  const symbol = program.symbols.dataBlocks.find(({ name }) => name.toLowerCase() === key)
  const place = program.compiled.linked.dataBlocks.get(key)
  if (!symbol || !place) throw notLoaded(`The program of instance "${instance}" has no data block "${block.name}".`)
  if (symbol.document !== block.document)
    throw notLoaded(`Data block "${block.name}" has changed since it was downloaded to instance "${instance}".`)
  const { address, size } = place
  const bytes = new Uint8Array(size)
  for (const part of program.compiled.image) {
    if (part.address >= address && part.address < address + size) bytes.set(part.bytes, part.address - address)
  }
  return { number: symbol.number, write: { address, bytes } }
}

function notLoaded(detail: string): GatewayError {
  return problem('conflict', detail, {
    suggestion: 'Download the device first; `inRun: true` keeps the values of members that are still there.',
  })
}
