/** What operations answer about devices of GSD files, word by word (fixtures/answers.yaml). */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { testAnswers } from '../../test/answers.ts'
import { gsdFile, gsdFileName } from '../../test/gsd-file.ts'
import { openTestGateway } from '../../test/harness.ts'

/** Bytes that are no UTF-8, and a file that says another encoding, in which they are. */
const latin = (declared: string) =>
  Buffer.from(
    gsdFile.replace('encoding="utf-8"', `encoding="${declared}"`).replace('Valve island', 'Löschventil'),
    'latin1',
  )

testAnswers('devices of GSD files answer as recorded', new URL('fixtures/answers.yaml', import.meta.url), async (t) => {
  const at = await openTestGateway(t)
  await at.call('projects.create', { name: 'Plant' })
  const folder = join(at.dir, 'workspace/gsd')
  await mkdir(join(folder, 'GSDML-V2.4-Folder.xml'), { recursive: true })
  const files: Record<string, string | Buffer> = {
    [gsdFileName]: gsdFile,
    'GSDML-V2.4-Broken.xml': '<ISO15745Profile>\n<a></ISO15745Profile>',
    'GSDML-V2.4-Latin.xml': latin('iso-8859-1'),
    'gsdml-v2.4-wrong.XML': latin('utf-8'),
    'GSDML-V2.4-Wide.xml': Buffer.from(`\ufeff${gsdFile.replace('utf-8', 'utf-16')}`, 'utf16le'),
    // An encoding that nobody knows, and a name between blanks.
    'GSDML-V2.4-Strange.xml': gsdFile.replace('utf-8', 'x-none').replace('"Valves 24"', '"  Valves 24 "'),
    'other.xml': gsdFile,
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return at
})
