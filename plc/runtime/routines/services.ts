/**
 * The runtime part of instructions without an instance (compiler/lower/instructions/services.ts). Interrupts are those
 * of the controller. DeviceStates, ModuleStates, RD_ADDR, DPRD_DAT and DPWR_DAT use the configured hardware. Beyond
 * that there is no hardware: as in PLCSIM Advanced, instructions on modules return "done" and change nothing
 * (docs/plc-semantics.md#unsupported-instructions), and those that query addresses of modules return the status of a
 * module that is not configured. Status numbers: TIA Portal help of each instruction.
 */
import { alarmValue } from '../alarm-values.ts'
import { alarmStatus } from '../alarms.ts'
import { partsOf } from '../cells.ts'
import type { Routine, RoutineFamily, RuntimeContext } from '../context.ts'
import { synchronizePartition, updatePartition } from '../image-updates.ts'
import { InterruptLocks } from '../interrupt-locks.ts'
import { cyclicLimits, type InterruptPeriod, type InterruptState, interruptStatus } from '../interrupts.ts'
import { isText, readModule, writeModule } from '../module-data.ts'
import { attachments, deviceActivation } from './device-activation.ts'
import { joinedTextServices } from './joined-texts.ts'
import { type Four, meant, regionOf } from './memory.ts'
import { moduleDiagnostics } from './module-diagnostics.ts'
import { sizeOfRegion } from './regions.ts'
import { readStartInformation } from './start-information.ts'
import { statisticsServices } from './statistics.ts'

/** A status, and outputs in their order. */
interface Answer {
  readonly status: number
  readonly outputs?: readonly (bigint | number | boolean)[]
}

/** Inputs: bigint for numbers, four numbers for a variable. */
type Service = (...inputs: never[]) => Answer | number

const done = 0
const noModule = 0x8090
const noSubnet = 0x8094
/** ENDIS_PW: a standard CPU has no fail-safe password; locking is not supported. */
const passwordStatus = { noSafety: 0x80d0, notSupported: 0x8090 } as const
/** REQ is FALSE: no job runs. */
const idle = 0x7000

/** PERIOD of SET_TINT (TIA Portal help). */
const periods: Readonly<Record<number, InterruptPeriod>> = {
  0: 'once',
  513: 'minute',
  1025: 'hour',
  4097: 'day',
  4609: 'week',
  5121: 'month',
  6145: 'year',
  8193: 'endOfMonth',
}

/** Whether a number is in the range of OBs of a kind; numbers from 123 on are free for all kinds. */
function isBlockOf(number: bigint, low: bigint, high: bigint): boolean {
  return (number >= low && number <= high) || (number >= 123n && number <= 32_767n)
}

function statusBits(state: InterruptState | undefined): bigint {
  if (!state) return 0n
  return (state.isLocked ? 2n : 0n) | (state.isActive ? 4n : 0n) | (state.isLoaded ? 16n : 0n)
}

/** A run-time meter stops at this number of hours, and tells its overflow when it is read (TIA Portal help of RTM). */
const mostHours = 2 ** 31 - 1

/** Run-time meters of RTM, in hours. */
class Meters {
  readonly #meters = new Map<bigint, { hours: number; since: bigint | undefined }>()

  /** MODE: 0 read, 1 start, 2 stop, 4 set, 5 set and start, 6 set and stop; numbers 0 to 9. */
  act(now: bigint, number: bigint, mode: bigint, preset: bigint): Answer {
    if (number < 0n || number > 9n) return { status: 0x8080 }
    if (preset < 0n) return { status: 0x8081 }
    if (![0n, 1n, 2n, 4n, 5n, 6n].includes(mode)) return { status: 0x8091 }
    const meter = this.#meters.get(number) ?? { hours: 0, since: undefined }
    this.#meters.set(number, meter)
    if (meter.since !== undefined) {
      meter.hours = Math.min(mostHours, meter.hours + Number(now - meter.since) / 3.6e12)
      meter.since = now
    }
    if (mode >= 4n) meter.hours = Number(preset)
    if (mode === 1n || mode === 5n) meter.since = now
    if (mode === 2n || mode === 6n) meter.since = undefined
    const isFull = meter.hours >= mostHours && mode === 0n
    return { status: isFull ? 0x8082 : done, outputs: [meter.since !== undefined, Math.floor(meter.hours)] }
  }
}

