/** Reads test files for the project: their faults, and what a project cannot keep of one. */
import { type CommandContext, type Fault, problem } from '../../../core/index.ts'
import type { TestFault, TestFile } from '../../../plc/program-tests/model.ts'
import { readTests } from '../../../plc/program-tests/read-tests.ts'
import type { Device } from '../../devices/index.ts'
import { bareName, findTest, type ProjectTest, testSuffix, testWritten } from './state.ts'

export interface ReadTest {
  readonly file?: TestFile
  readonly faults: readonly TestFault[]
}

/** Reads the text of a test of the project. Files that it names are beside a folder only, so they are faults. */
export function readProjectTest(name: string, text: string): ReadTest {
  const path = `${name}${testSuffix}`
  const { file, faults } = readTests(path, text)
  if (!file) return { faults }
  const named = [
    ...file.stubs.map((stub) => ({ ...stub, what: 'stub' })),
    ...file.cases.flatMap(({ steps }) =>
      steps.flatMap(({ stimulus }) => (stimulus ? [{ ...stimulus, what: 'stimulus' }] : [])),
    ),
    ...(file.controllers ?? []).map(({ folder, place }) => ({ file: folder, place, what: 'folder of a controller' })),
  ]
  const missing = named.map(({ file: one, place, what }) => ({
    file: path,
    ...place,
    message: `a test in a project has no files beside it: the ${what} "${one}" needs a folder; run that with plc-tests.run and path.`,
  }))
  return missing.length > 0 ? { faults: [...faults, ...missing] } : { file, faults }
}

/** @throws GatewayError `invalid_input` for a name that no file can have */
export function requireTestName(given: string): string {
  const name = bareName(given)
  const bad = /[\p{Cc}<>:"/\\|?*%]/u.exec(name)
  const fault =
    name === ''
      ? 'must not be empty'
      : bad
        ? `must not contain ${JSON.stringify(bad[0])}`
        : name.startsWith('.') || name.endsWith('.')
          ? 'must not begin or end with a dot'
          : undefined
  if (fault === undefined) return name
  throw problem('invalid_input', `/name: ${fault}.`, { errors: [{ path: '/name', message: fault, value: given }] })
}

/** Faults of a test file as those of an input. @param path JSON pointer of the text */
export function inputFaults(faults: readonly TestFault[], path: string): Fault[] {
  return faults.map(({ line, column, message }) => ({ path, message, line, column }))
}

/** Keeps a test file, also one with faults; the same text again changes nothing. */
export async function writeTest(
  ctx: CommandContext,
  device: Device,
  name: string,
  text: string,
  modifiedAt: number = ctx.now,
): Promise<ReadTest & { readonly test: ProjectTest; readonly action: 'created' | 'replaced' | 'unchanged' }> {
  const read = readProjectTest(name, text)
  const before = findTest(ctx, device, name)
  const document = await ctx.blobs.put(text)
  if (before?.document === document && before.name === name) return { ...read, test: before, action: 'unchanged' }
  const test: ProjectTest = {
    deviceId: device.id,
    name,
    document,
    size: Buffer.byteLength(text),
    cases: read.file?.cases.length ?? 0,
    createdAt: before?.createdAt ?? modifiedAt,
    modifiedAt,
  }
  ctx.emit(testWritten, test, `device/${device.name}/test/${name}`)
  return { ...read, test, action: before ? 'replaced' : 'created' }
}
