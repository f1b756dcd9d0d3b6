/** The blocks that networks of tests call: a function block and a function with a value. */
import type { CallableBlock } from '../languages/ladder/program-names.ts'

export const calledBlocks: Readonly<Record<string, CallableBlock>> = {
  Motor: {
    name: 'Motor',
    blockType: 'FB',
    parameters: [
      { name: 'enable', section: 'Input', type: 'Bool' },
      { name: 'speed', section: 'Input', type: 'Real' },
      { name: 'ready', section: 'Output', type: 'Bool' },
    ],
  },
  Scale: {
    name: 'Scale',
    blockType: 'FC',
    parameters: [
      { name: 'raw', section: 'Input', type: 'Int' },
      { name: 'Ret_Val', section: 'Return', type: 'Real' },
    ],
  },
}
