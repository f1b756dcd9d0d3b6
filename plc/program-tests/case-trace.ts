/** Variables of a case after each of its last cycles. */
import type { TraceLine } from './plot.ts'
import type { TestController } from './private-controller.ts'
import type { TestVariable } from './variables.ts'

/** Cycles in the trace of a failure. */
const traceLength = 40

export class CaseTrace {
  readonly #controller: TestController
  #traced: [string, TestVariable][] = []
  /** Only bytes: few traces are ever shown. */
  readonly #cycles: { readonly bytes: readonly Uint8Array[]; readonly clock: bigint }[] = []

  constructor(controller: TestController) {
    this.#controller = controller
  }

  /** Before the first cycle. */
  add(path: string, variable: TestVariable): void {
    this.#traced.push([path, variable])
  }

  record(): void {
    const { memory, now } = this.#controller
    this.#cycles.push({ bytes: this.#traced.map(([, variable]) => variable.bytesOf(memory)), clock: now })
    if (this.#cycles.length > traceLength) this.#cycles.shift()
  }

  lines(): TraceLine[] {
    if (this.#cycles.length === 0) return []
    return this.#traced.map(([path, variable], i) => ({
      path,
      values: this.#cycles.map(({ bytes, clock }) => variable.valueIn(bytes[i] ?? new Uint8Array(), clock)),
    }))
  }
}
