/** Pipelines: lists of operations of the project that run one after the other. */
import { definePlugin, extend } from '../../core/index.ts'
import { projectSection } from '../projects/index.ts'
import { pipelineOperations } from './operations.ts'
import { pipelineProblems } from './problems.ts'
import { pipelineSection, pipelineSlice } from './state.ts'

export default definePlugin({
  name: 'pipelines',
  version: '1.0.0',
  description: 'Pipelines: operations that run one after the other, with conditions, retries and a history.',
  requires: ['projects', 'devices'],
  slice: pipelineSlice,
  operations: pipelineOperations,
  problems: pipelineProblems,
  extensions: [extend(projectSection, pipelineSection)],
  docs: [{ name: 'pipelines', title: 'Pipelines', text: async () => (await import('./docs.ts')).pipelinesPage }],
})
