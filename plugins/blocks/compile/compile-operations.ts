/** The operations that compile, and the codes of what compiling finds. */

import { command, get, notFound, type Operation, post, query, type SchemaBuilder } from '../../../core/index.ts'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { requireDevice, requirePlc } from '../../devices/index.ts'
import { deviceName, objectName } from '../../program-objects/index.ts'
import { requireBlockOf } from '../block.ts'
import { compileResultFields } from './messages.ts'

const rebuild = (t: SchemaBuilder) =>
  t.Optional(t.Boolean({ description: 'Compile everything anew, also what has not changed. Default: false.' }))

const compileDevice = command({
  id: 'blocks.compile-device',
  title: 'Compile a device: hardware configuration and program',
  description: [
    'Errors and warnings are in the result, with block, network, line and column; the answer is 200 either way. One fault does not hide the next.',
    'Only blocks that changed, and those that use something whose interface changed, are compiled; the others keep their result. Without errors the compiled program is kept: `programHash` names it.',
    'The hardware configuration is checked as far as the project knows it: place, addresses, PROFINET names, IO systems. A device that is no PLC has no program.',
  ].join('\n\n'),
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      scope: t.Optional(t.Enum(['all', 'hardware', 'software'], { description: 'Default: all.' })),
      rebuild: rebuild(t),
    }),
  output: (t) => t.Object(compileResultFields(t)),
  http: [
    post('/api/devices/{deviceName}/actions/compile-sync'),
    post('/api/devices/{deviceName}/actions/compile', 'async'),
  ],
  asks: [
    'list the errors and warnings of a program',
    'show what is wrong with a program',
    'check a program for errors',
  ],
  mcp: { toolset: 'blocks', essential: true },
  needsInstance: true,
  aliases: { scope: ['part', 'target'], rebuild: ['rebuildAll'] },
  example: { deviceName: 'PLC_1' },
  async run({ deviceName: name, ...request }, ctx) {
    const device = requireDevice(ctx, name)
    return await (await import('./service.ts')).compileDevice(ctx, device, request)
  },
})

const compileBlock = command({
  id: 'blocks.compile',
  title: 'Compile a block and what it uses',
  description:
    'The block, and the blocks and types it uses as far as they are not compiled yet. The result is that of `blocks.compile-device`; no program is made.',
  input: (t) => t.Object({ deviceName: deviceName(t), blockName: objectName(t, 'block'), rebuild: rebuild(t) }),
  output: (t) => t.Object(compileResultFields(t)),
  http: [post('/api/devices/{deviceName}/blocks/{blockName}/actions/compile')],
  mcp: { toolset: 'blocks' },
  needsInstance: true,
  aliases: { blockName: ['name', 'block'], rebuild: ['rebuildAll'] },
  example: { deviceName: 'PLC_1', blockName: 'Main' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { name } = requireBlockOf(ctx, device, input.blockName)
    const { compileDevice: compile } = await import('./service.ts')
    return await compile(ctx, device, { scope: 'software', blocks: [name], rebuild: input.rebuild })
  },
})

const codeFields = (t: SchemaBuilder) => ({
  code: t.String(),
  severity: t.Enum(['error', 'warning', 'information']),
  title: t.String(),
})

const listCodes = query({
  id: 'blocks.list-diagnostic-codes',
  title: 'List the codes of compiler messages',
  input: (t) => t.Object({}),
  output: (t) => t.Object({ codes: t.Array(t.Object(codeFields(t))), total: t.Integer() }),
  http: [get('/api/diagnostics/codes')],
  mcp: { toolset: 'blocks' },
  async run() {
    const { diagnosticCodes } = await import('../../../plc/diagnostics/codes.ts')
    const codes = [...diagnosticCodes].map(([code, { severity, title }]) => ({ code, severity, title }))
    return { codes: codes.sort((a, b) => compareTexts(a.code, b.code)), total: codes.length }
  },
})

const getCode = query({
  id: 'blocks.get-diagnostic-code',
  title: 'Explain a code of a compiler message, with an example that has it and one that has not',
  input: (t) => t.Object({ code: t.String({ minLength: 1, maxLength: 100 }) }),
  output: (t) =>
    t.Object({
      ...codeFields(t),
      explanation: t.String(),
      failingExample: t.String({ description: 'Source that has the message.' }),
      passingExample: t.String({ description: 'Source that is right.' }),
    }),
  http: [get('/api/diagnostics/codes/{code}')],
  mcp: { toolset: 'blocks' },
  example: { code: 'unknown-type' },
  async run({ code }) {
    const { diagnosticCodes } = await import('../../../plc/diagnostics/codes.ts')
    const found = diagnosticCodes.get(code)
    if (found === undefined) throw notFound('diagnostic code', code, [...diagnosticCodes.keys()])
    const { severity, title, explanation, fails, passes } = found
    return { code, severity, title, explanation, failingExample: fails, passingExample: passes }
  },
})

export const compileOperations: readonly Operation[] = [compileDevice, compileBlock, listCodes, getCode]
