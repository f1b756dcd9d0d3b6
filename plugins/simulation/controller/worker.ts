/**
 * The thread of a controller. It never returns to its event loop: it waits for the next point in virtual time or the
 * next message, whichever is first, so that neither timers nor other work of Node delay the program.
 */
import { receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { TimeZone } from '../../../plc/runtime/time-zone.ts'
import type { AlarmBatch } from './alarm-messages.ts'
import type { OperatingState, Transition } from './contract.ts'
import { ControlBlock, requests } from './control-block.ts'
import { Machine } from './machine.ts'
import type { Numbered, RawEntry, RefusalCode, Report, WorkerData } from './messages.ts'
import type { NetworkRequest } from './network-messages.ts'
import { allowedIn, wrongStateText } from './states.ts'

const {
  control: buffer,
  port,
  options,
  program,
  generation,
  isRetentiveLost,
  forces,
  alarmWords,
  timeZone,
} = workerData as WorkerData
const control = new ControlBlock(buffer)

/** Shorter waits are busy loops, because waking up would take longer. Milliseconds. */
const shortestWait = 0.05
/** Maximum number of messages handled at one control point. */
const mostMessages = 256
let isEnding = false

/** An advance of stepped time in progress. */
interface Advance {
  readonly id: number
  /** Virtual time at which it ends, ns. */
  end: number
  /** Cycles to run; absent when the end is a time. */
  readonly cycles?: number
  readonly firstCycle: number
}
let advance: Advance | undefined
/** Where the last advance was to end, ns: a long cycle may have passed it. */
let reached = Number.POSITIVE_INFINITY

/** Messages that were received in the middle of a cycle and wait for its end; and the wakes that were seen there. */
const waiting: Numbered[] = []
let looked = -1

const send = (report: Report) => port.postMessage(report)
const events = {
  state: (state: OperatingState) => send({ kind: 'state', state }),
  diagnostic: (entry: RawEntry) => send({ kind: 'diagnostic', entry }),
  look,
  alarms: (batch: AlarmBatch) => send({ kind: 'alarms', batch }),
  network: (request: NetworkRequest) => send({ kind: 'network', request }),
  timeZone: (zone: TimeZone) => send({ kind: 'timeZone', zone }),
}
const machine = new Machine(control, options, events, alarmWords, isRetentiveLost, timeZone)

/** Thrown when a request is not possible in the current state. */
class Refusal extends Error {
  readonly code: RefusalCode
  constructor(code: RefusalCode, detail: string) {
    super(detail)
    this.code = code
  }
}

function handle(request: Numbered): unknown {
  if ('generation' in request && request.kind !== 'load' && request.generation !== control.generation)
    throw new Refusal('other_program', 'Another program was loaded meanwhile.')
  switch (request.kind) {
    case 'transition':
      return transition(request.transition)
    case 'end':
      control.request = requests.none
      if (machine.state !== 'Stop') machine.stop()
      isEnding = true
      return undefined
    case 'configure':
      if (JSON.stringify(request.options.time) !== JSON.stringify(machine.options.time)) {
        endAdvance()
        // In real time it goes on from there.
        reached = Number.POSITIVE_INFINITY
      }
      return machine.configure(request.options)
    case 'load':
      if (machine.state !== 'Stop' && !request.inRun) throw stateRefusal('Loading')
      machine.load(request.program, request.copies, request.generation)
      return machine.setForces(request.forces)
    case 'read':
      return machine.read(request.ranges)
    case 'write':
      return machine.write(request.writes)
    case 'forces':
      return machine.setForces(request.forces)
    case 'modifications':
      machine.setModifications(request.modifications)
      return control.statistics
    case 'advance':
      beginAdvance(request)
      return undefined
    case 'acknowledge':
      return machine.around.alarms.acknowledge(request.selection, request.by)
    case 'network':
      return machine.around.network.tell(request.event)
    case 'cancel':
      if (advance?.id === request.request) endAdvance()
      return undefined
    case 'setTime':
      machine.time.setSystemMilliseconds(request.time)
      return machine.timeMoved()
    case 'raise':
      return machine.raise(request.block, request.information)
    case 'startTrace':
      return machine.startTrace(request.name, request.options, request.buffer)
    case 'stopTrace':
      return machine.stopTrace(request.name)
  }
}

function stateRefusal(what: string, why?: string): Refusal {
  return new Refusal('invalid_operating_state', wrongStateText(machine.state, what, why))
}

function transition(to: Exclude<Transition, 'powerOn' | 'powerOff'>) {
  control.request = requests.none
  // The gateway asks only a controller that it saw running: the program may have ended by itself since, or by this
  // request.
  if (to === 'stop' && machine.state === 'Stop') return machine.state
  if (!allowedIn(machine.state).includes(to)) throw stateRefusal(to)
  if (to === 'run' && !machine.hasProgram) throw stateRefusal(to, 'no program is loaded')
  reached = Number.POSITIVE_INFINITY
  if (to === 'run') machine.run()
  else if (to === 'stop') machine.stop()
  else if (to === 'memoryReset') machine.memoryReset()
  else if (to === 'hold' || to === 'continue') machine.hold(to === 'hold')
  else machine.freeze(to === 'freeze')
  return machine.state
}

function beginAdvance(request: Numbered & { kind: 'advance' }): void {
  const { mode } = machine.time
  if (mode.mode !== 'stepped')
    throw new Refusal('conflict', 'Time passes by itself (mode real): it is advanced in mode stepped only.')
  if (machine.state !== 'Run') throw stateRefusal('Advancing')
  if (advance) throw new Refusal('conflict', 'Time is being advanced already: wait until that is done.')
  const now = Math.min(machine.time.nanoseconds, reached)
  const { cycles = 0, milliseconds } = request
  const length = mode.cycleTimeMs * 1e6
  const end = milliseconds === undefined ? machine.nextCycle + cycles * length : now + milliseconds * 1e6
  advance = { id: request.id, end, firstCycle: machine.cycles, ...(milliseconds === undefined ? { cycles } : {}) }
}

/** Answers the advance in progress, however far it got. */
function endAdvance(isAtEnd = false): void {
  if (!advance) return
  const { id, firstCycle, end } = advance
  advance = undefined
  reached = isAtEnd ? end : Number.POSITIVE_INFINITY
  machine.around.alarms.flush(true)
  send({
    kind: 'answer',
    id,
    value: { cycles: machine.cycles - firstCycle, time: machine.time.systemMilliseconds },
  })
}

function nextMessage(): Numbered | undefined {
  return receiveMessageOnPort(port)?.message as Numbered | undefined
}

function answer(request: Numbered): void {
  try {
    const value = handle(request)
    machine.around.alarms.flush(true)
    // An advance is answered when it has ended.
    if (request.kind !== 'advance') send({ kind: 'answer', id: request.id, value })
  } catch (fault) {
    const code = fault instanceof Refusal ? fault.code : 'internal_error'
    send({ kind: 'refusal', id: request.id, code, detail: fault instanceof Error ? fault.message : String(fault) })
  }
}

/**
 * In the middle of a block: events that were raised do not wait for the end of the cycle. Everything else does, and so
 * do events behind it.
 */
function look(): void {
  const { wakes } = control
  if (wakes === looked) return
  looked = wakes
  for (let request = nextMessage(); request; request = nextMessage()) {
    if (request.kind === 'raise' && waiting.length === 0) answer(request)
    else waiting.push(request)
    if (waiting.length >= mostMessages) return
  }
}

/** Handles a limited number of messages in the port, so that cycles continue. Returns true when there are no more. */
function takeMessages(): boolean {
  for (let count = 0; count < mostMessages; count++) {
    const request = waiting.shift() ?? nextMessage()
    if (!request) return true
    answer(request)
    if (machine.state !== 'Run') endAdvance()
    if (isEnding) break
  }
  return false
}

/** Stepped time: advances to the next action, or to the end of the advance. */
function step(one: Advance): void {
  const { next } = machine
  // Long cycles move the end of an advance by cycles.
  if (one.cycles !== undefined)
    one.end = machine.nextCycle + Math.max(0, one.cycles - (machine.cycles - one.firstCycle)) * machine.cycleTime
  const { end } = one
  if (next >= end) {
    machine.time.moveTo(end)
    machine.timeMoved()
    endAdvance(true)
    return
  }
  machine.time.moveTo(next)
  machine.work(machine.time.nanoseconds)
  if (machine.state !== 'Run') endAdvance()
}

/** Real time: executes what is due, or waits for it. */
function wait(seen: number): void {
  const now = machine.time.nanoseconds
  const left = machine.next - now
  if (left <= 0) {
    machine.work(now)
    return
  }
  const milliseconds = left / 1e6 / machine.time.factor
  if (milliseconds > shortestWait) control.wait(seen, milliseconds)
}

if (program) machine.load(program, [], generation)
machine.setForces(forces)
send({ kind: 'ready' })
let seen = control.wakes - 1
for (;;) {
  // Read before the port, so that a later message ends the wait.
  const { wakes } = control
  if (wakes !== seen && takeMessages()) seen = wakes
  if (isEnding) break
  machine.around.alarms.flush()
  if (machine.state !== 'Run') control.wait(seen)
  else if (machine.time.mode.mode === 'real') wait(seen)
  else if (advance) step(advance)
  else control.wait(seen)
}
port.close()
