/** What an operation of the review reads: a place of the workspace, or what the gateway has itself. */
import type { QueryContext } from '../../../core/index.ts'
import type { FolderContent } from '../folder/folder.ts'
import { workspaceContent } from '../folder/workspace-content.ts'
import { isGatewaySide } from './gateway-side.ts'

/** @throws GatewayError as `workspaceContent` and `projectSide` */
export async function sideContent(ctx: QueryContext, side: string): Promise<FolderContent> {
  return isGatewaySide(side) ? (await import('./project-sides.ts')).projectSide(ctx, side) : workspaceContent(ctx, side)
}
