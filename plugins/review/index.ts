/** Review of PLC programs: a folder of exports is compiled and checked in memory; rules, settings, reports. */
import { codeTables, definePlugin, extend, mcpPrompts, type QueryContext } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import type { AddedByPlugins } from './folder/added-by-plugins.ts'
import type { FolderAccess, FolderContent, ReadFolderOptions } from './folder/folder.ts'
import { reviewCodes } from './manual/code-table.ts'
import { reviewOperations } from './operations.ts'
import { reviewChange } from './prompts.ts'
import { reviewRule } from './rule-point.ts'

export type { CheckResult } from './check/check.ts'
export { type NamedFormats, outputFormat } from './check/output-format.ts'
export type { ReportBase } from './check/report-base.ts'
export { callGateway, isRemote } from './commands/remote.ts'
export type { AddedByPlugins } from './folder/added-by-plugins.ts'
export type { FolderAccess, FolderContent } from './folder/folder.ts'
export { type ContributedRule, reviewRule } from './rule-point.ts'

/** Reads the files of a folder, or one file. @throws FolderError (by its name) as `readFolderContent` of folder.ts */
export async function readFolderContent(
  access: FolderAccess,
  root: string,
  options: ReadFolderOptions = {},
): Promise<FolderContent> {
  return (await import('./folder/folder.ts')).readFolderContent(access, root, options)
}

/** Files below a folder. @throws FolderError (by its name) when it is too large */
export async function pathsBelow(access: FolderAccess, root: string, options: { readonly goesOn?: boolean } = {}) {
  return (await import('./folder/folder.ts')).pathsBelow(access, root, options)
}

/** Reads all objects of a folder, those of spreadsheets included. CPU-heavy. */
export async function folderObjects(content: FolderContent, culture: string) {
  return (await import('./folder/folder-objects.ts')).folderObjects(content, culture)
}

/** The program of a PLC of the open project as the files of an export. */
export async function deviceProgram(ctx: QueryContext, device: Device): Promise<FolderContent> {
  return (await import('./compare/project-sides.ts')).deviceProgram(ctx, device)
}

/** The file system of this process, as a request sees its own. */
export async function localFiles(): Promise<FolderAccess> {
  return (await import('./folder/local-files.ts')).localFiles
}

/** Where services find the files of a report on a folder, as `reportBase` of report-base.ts. */
export async function reportBase(root: string) {
  return (await import('./check/report-base.ts')).reportBase(root)
}

/** Fields of a file for the manual, and how editors find its schema. */
export const schemaPages = () => import('./manual/field-table.ts')

/** The plugins that settings name, or that a gateway has; loaded when they are needed. */
export const folderPlugins = () => import('./folder/folder-plugins.ts')

/** Checks folders; loaded when it is needed. */
export const folderReview = () => import('./check/check.ts')

/** Reads what a check reads of a folder, from the file system of this process. @throws FolderError (by its name) */
export async function folderContent(root: string, options: ReadFolderOptions = {}): Promise<FolderContent> {
  return readFolderContent(await localFiles(), root, options)
}

/** A file of a format of a plugin as its reader makes it; undefined for any other. */
export async function translatedFile(formats: AddedByPlugins['formats'], path: string, bytes: Uint8Array) {
  return (await import('./folder/folder.ts')).translatedFile(formats, path, bytes)
}

export default definePlugin({
  name: 'review',
  version: '1.0.0',
  description: 'Review of PLC programs: checks folders of exports in memory, with rules and settings.',
  requires: ['projects', 'tags', 'devices', 'cax', 'history'],
  operations: reviewOperations,
  extensionPoints: [reviewRule],
  extensions: [extend(codeTables, reviewCodes), extend(mcpPrompts, reviewChange)],
  docs: [
    {
      name: 'review',
      title: 'Review of PLC programs',
      text: async () => {
        const { reviewPage, ruleTable } = await import('./manual/docs.ts')
        return `${reviewPage}\n## Rules\n\n${ruleTable()}`
      },
    },
    {
      name: 'gantry-yml',
      title: 'Settings of a folder: gantry.yml',
      text: async () => (await import('./manual/settings-page.ts')).settingsPage(),
    },
  ],
})
