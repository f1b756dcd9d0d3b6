/** What a program reaches beyond its memory: the alarms and the connections of the controller. */

import type { ProgrammingFault } from '../../../plc/library/faults.ts'
import type { Raised, StartInformation } from '../../../plc/runtime/block-events.ts'
import { AlarmMemory } from './alarm-memory.ts'
import type { AlarmBatch } from './alarm-messages.ts'
import type { ControllerOptions, PulledModule } from './contract.ts'
import { IoModules } from './io-modules.ts'
import type { RunnableProgram } from './messages.ts'
import { NetworkMemory } from './network-memory.ts'
import type { NetworkRequest } from './network-messages.ts'
import { type Memory, SupervisionWatch } from './supervision-watch.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Receives messages to the gateway. */
export interface SurroundingsEvents {
  alarms(batch: AlarmBatch): void
  network(request: NetworkRequest): void
}

interface Inside {
  readonly time: VirtualTime
  readonly options: ControllerOptions
  raise(block: number, information: StartInformation): Raised
  note(severity: 'information' | 'warning', code: string, message: string): void
  /** Other modules do not answer. */
  devicesChanged(): void
}

/** Alarms and connections of one controller. */
export class Surroundings {
  readonly alarms: AlarmMemory
  readonly network: NetworkMemory
  readonly #watch: SupervisionWatch
  readonly #inside: Inside
  readonly #modules = new IoModules()
  #loaded: RunnableProgram['connections'] = []
  /** For DeviceStates and similar instructions. */
  readonly hardware = () =>
    this.#modules.asked(
      () => this.gone,
      () => this.#inside.devicesChanged(),
    )
  /** An access past the process image: to a module that is not there it raises OB 122. */
  readonly onPeriphery = (block: string, access: ProgrammingFault, byte: number): void => {
    const error = this.#modules.errorOf(access, byte, this.gone)
    if (error === undefined) return
    this.#inside.note('warning', 'io-access-error', `I/O access error in "${block}": ${error.text}.`)
    if (error.block !== undefined) this.#inside.raise(error.block, error.information)
  }

  constructor(inside: Inside, events: SurroundingsEvents, alarmWords: SharedArrayBuffer) {
    this.alarms = new AlarmMemory(alarmWords, {
      most: inside.options.pendingAlarms,
      now: () => inside.time.systemMilliseconds,
      post: (batch) => events.alarms(batch),
      note: (text) => inside.note('information', 'user-message', text),
    })
    this.network = new NetworkMemory(
      (request) => events.network(request),
      (text) => inside.note('warning', 'communication', text),
    )
    this.#inside = inside
    this.#watch = new SupervisionWatch((name, isPresent, values) => this.alarms.supervise(name, isPresent, values))
    this.configure(inside.options)
  }

  /** Modules that do not answer: pulled ones, and those of devices that the program deactivated. */
  get gone(): readonly PulledModule[] {
    const { inactive } = this.#modules
    const pulled = this.#inside.options.pulledModules ?? []
    return inactive.length === 0 ? pulled : [...pulled, ...inactive]
  }

  configure({ connections }: ControllerOptions): void {
    this.network.configure([...this.#loaded, ...connections])
    this.#inside.devicesChanged()
  }

  load(program: RunnableProgram): void {
    const { alarms, supervisions, unwatched } = program
    this.#modules.load(program)
    this.#loaded = program.connections
    this.configure(this.#inside.options)
    this.alarms.load(alarms)
    this.#watch.load(supervisions)
    for (const text of unwatched) this.#inside.note('warning', 'supervision', text)
  }

  /** STARTUP or memory reset. */
  clear(cause: string): void {
    this.#modules.activateAll()
    this.#inside.devicesChanged()
    this.alarms.clear(cause)
    this.#watch.clear()
    this.network.closeAll()
  }

  /** Looks at the supervisions. */
  endOfCycle(memory: Memory): void {
    this.#watch.endOfCycle(memory, this.#inside.time.nanoseconds)
  }

  /** STOP ends connections; alarms stay. */
  stopped(): void {
    this.network.closeAll()
  }
}
