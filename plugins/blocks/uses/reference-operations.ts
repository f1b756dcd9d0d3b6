/** Operations on cross-references. What they do is loaded on first use. */

import { get, notFound, type Operation, type QueryContext, query, type SchemaBuilder } from '../../../core/index.ts'
import { type Device, requirePlc } from '../../devices/index.ts'
import { findReferences, type References, requireRowOf } from '../../program-objects/index.ts'
import { requireBlockOf } from '../block.ts'

const deviceName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Name of the PLC; case does not matter.' })

const referenceFields = (t: SchemaBuilder) => ({
  sourceCount: t.Integer(),
  totalReferenceCount: t.Integer({ description: 'Locations in all sources.' }),
  sources: t.Array(
    t.Object({
      name: t.String({
        description: 'The object itself first, then each of its members that is used: DB.motor.speed.',
      }),
      typeName: t.String({ description: 'FB 12, PLC data type, Bool, Member …' }),
      address: t.String({ description: 'Of tags: %I0.0.' }),
      device: t.String(),
      path: t.String({ description: 'Where the project tree has it.' }),
      referenceObjects: t.Array(
        t.Object({
          name: t.String(),
          typeName: t.String(),
          address: t.String(),
          device: t.String(),
          path: t.String(),
          locations: t.Array(
            t.Object({
              referenceLocation: t.String({ description: 'Network 3, line 5; Interface: Static.motor; Row: "Start".' }),
              referenceType: t.String({
                description: 'UsedBy: the reference object uses the source. Uses: the source uses it.',
              }),
              access: t.String({
                description:
                  'Read, Write, ReadWrite, Call, Instance (data of a call, or the block of an instance data block), Type (declared with it).',
              }),
              text: t.String({ description: 'The operand as it is written there.' }),
              network: t.Optional(t.Integer()),
              line: t.Optional(t.Integer({ description: 'Of the text of the network.' })),
              column: t.Optional(t.Integer()),
              uId: t.Optional(t.Integer({ description: 'Element of a LAD or FBD network.' })),
              member: t.Optional(t.String({ description: 'Member of the interface.' })),
              byAddress: t.Optional(
                t.Boolean({ description: 'An absolute operand in the memory of the tag or data block.' }),
              ),
            }),
          ),
        }),
      ),
    }),
  ),
  unreadable: t.Array(t.String(), { description: 'Objects whose text cannot be read: what they use is not known.' }),
})

const rules =
  'Taken from the texts of the program as they are now, without compiling: networks of every language, interfaces, instance data blocks, tag tables, watch and force tables. Absolute operands count where they lie in the memory of a tag or are in a data block. The content of know-how protected blocks is not known.'

const ofBlock = query({
  id: 'blocks.cross-references',
  title: 'Show where a block is used and what it uses',
  description: rules,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: t.String({ minLength: 1, maxLength: 200, description: 'Name of the block; case does not matter.' }),
    }),
  output: (t) => t.Object({ blockName: t.String(), ...referenceFields(t) }),
  http: [get('/api/devices/{deviceName}/blocks/{blockName}/cross-references')],
  mcp: { toolset: 'blocks', essential: true },
  aliases: { blockName: ['name', 'block'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { name } = requireBlockOf(ctx, device, input.blockName)
    return { blockName: name, ...(await references(ctx, device, name, 'block')) }
  },
})

const ofName = query({
  id: 'blocks.find-references',
  title: 'Show where a name or address of a program is used',
  description: `\`name\` is a block, tag, constant, PLC data type, a member of a data block ("DB".motor.speed, with or without quotes; indices do not matter), or an address (%MW10). ${rules}`,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      name: t.String({ minLength: 1, maxLength: 1000, description: 'Name, member or address.' }),
    }),
  output: (t) => t.Object({ name: t.String(), ...referenceFields(t) }),
  http: [get('/api/devices/{deviceName}/cross-references')],
  mcp: { toolset: 'blocks' },
  aliases: { name: ['symbol', 'tagName', 'blockName', 'address'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    return { name: input.name, ...(await references(ctx, device, input.name)) }
  },
})

const ofTag = query({
  id: 'tags.cross-references',
  title: 'Show where a tag or user constant is used',
  description: rules,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tableName: t.String({ minLength: 1, maxLength: 200, description: 'Tag table; case does not matter.' }),
      tagName: t.String({ minLength: 1, maxLength: 200 }),
    }),
  output: (t) => t.Object({ tagName: t.String(), ...referenceFields(t) }),
  http: [get('/api/devices/{deviceName}/tag-tables/{tableName}/tags/{tagName}/cross-references')],
  mcp: { toolset: 'tags' },
  aliases: { tagName: ['name', 'tag'], tableName: ['table', 'tagTableName'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const name = await requireRowOf(ctx, device, input.tableName, input.tagName)
    return { tagName: name, ...(await references(ctx, device, name)) }
  },
})

const ofType = query({
  id: 'types.cross-references',
  title: 'Show where a PLC data type is used and what it uses',
  description: rules,
  input: (t) => t.Object({ deviceName: deviceName(t), udtName: t.String({ minLength: 1, maxLength: 200 }) }),
  output: (t) => t.Object({ udtName: t.String(), ...referenceFields(t) }),
  http: [get('/api/devices/{deviceName}/udts/{udtName}/cross-references')],
  mcp: { toolset: 'types' },
  aliases: { udtName: ['name', 'typeName'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    return { udtName: input.udtName, ...(await references(ctx, device, input.udtName, 'type')) }
  },
})

async function references(
  ctx: QueryContext,
  device: Device,
  text: string,
  kind?: 'block' | 'type',
): Promise<References> {
  const found = await findReferences(ctx, device, text, kind)
  if ('names' in found) throw notFound(kind === 'type' ? 'PLC data type' : 'name of the program', text, found.names)
  return found
}

export const referenceOperations: readonly Operation[] = [ofBlock, ofName, ofTag, ofType]
