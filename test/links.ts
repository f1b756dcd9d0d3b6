/** Whether this system makes links: Wine does not, Windows only for some users. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** For `skip` of a test that needs links: why it cannot run here; false: it can. */
export const noLinks = reason()

function reason(): string | false {
  const dir = mkdtempSync(join(tmpdir(), 'gantry-links-'))
  try {
    symlinkSync(dir, join(dir, 'link'), 'dir')
    return false
  } catch (error) {
    return `NO LINKS HERE (${(error as NodeJS.ErrnoException).code}): not tested`
  } finally {
    rmSync(dir, { recursive: true })
  }
}
