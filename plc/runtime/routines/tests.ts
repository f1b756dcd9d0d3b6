/** The runtime part of the functions of GantryTest (compiler/lower/instructions/test-functions.ts). */
import type { AssertionNote } from '../../library/test-notes.ts'
import type { RoutineFamily } from '../context.ts'

export const testRoutines: RoutineFamily = ({ tests, bytes }) => ({
  'test.assert': (holds: number, info: number, length: number, expected: number, actual: number) => {
    // A copy: the memory is shared with other threads.
    const note = () => JSON.parse(Buffer.from(bytes.slice(info, info + length)).toString()) as AssertionNote
    tests?.assertion(holds !== 0, note, [expected, actual])
    return undefined
  },
  'test.cycles': (count: bigint) => {
    tests?.runCycles(Number(count))
    return undefined
  },
  'test.advance': (milliseconds: bigint) => {
    tests?.advance(milliseconds)
    return undefined
  },
})
