/** The project files inside the archives of TIA Portal in the corpus. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromBufferPromise } from 'yauzl'
import { publicDir } from './corpus.ts'

/** A project of one S7-1500 with safety blocks, V19. */
export const smallArchive = join(
  publicDir,
  'siemens+modular-application-creator-use-cases/MAC_use_cases.Tests/Resources/MacTestenvironmentBaseProject.zap19',
)
/** A project of eight PLCs with LAD, SCL and STL, protected blocks, types and tags, V20. */
export const largeArchive = join(
  publicDir,
  'heilingbrunner+tiaportal-mcp/tests/TiaMcpServer.Test/assets/TestProject1.zap20',
)

/** A global library with master copies, V19. */
export const libraryArchive = join(
  publicDir,
  'siemens+modular-application-creator-use-cases/temp_lib/Lib_MAC_use_cases.zip',
)

/** The bytes of one file of an archive, found by the end of its name. */
export async function fileOfArchive(archive: string, name: string): Promise<Buffer> {
  const zip = await fromBufferPromise(await readFile(archive), { lazyEntries: true })
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.replaceAll('\\', '/').endsWith(name)) continue
      const chunks: Buffer[] = []
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks)
    }
  } finally {
    zip.close()
  }
  throw new Error(`${archive} has no ${name}`)
}

/** `System/PEData.plf` of an archive. */
export const projectFileOf = (archive: string): Promise<Buffer> => fileOfArchive(archive, 'System/PEData.plf')
