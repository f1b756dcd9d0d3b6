/** Tests of PLC programs: files beside the program, run on private virtual controllers in virtual time. */
import { definePlugin } from '../../core/index.ts'
import { testOperations } from './operations.ts'

export default definePlugin({
  name: 'plc-tests',
  version: '1.0.0',
  description: 'Tests of PLC programs: YAML files beside the program, run on private controllers in virtual time.',
  requires: ['review', 'simulation', 'design-spec'],
  operations: testOperations,
  docs: [
    {
      name: 'plc-tests',
      title: 'Tests of PLC programs',
      text: async () => (await import('./docs.ts')).testsPage,
    },
  ],
})
