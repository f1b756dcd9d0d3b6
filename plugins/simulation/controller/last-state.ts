/** The last state of a controller, to which it returns at power-on with `startup: 'Last'`. */
import { join } from 'node:path'
import { readIfThere, replaceFile } from './files.ts'

/** Stores the last state on the memory card. */
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

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await this.#writing
  }

  async wasRunning(): Promise<boolean> {
    const file = await readIfThere(this.#path)
    return file !== undefined && Buffer.from(file).toString('utf8') === JSON.stringify({ state: 'Run' })
  }
}
