/** All templates, in the order of the list. */
import { alarmCollector } from './alarm-collector.ts'
import { analogScaling } from './analog-scaling.ts'
import { batchSequence } from './batch-sequence.ts'
import { controlValve } from './control-valve.ts'
import { conveyorAccumulation } from './conveyor-accumulation.ts'
import { fifoQueue } from './fifo-queue.ts'
import { modbusTcpPoll } from './modbus-tcp-poll.ts'
import { modeHandling } from './mode-handling.ts'
import { motorDirect } from './motor-direct.ts'
import { motorReversing } from './motor-reversing.ts'
import { motorTelegram1 } from './motor-telegram-1.ts'
import { pidLoop } from './pid-loop.ts'
import { pumpAlternation } from './pump-alternation.ts'
import type { Template } from './template.ts'
import { totaliser } from './totaliser.ts'
import { valveOnOff } from './valve-on-off.ts'
import { watchdog } from './watchdog.ts'

export const templates: readonly Template[] = [
  motorDirect,
  motorReversing,
  motorTelegram1,
  valveOnOff,
  controlValve,
  analogScaling,
  pidLoop,
  totaliser,
  alarmCollector,
  conveyorAccumulation,
  pumpAlternation,
  batchSequence,
  modeHandling,
  modbusTcpPoll,
  watchdog,
  fifoQueue,
]

/** Finds a template by its name, whatever its case, with hyphens, underscores or spaces between the words. */
export function templateNamed(name: string): Template | undefined {
  const key = (one: string) => one.toLowerCase().replace(/[\s_-]+/g, '')
  return templates.find((template) => key(template.name) === key(name))
}
