/** The last state of a controller, to which it returns at power-on with `startup: 'Last'`. */
import { join } from 'node:path'
import type { ControllerOptions } from './contract.ts'
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

  /** Whether power-on with this option leads to RUN, when there is a program. */
  async leadsToRun(startup: ControllerOptions['startup']): Promise<boolean> {
    if (startup !== 'Last') return startup === 'Run'
    const file = await readIfThere(this.#path)
    return file !== undefined && Buffer.from(file).toString('utf8') === JSON.stringify({ state: 'Run' })
  }
}
