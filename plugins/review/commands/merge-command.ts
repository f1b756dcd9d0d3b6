/** `gantry merge`. */
import { readFile, writeFile } from 'node:fs/promises'
import type { CliTools } from '../../../core/index.ts'
import { mergeFile } from '../../../plc/merge/file.ts'
import { FormatError } from '../../../plc/model/fault.ts'

const codes = { merged: 0, conflicts: 1, usage: 2, unreadable: 3 } as const

/** @returns the exit code */
export async function runMerge(
  [base, ours, theirs]: readonly (string | undefined)[],
  raw: Readonly<Record<string, unknown>>,
  tools: CliTools,
): Promise<number> {
  const read = (path: string) =>
    readFile(path).catch((error: NodeJS.ErrnoException) =>
      tools.fail(
        `${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
        codes.unreadable,
      ),
    )
  const path = (raw.path as string | undefined) ?? ours!
  const input = {
    ...{ base: await read(base!), ours: await read(ours!), theirs: await read(theirs!), path },
    names: { ours: 'ours', theirs: 'theirs' },
  }
  try {
    const { bytes, conflicts } = await mergeFile(input)
    const output = raw.output as string | undefined
    if (output === undefined) process.stdout.write(bytes)
    else
      await writeFile(output, bytes).catch((error: Error) =>
        tools.fail(`${output} cannot be written: ${error.message}`, codes.usage),
      )
    for (const one of conflicts) tools.note(`conflict in ${path}: ${one.path}: ${one.message}`)
    return conflicts.length > 0 ? codes.conflicts : codes.merged
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const [fault] = error.faults
    return tools.fail(`${path} cannot be merged: ${fault?.line}:${fault?.column} ${fault?.message}`, codes.unreadable)
  }
}
