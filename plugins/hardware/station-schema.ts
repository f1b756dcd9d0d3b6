/** Schemas of the hardware of a station as `hardware.details` and `hardware.channels` show it. */
import type { Answer, SchemaBuilder } from '../../core/index.ts'

const attributes = (t: SchemaBuilder) =>
  t.Array(
    t.Named('HardwareAttribute', (self) =>
      t.Object({
        name: t.String(),
        value: t.Optional(t.String()),
        type: t.Optional(t.String({ description: 'As in AML: xs:string, xs:int.' })),
        attributes: t.Optional(t.Array(self)),
      }),
    ),
    { description: 'What an imported file brought; it is written back.' },
  )

export const addressFields = (t: SchemaBuilder) =>
  t.Object({
    ioType: t.String({ description: 'Input or Output.' }),
    startAddress: t.Integer({ description: 'First byte.' }),
    endAddress: t.Integer({ description: 'Last byte.' }),
    length: t.Integer({ description: 'Bits.' }),
  })

export const parameterValues = (t: SchemaBuilder) =>
  t.Record(t.String(), t.Union([t.String(), t.Number(), t.Boolean()]))

/** Fields of a channel. */
export const channelFields = (t: SchemaBuilder) => ({
  name: t.String({ description: 'Channel_DI_0.' }),
  type: t.String({ description: 'Digital or Analog.' }),
  ioType: t.String(),
  number: t.Integer(),
  length: t.Integer({ description: 'Bits.' }),
  address: t.Optional(t.String()),
  byte: t.Optional(t.Integer()),
  bit: t.Optional(t.Integer()),
  tags: t.Array(t.String()),
})

/** Fields of a communication interface. */
export const interfaceFields = (t: SchemaBuilder) => ({
  label: t.String({ description: 'X1.' }),
  type: t.String({ description: 'Ethernet, Profibus, Mpi, Asi.' }),
  interface: t.String({ description: 'Name for configure-network.' }),
  ipAddress: t.Optional(t.String()),
  subnetMask: t.Optional(t.String()),
  gateway: t.Optional(t.String()),
  subnet: t.Optional(t.String()),
  busAddress: t.Optional(t.Integer()),
  ipProtocol: t.Optional(t.String()),
  profinetName: t.Optional(t.String()),
  profinetNameConverted: t.Optional(t.String()),
  ioSystem: t.Optional(
    t.Object({
      name: t.String(),
      number: t.Optional(t.Integer()),
      role: t.Enum(['controller', 'device']),
      deviceNumber: t.Optional(t.Integer()),
    }),
  ),
  deviceOf: t.Optional(t.Object({ name: t.String(), deviceNumber: t.Optional(t.Integer()) })),
  node: t.Object({ id: t.String(), name: t.String(), attributes: attributes(t) }),
  ports: t.Array(
    t.Object({
      id: t.String(),
      name: t.String(),
      label: t.String(),
      position: t.Integer(),
      builtIn: t.Boolean(),
      hardwareIdentifier: t.Optional(t.Integer()),
      attributes: attributes(t),
    }),
  ),
})

const itemFields = (t: SchemaBuilder) => ({
  name: t.String(),
  id: t.String(),
  itemKind: t.Enum(['rack', 'module', 'submodule', 'interface']),
  position: t.Integer(),
  builtIn: t.Boolean(),
  typeIdentifier: t.Optional(t.String()),
  orderNumber: t.Optional(t.String()),
  typeName: t.Optional(t.String()),
  firmware: t.Optional(t.String()),
  role: t.Optional(t.Enum(['CPU', 'HeadModule'])),
  kind: t.Optional(t.String({ description: 'As in the catalog: DI, AQ, PS, CM …' })),
  hardwareIdentifier: t.Optional(t.Integer()),
  comment: t.Optional(t.String()),
  addresses: t.Array(addressFields(t)),
  channels: t.Array(t.Object(channelFields(t))),
  parameters: parameterValues(t),
  attributes: attributes(t),
  interface: t.Optional(t.Object(interfaceFields(t))),
})

const itemSchema = (t: SchemaBuilder) => t.Object(itemFields(t))

/** A rack, a module or a part of one. */
export type ItemView = Answer<ReturnType<typeof itemSchema>> & { readonly items: readonly ItemView[] }

/** The hardware of a station as a tree. */
export const stationSchema = (t: SchemaBuilder) =>
  t.Object({
    id: t.String(),
    name: t.String(),
    typeIdentifier: t.String(),
    groups: t.Array(t.String()),
    comment: t.Optional(t.String()),
    attributes: attributes(t),
    racks: t.Array(
      t.Named('HardwareItem', (self) =>
        t.Object({ ...itemFields(t), items: t.Array(self, { description: 'What is in it.' }) }),
      ),
    ),
  })
