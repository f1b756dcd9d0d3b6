/** Pages of `web/` in tests: made from the sources as the build makes them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Makes the files of a page in `dist/web/`. @returns their sizes and contents by name */
export async function buildPage(name: string): Promise<Map<string, string | Uint8Array>> {
  const { bundlePage } = await import('../scripts/web.mjs')
  const files = await bundlePage(name)
  const folder = join(root, 'dist', 'web', name)
  await mkdir(folder, { recursive: true })
  for (const [file, content] of files) await writeFile(join(folder, file), content)
  return files
}
