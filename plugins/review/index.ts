/** Review of PLC programs: a folder of exports is compiled and checked in memory; rules, settings, reports. */
import { codeTables, definePlugin, extend, mcpPrompts } from '../../core/index.ts'
import { reviewCodes } from './code-table.ts'
import { reviewOperations } from './operations.ts'
import { reviewChange } from './prompts.ts'

export default definePlugin({
  name: 'review',
  version: '1.0.0',
  description: 'Review of PLC programs: checks folders of exports in memory, with rules and settings.',
  requires: ['projects', 'tags'],
  operations: reviewOperations,
  extensions: [extend(codeTables, reviewCodes), extend(mcpPrompts, reviewChange)],
  docs: [
    {
      name: 'review',
      title: 'Review of PLC programs',
      text: async () => {
        const { reviewPage, ruleTable } = await import('./docs.ts')
        return `${reviewPage}\n## Rules\n\n${ruleTable()}`
      },
    },
  ],
})