/** Without a controller there is nothing to lock; wrong parameters are told. */
const noLocks = new InterruptLocks([])

function interruptServices({ interrupts }: RuntimeContext): Record<string, Service> {
  const { wrongBlock, wrongTime, wrongPhase } = interruptStatus
  const delay = (block: bigint, run: () => number) => (isBlockOf(block, 20n, 23n) ? run() : wrongBlock)
  const daily = (block: bigint, run: () => number) => (isBlockOf(block, 10n, 17n) ? run() : wrongBlock)
  const cyclic = (block: bigint, run: () => number) => (isBlockOf(block, 30n, 38n) ? run() : wrongBlock)
  const setDaily = (block: bigint, start: bigint, isLocal: boolean, period: bigint, isActive: boolean) =>
    daily(block, () => {
      const every = periods[Number(period)]
      if (every === undefined) return wrongPhase
      return interrupts?.setTimeOfDay(Number(block), start, isLocal, every, isActive) ?? wrongBlock
    })
  let delays = 0
  return {
    SRT_DINT: (block: bigint, milliseconds: bigint, sign: bigint) =>
      delay(block, () => {
        if (milliseconds < 1n || milliseconds > 60_000n) return wrongTime
        return interrupts?.startDelay(Number(block), milliseconds * 1_000_000n, Number(sign)) ?? wrongBlock
      }),
    CAN_DINT: (block: bigint) => delay(block, () => interrupts?.cancelDelay(Number(block)) ?? wrongBlock),
    QRY_DINT: (block: bigint) => ({
      status: delay(block, () => done),
      outputs: [statusBits(interrupts?.queryDelay(Number(block)))],
    }),
    SET_TINT: (block: bigint, start: bigint, period: bigint) => setDaily(block, start, false, period, false),
    SET_TINTL: (block: bigint, start: bigint, isLocal: bigint, period: bigint, isActive: bigint) =>
      setDaily(block, start, isLocal !== 0n, period, isActive !== 0n),
    CAN_TINT: (block: bigint) => daily(block, () => interrupts?.cancelTimeOfDay(Number(block)) ?? wrongBlock),
    ACT_TINT: (block: bigint) => daily(block, () => interrupts?.activateTimeOfDay(Number(block)) ?? wrongBlock),
    QRY_TINT: (block: bigint) => ({
      status: daily(block, () => done),
      outputs: [statusBits(interrupts?.queryTimeOfDay(Number(block)))],
    }),
    SET_CINT: (block: bigint, cycle: bigint, phase: bigint) =>
      cyclic(block, () => {
        // Cycle 0 switches it off.
        if (cycle !== 0n && (cycle < cyclicLimits.least || cycle > cyclicLimits.most)) return wrongTime
        if (phase > cyclicLimits.most) return wrongPhase
        return interrupts?.setCyclic(Number(block), Number(cycle), Number(phase)) ?? wrongBlock
      }),
    QRY_CINT: (block: bigint) => {
      const found = interrupts?.queryCyclic(Number(block))
      const status = cyclic(block, () => (found ? done : wrongBlock))
      return { status, outputs: found ? [found.cycleUs, found.phaseUs, 20] : [0, 0, 0] }
    },
    DIS_IRT: (mode: bigint, block: bigint) =>
      interrupts?.lock(Number(mode), Number(block)) ?? noLocks.lock(Number(mode), Number(block), 0),
    EN_IRT: (mode: bigint, block: bigint) =>
      interrupts?.unlock(Number(mode), Number(block)) ?? noLocks.unlock(Number(mode), Number(block)).status,
    DIS_AIRT: () => {
      delays = interrupts?.delayAll() ?? delays + 1
      return delays
    },
    EN_AIRT: () => {
      const left = interrupts ? interrupts.releaseAll() : delays === 0 ? undefined : delays - 1
      delays = left ?? 0
      // EN_AIRT without a delay.
      return left ?? 0x8080
    },
  }
}

