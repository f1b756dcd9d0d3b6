/** Copies from the memory of a running program, without involving its thread where that is possible. */
import type { Active } from './active-program.ts'
import type { MemoryRange } from './contract.ts'
import type { Boundary } from './messages.ts'
import { copyRanges } from './snapshot.ts'
import type { ControllerThread } from './thread.ts'

/** Attempts to read memory without involving the thread: immediately, and after letting other work run. */
const tries = { atOnce: 2, later: 3 }

/**
 * Copies ranges, one after the other, from one scan boundary.
 * @param running gives the thread, which can end meanwhile
 * @throws GatewayError when another program was loaded, or the thread has ended
 */
export async function copyAtBoundary(
  { memory, generation }: Active,
  running: () => ControllerThread,
  ranges: readonly MemoryRange[],
  target: Uint8Array,
): Promise<Boundary> {
  const { control } = running()
  for (let i = 0; i < tries.atOnce + tries.later; i++) {
    if (i >= tries.atOnce) await new Promise(setImmediate)
    const boundary = control.consistently(() => {
      copyRanges(memory, ranges, target)
      return control.boundary
    })
    // The thread refuses the read then, after it has answered the load.
    if (control.generation !== generation) break
    if (boundary) return boundary
  }
  const { bytes, ...boundary } = await running().request({ kind: 'read', generation, ranges })
  target.set(bytes)
  return boundary
}
