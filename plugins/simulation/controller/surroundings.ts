/** What a program reaches beyond its memory: the alarms and the connections of the controller. */

import { AlarmMemory } from './alarm-memory.ts'
import type { AlarmBatch } from './alarm-messages.ts'
import type { ControllerOptions } from './contract.ts'
import type { RunnableProgram } from './messages.ts'
import { NetworkMemory } from './network-memory.ts'
import type { NetworkRequest } from './network-messages.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Receives what is to be told to the gateway. */
export interface SurroundingsEvents {
  alarms(batch: AlarmBatch): void
  network(request: NetworkRequest): void
}

interface Inside {
  readonly time: VirtualTime
  readonly options: ControllerOptions
  note(severity: 'information' | 'warning', code: string, message: string): void
}

/** Alarms and connections of one controller. */
export class Surroundings {
  readonly alarms: AlarmMemory
  readonly network: NetworkMemory

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
    this.configure(inside.options)
  }

  configure({ connections }: ControllerOptions): void {
    this.network.configure(connections)
  }

  load({ alarms }: RunnableProgram): void {
    this.alarms.load(alarms)
  }

  /** STARTUP or memory reset. */
  clear(cause: string): void {
    this.alarms.clear(cause)
    this.network.closeAll()
  }

  /** STOP ends connections; alarms stay. */
  stopped(): void {
    this.network.closeAll()
  }
}
