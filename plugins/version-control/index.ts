/** Version control: the open project in a git repository in its folder. */
import { definePlugin } from '../../core/index.ts'
import { branchOperations } from './branch-operations.ts'
import { versionOperations } from './operations.ts'
import { versionControlProblems } from './problems.ts'

export default definePlugin({
  name: 'version-control',
  version: '1.0.0',
  description: 'Version control: status, commits, differences, branches and merges of the open project, with git.',
  requires: ['projects'],
  operations: [...versionOperations, ...branchOperations],
  problems: versionControlProblems,
  docs: [
    {
      name: 'version-control',
      title: 'Version control',
      text: async () => (await import('./docs.ts')).versionControlPage,
    },
  ],
})
