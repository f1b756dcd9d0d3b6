/** The files of a folder that a test run reads: test files, what they name, and the program. */
import { basename, posix } from 'node:path'
import { defined } from '../../lib/optional.ts'
import { decodeText } from '../../plc/model/decode.ts'
import { FormatError } from '../../plc/model/fault.ts'
import type { TestFault, TestFile } from '../../plc/program-tests/model.ts'
import { readTests } from '../../plc/program-tests/read-tests.ts'
import {
  type AddedByPlugins,
  type FolderAccess,
  type FolderContent,
  pathsBelow,
  readFolderContent,
} from '../review/index.ts'

const testFile = /\.test\.ya?ml$/i

/** Plain data: it goes to the engine. */
export interface TestContent {
  /** Name of the folder. */
  readonly title: string
  readonly program: FolderContent
  readonly files: readonly TestFile[]
  /** What test files name, by the path from the folder. */
  readonly named: Readonly<Record<string, string>>
  readonly faults: readonly TestFault[]
}

/** The test files of a folder with their texts, or why one cannot be read. @throws FolderError (by its name) */
export async function readTestFiles(access: FolderAccess, root: string) {
  const { paths } = await pathsBelow(access, root, { goesOn: true })
  const found = paths.filter(({ path }) => testFile.test(path))
  return Promise.all(found.map(async ({ path, full }) => ({ path, text: await textOf(access, full) })))
}

/**
 * Reads a folder. Test files with faults are in `faults`, the others go on.
 * @param formats of plugins
 * @throws FolderError (by its name) when the folder is too large
 */
export async function readTestContent(
  access: FolderAccess,
  root: string,
  formats: AddedByPlugins['formats'] = [],
): Promise<TestContent> {
  const { paths } = await pathsBelow(access, root, { goesOn: true })
  const all = new Map(paths.map(({ path, full }) => [path, full]))
  const faults: TestFault[] = []
  const files: TestFile[] = []
  const named: Record<string, string> = {}
  for (const { path, full } of paths.filter((one) => testFile.test(one.path))) {
    const text = await textOf(access, full)
    if (typeof text !== 'string') {
      faults.push({ file: path, line: 1, column: 1, message: text.fault })
      continue
    }
    const read = readTests(path, text)
    const own: TestFault[] = [...read.faults]
    for (const { file, place } of read.file ? namedIn(read.file) : []) {
      const inside = pathFrom(path, file)
      if (named[inside] !== undefined) continue
      const at = all.get(inside)
      const content =
        at === undefined ? { fault: `there is no file "${inside}" in the folder.` } : await textOf(access, at)
      if (typeof content === 'string') named[inside] = content
      else own.push({ file: path, ...place, message: content.fault })
    }
    faults.push(...own)
    if (read.file && own.length === 0) files.push(read.file)
  }
  const content = await readFolderContent(access, root, { goesOn: true, formats })
  // Stubs and stimuli are no part of the program.
  const isOwn = ({ path }: { readonly path: string }) => named[path] === undefined
  const program = {
    ...{ program: content.program.filter(isOwn), sheets: content.sheets.filter(isOwn), hardware: [] },
    ...defined({ config: content.config, refused: content.refused }),
  }
  return { title: basename(root), program, files, named, faults }
}

/** Files that a test file names. */
function namedIn({ stubs, cases }: TestFile) {
  return [...stubs, ...cases.flatMap(({ steps }) => steps.flatMap(({ stimulus }) => stimulus ?? []))]
}

/** The path from the folder of a file that a test file names. */
export function pathFrom(testPath: string, name: string): string {
  return posix.join(posix.dirname(testPath), name.replaceAll('\\', '/'))
}

async function textOf(access: FolderAccess, path: string): Promise<string | { readonly fault: string }> {
  try {
    const bytes = await access.read(path)
    const { text, encoding } = decodeText(bytes)
    if (encoding === 'utf-8' || encoding.startsWith('utf-16')) return text
    return { fault: `the file is in ${encoding}; save it as UTF-8.` }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM') return { fault: `the system does not let it be read (${message}).` }
    if (!(error instanceof FormatError)) throw error
    return { fault: error.faults[0]?.message ?? error.message }
  }
}
