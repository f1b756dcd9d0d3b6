/** Block generation: blocks from JSON specifications and designs, and blocks read as specifications. */
import { definePlugin, extend } from '../../core/index.ts'
import { projectSection } from '../projects/index.ts'
import { blockOperations } from './block-operations.ts'
import { madeSection, madeSlice } from './design/made.ts'
import { generationOperations } from './operations.ts'

export default definePlugin({
  name: 'block-generation',
  version: '1.0.0',
  description: 'Blocks from JSON specifications, sequences and designs; import of block files.',
  requires: ['projects', 'devices', 'program-objects', 'blocks', 'tags', 'types', 'alarms'],
  slice: madeSlice,
  operations: [...generationOperations, ...blockOperations],
  extensions: [extend(projectSection, madeSection)],
  docs: [
    {
      name: 'block-generation',
      title: 'Block generation',
      text: async () => (await import('./docs.ts')).generationPage,
    },
  ],
})
