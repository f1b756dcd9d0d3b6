/** Loading start values: the data of one data block on a controller become what load memory says they begin with. */

import { type GatewayError, problem } from '../../core/index.ts'
import type { Block } from '../blocks/index.ts'
import type { LoadedProgram, MemoryWrite } from '../simulation/index.ts'

export interface StartValues {
  /** Of the data block, on the controller. */
  readonly number: number
  readonly write: MemoryWrite
}

/**
 * What must be written so that all values of a data block are its start values again, retentive ones and those of timers, counters and
 * edges too.
 *
 * @throws GatewayError `conflict` when the controller has no program, not this data block, or it as it was before a change in the project
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
