/** Checks requests for memory. */
import { problem } from '../../../core/index.ts'
import type { MemoryRange, TraceOptions } from './contract.ts'
import { traceSize } from './trace-buffer.ts'

/** Maximum number of bytes of a trace. */
const mostTraceBytes = 64 * 1024 * 1024

/**
 * Checks that all ranges are inside a memory of this length.
 * @throws GatewayError `invalid_input` when a range is outside
 */
export function requireInside(ranges: readonly MemoryRange[], length: number): void {
  for (const { address, size } of ranges)
    if (!(Number.isInteger(address) && Number.isInteger(size) && address >= 0 && size >= 0 && address + size <= length))
      throw problem('invalid_input', `Bytes ${address} to ${address + size} lie outside the ${length} bytes of memory.`)
}

/**
 * Checks the options of a trace.
 * @throws GatewayError `invalid_input` when the trace would be empty or too large
 */
export function requireTraceable(options: TraceOptions): void {
  const { samples, everyCycles, everyMs = 0 } = options
  if (!(Number.isInteger(samples) && samples > 0 && Number.isInteger(everyCycles) && everyCycles > 0))
    throw problem('invalid_input', 'Samples, and cycles from one to the next, are whole numbers from 1 on.')
  if (!(everyMs >= 0)) throw problem('invalid_input', 'The time from one sample to the next is 0 ms or more.')
  const bytes = traceSize(options)
  if (bytes > mostTraceBytes)
    throw problem('invalid_input', `The trace would take ${bytes} bytes; at most ${mostTraceBytes} are possible.`)
}
