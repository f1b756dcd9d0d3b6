/** The assistant: talks with people about their project, with operations of the gateway as its tools. */
import { definePlugin } from '../../core/index.ts'
import { approvalOperations } from './approvals.ts'
import { chatOperations } from './chat-operations.ts'
import { historyOperations } from './history.ts'
import { assistantProblems } from './problems.ts'
import { settingsOperations } from './settings.ts'
import { assistantSlice } from './state.ts'

export default definePlugin({
  name: 'assistant',
  version: '1.0.0',
  description: 'The assistant: talks with people about their project, with the operations of the gateway as its tools.',
  requires: ['projects'],
  slice: assistantSlice,
  operations: [...chatOperations, ...historyOperations, ...approvalOperations, ...settingsOperations],
  problems: assistantProblems,
  docs: [{ name: 'assistant', title: 'The assistant', text: async () => (await import('./docs.ts')).assistantPage }],
})
