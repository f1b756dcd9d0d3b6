/**
 * Events that a test raises in a controller, with the start information of the organization blocks that they call.
 * Values: S7-1200 manual, "Organization blocks" (OB 40, 80, 82, 83, 86), and System Software for S7-300/400, reference
 * manual, chapter 1, for OB 121 and OB 122 and for the fields of classic blocks.
 */
import type { ProgramSymbols } from '../../../plc/program/program-symbols.ts'

/** A value of start information. */
export type StartValue = number | boolean

/** What an event may say about itself; each kind takes some of it. */
export interface EventInput {
  readonly laddr?: number | undefined
  readonly isOutgoing?: boolean | undefined
  readonly channel?: number | undefined
  readonly faultId?: number | undefined
  readonly address?: number | undefined
  readonly isWrite?: boolean | undefined
}

/** The organization block that was running, and its priority. */
interface Running {
  readonly number: number
  readonly priority: number
}

interface EventKind {
  /** Event class of the organization blocks. */
  readonly eventClass: string
  /** Whether the event comes from a module, whose hardware identifier is needed. */
  readonly hasModule: boolean
  information(input: EventInput, running: Running): Readonly<Record<string, StartValue>>
}

/** Class of coming and going events of modules, and of events that only come (OBxx_EV_CLASS). */
const coming = 0x39
const going = 0x38
const interrupt = 0x11
const errorOfProgram = 0x25
const errorOfAccess = 0x29
/** OBxx_IO_FLAG: an input module. */
const inputModule = 0x54
/** Kind of the block in the start information of OB 121 and OB 122: an organization block. */
const organizationBlock = 0x88
/** Channel of an event that concerns the whole module (PROFINET: channel number of a submodule). */
const wholeModule = 0x8000

const eventClassOf = ({ isOutgoing = false }: EventInput) => (isOutgoing ? going : coming)

/** The fields that OB 121 and OB 122 share. */
const ofError = (faultId: number, { number, priority }: Running) => ({
  FAULT_ID: faultId,
  SW_FLT: faultId,
  BLOCKNR: number,
  BLK_NUM: number,
  BLOCKTYPE: organizationBlock,
  BLK_TYPE: organizationBlock,
  CSG_OBNR: number,
  CSG_PRIO: priority,
})

/** The kinds of events by name. */
export const eventKinds = {
  hardwareInterrupt: {
    eventClass: 'HardwareInterrupt',
    hasModule: true,
    information: ({ laddr = 0, channel = 0, faultId = 0 }) => ({
      ...{ LADDR: laddr, ICHANNEL: channel, EVENTTYPE: faultId, USI: 0 },
      ...{
        EV_CLASS: interrupt,
        STRT_INF: 0x41,
        IO_FLAG: inputModule,
        MDL_ADDR: laddr,
        POINT_ADDR: 2 ** (channel % 32),
      },
    }),
  },
  diagnosticError: {
    eventClass: 'DiagnosticErrorInterrupt',
    hasModule: true,
    // Bit 0 of IO_State: the module is good; bit 4: it has an error.
    information: ({ isOutgoing = false, ...input }) => ({
      ...{ IO_STATE: isOutgoing ? 0x0001 : 0x0010, LADDR: input.laddr ?? 0 },
      ...{ CHANNEL: input.channel ?? wholeModule, MULTIERROR: false },
      ...{ EV_CLASS: isOutgoing ? going : coming, FLT_ID: 0x42, IO_FLAG: inputModule, MDL_ADDR: input.laddr ?? 0 },
      ...{ MDL_DEFECT: !isOutgoing, EXT_FAULT: !isOutgoing },
    }),
  },
  pullOrPlug: {
    eventClass: 'PullOrPlugOfModules',
    hasModule: true,
    // 51: the module was pulled; 54: one was plugged that matches the configuration.
    information: (input) => {
      const faultId = input.faultId ?? (input.isOutgoing === true ? 0x54 : 0x51)
      return {
        ...{ LADDR: input.laddr ?? 0, EVENT_CLASS: eventClassOf(input), FAULT_ID: faultId },
        ...{ EV_CLASS: eventClassOf(input), FLT_ID: faultId, MDL_ID: inputModule, MDL_ADDR: input.laddr ?? 0 },
      }
    },
  },
  rackOrStationFailure: {
    eventClass: 'RackOrStationFailure',
    hasModule: true,
    // CB: a PROFINET IO station failed or is there again.
    information: (input) => {
      const faultId = input.faultId ?? 0xcb
      return {
        ...{ LADDR: input.laddr ?? 0, EVENT_CLASS: eventClassOf(input), FAULT_ID: faultId },
        ...{ EV_CLASS: eventClassOf(input), FLT_ID: faultId, MDL_ADDR: input.laddr ?? 0 },
      }
    },
  },
  ioAccessError: {
    eventClass: 'IOAccessError',
    hasModule: false,
    // 42: an access that reads, 43: one that writes.
    information: ({ isWrite = false, faultId = isWrite ? 0x43 : 0x42, address = 0 }, running) => ({
      ...ofError(faultId, running),
      ...{ REACTION: 0, AREA: isWrite ? 0x82 : 0x81, WIDTH: 1, DBNR: 0 },
      ...{ EV_CLASS: errorOfAccess, MEM_AREA: 0x10, MEM_ADDR: address, PRG_ADDR: 0 },
    }),
  },
  timeError: {
    eventClass: 'TimeErrorInterrupt',
    hasModule: false,
    // 1: the maximum cycle time was exceeded.
    information: ({ faultId = 1 }, { number, priority }) => ({
      ...{ FAULT_ID: faultId, FLT_ID: faultId, CSG_OBNR: number, CSG_PRIO: priority, EV_CLASS: 0x35 },
    }),
  },
  programmingError: {
    eventClass: 'ProgrammingError',
    hasModule: false,
    // 30: access to a data block that is not loaded.
    information: ({ faultId = 0x30 }, running) => ({
      ...ofError(faultId, running),
      ...{ REACTION: 0, AREA: 0, WIDTH: 0, DBNR: 0, EV_CLASS: errorOfProgram },
    }),
  },
} as const satisfies Readonly<Record<string, EventKind>>

export type EventName = keyof typeof eventKinds
export const eventNames = Object.keys(eventKinds) as EventName[]

/** The start information of an event, by field in upper case; `own` overrides its values. */
export function informationOf(
  event: EventName,
  input: EventInput,
  own: Readonly<Record<string, StartValue>>,
  { organizationBlocks }: { readonly organizationBlocks: readonly (Running & { readonly eventClass: string })[] },
): Readonly<Record<string, StartValue>> {
  const running = organizationBlocks.find(({ eventClass }) => eventClass === 'ProgramCycle')
  const kind: EventKind = eventKinds[event]
  const whole = kind.information(input, { number: running?.number ?? 1, priority: running?.priority ?? 1 })
  return { ...whole, ...own }
}

/** The organization blocks that an event can call. */
export function blocksOf(event: EventName, { organizationBlocks }: Pick<ProgramSymbols, 'organizationBlocks'>) {
  return organizationBlocks.filter(({ eventClass }) => eventClass === eventKinds[event].eventClass)
}
