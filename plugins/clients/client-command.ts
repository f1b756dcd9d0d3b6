/** `gantry client typescript|python`: reads `/openapi.json` of a gateway and writes the files of a client. */
import { writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { CliTools } from '../../core/index.ts'
import { makeDirectory } from '../../lib/make-directory.ts'
import { readDocument } from './document.ts'

const usage = 2

const writers = {
  typescript: async () => (await import('./typescript.ts')).typescriptClient,
  python: async () => (await import('./python.ts')).pythonClient,
} as const

/**
 * Writes the client and lists its files on standard output.
 *
 * @param language `typescript` or `python`
 * @returns the exit code
 * @throws CliError when the language is not known, the gateway gives no document, or a file cannot be written
 */
export async function runClient(
  language: string,
  options: Readonly<Record<string, unknown>>,
  tools: CliTools,
): Promise<number> {
  if (!Object.hasOwn(writers, language))
    tools.fail(`"${language}" is no language of clients; there are typescript and python.`, usage)
  const out = resolve((options.out as string | undefined) ?? 'gantry-client')
  const raw = await tools.read('/openapi.json')
  const document = readDocument(raw)
  if (typeof document === 'string') tools.fail(`/openapi.json is not the document of a Gantry gateway: ${document}.`, 1)
  const write = await writers[language as keyof typeof writers]()
  const files = await write(document)
  for (const [path, text] of files) {
    const file = join(out, path)
    try {
      await makeDirectory(dirname(file))
      await writeFile(file, text)
    } catch (error) {
      tools.fail(`${file} cannot be written: ${(error as Error).message}`, usage)
    }
    await tools.print(`${relative(process.cwd(), file) || file}\n`)
  }
  tools.note(`${document.operations.length} operations of Gantry ${document.version}`)
  return 0
}
