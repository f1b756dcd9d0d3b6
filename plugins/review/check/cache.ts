/** Results of checks by what they depend on: the code that checks, the settings, and every byte of the files. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { draftOf } from '../../../lib/draft-file.ts'
import { renameFile } from '../../../lib/patient-rename.ts'
import { reviewVersion } from '../../../plc/review/version.ts'
import type { FolderContent } from '../folder/folder.ts'
import type { CheckResult } from './check.ts'

/** Where the system keeps caches of users. */
export function defaultCacheDir(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'gantry', 'cache')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'gantry')
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'gantry')
}

/** The name of the result of a check. */
export function cacheKey({ program, sheets, hardware, refused = [], config }: FolderContent, settings: string): string {
  const hash = createHash('sha256').update(`${reviewVersion()}\n${settings}\n${config ?? ''}\n`)
  for (const files of [program, sheets, hardware])
    for (const { path, bytes, texts } of files) {
      hash.update(`\n${path}\0${bytes.length}\0${texts?.length ?? -1}\0`).update(bytes)
      if (texts) hash.update(texts)
    }
  for (const { path, message } of refused) hash.update(`\n${path}\0refused\0${message}`)
  return hash.digest('hex')
}

/** So many results stay; each is of one state of one folder. */
const mostResults = 100

/** A folder with results. What cannot be read or written is as if it were not there: a cache is no reason to fail. */
export class ResultCache {
  readonly #dir: string

  constructor(dir: string) {
    this.#dir = join(dir, 'check')
  }

  async find(key: string): Promise<CheckResult | undefined> {
    try {
      return JSON.parse(await readFile(this.#file(key), 'utf8')) as CheckResult
    } catch {
      return undefined
    }
  }

  async keep(key: string, result: CheckResult): Promise<void> {
    const draft = draftOf(this.#file(key))
    try {
      await mkdir(this.#dir, { recursive: true })
      await writeFile(draft, JSON.stringify(result))
      await renameFile(draft, this.#file(key))
      await this.#forgetOld()
    } catch {
      // The next run checks again.
      await rm(draft, { force: true }).catch(() => {})
    }
  }

  #file(key: string): string {
    return join(this.#dir, `${key}.json`)
  }

  async #forgetOld(): Promise<void> {
    const names = await readdir(this.#dir)
    if (names.length <= mostResults) return
    const ages = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(this.#dir, name))).mtimeMs })),
    )
    ages.sort((a, b) => b.at - a.at)
    for (const { name } of ages.slice(mostResults)) await rm(join(this.#dir, name), { force: true })
  }
}
