/** Templates of blocks that plants use: list, documentation, generated source, import into a device. */
import { definePlugin } from '../../core/index.ts'
import { templateOperations } from './operations.ts'
import { blockTemplate } from './template-point.ts'

export { blockTemplate, type ContributedTemplate, type MadeFromTemplate } from './template-point.ts'

export default definePlugin({
  name: 'block-templates',
  version: '1.0.0',
  description: 'Templates of blocks that plants use: motors, valves, analog values, sequences, communication.',
  requires: ['projects', 'devices', 'blocks', 'types'],
  operations: templateOperations,
  extensionPoints: [blockTemplate],
  docs: [
    {
      name: 'block-templates',
      title: 'Block templates',
      text: async () => (await import('./docs.ts')).blockTemplatesPage(),
    },
  ],
})
