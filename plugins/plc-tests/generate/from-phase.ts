/** Tests of the block of a phase of a design spec: each row of the state table in each step, as cases. */
import type { PhaseScript, phaseScripts, ScriptItem } from '../../design-spec/index.ts'
import { expectedValue, fileName, type MadeCase, type MadeFile, type MadeStep, pathOf, testText } from './yaml.ts'

type Scripted = Awaited<ReturnType<typeof phaseScripts>>[number]
type Scan = Extract<ScriptItem, { kind: 'scan' }>

/** Scans of a phase that become tests, as the check of phases has it. */
export const mostScans = 10_000

/**
 * The check of a design spec puts the block back to an earlier state between its rows; here each row is a case that
 * goes on `after` the case that leads to that state.
 */
export function phaseTests({ blockName, script, rules }: Scripted, sourceName: string): MadeFile {
  const cases: MadeCase[] = []
  const names = new Map<string, number>()
  const states: (string | undefined)[] = []
  let after: string | undefined
  let steps: MadeStep[] = []
  let first: Scan | undefined
  const close = () => {
    if (steps.length === 0) return
    const title =
      first === undefined ? 'time passes' : `${first.row}, ${first.step === 0 ? 'idle' : `step ${first.step}`}`
    const count = (names.get(title) ?? 0) + 1
    names.set(title, count)
    const name = count === 1 ? title : `${title} (${count})`
    cases.push({ name, ...(after === undefined ? {} : { after }), tags: [first?.row ?? 'time'], steps })
    after = name
    steps = []
    first = undefined
  }
  for (const item of script.items)
    if (item.kind === 'save') {
      close()
      states.push(after)
    } else if (item.kind === 'restore') {
      close()
      after = states.pop()
    } else if (item.kind === 'elapse') steps.push({ wait: `T#${item.milliseconds}ms` })
    else {
      // A scan of another row or step begins a case of its own, so that a failure is named by its row.
      if (first !== undefined && (first.row !== item.row || first.step !== item.step)) close()
      first ??= item
      steps.push(stepOf(item, script))
    }
  close()
  const rows = script.rows.map((row) => `${row}: ${rules[row] ?? ''}`)
  const head = `Made from the design spec ${sourceName}, phase ${script.phase}. Rows of its state table:\n${rows.join('\n')}`
  return {
    name: fileName(blockName),
    content: testText({ block: blockName, cycle: 'T#1ms', cases }, head),
    cases: cases.length,
    notes: notesOf(script),
  }
}

function stepOf({ write, expect, must, open }: Scan, { timer }: PhaseScript): MadeStep {
  const free = new Set([...open.map(pathOf), ...(timer === undefined ? [] : [pathOf([timer])])])
  const compared = [...must, ...expect].filter(([path]) => !free.has(pathOf(path)))
  const values = <T>(list: readonly (readonly [readonly string[], T])[]) =>
    Object.fromEntries(list.map(([path, value]) => [pathOf(path), value]))
  return {
    ...(write.length === 0 ? {} : { set: values(write) }),
    run: '1 cycle',
    ...(compared.length === 0
      ? {}
      : { expect: values(compared.map(([path, value]) => [path, expectedValue(value)] as const)) }),
  }
}

function notesOf({ phase, steps, missing, isCut }: PhaseScript): string[] {
  return [
    ...(isCut ? [`${phase}: the limit of scans is reached; what follows has no tests.`] : []),
    ...missing.map(({ row, reason }) => `${phase}: ${row}: ${reason}`),
    ...steps.flatMap(({ number, reason, missed }) => [
      ...(reason === undefined ? [] : [`${phase}, step ${number}: ${reason}`]),
      ...Object.entries(missed).map(([row, why]) => `${phase}, step ${number}, ${row}: ${why}`),
    ]),
  ]
}
