/** Codes of the problems of live tables. */
import type { ProblemDefinition } from '../../../core/index.ts'

export const tableProblems = {
  device_offline: {
    status: 409,
    title: 'The device is offline',
    meaning: 'Live values, modifying and forcing need an online connection of the device with its controller.',
    remedy: 'POST /api/devices/{deviceName}/online.',
    example: 'Device "PLC_1" is offline: its tables have no values, and nothing can be modified or forced.',
  },
} as const satisfies Record<string, ProblemDefinition>
