/** `gantry test --mutate`. */
import type { CliTools } from '../../core/index.ts'
import { counted } from '../../lib/counted.ts'
import { defined } from '../../lib/optional.ts'
import type { Mutant } from '../../plc/program-tests/mutants.ts'
import { type MutationRun, mutate } from '../../plc/program-tests/mutate.ts'
import type { PlacedObject } from '../../plc/review/read-folder.ts'
import { groupTools } from './group-tools.ts'
import { caseText } from './output/text.ts'
import { prepareRun, type Selection } from './prepare.ts'
import type { TestContent } from './test-content.ts'

const codes = { ok: 0, survived: 1, usage: 2 } as const
/** Between two notes of progress, in milliseconds. */
const betweenNotes = 2000

export interface MutateOptions {
  readonly format: 'text' | 'json'
  readonly out: string | undefined
}

/** @returns the exit code */
export async function runMutate(
  content: TestContent,
  selection: Selection,
  { format, out }: MutateOptions,
  tools: CliTools,
): Promise<number> {
  const { objects, tests, faults } = await prepareRun(content, selection)
  for (const { file, line, column, message } of faults) tools.note(`${file}:${line}:${column}: ${message}`)
  if (faults.length > 0 || tests.length === 0) {
    if (tests.length === 0) tools.note('There are no tests to run.')
    return codes.usage
  }
  const several = tests.filter(({ programs }) => programs !== undefined)
  if (several.length > 0) tools.note(`${counted(several.length, 'test file')} with several controllers left out.`)
  const found = placer(objects)
  let noted = performance.now()
  const run = mutate(
    objects.map(({ object }) => object),
    tests,
    {
      ...groupTools,
      onMutant(mutant, number) {
        if (performance.now() - noted < betweenNotes) return
        noted = performance.now()
        tools.note(`change ${number}: "${mutant.object.name}"`)
      },
    },
  )
  if (run.failed.length > 0) {
    await tools.print(run.failed.map(caseText).join(''))
    tools.note('Tests do not pass as the program is: nothing is changed.')
    return codes.usage
  }
  await tools.print(format === 'json' ? jsonOf(run, found) : textOf(run, found), out)
  return run.survived.length === 0 ? codes.ok : codes.survived
}

type Placer = (mutant: Mutant) => { readonly file: string; readonly line: number; readonly column: number }

function placer(objects: readonly PlacedObject[]): Placer {
  const byName = new Map(objects.map((one) => [one.object.name, one]))
  return ({ object, network, line, column, uId, element }) => {
    const placed = byName.get(object.name)
    const place = placed?.placeOf({ network, ...defined({ line, column, uId, element }) }) ?? { line: 1, column: 1 }
    return { file: placed?.file ?? '', ...place }
  }
}

function textOf({ survived, killed, invalid, notReached }: MutationRun, placeOf: Placer): string {
  const lines = survived.map((one) => {
    const { file, line, column } = placeOf(one)
    const part = one.element === undefined ? '' : `, ${one.element}`
    return `${file}:${line}:${column}: "${one.object.name}", network ${one.network}${part}: ${one.before} -> ${one.after}: no test notices\n`
  })
  const missed = notReached.map(
    ({ block, changes }) => `"${block}": no test reaches it (${counted(changes, 'change')})\n`,
  )
  const tried = killed + survived.length
  const share = tried === 0 ? '' : ` (${((100 * killed) / tried).toFixed(1)} % noticed)`
  return `${[...lines, ...missed].join('')}${killed} of ${counted(tried, 'change')} noticed${share}, ${survived.length} survived, ${invalid} not compiling\n`
}

function jsonOf({ survived, killed, invalid, notReached }: MutationRun, placeOf: Placer): string {
  const survivors = survived.map((one) => {
    const { object, network, element, uId, before, after } = one
    return { ...placeOf(one), block: object.name, network, ...defined({ element, uId }), before, after }
  })
  return `${JSON.stringify({ killed, survived: survivors, invalid, notReached }, null, 2)}\n`
}
