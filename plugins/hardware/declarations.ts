/** Schemas that operations on hardware share. */
import type { SchemaBuilder } from '../../core/index.ts'
import { defined } from '../../core/index.ts'

export const toolset = 'hardware'

export const deviceName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Name of the device; case does not matter.' })
export const moduleName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Name of the module; case does not matter.' })
export const slot = (t: SchemaBuilder, description: string) =>
  t.Optional(t.Integer({ minimum: 0, maximum: 32_767, description }))
export const rack = (t: SchemaBuilder, description = 'Of an S7-300 or S7-400 with several. Default with a slot: 0.') =>
  t.Optional(t.Integer({ minimum: 0, maximum: 63, description }))
export const subslot = (t: SchemaBuilder) =>
  t.Optional(
    t.Integer({
      minimum: 0,
      maximum: 32_767,
      description: 'In the module of the slot: 3 for a board, 127 for a BusAdapter.',
    }),
  )
export const startAddresses = (t: SchemaBuilder) => ({
  inputAddress: t.Optional(t.Integer({ minimum: 0, maximum: 32_767, description: 'First byte of its inputs.' })),
  outputAddress: t.Optional(t.Integer({ minimum: 0, maximum: 32_767, description: 'First byte of its outputs.' })),
})
export const moduleAliases = {
  orderNumber: ['articleNumber', 'mlfb', 'MLFB', 'typeIdentifier', 'typeId', 'orderNo'],
  firmware: ['version', 'firmwareVersion'],
  slot: ['position', 'positionNumber', 'slotNumber'],
  inputAddress: ['inputStartAddress', 'startAddressInput'],
  outputAddress: ['outputStartAddress', 'startAddressOutput'],
}

/** First bytes by direction of an input; undefined: none was given. */
export function startsOf({
  inputAddress,
  outputAddress,
}: {
  inputAddress?: number
  outputAddress?: number
}): { Input?: number; Output?: number } | undefined {
  if (inputAddress === undefined && outputAddress === undefined) return undefined
  return {
    ...defined({ Input: inputAddress, Output: outputAddress }),
  }
}
