/**
 * Blocks that run a job with a partner or a module that is not simulated: data records, files, serial ports, OPC UA, so
 * a job runs for some calls (BUSY) and ends with the error that a controller reports when no partner is there. Status
 * numbers: TIA Portal help of each block ("Parameter STATUS"); where the help has several for the same state, this
 * project chose one.
 *
 * The rising edge of REQ starts a job. DONE or ERROR stay for one call. EN_R requests data while it is on.
 */
import { writeText } from '../texts.ts'
import { timeZoneOf } from '../time-zone.ts'
import type { InstanceView, Model } from './instance-view.ts'

interface Job {
  /** The start signal: `REQ` by its edge, `EN_R` and `LEVEL` (REQ) while they are on, `CALL` by the call itself. */
  readonly start: 'REQ' | 'EN_R' | 'LEVEL' | 'CALL'
  /** Number of calls with BUSY; 0: the job ends in the call that starts it. */
  readonly calls: number
  /** STATUS with ERROR; 0: the job succeeds. */
  readonly error: number
  /** STATUS without a job, in the first call of a job and in all others. */
  readonly idle: number
  readonly first: number
  readonly running: number
  /** Whether it waits for its partner without limit when it does not open the connection itself. */
  readonly mayWait?: boolean
  /** What a job without error does at its end; returns its STATUS. */
  readonly finish?: (instance: InstanceView) => number
}

/** SET_TIMEZONE: 808F for a rule with a value out of its range. */
function setTimeZone(instance: InstanceView): number {
  const at = (name: string) => instance.number(`TimeZone.${name}`)
  const change = (name: string) => ({
    month: at(`${name}Month`),
    week: at(`${name}Week`),
    weekday: at(`${name}Weekday`),
    hour: at(`${name}Hour`),
    minute: at(`${name}Minute`),
  })
  const zone = timeZoneOf(at('Bias'), at('DaylightBias'), change('DaylightStart'), change('StandardStart'))
  if (zone) instance.context.clock.setTimeZone(zone)
  return zone ? 0 : 0x808f
}

const asynchronous = { idle: 0x7000, first: 0x7001, running: 0x7002 } as const

function jobs(
  names: string,
  start: Job['start'],
  calls: number,
  error: number,
  more: Partial<Job> = {},
): [string, Job][] {
  return names.split(' ').map((name) => [name, { start, calls, error, ...asynchronous, ...more }])
}

const plain = { idle: 0, first: 0, running: 0 } as const
const records = { idle: 0x0070_0000, first: 0x0070_0100, running: 0x0070_0200 } as const
const opening = { mayWait: true } as const

