/** Snapshots as shown to clients, with the schema. */
import type { SchemaBuilder } from '../../core/index.ts'
import { defined } from '../../core/index.ts'
import type { Snapshot } from './snapshot.ts'

/** A snapshot in lists and details. */
export function snapshotView(snapshot: Snapshot) {
  const { id: snapshotId, type, kind, reason, name, deviceName, projectName, projectPath, size, content } = snapshot
  const { label, comment, sameContentAs, block, table, createdAt, createdBy, jobId, operation } = snapshot
  return {
    snapshotId,
    type,
    kind,
    reason,
    deviceName,
    name,
    projectName,
    projectPath,
    createdAt: new Date(createdAt).toISOString(),
    createdBy,
    jobId,
    operation,
    size,
    contentHash: content,
    ...defined({ label, comment, sameContentAs }),
    ...(block
      ? {
          blockType: block.kind,
          number: block.number,
          programmingLanguage: block.language,
          folder: block.folder,
          format: block.format,
        }
      : {}),
    ...(table ? { folder: table.folder, tagCount: table.tags, constantCount: table.constants } : {}),
  }
}

/** Schema of `snapshotView`. */
export const snapshotFields = (t: SchemaBuilder) => ({
  snapshotId: t.String(),
  type: t.String({ description: 'block or tag-table.' }),
  kind: t.String({ description: 'manual or automatic.' }),
  reason: t.String({
    description:
      'manual; automatic: what then happened to the object (changed, edited: rows of a tag table, renamed, deleted, device-deleted, restored).',
  }),
  deviceName: t.String(),
  name: t.String({ description: 'Name of the block or tag table.' }),
  projectName: t.String(),
  projectPath: t.String(),
  createdAt: t.DateTime(),
  createdBy: t.String(),
  jobId: t.String(),
  operation: t.String({ description: 'What changed the object, or took the snapshot.' }),
  size: t.Integer({ description: 'Bytes of the content.' }),
  contentHash: t.String(),
  label: t.Optional(t.String()),
  comment: t.Optional(t.String()),
  sameContentAs: t.Optional(t.String({ description: 'The snapshot before it, when it has the same content.' })),
  blockType: t.Optional(t.String()),
  number: t.Optional(t.Integer()),
  programmingLanguage: t.Optional(t.String()),
  folder: t.Optional(t.String()),
  format: t.Optional(t.String({ description: 'Of blocks: simaticml or source.' })),
  tagCount: t.Optional(t.Integer()),
  constantCount: t.Optional(t.Integer()),
})
