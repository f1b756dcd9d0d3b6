/** What was done to controllers and devices, for the audit; nothing is folded from it. */
import { domainEvent } from '../../core/index.ts'
import type { LoadReport } from '../simulation/index.ts'

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

export const transferEvents = [downloaded, uploaded, cpuSwitched]
