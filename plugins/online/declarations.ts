/**
 * What the plugin declares: its events and problems, and the fields and values that several operations share. Loaded at
 * the start.
 */
import { domainEvent, type SchemaBuilder } from '../../core/index.ts'
import type { Controller, LoadReport, OperatingState } from '../simulation/index.ts'
import { snapshotApplied } from './value-snapshots.ts'

// ── Events: what was done to controllers and devices, for the audit; nothing is folded from them ───────────────────

/** The place of an action. */
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

export const transferEvents = [downloaded, uploaded, cpuSwitched, startValuesLoaded, snapshotApplied]

// ── Operating states of CPUs, as engineering tools name them ───────────────────────────────────────────────────────

/** `HOLD`: the program is paused and continues at the same place (a frozen controller). */
export const cpuStates = ['OFF', 'BOOTING', 'STOP', 'STARTUP', 'RUN', 'HOLD', 'SHUTTING_DOWN'] as const
export type CpuState = (typeof cpuStates)[number]

const states: Readonly<Record<OperatingState, CpuState>> = {
  Off: 'OFF',
  Booting: 'BOOTING',
  Stop: 'STOP',
  Startup: 'STARTUP',
  Run: 'RUN',
  Hold: 'HOLD',
  Freeze: 'HOLD',
  ShuttingDown: 'SHUTTING_DOWN',
}

export function cpuStateOf({ state }: Pick<Controller, 'state'>): CpuState {
  return states[state]
}

/** True when the CPU executes the program or is starting to. */
export function isRunning({ state }: Pick<Controller, 'state'>): boolean {
  return state === 'Run' || state === 'Hold' || state === 'Freeze' || state === 'Startup'
}

// ── Fields, and the spellings that clients use for them ────────────────────────────────────────────────────────────

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

/** The address at which a device was reached. */
export const placeFields = (t: SchemaBuilder) => ({
  deviceName: t.String(),
  instance: t.String({ description: 'Name of the virtual controller.' }),
  ipAddress: t.String({ description: 'Its address.' }),
})

/** Categories of a program's objects in the order of restoring: needed ones first. */
export const categories = ['type', 'tag-table', 'block', 'watch-table'] as const
export type Category = (typeof categories)[number]

export const category = (t: SchemaBuilder) => t.Enum([...categories])
