/** Operations on blocks that concern the running machine: process diagnostics. What they do is loaded on first use. */

import { command, type Operation, post, type SchemaBuilder } from '../../../core/index.ts'
import { requirePlc } from '../../devices/index.ts'
import { deviceName, exportAliases, exportTarget, objectName } from '../../program-objects/index.ts'
import { requireBlockOf } from '../block.ts'

const blockName = (t: SchemaBuilder) => objectName(t, 'block')

const exportDiagnostics = command({
  id: 'blocks.export-diagnostics',
  title: 'Export the process diagnostics of a block to a file',
  description:
    'A table (CSV) of the supervisions of the block (ProDiag), the members a ProDiag FB watches, and the supervisions and interlocks of a sequencer with their alarm texts in all languages. A block without any is a 409 that says so.',
  input: (t) => t.Object({ deviceName: deviceName(t), blockName: blockName(t), ...exportTarget(t) }),
  output: (t) =>
    t.Object({
      blockName: t.String(),
      entries: t.Integer({ description: 'Supervisions and conditions.' }),
      size: t.Integer(),
      exportPath: t.Optional(t.String()),
      content: t.Optional(t.String({ description: 'The table, when no path was given.' })),
    }),
  http: [post('/api/devices/{deviceName}/blocks/{blockName}/actions/export-diag')],
  mcp: { toolset: 'blocks' },
  needsInstance: true,
  aliases: exportAliases,
  example: { deviceName: 'PLC_1', blockName: 'Sequence', exportPath: 'diagnostics/Sequence.csv' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const block = requireBlockOf(ctx, device, input.blockName)
    return (await import('../exchange/export-diagnostics.ts')).exportDiagnostics(ctx, block, input)
  },
})

export const diagnosticsOperations: readonly Operation[] = [exportDiagnostics]
