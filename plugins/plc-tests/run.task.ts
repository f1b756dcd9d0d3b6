/** Runs the tests of a folder; on the engine for the gateway. */
import type { EngineTask } from '../../core/index.ts'
import { anyOf } from '../../lib/wildcard.ts'
import { importFile } from '../../plc/formats/import.ts'
import type { ImportedObject } from '../../plc/model/object.ts'
import type { TestFault, TestFile, TestValue } from '../../plc/program-tests/model.ts'
import type { CaseResult } from '../../plc/program-tests/run-case.ts'
import { type PreparedTests, runTests } from '../../plc/program-tests/run-tests.ts'
import { readStimulus, type Stimulus, StimulusError } from '../../plc/program-tests/stimulus.ts'
import type { PlacedObject } from '../../plc/review/read-folder.ts'
import { readConfig } from '../../plc/review/config.ts'
import { folderObjects } from '../review/index.ts'
import { scalarValue } from '../simulation/index.ts'
import { pathFrom, type TestContent } from './test-content.ts'
import { blockTests } from './block-tests.ts'
import { variablesOf } from './variables.ts'

/** Which cases run: those with one of the names and one of the tags; absent: all. */
export interface Selection {
  /** Parts of names, or patterns with `*`. Case is ignored. */
  readonly names?: readonly string[]
  readonly tags?: readonly string[]
}

export interface RunTask {
  readonly content: TestContent
  readonly selection: Selection
}

/** Plain data. */
export interface TestRun {
  readonly results: readonly CaseResult[]
  /** Faults of test files; their cases did not run. */
  readonly faults: readonly TestFault[]
  /** Files of the program that cannot be read. */
  readonly notes: readonly string[]
  /** Cases that were not selected. */
  readonly skipped: number
}

/** Runs the tests. CPU-heavy. */
export async function runFolder(
  { content, selection }: RunTask,
  onResult?: (result: CaseResult) => void,
): Promise<TestRun> {
  // Faults of the settings are those of "gantry check".
  const { ignore, culture } = readConfig(content.program.config ?? '').config
  const isIgnored = anyOf(ignore)
  const program = {
    ...content.program,
    program: content.program.program.filter(({ path }) => !isIgnored(path)),
    sheets: content.program.sheets.filter(({ path }) => !isIgnored(path)),
  }
  const { objects, unread } = await folderObjects(program, culture)
  const faults = [...content.faults]
  const tests: PreparedTests[] = []
  let skipped = 0
  const isWanted = selectorOf(selection)
  for (const file of content.files) {
    const cases = file.cases.filter(isWanted)
    skipped += file.cases.length - cases.length
    if (cases.length === 0) continue
    const own: TestFault[] = []
    const stimuli = stimuliOf(file, content, own)
    const stubs = await stubsOf(file, content, culture, own)
    faults.push(...own)
    if (own.length === 0)
      tests.push({
        file,
        cases,
        stimuli,
        stubs,
        stubKey: file.stubs.map((one) => pathFrom(file.path, one.file)).join('\n'),
      })
  }
  const blocks = blockTests(objects)
  for (const one of blocks.tests) {
    const cases = one.cases.filter(isWanted)
    skipped += one.cases.length - cases.length
    if (cases.length > 0) tests.push({ ...one, cases })
  }
  faults.push(...blocks.faults)
  const place = placerOf(objects)
  const results: CaseResult[] = []
  runTests(
    objects.map(({ object }) => object),
    tests,
    {
      variablesOf,
      scalarText: (type, bytes) => scalarValue(type, bytes) as TestValue,
      clock: () => performance.now(),
      onResult(result) {
        const placed = place(result)
        results.push(placed)
        onResult?.(placed)
      },
    },
  )
  return {
    results,
    faults,
    notes: unread.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`),
    skipped,
  }
}

/** Puts assertions of blocks to their places in the files. */
function placerOf(objects: readonly PlacedObject[]) {
  const byName = new Map(objects.map((one) => [one.object.name.toLowerCase(), one]))
  return (result: CaseResult): CaseResult => {
    if (result.failures.every(({ inBlock }) => inBlock === undefined)) return result
    const failures = result.failures.map(({ inBlock, ...failure }) => {
      const found = inBlock && byName.get(inBlock.block.toLowerCase())
      const { line, column } = failure
      return found ? { ...failure, ...found.placeOf({ network: inBlock.network, line, column }) } : failure
    })
    return { ...result, failures }
  }
}

function selectorOf({ names = [], tags = [] }: Selection) {
  const lower = (list: readonly string[]) => list.map((one) => one.toLowerCase())
  const isNamed = anyOf(lower(names).map((one) => (one.includes('*') ? one : `*${one}*`)))
  const wanted = new Set(lower(tags))
  return (one: { readonly name: string; readonly tags: readonly string[] }) =>
    (names.length === 0 || isNamed(one.name.toLowerCase())) &&
    (wanted.size === 0 || one.tags.some((tag) => wanted.has(tag.toLowerCase())))
}

function stimuliOf(file: TestFile, { named }: TestContent, faults: TestFault[]): Map<string, Stimulus> {
  const found = new Map<string, Stimulus>()
  for (const { stimulus } of file.cases.flatMap(({ steps }) => steps)) {
    if (stimulus === undefined || found.has(stimulus.file)) continue
    try {
      found.set(stimulus.file, readStimulus(named[pathFrom(file.path, stimulus.file)] ?? ''))
    } catch (error) {
      if (!(error instanceof StimulusError)) throw error
      faults.push({ file: file.path, ...stimulus.place, message: `${stimulus.file}: ${error.message}` })
    }
  }
  return found
}

async function stubsOf(
  file: TestFile,
  { named }: TestContent,
  culture: string,
  faults: TestFault[],
): Promise<ImportedObject[]> {
  const found: ImportedObject[] = []
  for (const stub of file.stubs) {
    const text = named[pathFrom(file.path, stub.file)] ?? ''
    const read = await importFile(new TextEncoder().encode(text), { path: stub.file, culture })
    found.push(...read.objects)
    for (const { message, line, column } of read.faults)
      faults.push({ file: file.path, ...stub.place, message: `${stub.file}:${line}:${column}: ${message}` })
  }
  return found
}

/** What the engine calls: it has no progress. */
export function runForGateway(input: RunTask): Promise<TestRun> {
  return runFolder(input)
}

/** The task. */
export function runTask(input: RunTask): EngineTask {
  return { module: import.meta.url, fn: 'runForGateway', input }
}
