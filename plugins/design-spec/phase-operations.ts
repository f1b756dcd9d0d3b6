/** The operation that shows one phase as it is in the design spec: what a chart of it needs. */
import { defined, get, notFound, type Operation, query } from '../../core/index.ts'
import { unitTypesOf } from './model/model.ts'
import { foldName } from './model/names.ts'
import { requireSpec } from './spec.ts'

const phase = query({
  id: 'design-spec.phase',
  title: 'Show a phase of the design model with its steps',
  description:
    'The rows of the phase as they are written: steps with actions, conditions and times, what follows each, parameters and commands. `nextStep` is null on final steps. 404 for an unknown phase, 409 when no spec is loaded.',
  input: (t) => t.Object({ phase: t.String({ minLength: 1, maxLength: 200, description: 'Name of the phase.' }) }),
  output: (t) =>
    t.Object({
      name: t.String(),
      blockName: t.String({ description: 'Of the function block that is generated of it.' }),
      area: t.String(),
      processCell: t.String(),
      unitType: t.String(),
      description: t.String(),
      states: t.Optional(t.String({ description: 'ISA88: its block has the states of ISA-88.' })),
      steps: t.Array(
        t.Object({
          number: t.Integer(),
          name: t.String(),
          isInitial: t.Boolean(),
          isFinal: t.Boolean(),
          entryAction: t.String(),
          condition: t.String(),
          nextStep: t.Union([t.Integer(), t.Null()]),
          whileAction: t.Optional(t.String()),
          exitAction: t.Optional(t.String()),
          minTime: t.Optional(t.String()),
          timeout: t.Optional(t.String()),
          onTimeout: t.Optional(t.String()),
          alarmText: t.Optional(t.String()),
          comment: t.Optional(t.String()),
        }),
      ),
      parameters: t.Array(
        t.Object({
          name: t.String(),
          dataType: t.String(),
          unit: t.Optional(t.String()),
          defaultValue: t.Optional(t.String()),
          min: t.Optional(t.String()),
          max: t.Optional(t.String()),
          description: t.Optional(t.String()),
        }),
      ),
      commands: t.Array(t.Object({ command: t.String(), action: t.String(), condition: t.Optional(t.String()) })),
    }),
  http: [get('/api/design-spec/phases/{phase}')],
  mcp: { toolset: 'design-spec' },
  aliases: { phase: ['phaseName', 'phaseType', 'name'] },
  example: { phase: 'Fill' },
  async run({ phase: wanted }, ctx) {
    const spec = requireSpec(ctx)
    const model = await (await import('./load/load.ts')).modelOf(ctx, spec)
    const names: string[] = []
    for (const { area, cell, unit } of unitTypesOf(model))
      for (const { name, steps, description = '', states, parameters = [], commands = [] } of unit.phases) {
        names.push(name)
        if (foldName(name) !== foldName(wanted)) continue
        return {
          name,
          blockName: `FB_${name}`,
          area: area.name,
          processCell: cell.name,
          unitType: unit.name,
          description,
          steps: steps.map((step) => ({ ...step })),
          parameters: parameters.map((one) => ({ ...one })),
          commands: commands.map((one) => ({ ...one })),
          ...defined({ states }),
        }
      }
    throw notFound('phase', wanted, names)
  },
})

export const phaseOperations: readonly Operation[] = [phase]
