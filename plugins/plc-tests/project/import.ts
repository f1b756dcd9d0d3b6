/** Test files of a folder, kept in the project. */
import { basename } from 'node:path'
import { type CommandContext, type Fault, problem } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import { readTestFiles } from '../test-content.ts'
import { bareName } from './state.ts'
import { readProjectTest, requireTestName, writeTest } from './write.ts'

/** @throws GatewayError `not_found`, `payload_too_large`, `unacceptable_content` with the faults of all files */
export async function importFolder(ctx: CommandContext, device: Device, path: string) {
  const info = await ctx.files.stat(path)
  if (info === undefined) throw problem('not_found', `There is nothing at "${path}".`)
  if (!info.isDirectory) throw problem('unacceptable_content', `"${path}" is a file; name a folder with tests.`)
  const files = await readTestFiles(ctx.files, await ctx.files.resolve(path)).catch((error: Error) => {
    throw error.name === 'FolderError' ? problem('payload_too_large', error.message) : error
  })
  if (files.length === 0) throw problem('unacceptable_content', `"${path}" holds no test file *.test.yml.`)
  const faults: Fault[] = []
  const names = new Map<string, string>()
  for (const { path: file, text } of files) {
    if (typeof text !== 'string') {
      faults.push({ path: file, line: 1, column: 1, message: text.fault })
      continue
    }
    const name = requireTestName(bareName(basename(file)))
    const other = names.get(name.toLowerCase())
    if (other !== undefined) faults.push({ path: file, message: `has the same name as ${other}.` })
    names.set(name.toLowerCase(), file)
    for (const { line, column, message } of readProjectTest(name, text).faults)
      faults.push({ path: file, line, column, message })
  }
  if (faults.length > 0) {
    const [first] = faults
    throw problem('unacceptable_content', `${first!.path}: ${first!.message} Nothing was imported.`, { errors: faults })
  }
  const done: { name: string; file: string; action: string; cases: number }[] = []
  for (const { path: file, text } of files) {
    const { test, action } = await writeTest(ctx, device, requireTestName(bareName(basename(file))), text as string)
    done.push({ name: test.name, file, action, cases: test.cases })
  }
  return done
}
