/** The state a controller was in last, for those that are to come up as they were (`startup: 'Last'`). */
import { join } from 'node:path'
import { readIfThere, replaceFile } from './files.ts'

export class LastState {
  readonly #path: string
  #writing: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.#path = join(folder, 'state.json')
  }

  save(state: 'Run' | 'Stop'): void {
    this.#writing = this.#writing
      .then(() => replaceFile(this.#path, JSON.stringify({ state }), false))
      .catch(() => undefined)
  }

  /** Resolves when all is written. */
  async settled(): Promise<void> {
    await this.#writing
  }

  async wasRunning(): Promise<boolean> {
    const file = await readIfThere(this.#path)
    return file !== undefined && Buffer.from(file).toString('utf8') === JSON.stringify({ state: 'Run' })
  }
}