const table: ReadonlyMap<string, Job> = new Map([
  // 80C4: the connection cannot be established at the moment.
  ...jobs('MB_RED_CLIENT', 'LEVEL', 8, 0x80c4, opening),
  // 8010: no connection to the mail server.
  ...jobs('TMAIL_C', 'REQ', 8, 0x8010),
  // 80 D2: the interface does not support it; its addresses are those of the project.
  ...jobs('T_CONFIG', 'REQ', 2, 0xc080_d200, records),
  // 80C8: the slave does not answer; 8180: the port is invalid.
  ...jobs('MB_MASTER MODBUS_MASTER', 'REQ', 6, 0x80c8),
  ...jobs('MB_COMM_LOAD MODBUS_COMM_LOAD', 'REQ', 0, 0x8180, plain),
  // 8080: the identifier of the port is invalid.
  ...jobs(
    'SEND_P2P SEND_PTP PORT_CONFIG SEND_CONFIG RECEIVE_CONFIG P3964_CONFIG SEND_CFG RCV_CFG PORT_CFG',
    'REQ',
    0,
    0x8080,
  ),
  ...jobs('RECEIVE_RESET RCV_RST SIGNAL_GET SIGNAL_SET SGN_GET SGN_SET GET_FEATURES SET_FEATURES', 'REQ', 0, 0x8080),
  ...jobs('RECEIVE_P2P RCV_PTP', 'EN_R', 0, 0x8080),
  // 8092: no memory card, so there is no log, recipe or file; 80B3: none has room for one; 8091: there is no path.
  ...jobs('DATALOGOPEN DATALOGWRITE DATALOGCLOSE DATALOGCLEAR DATALOGDELETE DATALOGNEWFILE', 'REQ', 2, 0x8092),
  ...jobs('DATALOGTYPEDOPEN RECIPEIMPORT FILEDELETE', 'REQ', 2, 0x8092),
  ...jobs('DATALOGCREATE DATALOGTYPEDCREATE RECIPEEXPORT', 'REQ', 2, 0x80b3),
  ...jobs('FILEREADC FILEWRITEC', 'REQ', 2, 0x8091),
  // C0: nothing is sent to a module; 80 90: the address does not belong to a module.
  ...jobs('RDREC WRREC ASI_CTRL RECONFIGIOSYSTEM', 'REQ', 2, 0xc080_9000, records),
  // 80 93: the address is invalid.
  ...jobs('RD_DPAR', 'LEVEL', 2, 0xc080_9300, records),
  // 8092: no memory card.
  ...jobs('GETSMCINFO', 'REQ', 2, 0x8092),
  // The device does not exist.
  ...jobs('GET_IM_DATA', 'CALL', 2, 0x8091),
  ...jobs('GETSTATIONINFO', 'REQ', 2, 0x8090),
  // OPC UA: Bad_CommunicationError, and for everything that needs a session Bad_ServerNotConnected.
  ...jobs('OPC_UA_CONNECT', 'REQ', 8, 0x8005_0000, plain),
  ...jobs(
    'OPC_UA_DISCONNECT OPC_UA_NAMESPACEGETINDEXLIST OPC_UA_NODEGETHANDLELIST OPC_UA_NODERELEASEHANDLELIST OPC_UA_READLIST OPC_UA_WRITELIST ' +
      'OPC_UA_METHODGETHANDLELIST OPC_UA_METHODRELEASEHANDLELIST OPC_UA_METHODCALL OPC_UA_TRANSLATEPATHLIST OPC_UA_CONNECTIONGETSTATUS',
    'REQ',
    2,
    0x800d_0000,
    plain,
  ),
  // Hardware functions without hardware: they succeed, as with PLCSIM.
  ...jobs('CTRL_PTO', 'REQ', 0, 0, plain),
  ...jobs('CTRL_HSC_EXT', 'CALL', 0, 0, plain),
])

/** The state in hidden members: remaining calls + 1 while a job runs, and the start signal of the last call. */
const remaining = 'STATE'
const before = 'REQ_OLD'

function startSignal(instance: InstanceView, { start }: Job): boolean {
  if (start === 'CALL') return true
  if (start === 'EN_R') return instance.is('EN_R')
  return instance.is('REQ')
}

/** Whether the description of the connection leaves opening it to the partner. */
function isPassive(instance: InstanceView): boolean {
  const connection = instance.behind('CONNECT')
  if (!connection) return false
  const member = ['ActiveEstablished', 'ACTIVE_EST', 'ConnPara.ActiveEstablished'].find((name) => connection.has(name))
  return member !== undefined && !connection.is(member)
}

function end(instance: InstanceView, error: number): void {
  instance.setAll({ BUSY: false, [remaining]: 0, ERROR: error !== 0, STATUS: error })
  if (error === 0) instance.setAll({ DONE: true, NDR: true })
}

