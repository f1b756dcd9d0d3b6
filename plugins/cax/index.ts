/** CAx data exchange: hardware as AML, both ways. */
import { definePlugin, extend } from '../../core/index.ts'
import { projectSection } from '../projects/index.ts'
import { keptSection, keptSlice } from './kept.ts'
import { caxOperations } from './operations.ts'

export default definePlugin({
  name: 'cax',
  version: '1.0.0',
  description: 'CAx data exchange: the hardware of devices as AML files, both ways.',
  requires: ['projects', 'devices', 'hardware', 'tags'],
  slice: keptSlice,
  operations: caxOperations,
  docs: [{ name: 'cax', title: 'Hardware as AML', text: async () => (await import('./docs.ts')).caxPage }],
  extensions: [extend(projectSection, keptSection)],
})
