/** The tests of a folder with the program: what runs is chosen, and what is named is read. */
import { defined } from '../../lib/optional.ts'
import { anyOf } from '../../lib/wildcard.ts'
import { importFile } from '../../plc/formats/import.ts'
import type { ImportedObject } from '../../plc/model/object.ts'
import { refused } from '../../plc/program-tests/group.ts'
import type { TestFault, TestFile } from '../../plc/program-tests/model.ts'
import type { CaseResult } from '../../plc/program-tests/run-case.ts'
import type { PreparedTests } from '../../plc/program-tests/run-tests.ts'
import { readStimulus, type Stimulus, StimulusError } from '../../plc/program-tests/stimulus.ts'
import { readConfig } from '../../plc/review/config.ts'
import type { PlacedObject } from '../../plc/review/read-folder.ts'
import { folderObjects } from '../review/index.ts'
import { blockTests } from './block-tests.ts'
import { type ChangedFiles, touchedBy } from './changed.ts'
import { pathFrom, type TestContent } from './test-content.ts'

/** Which cases run: those with one of the names and one of the tags; absent: all. */
export interface Selection {
  /** Parts of names, or patterns with `*`. Case is ignored. */
  readonly names?: readonly string[]
  readonly tags?: readonly string[]
  /** Only tests that these files touch. */
  readonly changed?: ChangedFiles
}

export interface PreparedRun {
  readonly objects: readonly PlacedObject[]
  readonly tests: readonly PreparedTests[]
  readonly faults: readonly TestFault[]
  readonly notes: readonly string[]
  /** Cases that were not selected. */
  readonly skipped: number
  /** Blocks that only have the name of a test, with the reason. */
  readonly noTests: readonly CaseResult[]
  /** Language of texts of the program. */
  readonly culture: string
}

/** Reads the program and chooses its tests. CPU-heavy. */
export async function prepareRun(content: TestContent, selection: Selection): Promise<PreparedRun> {
  // Faults of the settings are those of "gantry check".
  const { ignore, culture } = readConfig(content.program.config ?? '').config
  const isIgnored = anyOf(ignore)
  const { objects, unread } = await folderObjects(
    {
      ...content.program,
      program: content.program.program.filter(({ path }) => !isIgnored(path)),
      sheets: content.program.sheets.filter(({ path }) => !isIgnored(path)),
    },
    culture,
  )
  const faults = [...content.faults]
  const tests: PreparedTests[] = []
  let skipped = 0
  const isWanted = selectorOf(selection)
  const isTouched = selection.changed ? touchedBy(selection.changed, objects) : () => true
  const choose = (file: TestFile) => {
    const cases = isTouched(file) ? file.cases.filter(isWanted) : []
    skipped += file.cases.length - cases.length
    return cases
  }
  for (const file of content.files) {
    const cases = choose(file)
    if (cases.length === 0) continue
    const own: TestFault[] = []
    const stimuli = stimuliOf(file, content, own)
    const stubs = await stubsOf(file, content, culture, own)
    const stubKey = file.stubs.map((one) => pathFrom(file.path, one.file)).join('\n')
    const programs = file.controllers && (await programsOf(file, content, culture, own))
    faults.push(...own)
    if (own.length === 0) tests.push({ file, cases, stimuli, stubs, stubKey, ...defined({ programs }) })
  }
  const blocks = blockTests(objects)
  const noTests = blocks.others.flatMap(({ file, reason }) =>
    choose(file).map((one) => refused(file, one, reason, 'skipped')),
  )
  for (const one of blocks.tests) {
    const cases = choose(one.file)
    if (cases.length > 0) tests.push({ ...one, cases })
  }
  faults.push(...blocks.faults)
  const notes = unread.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
  return { objects, tests, faults, notes, skipped, noTests, culture }
}

/** The programs of several controllers, each in its folder. */
async function programsOf(file: TestFile, { program }: TestContent, culture: string, faults: TestFault[]) {
  const found: { name: string; objects: ImportedObject[] }[] = []
  for (const { name, folder, place } of file.controllers ?? []) {
    const inside = `${pathFrom(file.path, folder).replace(/\/$/, '')}/`
    const isOwn = ({ path }: { readonly path: string }) => inside === './' || path.startsWith(inside)
    const part = { ...program, program: program.program.filter(isOwn), sheets: program.sheets.filter(isOwn) }
    const { objects } = await folderObjects(part, culture)
    if (objects.length === 0) faults.push({ file: file.path, ...place, message: `there is no program in "${folder}".` })
    found.push({ name, objects: objects.map(({ object }) => object) })
  }
  return found
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