function moduleServices(context: RuntimeContext): Record<string, Service> {
  /** Without hardware every module is there. */
  const written = (module: bigint): Answer => {
    const isThere = context.hardware?.()?.isKnown(Number(module)) ?? true
    return { status: isThere ? done : noModule, outputs: [false] }
  }
  return {
    // Without loaded hardware they succeed and change nothing.
    DPRD_DAT: (module: bigint, ...record: Four) =>
      context.hardware?.()
        ? readModule(context, Number(module), meant(regionOf(context, ...record)), {
            refused: isText,
            clearsRest: true,
          }).status
        : done,
    DPWR_DAT: (module: bigint, ...record: Four) =>
      context.hardware?.()
        ? writeModule(context, Number(module), meant(regionOf(context, ...record)), { refused: isText })
        : done,
    WR_PARM: (_request: bigint, module: bigint) => written(module),
    WR_DPARM: (_request: bigint, module: bigint) => written(module),
    PARM_MOD: (_request: bigint, module: bigint) => written(module),
    // Data records and orders for a line that is not there.
    RD_DPARA: (request: bigint) => ({ status: request === 0n ? idle : noModule, outputs: [false] }),
    RD_DPARM: () => noModule,
    RD_REC: (request: bigint) => ({ status: request === 0n ? idle : noModule, outputs: [false] }),
    WR_REC: (request: bigint) => ({ status: request === 0n ? idle : noModule, outputs: [false] }),
    DPSYC_FR: (request: bigint) => ({ status: request === 0n ? idle : noModule, outputs: [false] }),
    DP_TOPOL: (request: bigint) => ({ status: request === 0n ? idle : noModule, outputs: [false, 0, 0] }),
    RD_OBINF: () => done,
    RD_SINFO: (...all: number[]) => readStartInformation(context, ...all),
    ...deviceActivation(context),
    ...moduleDiagnostics(context),
    /** The counting module FM 350: there is no module, and no operator error. */
    CNT_CTRL: () => ({ status: done, outputs: [false, false, false] }),
    DPNRM_DG: () => ({ status: noModule, outputs: [false] }),
    GEO2LOG: () => ({ status: noModule, outputs: [0] }),
    LOG2GEO: () => noModule,
    GADR_LGC: () => ({ status: noSubnet, outputs: [0, 0] }),
    GEO_LOG: () => ({ status: noSubnet, outputs: [0] }),
    LGC_GADR: () => ({ status: noModule, outputs: [0, 0, 0, 0] }),
    RD_LGADR: () => ({ status: noModule, outputs: [0, 0] }),
    LOG_GEO: () => ({ status: noModule, outputs: [0, 0, 0, 0, 0, 0] }),
    // Every address exists, so no address has an access error.
    SYNC_PI: (part: bigint) => ({ status: synchronizePartition(context.image, true, part), outputs: [0] }),
    SYNC_PO: (part: bigint) => ({ status: synchronizePartition(context.image, false, part), outputs: [0] }),
    UPDAT_PI: (part: bigint) => ({ status: updatePartition(context.image, true, part), outputs: [0] }),
    UPDAT_PO: (part: bigint) => ({ status: updatePartition(context.image, false, part), outputs: [0] }),
  }
}

/** Queries of data blocks; programs cannot make or delete blocks at run time. */
function blockServices(context: RuntimeContext): Record<string, Service> {
  const lengthOf = (number: bigint): Answer => {
    if (number <= 0n || number > 65_535n) return { status: 0x80a1, outputs: [0, 0] }
    const found = context.blockOfNumber(Number(number))
    return found ? { status: done, outputs: [found.size, 0] } : { status: 0x80b1, outputs: [0, 0] }
  }
  /** Data that WRIT_DBL has written to load memory, by the address of the work memory. */
  const written = new Map<number, Uint8Array>()
  return {
    ATTR_DB: (request: bigint, number: bigint) =>
      request === 0n ? { status: 0x7000, outputs: [0, 0] } : lengthOf(number),
    TEST_DB: lengthOf,
    // Reports that all numbers of the range are used.
    CREATE_DB: () => ({ status: 0x80b1, outputs: [false, 0] }),
    CREAT_DB: () => ({ status: 0x80b1, outputs: [0] }),
    // Only blocks made by CREATE_DB may be deleted.
    DELETE_DB: () => ({ status: 0x80b5, outputs: [false] }),
    DEL_DB: () => 0x80b5,
    /** Load memory contains the data written there last, else the current data of the block. */
    READ_DBL: (request: bigint, ...variables: number[]) => {
      if (request === 0n) return { status: 0x7000, outputs: [false] }
      const [from, to] = sides(context, variables)
      if (!from || !to || from.size !== to.size) return { status: 0x8453, outputs: [false] }
      context.bytes.set(
        written.get(from.address) ?? context.bytes.slice(from.address, from.address + from.size),
        to.address,
      )
      return { status: done, outputs: [false] }
    },
    WRIT_DBL: (request: bigint, ...variables: number[]) => {
      if (request === 0n) return { status: 0x7000, outputs: [false] }
      const [from, to] = sides(context, variables)
      if (!from || !to || from.size !== to.size) return { status: 0x8453, outputs: [false] }
      written.set(to.address, context.bytes.slice(from.address, from.address + from.size))
      return { status: done, outputs: [false] }
    },
    /** No password is locked here: all are released, and an order to lock one has no effect. */
    ENDIS_PW: (request: bigint, safety: bigint, ...others: bigint[]) => {
      const isLocked = (one: bigint) => request !== 0n && one === 0n
      const status = isLocked(safety)
        ? passwordStatus.noSafety
        : others.some(isLocked)
          ? passwordStatus.notSupported
          : done
      return { status, outputs: [true, true, true, true] }
    },
  }
}

