/** Review of PLC programs: a folder of exports is compiled and checked in memory; rules, settings, reports. */
import { codeTables, definePlugin, extend } from '../../core/index.ts'
import { reviewCodes } from './code-table.ts'
import { reviewOperations } from './operations.ts'

/** Checks folders; loaded when it is needed. */
export const folderReview = () => import('./check.ts')
/** Reads what a check reads of a folder, from the file system of this process. */
export const folderContent = async (root: string) => {
  const [{ readFolderContent }, { localFiles }] = await Promise.all([import('./folder.ts'), import('./local-files.ts')])
  return readFolderContent(localFiles, root)
}
export type { CheckResult } from './check.ts'
export type { FolderContent } from './folder.ts'

export default definePlugin({
  name: 'review',
  version: '1.0.0',
  description: 'Review of PLC programs: checks folders of exports in memory, with rules and settings.',
  requires: ['projects', 'tags'],
  operations: reviewOperations,
  extensions: [extend(codeTables, reviewCodes)],
  docs: [
    {
      name: 'review',
      title: 'Review of PLC programs',
      text: async () => {
        const { reviewPage, ruleTable } = await import('./docs.ts')
        return `${reviewPage}\n## Rules\n\n${ruleTable()}`
      },
    },
  ],
})
