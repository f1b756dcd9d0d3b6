/** Tests of PLC programs: files beside the program, run on private virtual controllers in virtual time. */
import { definePlugin, extend } from '../../core/index.ts'
import { projectSection } from '../projects/index.ts'
import { harnessOperations } from './harness/operations.ts'
import { harnessSection, harnessSlice } from './harness/state.ts'
import { testOperations } from './operations.ts'
import { projectTestOperations } from './project/operations.ts'
import { projectTestSection } from './project/section.ts'
import { projectTestSlice } from './project/state.ts'

export default definePlugin({
  name: 'plc-tests',
  version: '1.0.0',
  description: 'Tests of PLC programs: YAML files beside the program, run on private controllers in virtual time.',
  requires: ['projects', 'devices', 'review', 'simulation', 'design-spec'],
  slice: {
    ...harnessSlice,
    collections: [...harnessSlice.collections, ...projectTestSlice.collections],
    reductions: [...harnessSlice.reductions, ...projectTestSlice.reductions],
  },
  operations: [...testOperations, ...projectTestOperations, ...harnessOperations],
  extensions: [extend(projectSection, harnessSection), extend(projectSection, projectTestSection)],
  docs: [
    {
      name: 'plc-tests',
      title: 'Tests of PLC programs',
      text: async () => (await import('./page.ts')).wholePage(),
    },
  ],
})
