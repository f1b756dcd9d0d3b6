/** Exports the process diagnostics of a block. */

import { type CommandContext, problem } from '../../../core/index.ts'
import { documentOf, editWork, requireReadable, writeExport } from '../../program-objects/index.ts'
import type { Block } from '../block.ts'

/** @throws GatewayError `conflict` when the block has no process diagnostics, or the file exists */
export async function exportDiagnostics(
  ctx: CommandContext,
  block: Block,
  { exportPath, overwrite = false }: { exportPath?: string | undefined; overwrite?: boolean | undefined },
) {
  requireReadable(block)
  const { entries, csv } = await editWork(ctx, 'readDiagnostics', await documentOf(ctx, block), block.size)
  const { name } = block
  if (entries === 0)
    throw problem(
      'conflict',
      `"${name}" has no process diagnostics: no supervisions, no ProDiag FB, and no step with a supervision or interlock.`,
    )
  if (exportPath === undefined) return { blockName: name, entries, size: Buffer.byteLength(csv), content: csv }
  const { path, size } = await writeExport(ctx, name, { content: csv, extension: '.csv' }, exportPath, overwrite)
  return { blockName: name, entries, size, exportPath: path }
}
