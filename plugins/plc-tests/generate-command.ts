/** `gantry test --generate`. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type CliTools, isGatewayError } from '../../core/index.ts'
import { counted } from '../../lib/counted.ts'
import { defined } from '../../lib/optional.ts'
import { phaseScripts, readDesignSpec } from '../design-spec/index.ts'
import { mostScans, phaseTests } from './generate/from-phase.ts'
import { readTrace, TraceError, traceTest } from './generate/from-trace.ts'
import type { MadeFile } from './generate/yaml.ts'
import { inputTags } from './input-tags.ts'
import { prepareRun } from './prepare.ts'
import type { TestContent } from './test-content.ts'

const codes = { ok: 0, usage: 2, unreadable: 3 } as const

export interface GenerateOptions {
  /** A design spec or a trace, both CSV. */
  readonly source: string
  /** The folder that gets the tests. */
  readonly folder: string
  readonly inputs: readonly string[] | undefined
  /** Whether files that are there are replaced. */
  readonly isForced: boolean
}

/** @returns the exit code */
export async function runGenerate(content: TestContent, options: GenerateOptions, tools: CliTools): Promise<number> {
  const { source, folder, inputs, isForced } = options
  const bytes = await readFile(resolve(source)).catch((error: Error) =>
    tools.fail(`${source} cannot be read: ${error.message}`, codes.unreadable),
  )
  const text = bytes.toString('utf8')
  let files: MadeFile[]
  if (/^\uFEFF?"?cycle"?,"?time"?,/.test(text)) {
    const { objects } = await prepareRun(content, {})
    try {
      const name = basename(source).replace(/\.[^.]*$/, '')
      const isInput = inputTags(objects.map(({ object }) => object))
      files = [traceTest(readTrace(text), { name, isInput, ...defined({ inputs }) })]
    } catch (error) {
      if (!(error instanceof TraceError)) throw error
      return tools.fail(`${source}: ${error.message}`, codes.usage)
    }
  } else {
    const read = await readDesignSpec(basename(source), bytes)
    if ('faults' in read) {
      const faults = read.faults.slice(0, 20).map((one) => `${source}:${one.line}: ${one.message}`)
      return tools.fail(
        `${faults.join('\n')}\n${source} is neither a design spec nor a trace (cycle,time,…).`,
        codes.usage,
      )
    }
    try {
      files = (await phaseScripts(read.model, undefined, mostScans)).map((one) => phaseTests(one, basename(source)))
    } catch (error) {
      if (!isGatewayError(error)) throw error
      return tools.fail(error.message, codes.usage)
    }
  }
  for (const { name, content: made, cases, notes } of files) {
    const path = join(folder, name)
    if (!isForced && (await stat(path).catch(() => undefined)))
      return tools.fail(`${path} is there already; --force replaces it.`, codes.usage)
    await writeFile(path, made)
    await tools.print(`${path}: ${counted(cases, 'case')}\n`)
    for (const note of notes) tools.note(note)
  }
  return codes.ok
}
