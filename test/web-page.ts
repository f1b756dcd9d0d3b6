/** Pages of `web/` in tests: made from the sources as the build makes them. */
import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageDir } from '../core/boot/running-code.ts'

/**
 * Makes the files of a page in `dist/web/`: each at once, because test files that run at the same time use them too.
 * @returns their contents by name
 */
export async function buildPage(name: string): Promise<Map<string, string | Uint8Array>> {
  const { bundlePage } = await import('../scripts/web.mjs')
  const files = await bundlePage(name)
  const folder = join(packageDir, 'dist', 'web', name)
  await mkdir(folder, { recursive: true })
  for (const [file, content] of files) {
    // Not in the folder itself: a build that runs meanwhile removes there what it has not made.
    const whole = join(packageDir, 'dist', `.${file}.${randomUUID()}`)
    await writeFile(whole, content)
    await rename(whole, join(folder, file))
  }
  return files
}
