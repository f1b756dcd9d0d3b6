/** Which project a talk is about, and whether it is the open one. */
import { basename, join } from 'node:path'
import type { QueryContext } from '../../core/index.ts'
import { currentProject } from '../projects/index.ts'

/**
 * What is off about the project that is asked for.
 * @param projectKey name, path or id; empty: the open one, if there is one
 * @returns undefined when it is the open one
 */
export function projectNote(ctx: Pick<QueryContext, 'read'>, projectKey: string): string | undefined {
  const open = currentProject(ctx)
  if (projectKey === '') return undefined
  if (!open) return `No project is open, so nothing can be said about the content of ${quoted(projectKey)}.`
  const names = [open.name, open.path, open.id, basename(open.path), join(open.path, `${open.name}.gantry`)]
  if (names.some((name) => name.toLowerCase() === projectKey.toLowerCase())) return undefined
  return `The open project is ${quoted(open.name)}, not ${quoted(projectKey)}: what is said about content is about the open one.`
}

/** Text that anybody may have written, on one line and as code: it is neither a link nor anything else. */
export function quoted(text: unknown): string {
  const line = String(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('`', "'")
    .slice(0, 120)
  return `\`${line}\``
}
