/**
 * The functions of the library GantryTest as a controller of tests has them. On other controllers they do nothing.
 */
import type { AssertionNote } from '../library/test-notes.ts'

/** A controller that runs tests. */
export interface TestFunctions {
  /** @param places addresses of the values of both sides; 0: none */
  assertion(holds: boolean, note: () => AssertionNote, places: readonly [number, number]): void
  /** Runs cycles of the program in the middle of the calling block. */
  runCycles(count: number): void
  /** Moves the time, in milliseconds. */
  advance(milliseconds: bigint): void
}
