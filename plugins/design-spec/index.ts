/** Design specs: CSV to an ISA-88 model to one SCL function block per phase. */
import { codeTables, definePlugin, extend } from '../../core/index.ts'
import { projectSection } from '../projects/index.ts'
import { checked, specPart, watchStart } from './copy.ts'
import { specCodes } from './faults.ts'
import { specOperations } from './operations.ts'
import { specSlice } from './spec.ts'
import { verifyOperations } from './verify-operations.ts'

export default definePlugin({
  name: 'design-spec',
  version: '1.0.0',
  description:
    'Design specs: load a CSV, show the ISA-88 model, generate, import and check the block of a phase, report the check.',
  requires: ['projects', 'devices', 'blocks', 'simulation'],
  slice: specSlice,
  operations: [...specOperations, ...verifyOperations],
  extensions: [extend(projectSection, specPart), extend(codeTables, specCodes)],
  docs: [
    {
      name: 'design-spec',
      title: 'Design specs',
      // The page already has the title.
      text: async () => (await import('./docs.ts')).designSpecDocumentation().replace(/^# .*\n+/, ''),
    },
  ],
  start: watchStart,
  stop: checked,
})
