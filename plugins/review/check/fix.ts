/** Makes the changes of fixes in files. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeText } from '../../../plc/model/decode.ts'
import { encodeText } from '../../../plc/model/encode.ts'
import type { FileEdit, PlacedFinding } from '../../../plc/review/check.ts'

/**
 * Changes the files of a folder. Of fixes that overlap the first is made; the next run makes the others.
 * @returns the findings that are mended, and the number of files
 */
export async function fixFiles(
  root: string,
  findings: readonly PlacedFinding[],
): Promise<{ readonly mended: ReadonlySet<PlacedFinding>; readonly files: number }> {
  const byFile = new Map<string, PlacedFinding[]>()
  for (const one of findings) {
    if (!one.fix) continue
    const list = byFile.get(one.file)
    if (list) list.push(one)
    else byFile.set(one.file, [one])
  }
  const mended = new Set<PlacedFinding>()
  for (const [file, list] of byFile) {
    const path = join(root, file)
    const bytes = await readFile(path)
    const decoded = decodeText(bytes)
    // The encoding and the byte order mark stay.
    await writeFile(path, encodeText(withFixes(decoded.text, list, mended), decoded))
  }
  return { mended, files: byFile.size }
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
