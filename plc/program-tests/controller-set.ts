/** Several controllers in one virtual time: each runs its cycle, then the connections between them are copied. */
import { nearest } from '../../lib/nearest.ts'
import type { TestFile } from './model.ts'
import { type Limits, type PrivateController, type TestController, TrapError } from './private-controller.ts'
import type { FindVariable, TestVariable } from './variables.ts'

/** A controller with what finds its variables. */
export interface NamedController {
  readonly name: string
  readonly controller: PrivateController
  readonly find: FindVariable
}

export class ControllerSet implements TestController {
  readonly #all: readonly NamedController[]
  readonly #connections: TestFile['connections']
  #wires: readonly { readonly from: TestVariable; readonly to: TestVariable }[] = []

  constructor(all: readonly NamedController[], connections: TestFile['connections']) {
    this.#all = all
    this.#connections = connections
  }

  get #first(): PrivateController {
    return (this.#all[0] as NamedController).controller
  }

  /** Of the first one; variables know their own. */
  get memory(): Uint8Array {
    return this.#first.memory
  }

  get cycles(): number {
    return this.#first.cycles
  }

  get now(): bigint {
    return this.#first.now
  }

  restart(limits: Limits): void {
    for (const { controller } of this.#all) controller.restart(limits)
    this.#wires = this.#connections.map(({ from, to }) => ({ from: this.find(from), to: this.find(to) }))
  }

  startUp(): void {
    for (const { controller } of this.#all) controller.startUp()
  }

  /** @throws TrapError that names the controller */
  cycle(): void {
    for (const { name, controller } of this.#all)
      try {
        controller.cycle()
      } catch (error) {
        throw error instanceof TrapError ? new TrapError(`${name}: ${error.message}`) : error
      }
    // All are read before any is written: a value takes one cycle from controller to controller.
    const values = this.#wires.map(({ from }) => from.read(this.memory, this.now))
    for (const [i, { to }] of this.#wires.entries()) to.write(this.memory, values[i] ?? null)
  }

  trigger(name: string): void {
    const [one, rest] = this.#named(name)
    one.controller.trigger(rest)
  }

  call(): void {
    throw new Error('A block is called in one program.')
  }

  advance(nanoseconds: bigint): void {
    for (const { controller } of this.#all) controller.advance(nanoseconds)
  }

  /** Finds `line/Motor.running`. @throws Error with a hint */
  readonly find: FindVariable = (path) => {
    const [{ controller, find }, rest] = this.#named(path)
    const found = find(rest)
    return {
      dataType: found.dataType,
      read: (_memory, clock) => found.read(controller.memory, clock),
      bytesOf: () => found.bytesOf(controller.memory),
      valueIn: (bytes, clock) => found.valueIn(bytes, clock),
      write: (_memory, value) => found.write(controller.memory, value),
      asWritten: (_memory, value, clock) => found.asWritten(controller.memory, value, clock),
    }
  }

  #named(path: string): [NamedController, string] {
    const slash = path.indexOf('/')
    const name = slash < 0 ? '' : path.slice(0, slash).trim()
    const found = this.#all.find((one) => one.name === name)
    if (found) return [found, path.slice(slash + 1).trim()]
    const names = this.#all.map((one) => one.name)
    const near = nearest(name, names)
    throw new Error(
      `"${path}" begins with no controller; ${near ? `do you mean "${near}/"?` : `write ${names.map((one) => `${one}/…`).join(' or ')}.`}`,
    )
  }
}
