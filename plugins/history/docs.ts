/** The documentation page on snapshots and undo. */
import { automaticLimit, automaticTotal } from './snapshot.ts'

/** Markdown, without the title. */
export function historyDocumentation(): string {
  return `A snapshot keeps a block or a tag table as it was, so that it can be brought back. It costs one small record; the content is stored
once, however many snapshots have it.

## Which snapshots there are

- **Automatic**: before a command changes, renames or deletes a block or a tag table (or the device they are on), what there was is
  kept. One snapshot for each object and command. None is taken when the newest snapshot of the object has the same content. Edits of single
  rows of a tag table within a minute share the one of before the first. A tag table without rows leaves none when it is deleted. The newest
  ${automaticLimit} of each object are kept, and of all objects together, deleted ones too, the newest ${automaticTotal}.
- **Manual**: \`POST /api/history/blocks/{deviceName}/{blockName}/actions/snapshot\` and
  \`POST /api/history/tags/{deviceName}/{tableName}/actions/snapshot\`, with an optional \`label\` and \`comment\`. Always a new
  snapshot; \`sameContentAs\` names the one before it when that has the same content. They stay until they are deleted.

Snapshots outlive the closing of the project, and the object. \`GET /api/history/blocks/{deviceName}/{blockName}\` finds them by the
name that the object has or had; \`GET /api/history/snapshots\` lists all.

## Restoring

\`POST /api/history/snapshots/{snapshotId}/actions/restore-sync\` replaces the present object of that name. When it was deleted or renamed
meanwhile, it is made anew; a renamed one stays as it is beside it. A block gets its number back when that is still free; otherwise
\`warnings\` says which it has now. What is replaced is kept first: \`safetySnapshotId\` in the answer undoes the restore. The project
of the snapshot must be open; \`deviceName\` restores it into another device.

\`POST /api/devices/{deviceName}/blocks/{blockName}/actions/create-snapshot\` and \`…/load-snapshot\` do the same for one block;
without \`snapshotId\`, \`load-snapshot\` takes the newest manual snapshot, or the newest automatic one when there is no manual one.

## Undo

\`POST /api/history/undo\` takes back the last command that changed the project, \`/redo\` does it again: blocks, tags, devices, screens, whatever
it changed. \`{ "jobId": "…" }\` takes back one job; \`{ "group": "…" }\` what was called with the header \`X-Group-Id\` (over MCP: in one
session, \`"thisGroup": true\`); \`{ "since": mark }\` all that came after a \`mark\` of \`GET /api/history/undoable\`. That list also says
beforehand what cannot be taken back and why. What later work changed is refused with the names of the jobs; what acts on more than the project
(a download, values of a controller, written files) stays. The log keeps both the commands and the undo.

## Comparing and cleaning up

\`GET /api/history/snapshots/{snapshotId}/diff?to=<snapshotId>\` is a unified diff of two snapshots; without \`to\`, of a snapshot
and what there is now.

\`POST /api/history/actions/cleanup { "keepNewest": 10, "olderThanDays": 30 }\` deletes what is beyond the newest ten of its object
and older than thirty days; either rule can stand alone, and \`"dryRun": true\` shows what would go.
`
}