function sides(context: RuntimeContext, variables: readonly number[]) {
  return [0, 4].map((from) => {
    const found = meant(regionOf(context, ...(variables.slice(from, from + 4) as Four)))
    return found && { address: found.address, size: sizeOfRegion(found) }
  })
}

function alarmServices(context: RuntimeContext): Record<string, Service> {
  return {
    GET_ALARMRESOURCES: () => Math.min(0x7fff, context.alarms?.available() ?? 0),
    /** MODE 1 is an incoming message, 2 an outgoing one; the associated values are those of AssocValues. */
    GEN_USRMSG: (mode: bigint, text: bigint, textList: bigint, ...values: Four) => {
      if (mode !== 1n && mode !== 2n) return alarmStatus.wrongMode
      const given = meant(regionOf(context, ...values))
      const list = given && (partsOf(given)[0] ?? given)
      const read = list ? partsOf(list).map((cell) => alarmValue(context, cell)) : []
      const known = read.flatMap((value) => (value ? [{ type: value.type, value: value.value }] : []))
      return context.alarms?.userMessage(mode === 1n, Number(textList), Number(text), known) ?? done
    },
    /** Bit 0: the signal is present; bit 1: the alarm is acknowledged; bits 2 and 7: always. */
    GET_ALARMSTATE: (...alarm: Four) => {
      const found = meant(regionOf(context, ...alarm))
      const { type } = found ?? {}
      const isAlarm =
        (type?.kind === 'struct' || type?.kind === 'instance') &&
        type.members.some(({ name }) => name.toUpperCase() === 'SIG')
      if (!found || !isAlarm) return { status: alarmStatus.noInstance, outputs: [0, true, alarmStatus.noInstance] }
      const { isPresent = false, isAcknowledged = true } = context.alarms?.state(found.address) ?? {}
      return { status: done, outputs: [(isPresent ? 1 : 0) | (isAcknowledged ? 2 : 0) | 0x84, false, 0] }
    },
  }
}

export const serviceRoutines: RoutineFamily = (context) => {
  const meters = new Meters()
  const services: Record<string, Service> = {
    ...interruptServices(context),
    ...attachments(context),
    ...moduleServices(context),
    ...blockServices(context),
    ...alarmServices(context),
    ...joinedTextServices(context),
    ...statisticsServices(context),
    MSK_FLT: (...wanted: bigint[]) => context.masks.mask(...wanted),
    DMSK_FLT: (...wanted: bigint[]) => context.masks.unmask(...wanted),
    READ_ERR: (...asked: bigint[]) => context.masks.read(...asked),
    // The clock is that of no bus: 1.
    SNC_RTCB: () => 1,
    RTM: (number: bigint, mode: bigint, preset: bigint) => meters.act(context.clock.now(), number, mode, preset),
    // Time passes only outside of the program; a negative one makes ENO FALSE.
    WAIT: (time: bigint) => {
      if (time < 0n) context.fail()
      return done
    },
  }
  let outputs: readonly (bigint | number | boolean)[] = []
  const routines: Record<string, Routine> = {
    'service.output': (index: number) => BigInt(outputs[index] ?? 0),
  }
  for (const [name, run] of Object.entries(services))
    routines[`service.${name}`] = (...inputs: never[]) => {
      const answer = run(...inputs)
      const { status, outputs: given = [] } = typeof answer === 'number' ? { status: answer } : answer
      outputs = given
      if (status >= 0x8000) context.fail()
      return (status << 16) >> 16
    }
  return routines
}
