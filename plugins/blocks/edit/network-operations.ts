/** The operations on networks of blocks. What they do is loaded on first use. */

import { command, defined, del, type Operation, post, put, type SchemaBuilder } from '../../../core/index.ts'
import { requirePlc } from '../../devices/index.ts'
import { deviceName, objectName, refuseBoth } from '../../program-objects/index.ts'
import { requireBlockOf } from '../block.ts'
import { blockFields } from '../views.ts'

const blockName = (t: SchemaBuilder) => objectName(t, 'block')
const number = (t: SchemaBuilder) => t.Integer({ minimum: 1, description: 'Number of the network, from 1.' })
const text = (t: SchemaBuilder, description: string) =>
  t.Optional(t.Union([t.String(), t.Record(t.String(), t.String())], { description }))

/** Fields of a network in a request. */
const networkFields = (t: SchemaBuilder) => ({
  language: t.Optional(
    t.String({ description: 'LAD, FBD, SCL or STL. Default: that of the block. LAD and FBD blocks take all four.' }),
  ),
  title: text(t, 'Text of the project language, or texts by culture: { "en-US": "…" }.'),
  comment: text(t, 'As title.'),
  code: t.Optional(t.String({ description: 'Statements of an SCL or STL network.' })),
  expressions: t.Optional(
    t.Union([t.String(), t.Array(t.String())], {
      description:
        'A LAD or FBD network as text: `#run := (#start OR #run) AND NOT #stop`, `S(#x) := #a`, `IF #a THEN #n := Move(5); END_IF`, `#late := #tmr.TON(IN := #a, PT := T#5s).Q`, `"FB_Motor_DB"."FB_Motor"(enable := #on)`. It becomes contacts, branches, coils and boxes.',
    }),
  ),
  graph: t.Optional(t.Any({ description: 'A LAD or FBD network as `content` shows its graph.' })),
  xml: t.Optional(t.String({ description: 'What stands in NetworkSource: `<FlgNet …>`, `<StructuredText …>` …' })),
})

/** A network in a list. Field names of a `content` answer are accepted too; network-edits.ts reports unknown ones. */
export const networkInList = (t: SchemaBuilder) => t.Object(networkFields(t), { additionalProperties: true })

const changedFields = (t: SchemaBuilder) => ({
  ...blockFields(t),
  changed: t.Boolean(),
  networks: t.Array(t.Object({ number: t.Integer(), language: t.String() }), {
    description: 'All of the block, after the change.',
  }),
})

const networkAliases = {
  language: ['programmingLanguage'],
  code: ['text', 'sclCode', 'networkCode'],
  expressions: ['expression'],
  xml: ['flgNet'],
  position: ['index', 'atPosition'],
}

const add = command({
  id: 'blocks.add-networks',
  title: 'Add networks to a block',
  description:
    'One network by its fields, or several as `networks`. Each is given as `expressions` (LAD, FBD), `code` (SCL, STL), `graph` or `xml`; without any of them it is empty. An SCL block has one network: the code goes behind its statements, in a region with the title, behind the comment. Faults are a 422 with their place; nothing is changed.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: blockName(t),
      ...networkFields(t),
      networks: t.Optional(t.Array(networkInList(t), { minItems: 1, maxItems: 1000 })),
      position: t.Optional(
        t.Integer({ minimum: 1, description: 'Number the first new network gets. Default: behind the last one.' }),
      ),
    }),
  output: (t) => t.Object(changedFields(t)),
  http: [post('/api/devices/{deviceName}/blocks/{blockName}/networks')],
  asks: ['add a rung to a block'],
  mcp: { toolset: 'blocks', essential: true },
  needsInstance: true,
  aliases: networkAliases,
  example: {
    deviceName: 'PLC_1',
    blockName: 'Motor',
    title: 'Run',
    expressions: ['#run := (#start OR #run) AND NOT #stop'],
  },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const block = requireBlockOf(ctx, device, input.blockName)
    const { changeNetworks, networksOf } = await import('./network-edits.ts')
    const { deviceName: _device, blockName: _block, networks, position, language, ...single } = input
    refuseBoth('networks', networks, single)
    // With a list, the language of entries without one.
    const given = networksOf(
      (networks ?? [single]).map((one) => (language === undefined ? one : { language, ...one })),
      '/networks',
    )
    return changeNetworks(ctx, device, block, {
      kind: 'add',
      networks: given,
      ...defined({ position }),
    })
  },
})

const update = command({
  id: 'blocks.update-network',
  title: 'Change a network of a block',
  description:
    'Title, comment and content; what is not given stays as it was. A new content may be of another language when the block can hold it. SCL statements may be a draft, whose faults are in `warnings`; other faults are a 422.',
  input: (t) =>
    t.Object({ deviceName: deviceName(t), blockName: blockName(t), number: number(t), ...networkFields(t) }),
  output: (t) => t.Object({ ...changedFields(t), warnings: t.Optional(t.Array(t.String())) }),
  http: [put('/api/devices/{deviceName}/blocks/{blockName}/networks/{number}')],
  mcp: { toolset: 'blocks', destructive: true },
  needsInstance: true,
  aliases: networkAliases,
  example: {
    deviceName: 'PLC_1',
    blockName: 'Motor',
    number: 1,
    title: 'Run',
    expressions: '#run := #start AND NOT #stop',
  },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const block = requireBlockOf(ctx, device, input.blockName)
    const { changeNetworks, networksOf } = await import('./network-edits.ts')
    const { deviceName: _device, blockName: _block, number: of, ...fields } = input
    const [network = {}] = networksOf([fields], '/networks')
    return changeNetworks(ctx, device, block, { kind: 'update', networks: [{ ...network, number: of }] })
  },
})

const remove = command({
  id: 'blocks.delete-network',
  title: 'Delete a network of a block',
  description: 'The networks behind it move up. The statements of an SCL block are its one network.',
  input: (t) => t.Object({ deviceName: deviceName(t), blockName: blockName(t), number: number(t) }),
  output: (t) => t.Object(changedFields(t)),
  http: [del('/api/devices/{deviceName}/blocks/{blockName}/networks/{number}')],
  mcp: { toolset: 'blocks', destructive: true },
  needsInstance: true,
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const block = requireBlockOf(ctx, device, input.blockName)
    const { changeNetworks } = await import('./network-edits.ts')
    return changeNetworks(ctx, device, block, { kind: 'delete', number: input.number })
  },
})

const move = command({
  id: 'blocks.move-network',
  title: 'Move a network within its block',
  description: 'It gets the number `position`; the others move up or down.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: blockName(t),
      number: number(t),
      position: t.Integer({ minimum: 1, description: 'Its new number.' }),
    }),
  output: (t) => t.Object(changedFields(t)),
  http: [post('/api/devices/{deviceName}/blocks/{blockName}/networks/{number}/actions/move')],
  mcp: { toolset: 'blocks' },
  needsInstance: true,
  aliases: { position: ['to', 'newNumber', 'index'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const block = requireBlockOf(ctx, device, input.blockName)
    const { changeNetworks } = await import('./network-edits.ts')
    return changeNetworks(ctx, device, block, { kind: 'move', number: input.number, position: input.position })
  },
})

export const networkOperations: readonly Operation[] = [add, update, remove, move]
