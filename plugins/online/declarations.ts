/** What the plugin declares: its events and problems, and the fields and values that several operations share. Loaded at the start. */
import { domainEvent, type ProblemDefinition, type SchemaBuilder } from '../../core/index.ts'
import type { Controller, LoadReport, OperatingState } from '../simulation/index.ts'

// ── Events: what was done to controllers and devices, for the audit; nothing is folded from them ───────────────────────────

/** Where something was done. */
interface Place {
  readonly deviceName: string
  readonly instance: string
}

export const downloaded = domainEvent<
  Place & {
    /** Hash of the compiled program, and of the manifest. */
    readonly program: string
    readonly package: string
    readonly report: LoadReport
    readonly inRun: boolean
    readonly reinitialized: boolean
  }
>('online.downloaded', 'A device was downloaded')

export const uploaded = domainEvent<
  Place & {
    readonly program: string
    readonly created: number
    readonly replaced: number
    readonly newDevice: boolean
  }
>('online.uploaded', 'The program of a controller was uploaded into the project')

export const cpuSwitched = domainEvent<Place & { readonly before: string; readonly after: string }>(
  'online.cpu-switched',
  'The CPU of a device was started or stopped',
)

export const startValuesLoaded = domainEvent<Place & { readonly blockName: string }>(
  'online.start-values-loaded',
  'The values of a data block on a controller became its start values',
)

export const transferEvents = [downloaded, uploaded, cpuSwitched, startValuesLoaded]

// ── Operating states of CPUs, as engineering tools name them ───────────────────────────────────────────────────────────────

/** `HOLD`: the program stands still and goes on where it was (a frozen controller). */
export const cpuStates = ['OFF', 'BOOTING', 'STOP', 'STARTUP', 'RUN', 'HOLD', 'SHUTTING_DOWN'] as const
export type CpuState = (typeof cpuStates)[number]

const states: Readonly<Record<OperatingState, CpuState>> = {
  Off: 'OFF',
  Booting: 'BOOTING',
  Stop: 'STOP',
  Startup: 'STARTUP',
  Run: 'RUN',
  Freeze: 'HOLD',
  ShuttingDown: 'SHUTTING_DOWN',
}

export function cpuStateOf({ state }: Pick<Controller, 'state'>): CpuState {
  return states[state]
}

/** It executes the program, or is about to. */
export function isRunning({ state }: Pick<Controller, 'state'>): boolean {
  return state === 'Run' || state === 'Freeze' || state === 'Startup'
}

// ── Fields, and the spellings that clients use for them ────────────────────────────────────────────────────────────────────

export const ipAddress = (t: SchemaBuilder) =>
  t.Optional(
    t.String({
      minLength: 1,
      maxLength: 50,
      description:
        'Reach the controller at this address. Default: the one it is online with, else those of the device.',
    }),
  )
export const addressAliases = ['ip', 'address', 'targetAddress', 'plcAddress'] as const

export const cpuState = (t: SchemaBuilder, description?: string) =>
  t.Enum([...cpuStates], description === undefined ? {} : { description })

/** Where a device was reached. */
export const placeFields = (t: SchemaBuilder) => ({
  deviceName: t.String(),
  instance: t.String({ description: 'Name of the virtual controller.' }),
  ipAddress: t.String({ description: 'Its address.' }),
})

/** Categories of a program's objects, in the order in which they are brought back: what others need comes first. */
export const categories = ['type', 'tag-table', 'block', 'watch-table'] as const
export type Category = (typeof categories)[number]

export const category = (t: SchemaBuilder) => t.Enum([...categories])

// ── Problems ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const onlineProblems = {
  device_unreachable: {
    status: 409,
    title: 'The device cannot be reached',
    meaning:
      'A device is reachable when a virtual controller that is powered on has the IP address of one of its interfaces. `addresses` names the addresses that were looked for, `instances` the virtual controllers there are.',
    remedy:
      'Power on an instance with the address of the device, create one, or send `ipAddress` to reach the controller at another address.',
    example: 'Device "PLC_1" cannot be reached: no instance has the address 192.168.0.1.',
  },
  program_not_compiled: {
    status: 409,
    title: 'The program is not compiled',
    meaning:
      'Only a program that is compiled, and has not changed since, can be downloaded. `errors` names what is not.',
    remedy: 'Compile the device, or send `compile: true` with the download.',
    example: 'The program of "PLC_1" has changed since it was compiled.',
  },
  program_has_errors: {
    status: 422,
    title: 'The program has errors',
    meaning: 'A program with errors of the compiler cannot be downloaded. `errors` has the first of them.',
    remedy: 'Correct the errors and compile the device.',
    example: 'The program of "PLC_1" has 2 errors: PLC_1/Program blocks/Main/Network 1: "x" is not declared.',
  },
  simulation_support_off: {
    status: 409,
    title: 'The project does not support simulation',
    meaning: 'A program can be loaded into a virtual controller only when the project says that it may be.',
    remedy: 'POST /api/projects/actions/simulation-support { "enabled": true }.',
    example: 'Project "Line" does not support simulation.',
  },
  incompatible_cpu: {
    status: 409,
    title: 'The controller is of another family',
    meaning: 'A program is compiled for one family of controllers and cannot be loaded into another.',
    remedy: 'Create an instance with the CPU type of the device.',
    example: 'Device "PLC_1" is an S7-1200 (CPU 1214C DC/DC/DC), instance "Sim" an S7-1500 (CPU 1515-2 PN).',
  },
} as const satisfies Record<string, ProblemDefinition>
