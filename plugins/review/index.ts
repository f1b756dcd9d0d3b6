/** Review of PLC programs: a folder of exports is compiled and checked in memory; rules, settings, reports. */
import { codeTables, definePlugin, extend, mcpPrompts } from '../../core/index.ts'
import { reviewCodes } from './code-table.ts'
import type { FolderAccess, FolderContent } from './folder.ts'
import { reviewOperations } from './operations.ts'
import { reviewChange } from './prompts.ts'

export type { CheckResult } from './check.ts'
export type { FolderAccess, FolderContent } from './folder.ts'
export { callGateway, isRemote } from './remote.ts'

/** Reads the files of a folder, or one file. @throws FolderError (by its name) as `readFolderContent` of folder.ts */
export async function readFolderContent(
  access: FolderAccess,
  root: string,
  options: { readonly goesOn?: boolean } = {},
): Promise<FolderContent> {
  return (await import('./folder.ts')).readFolderContent(access, root, options)
}

/** Files below a folder. @throws FolderError (by its name) when it is too large */
export async function pathsBelow(access: FolderAccess, root: string, options: { readonly goesOn?: boolean } = {}) {
  return (await import('./folder.ts')).pathsBelow(access, root, options)
}

/** Reads all objects of a folder, those of spreadsheets included. CPU-heavy. */
export async function folderObjects(content: FolderContent, culture: string) {
  return (await import('./folder-objects.ts')).folderObjects(content, culture)
}

/** The file system of this process, as a request sees its own. */
export async function localFiles(): Promise<FolderAccess> {
  return (await import('./local-files.ts')).localFiles
}

/** Checks folders; loaded when it is needed. */
export const folderReview = () => import('./check.ts')

/** Reads what a check reads of a folder, from the file system of this process. @throws FolderError (by its name) */
export async function folderContent(root: string): Promise<FolderContent> {
  return readFolderContent(await localFiles(), root)
}

export default definePlugin({
  name: 'review',
  version: '1.0.0',
  description: 'Review of PLC programs: checks folders of exports in memory, with rules and settings.',
  requires: ['projects', 'tags', 'devices', 'cax', 'history'],
  operations: reviewOperations,
  extensions: [extend(codeTables, reviewCodes), extend(mcpPrompts, reviewChange)],
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
