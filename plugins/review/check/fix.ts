/** Makes the changes of fixes in files. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeText } from '../../../plc/model/decode.ts'
import { encodeText } from '../../../plc/model/encode.ts'
import type { FileEdit, PlacedFinding } from '../../../plc/review/check.ts'

/** A file that cannot be written, e.g. because a program has it open. */
export interface NotFixed {
  readonly file: string
  /** What the system says. */
  readonly message: string
}

/**
 * Changes the files of a folder. Of fixes that overlap the first is made; the next run makes the others.
 * @param write for tests
 * @returns the findings that are mended, the number of files, and those that stay as they were
 */
export async function fixFiles(
  root: string,
  findings: readonly PlacedFinding[],
  write: (path: string, content: Uint8Array) => Promise<void> = writeFile,
): Promise<{
  readonly mended: ReadonlySet<PlacedFinding>
  readonly files: number
  readonly failed: readonly NotFixed[]
}> {
  const byFile = new Map<string, PlacedFinding[]>()
  for (const one of findings) {
    if (!one.fix) continue
    const list = byFile.get(one.file)
    if (list) list.push(one)
    else byFile.set(one.file, [one])
  }
  const mended = new Set<PlacedFinding>()
  const failed: NotFixed[] = []
  for (const [file, list] of byFile) {
    const path = join(root, file)
    const decoded = decodeText(await readFile(path))
    const own = new Set<PlacedFinding>()
    // The encoding and the byte order mark stay.
    const text = encodeText(withFixes(decoded.text, list, own), decoded)
    try {
      await write(path, text)
      for (const one of own) mended.add(one)
    } catch (error) {
      failed.push({ file, message: (error as Error).message })
    }
  }
  return { mended, files: byFile.size - failed.length, failed }
}

function withFixes(text: string, list: readonly PlacedFinding[], mended: Set<PlacedFinding>): string {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const offset = (line: number, column: number) => (starts[line - 1] ?? text.length) + column - 1
  const rangeOf = ({ line, column, endLine, endColumn, text: put }: FileEdit) => ({
    ...{ start: offset(line, column), end: offset(endLine, endColumn), put },
  })
  const edits: ReturnType<typeof rangeOf>[] = []
  let free = 0
  const ordered = list
    .map((finding) => ({ finding, ranges: finding.fix!.edits.map(rangeOf).sort((a, b) => a.start - b.start) }))
    .sort((a, b) => a.ranges[0]!.start - b.ranges[0]!.start)
  for (const { finding, ranges } of ordered) {
    if (ranges[0]!.start < free) continue
    edits.push(...ranges)
    free = ranges.at(-1)!.end
    mended.add(finding)
  }
  let changed = ''
  let at = 0
  for (const { start, end, put } of edits) {
    changed += text.slice(at, start) + put
    at = end
  }
  return changed + text.slice(at)
}
