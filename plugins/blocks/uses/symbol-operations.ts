/** The operations that list the symbols of a compiled program and the memory it needs. */

import { get, query } from '../../../core/index.ts'
import { requirePlc } from '../../devices/index.ts'
import { deviceName } from '../../program-objects/index.ts'
import { memoryFields } from '../compile/messages.ts'

export const listProgramSymbols = query({
  id: 'blocks.list-program-symbols',
  title: 'List the symbols of the compiled program',
  description: [
    'Every tag, member of a data block and temporary of the program as it was compiled last, with its type and place. Structures are gone through; an array is one entry, and `parent` lists what is inside it.',
    'A device whose program is not compiled, or was compiled with errors, answers 409.',
  ].join('\n\n'),
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      ...t.paging(),
      q: t.Optional(t.String({ description: 'Only symbols whose name or comment contains this text.' })),
      parent: t.Optional(
        t.String({ minLength: 1, maxLength: 2000, description: 'An array: its elements are listed, e.g. Data.list.' }),
      ),
    }),
  output: (t) =>
    t.Object({
      symbols: t.Array(
        t.Object({
          name: t.String({ description: 'e.g. Start, Data.speed, Main.#count.' }),
          dataType: t.String(),
          area: t.String({
            description: 'I, Q, M, PI, PQ, T, C: tags. DB: data block. Temp: temporary of a code block.',
          }),
          block: t.Optional(t.String({ description: 'Data block or code block.' })),
          offset: t.Optional(
            t.Integer({
              description:
                'Bytes from the beginning of the area, data block or frame. Absent: a register, which has no bytes.',
            }),
          ),
          bit: t.Optional(t.Integer()),
          isRetentive: t.Boolean(),
          elements: t.Optional(t.Integer({ description: 'Of an array.' })),
          comment: t.String(),
        }),
      ),
      programHash: t.String(),
      isCurrent: t.Boolean({ description: 'Nothing has changed since the program was compiled.' }),
      total: t.Integer({ description: 'Symbols that match, on all pages.' }),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get('/api/devices/{deviceName}/program/symbols')],
  mcp: { toolset: 'blocks' },
  aliases: { q: ['query', 'search', 'filter'], parent: ['array'] },
  example: { deviceName: 'PLC_1' },
  async run({ deviceName: name, ...filter }, ctx) {
    const device = requirePlc(ctx, name)
    return await (await import('../compile/list-symbols.ts')).listSymbols(ctx, device, filter)
  },
})

export const listProgramMemory = query({
  id: 'blocks.list-program-memory',
  title: 'List what a compiled program takes of the memory of its CPU',
  description: [
    'Code work memory, data work memory and load memory of the program and of each block, the largest first; `available` is what the CPU of the device has, by its order number. The size of S7 machine code is not published: a block counts as many bytes as its generated code.',
    'A device whose program is not compiled, or was compiled with errors, answers 409.',
  ].join('\n\n'),
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      ...t.paging(),
      q: t.Optional(t.String({ description: 'Only blocks whose name contains this text.' })),
    }),
  output: (t) =>
    t.Object({
      ...memoryFields(t),
      blocks: t.Array(
        t.Object({
          name: t.String(),
          kind: t.String({ description: 'OB, FB, FC, GlobalDB, InstanceDB or ArrayDB.' }),
          number: t.Integer(),
          codeBytes: t.Integer(),
          dataBytes: t.Integer(),
          loadBytes: t.Integer(),
        }),
      ),
      programHash: t.String(),
      isCurrent: t.Boolean({ description: 'Nothing has changed since the program was compiled.' }),
      total: t.Integer({ description: 'Blocks that match, on all pages.' }),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get('/api/devices/{deviceName}/program/memory')],
  mcp: { toolset: 'blocks' },
  aliases: { q: ['query', 'search', 'filter'] },
  example: { deviceName: 'PLC_1' },
  async run({ deviceName: name, ...filter }, ctx) {
    const device = requirePlc(ctx, name)
    return await (await import('../compile/memory.ts')).listMemory(ctx, device, filter)
  },
})
