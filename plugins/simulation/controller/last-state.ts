/** The last state of a controller, to which it returns at power-on with `startup: 'Last'`. */
import type { ControllerOptions } from './contract.ts'
import { CardText } from './files.ts'

/** Stores the last state on the memory card. */
export class LastState {
  readonly #file: CardText

  constructor(folder: string) {
    this.#file = new CardText(folder, 'state.json')
  }

  save(state: 'Run' | 'Stop'): void {
    this.#file.save(JSON.stringify({ state }))
  }

  /** Resolves when everything is written. */
  settled(): Promise<void> {
    return this.#file.settled()
  }

  /** Whether power-on with this option leads to RUN, when there is a program. */
  async leadsToRun(startup: ControllerOptions['startup']): Promise<boolean> {
    if (startup !== 'Last') return startup === 'Run'
    return (await this.#file.read()) === JSON.stringify({ state: 'Run' })
  }
}
