/**
 * A third-party plugin that calls operations of others: it makes a block for each motor of a list and imports them as
 * one job, which is undone as one.
 *
 * Copy this folder into a directory that `--plugins-dir` names. The import is for the type checker only.
 */
import type * as Gantry from 'gantry'

/** The source of the block of a motor. */
function motorBlock(name: string): string {
  return [
    `FUNCTION_BLOCK "${name}"`,
    'VERSION : 0.1',
    'VAR_INPUT',
    '  start : Bool;',
    '  stop : Bool;',
    'END_VAR',
    'VAR_OUTPUT',
    '  run : Bool;',
    'END_VAR',
    'BEGIN',
    '  #run := (#run OR #start) AND NOT #stop;',
    'END_FUNCTION_BLOCK',
    '',
  ].join('\n')
}

export default ({ command, definePlugin, post }: typeof Gantry) =>
  definePlugin({
    name: 'block-set',
    version: '1.0.0',
    api: '^1.0.0',
    requires: ['blocks'],
    operations: [
      command({
        id: 'block-set.make-motors',
        title: 'Make blocks of motors',
        input: (t) =>
          t.Object({
            deviceName: t.String({ minLength: 1 }),
            motors: t.Array(t.String({ minLength: 1 }), { minItems: 1, maxItems: 100 }),
          }),
        output: (t) => t.Object({ made: t.Integer(), warnings: t.Array(t.String()) }),
        http: [post('/api/plugins/block-set/motors')],
        mcp: { toolset: 'block-set' },
        async run({ deviceName, motors }, ctx) {
          const warnings: string[] = []
          for (const [at, name] of motors.entries())
            await ctx.call(
              'blocks.import',
              { deviceName, content: motorBlock(name) },
              {
                progress: [(100 * at) / motors.length, (100 * (at + 1)) / motors.length],
                onWarnings: (more) => warnings.push(...more),
              },
            )
          return { made: motors.length, warnings }
        },
      }),
    ],
  })
