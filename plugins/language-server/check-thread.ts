/** The thread that checks a folder: compiling takes seconds in large programs, and the editor goes on. */
import { parentPort } from 'node:worker_threads'
import { defined } from '../../lib/optional.ts'
import type { CheckMemory } from '../../plc/review/check.ts'
import type { FolderFile } from '../../plc/review/read-folder.ts'
import { type CheckResult, type FolderContent, folderPlugins, folderReview } from '../review/index.ts'

/** What has changed since the last order. */
export interface CheckOrder {
  readonly id: number
  readonly set: readonly FolderFile[]
  readonly removed: readonly string[]
  /** Everything but the texts of the program; absent when it is as before. */
  readonly rest?: Pick<FolderContent, 'sheets' | 'hardware' | 'config' | 'configFile'>
  /** The folder, whose settings may name plugins. */
  readonly root?: string
}

export interface CheckAnswer {
  readonly id: number
  readonly findings?: CheckResult['findings']
  /** Faults of the settings, and their file. */
  readonly configFile?: string
  readonly faults?: readonly { readonly line: number; readonly column: number; readonly message: string }[]
  /** It failed, or there is nothing to check. */
  readonly reason?: string
}

const files = new Map<string, FolderFile>()
let rest: NonNullable<CheckOrder['rest']> = { sheets: [], hardware: [] }
let memories = new Map<string, CheckMemory>()
let folder: string | undefined
let last: Promise<void> = Promise.resolve()

parentPort?.on('message', (order: CheckOrder) => {
  last = last.then(async () => parentPort?.postMessage(await check(order)))
})

async function check({ id, set, removed, rest: given, root }: CheckOrder): Promise<CheckAnswer> {
  for (const file of set) files.set(file.path, file)
  for (const path of removed) files.delete(path)
  if (given !== undefined) {
    rest = given
    memories = new Map()
  }
  folder ??= root
  const program = [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  try {
    const { checkContent, configOf } = await folderReview()
    const { configuredPlugins } = await folderPlugins()
    const plugins = folder === undefined ? undefined : await configuredPlugins(rest.config, folder)
    const config = configOf(rest.config, rest.configFile, plugins)
    const { findings } = await checkContent({ ...rest, program }, config, { memories, ...defined({ plugins }) })
    return { id, findings }
  } catch (error) {
    // What a check left half-done is of no use to the next.
    memories = new Map()
    const { name, message, faults } = error as Error & { faults?: NonNullable<CheckAnswer['faults']> }
    if (name === 'ConfigError' && faults) return { id, faults, ...defined({ configFile: rest.configFile }) }
    return name === 'FolderError' ? { id, findings: [] } : { id, reason: message }
  }
}
