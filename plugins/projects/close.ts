/** Closes the open project; what was not saved needs a decision. */
import { type CommandContext, problem } from '../../core/index.ts'
import { isModified, type Project, projectClosed } from './project.ts'

/** What becomes of unsaved changes. */
export interface ClosingDecision {
  readonly save?: boolean | undefined
  readonly force?: boolean | undefined
}

/** What closing did. */
export interface Closed {
  readonly name: string
  readonly path: string
  readonly closed: boolean
  readonly saved: boolean
  readonly discarded: boolean
}

/**
 * Closes the project.
 * @throws GatewayError `conflict` when there are unsaved changes and no decision; the choices are in `errors`
 */
export async function closeProject(ctx: CommandContext, project: Project, decision: ClosingDecision): Promise<Closed> {
  const modified = isModified(project)
  if (modified && decision.save !== true && decision.force !== true) {
    throw problem('conflict', `Project "${project.name}" has unsaved changes.`, {
      errors: [
        { path: '/save', message: 'true: save the changes first', allowed: [true] },
        { path: '/force', message: 'true: discard the changes', allowed: [true] },
      ],
      suggestion: 'Send { "save": true } to save it first, or { "force": true } to discard the changes.',
    })
  }
  const saves = modified && decision.save === true
  if (saves) await (await import('./files/save.ts')).saveProject(ctx, project)
  const { id: projectId, name, path } = project
  const discarded = modified && !saves
  ctx.emit(projectClosed, { projectId, name, path, discarded }, `project/${name}`)
  return { name, path, closed: true, saved: saves, discarded }
}
