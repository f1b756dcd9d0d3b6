/** Fields that several operations share, and the spellings that clients use for them. */
import type { SchemaBuilder } from '../../core/index.ts'
import { cpuStates } from './operating-state.ts'
import { categories } from './program-objects.ts'

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

export const category = (t: SchemaBuilder) => t.Enum([...categories])
