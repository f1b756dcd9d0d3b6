/** What packing and unpacking hold in memory at most; project text of this size is thousands of blocks. */
import type { UnpackLimits } from './archive.task.ts'

export const unpackLimits: UnpackLimits = {
  totalBytes: 200 * 1024 * 1024,
  files: 100_000,
  ratio: 200,
  ratioFromBytes: 16 * 1024 * 1024,
}
