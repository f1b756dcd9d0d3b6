/**
 * Commands of plugins in this process with all that they say, in a YAML file beside the test:
 *
 *     - write: { plant/Pump.scl: 'FUNCTION "Pump" …' }
 *     - run: check
 *       args: [plant]
 *       options: { failOn: warning }
 *       answer: { code: 1, out: '…', notes: ['…'] }
 *
 * Paths in `paths` and `args` are those of a folder of the test; `options` are as the command line gives them, those
 * named in `paths` are paths too. JSON is recorded as what it holds. `read` answers the text of a file, or of each in a
 * folder, `bytes` writes a file from hexadecimal digits. `UPDATE_SNAPSHOTS=1` records the answers: read the difference.
 */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { isMap, isSeq, parseDocument } from 'yaml'
import { CliError } from '../core/cli/exit-codes.ts'
import type { CliCommand, CliTools } from '../core/index.ts'
import { compact, Mask, textsOf } from './answers.ts'
import { removeFolder } from './folder.ts'
import { inSources } from './recorded.ts'

interface Step {
  readonly write?: Readonly<Record<string, string>>
  readonly bytes?: Readonly<Record<string, string>>
  readonly read?: string
  readonly run?: string
  readonly args?: readonly string[]
  /** Arguments that are no paths. */
  readonly words?: readonly string[]
  readonly options?: Readonly<Record<string, unknown>>
  /** Options that are paths. */
  readonly paths?: Readonly<Record<string, string>>
  readonly answer?: unknown
}

/** The JSON that a text is, or the text. */
function contentOf(text: string): unknown {
  if (!/^[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Runs a command. @returns exit code, standard output, notes */
async function runOf(commands: readonly CliCommand[], dir: string, step: Step): Promise<unknown> {
  const { run, args = [], words = [], options = {}, paths = {} } = step
  const command = commands.find(({ name }) => name === run)
  assert.ok(command, `the command ${run}`)
  const notes: string[] = []
  let out = ''
  const tools: CliTools = {
    version: '1.2.3',
    fail(message, exitCode) {
      throw new CliError(message, exitCode)
    },
    async print(text, file) {
      if (file === undefined) out += text
      else await writeFile(file, text)
    },
    note: (text) => notes.push(text),
    call: () => Promise.reject(new Error('There is no gateway.')),
    read: () => Promise.reject(new Error('There is no gateway.')),
  }
  const given = [...words, ...args.map((path) => join(dir, path))]
  const isList = command.arguments.some(({ name }) => name.includes('...'))
  const located = Object.entries(paths).map(([name, path]) => [name, join(dir, path)])
  let end: object
  try {
    end = { code: await command.run(isList ? [given] : given, { ...options, ...Object.fromEntries(located) }, tools) }
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    end = { code: error.exitCode, fails: error.message }
  }
  return { ...end, ...(out === '' ? {} : { out: contentOf(out) }), ...(notes.length === 0 ? {} : { notes }) }
}

/** What a step answers; undefined: nothing. */
async function answerOf(commands: readonly CliCommand[], dir: string, step: Step): Promise<unknown> {
  const files = [
    ...Object.entries(step.write ?? {}).map(([path, text]) => [path, Buffer.from(text)] as const),
    ...Object.entries(step.bytes ?? {}).map(([path, digits]) => [path, Buffer.from(digits, 'hex')] as const),
  ]
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), bytes)
  }
  if (files.length > 0) return undefined
  return step.read === undefined ? runOf(commands, dir, step) : textsOf(join(dir, step.read))
}

/** A test that runs the commands of a file and compares each answer with the recorded one. */
export function testCommands(title: string, file: URL, commands: readonly CliCommand[]) {
  test(title, async (t) => {
    const path = inSources(file)
    const document = parseDocument(await readFile(path, 'utf8'))
    assert.deepEqual(document.errors, [])
    const { contents } = document
    assert.ok(isSeq(contents), 'a list of steps')
    const dir = await realpath(await mkdtemp(join(tmpdir(), 'gantry-commands-')))
    t.after(() => removeFolder(dir))
    // The folder is the root of a repository, wherever the test runs: reports name files from there.
    await mkdir(join(dir, '.git'))
    const mask = new Mask(dir)
    for (const [index, node] of contents.items.entries()) {
      assert.ok(isMap(node))
      const { answer, ...step } = node.toJS(document) as Step
      const ended = await answerOf(commands, dir, step)
      // Commands name files from the working directory.
      const texts = ended === undefined ? undefined : JSON.stringify(ended).replaceAll(relative('.', dir), dir)
      const masked = texts === undefined ? undefined : JSON.parse(JSON.stringify(mask.of(JSON.parse(texts))))
      if (!process.env.UPDATE_SNAPSHOTS) assert.deepEqual(masked, answer, `step ${index + 1}: ${JSON.stringify(step)}`)
      else if (masked !== undefined) document.setIn([index, 'answer'], compact(document, masked))
    }
    if (process.env.UPDATE_SNAPSHOTS) await writeFile(path, document.toString({ lineWidth: 0 }))
  })
}
