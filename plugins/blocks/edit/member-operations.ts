/** The operations on members of block interfaces. What they do is loaded on first use. */

import { command, defined, del, type Operation, post, put, type SchemaBuilder } from '../../../core/index.ts'
import { requirePlc } from '../../devices/index.ts'
import { deviceName, lossFields, objectName, updatedFields, userFields } from '../../program-objects/index.ts'
import { requireBlockOf } from '../block.ts'
import { blockFields } from '../views.ts'

const blockName = (t: SchemaBuilder) => objectName(t, 'block')
const section = (t: SchemaBuilder) =>
  t.Optional(
    t.String({
      description:
        'FB: Input, Output, InOut, Static, Temp, Constant. FC: Input, Output, InOut, Temp, Constant, Return. OB: Input, Temp, Constant. Data blocks have one section and need none.',
    }),
  )
const memberName = (t: SchemaBuilder) =>
  t.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Of a member of a structure: dotted, `drive.speed`; a name with dots stands in quotes: `drive."a.b"`.',
  })

const fields = (t: SchemaBuilder) => ({
  version: t.Optional(t.String({ description: 'Of a library type, e.g. 1.0 for TON_TIME.' })),
  startValue: t.Optional(
    t.Union([t.String(), t.Number(), t.Boolean()], {
      description: 'In TIA syntax: 5, TRUE, T#5s, 16#FF. Empty: none.',
    }),
  ),
  comment: t.Optional(
    t.Union([t.String(), t.Record(t.String(), t.String())], {
      description: 'Text of the project language, or texts by culture.',
    }),
  ),
  retain: t.Optional(t.Boolean({ description: 'The same as remanence Retain or NonRetain.' })),
  remanence: t.Optional(
    t.Enum(['NonRetain', 'Retain', 'SetInIDB'], { description: 'Of Static members and data blocks.' }),
  ),
  attributes: t.Optional(
    t.Record(t.String(), t.Any(), {
      description: '{ ExternalAccessible, ExternalVisible, ExternalWritable, SetPoint: true or false }.',
    }),
  ),
  members: t.Optional(
    t.Array(t.Any(), { description: 'Members of a Struct: { name, dataType, startValue, comment, members }.' }),
  ),
  position: t.Optional(
    t.Integer({ minimum: 1, description: 'Among the members of the section or structure. Default: the last one.' }),
  ),
})

const aliases = {
  dataType: ['type', 'datatype'],
  startValue: ['defaultValue', 'initialValue', 'value'],
}

const add = command({
  id: 'blocks.add-members',
  title: 'Add members to the interface of a block',
  description:
    'One member by its fields, or several as `members` of the request with `section` in each. The other declarations stay as they are, byte for byte. A name that the block has already, an unknown section and a faulty data type or value are a 422. An instance data block has the interface of its type and is refused.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: blockName(t),
      section: section(t),
      name: t.Optional(memberName(t)),
      dataType: t.Optional(t.String({ description: 'Bool, Int, Array[0..9] of Real, "Type", Struct …' })),
      ...fields(t),
    }),
  output: (t) => t.Object({ ...blockFields(t), changed: t.Boolean() }),
  http: [post('/api/devices/{deviceName}/blocks/{blockName}/interface/members')],
  mcp: { toolset: 'blocks', essential: true },
  needsInstance: true,
  aliases: { ...aliases, name: ['memberName'], section: ['sectionName'] },
  example: {
    deviceName: 'PLC_1',
    blockName: 'Motor',
    section: 'Input',
    name: 'speed',
    dataType: 'Real',
    startValue: '0.0',
    comment: 'rpm',
  },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const block = requireBlockOf(ctx, device, input.blockName)
    const { addedMembers, changeMembers } = await import('./member-edits.ts')
    const { deviceName: _device, blockName: _block, ...given } = input
    return changeMembers(ctx, device, block, addedMembers(given, block.kind))
  },
})

const update = command({
  id: 'blocks.update-member',
  title: 'Change a member of the interface of a block',
  description:
    'What is not given stays. With a new data type the start value is converted where that can hold it; otherwise `warnings` tell that it is lost. With `newName` whatever uses the member gets the new name: the code of this block, accesses and calls of other blocks in every language, the interfaces of instance data blocks, rows of watch tables; nothing else in their texts changes. All or nothing: a use that cannot be replaced is a 409.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: blockName(t),
      memberName: memberName(t),
      section: section(t),
      newName: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
      dataType: t.Optional(t.String()),
      ...fields(t),
    }),
  output: (t) =>
    t.Object({ ...blockFields(t), changed: t.Boolean(), updated: updatedFields(t), warnings: lossFields(t) }),
  http: [put('/api/devices/{deviceName}/blocks/{blockName}/interface/members/{memberName}')],
  mcp: { toolset: 'blocks', destructive: true },
  needsInstance: true,
  aliases: { ...aliases, newName: ['name'], section: ['sectionName'] },
  example: { deviceName: 'PLC_1', blockName: 'Motor', memberName: 'speed', dataType: 'LReal' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const block = requireBlockOf(ctx, device, input.blockName)
    const { fieldsOf, updateMember } = await import('./member-edits.ts')
    const { deviceName: _device, blockName: _block, memberName: name, section, newName, ...given } = input
    return updateMember(ctx, device, block, {
      kind: 'update',
      name,
      fields: fieldsOf(given, ''),
      ...defined({ section, newName }),
    })
  },
})

const remove = command({
  id: 'blocks.delete-member',
  title: 'Delete a member of the interface of a block',
  description:
    'A member that is used in the code of this block or of others is a 409 naming them with network and line. With `force: true` it is deleted all the same; the code stays as it is, and the answer names it.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: blockName(t),
      memberName: memberName(t),
      section: section(t),
      force: t.Optional(t.Boolean({ description: 'Delete it although it is used.' })),
    }),
  output: (t) => t.Object({ ...blockFields(t), changed: t.Boolean(), users: userFields(t) }),
  http: [del('/api/devices/{deviceName}/blocks/{blockName}/interface/members/{memberName}')],
  mcp: { toolset: 'blocks', destructive: true },
  needsInstance: true,
  aliases: { memberName: ['name'], section: ['sectionName'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const block = requireBlockOf(ctx, device, input.blockName)
    const { deleteMember } = await import('./member-edits.ts')
    const { memberName: name, section, force = false } = input
    const edit = { kind: 'delete' as const, name, ...defined({ section }) }
    return deleteMember(ctx, device, block, edit, force)
  },
})

export const memberOperations: readonly Operation[] = [add, update, remove]