function run(instance: InstanceView, job: Job): void {
  const signal = startSignal(instance, job)
  const isEdge = signal && !instance.is(before)
  const left = instance.number(remaining)
  instance.setAll({ DONE: false, NDR: false, VALID: false, ERROR: false, RCVD_LEN: 0, [before]: signal })
  if (left > 0) {
    // The program no longer requests data, or gives up the connection.
    if ((job.start === 'EN_R' && !signal) || instance.is('DISCONNECT')) {
      instance.setAll({ BUSY: false, STATUS: job.idle, [remaining]: 0 })
      return
    }
    instance.setAll({ BUSY: true, STATUS: job.running })
    if (left > 1) instance.set(remaining, left - 1)
    else if (!(job.mayWait === true && isPassive(instance))) end(instance, job.finish?.(instance) ?? job.error)
    return
  }
  const starts = job.start === 'REQ' ? isEdge : signal && !instance.is('DISCONNECT')
  if (!starts) instance.setAll({ BUSY: false, STATUS: job.idle })
  else if (job.calls === 0) end(instance, job.error)
  else instance.setAll({ BUSY: true, STATUS: job.first, [remaining]: job.calls })
}

/** Models by name in upper case. */
export const jobModels: Readonly<Record<string, Model>> = Object.fromEntries(
  [...table].map(([name, job]): [string, Model] => [name, (instance) => run(instance, job)]),
)

const nameStatus = { notThere: 0x8090, noSystem: 0x8092, wrongType: 0x8093, noStation: 0x8095, cut: 0x8852 } as const

/** GET_NAME: the name of a device of the loaded hardware. */
function writeName(instance: InstanceView): number {
  const { context } = instance
  const hardware = context.hardware?.()
  const [system, station] = [instance.number('LADDR'), instance.number('STATION_NR')]
  if (!hardware?.deviceStates(system, 1)) return hardware?.isKnown(system) ? nameStatus.noSystem : nameStatus.notThere
  const name = hardware.deviceName(system, station)
  if (name === undefined) return nameStatus.noStation
  const target = instance.behind('DATA')?.cell
  if (target?.type.kind !== 'string') return nameStatus.wrongType
  instance.set('LEN', name.length)
  const isWhole = writeText(context, { ...target, isWide: target.type.isWide }, name)
  return isWhole ? 0 : nameStatus.cut
}

const nameJob: Job = { start: 'CALL', calls: 2, error: 0, ...asynchronous, finish: writeName }
const zoneJob: Job = { start: 'REQ', calls: 2, error: 0, ...asynchronous, finish: setTimeZone }

/** Jobs that the controller itself does, and those on its hardware. */
export const ownJobModels: Readonly<Record<string, Model>> = {
  SET_TIMEZONE: (instance) => run(instance, zoneJob),
  GET_NAME: (instance) => {
    instance.set('LEN', 0)
    run(instance, nameJob)
  },
}

/** Blocks without any activity: servers without clients, modules without events. */
function quiet(outputs: Readonly<Record<string, number | boolean>>): Model {
  return (instance) => instance.setAll(outputs)
}

export const quietModels: Readonly<Record<string, Model>> = {
  MB_SLAVE: quiet({ NDR: false, DR: false, ERROR: false, STATUS: 0 }),
  MODBUS_SLAVE: quiet({ NDR: false, DR: false, ERROR: false, STATUS: 0 }),
  RALRM: quiet({ NEW: false, STATUS: 0x0070_0000, LEN: 0 }),
  RCVREC: quiet({ NEW: false, STATUS: 0x0070_0000, LEN: 0 }),
  PRVREC: quiet({ NEW: false, STATUS: 0x0070_0000, RLEN: 0 }),
  CTRL_PWM: quiet({ BUSY: false, STATUS: 0 }),
  CTRL_HSC: quiet({ BUSY: false, STATUS: 0 }),
  HIGH_SPEED_COUNTER: quiet({ StatusHW: false, Error: false, ErrorID: 0 }),
  HIGHSPEEDCOUNTER: quiet({ StatusHW: false, Error: false, ErrorID: 0 }),
  SSI_ABSOLUTE_ENCODER: quiet({ StatusHW: false, Error: false, ErrorID: 0 }),
}
