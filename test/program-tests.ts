/** Tests of programs without files. */
import type { CaseResult } from '../plc/program-tests/run-case.ts'
import type { Selection } from '../plugins/plc-tests/prepare.ts'
import { type RunTask, runFolder } from '../plugins/plc-tests/run.task.ts'
import { readTestContent } from '../plugins/plc-tests/test-content.ts'
import type { FolderAccess } from '../plugins/review/index.ts'

/** A folder in memory. */
export function folderOf(files: Readonly<Record<string, string>>): FolderAccess {
  return {
    read: async (path) => Buffer.from(files[path] ?? ''),
    list: async (folder) => {
      const prefix = folder === '' ? '' : `${folder}/`
      const names = new Set(
        Object.keys(files)
          .filter((one) => one.startsWith(prefix))
          .map((one) => one.slice(prefix.length).split('/')[0] ?? ''),
      )
      return [...names].map((name) => {
        return { name, path: prefix + name, isDirectory: files[prefix + name] === undefined }
      })
    },
    stat: async () => ({ isFile: false, isDirectory: true, size: 0, modifiedAt: '' }),
  }
}

/** Runs the tests of a folder that is in memory. */
export async function runProgramTests(
  files: Readonly<Record<string, string>>,
  selection: Selection = {},
  more: Omit<RunTask, 'content' | 'selection'> = {},
) {
  return runFolder({ content: await readTestContent(folderOf(files), ''), selection, ...more })
}

/** Each case with how it ended and why. */
export function endsOf(results: readonly CaseResult[]): string[] {
  return results.map(({ name, status, failures }) =>
    [`${name}: ${status}`, ...failures.map(({ line, message }) => `${line}: ${message}`)].join('; '),
  )
}
