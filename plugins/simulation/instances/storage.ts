/** Folders of virtual memory cards. */
import { type CommandContext, problem } from '../../../core/index.ts'
import { pathBelow } from '../../../lib/path-below.ts'
import { fileNameOf } from '../../projects/index.ts'
import { instances } from './instance.ts'

/** Folder below the first workspace root. */
export const simulationFolder = 'simulation'

/** Whether two folders are the same, or one is inside the other. */
function overlaps(a: string, b: string): boolean {
  return pathBelow(a, b) !== undefined || pathBelow(b, a) !== undefined
}

/**
 * Returns the folder of a new instance: the given one, or a new one below the workspace.
 * @throws GatewayError `path_outside_workspace`; `conflict` when another instance uses it, or a folder that contains it
 *   or is in it; `invalid_input` for a file
 */
export async function readStorage(
  ctx: CommandContext,
  name: string,
  given: string | undefined,
): Promise<{ storage: string; ownsStorage: boolean }> {
  const storage = given ?? `${simulationFolder}/instances/${fileNameOf(name)}`
  const real = await ctx.files.resolve(storage)
  for (const other of ctx.read(instances).values()) {
    if (!overlaps(await ctx.files.resolve(other.storage), real)) continue
    throw problem('conflict', `/storagePath: "${storage}" is, or overlaps, the storage of instance "${other.name}".`, {
      errors: [{ path: '/storagePath', message: `overlaps the storage of instance "${other.name}"`, value: storage }],
    })
  }
  if ((await ctx.files.stat(real))?.isFile) {
    const message = `"${storage}" is a file; it must be a folder, or not there yet`
    throw problem('invalid_input', `/storagePath: ${message}.`, { errors: [{ path: '/storagePath', message }] })
  }
  return { storage, ownsStorage: given === undefined }
}
