/** A regression test from a recorded trace: inputs are set as they were, and the other values must be as they were. */
import { parse } from 'csv-parse/sync'
import { counted } from '../../../lib/counted.ts'
import { anyOf } from '../../../lib/wildcard.ts'
import type { TestValue } from '../../../plc/program-tests/model.ts'
import { expectedValue, fileName, type MadeFile, type MadeStep, testText } from './yaml.ts'

/** A recorded trace: samples at the ends of cycles, oldest first. */
export interface RecordedTrace {
  readonly tags: readonly string[]
  readonly samples: readonly { readonly cycle: number; readonly time: number; readonly values: readonly TestValue[] }[]
}

/** What a trace cannot be made a test of. */
export class TraceError extends Error {
  override readonly name = 'TraceError'
}

/**
 * Reads a trace as CSV: `cycle`, `time` (ISO 8601), then a column for each tag, as controllers give it.
 * @throws TraceError with the line
 */
export function readTrace(text: string): RecordedTrace {
  let rows: string[][]
  try {
    rows = parse(text, { bom: true, skip_empty_lines: true }) as string[][]
  } catch (error) {
    throw new TraceError((error as Error).message)
  }
  const [head = [], ...lines] = rows
  if (head[0] !== 'cycle' || head[1] !== 'time' || head.length < 3)
    throw new TraceError(
      'line 1: the columns are cycle, time, and then one tag each, as GET …/trace?format=csv gives them.',
    )
  const samples = lines.map(([cycle = '', time = '', ...cells], i) => {
    const at = Date.parse(time)
    if (!/^\d+$/.test(cycle) || !Number.isFinite(at))
      throw new TraceError(`line ${i + 2}: "${cycle}" and "${time}" are no cycle and time.`)
    return { cycle: Number(cycle), time: at, values: cells.map(cellValue) }
  })
  return { tags: head.slice(2), samples }
}

function cellValue(cell: string): TestValue {
  // Bools are written so too; as texts they fit Bool and numbers.
  if (cell === '0' || cell === '1') return cell
  if (/^[[{]/.test(cell))
    try {
      return JSON.parse(cell) as TestValue
    } catch {
      return cell
    }
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell) ? Number(cell) : cell
}

export interface TraceTestOptions {
  readonly name: string
  /** Names of tags that come from outside, with `*`; absent: tags with an input address. */
  readonly inputs?: readonly string[]
  readonly isInput: (tag: string) => boolean
}

/**
 * Makes the test: the first sample is what is given, each later one is reached by its inputs and cycles.
 * @throws TraceError when no tag is an input, or there are fewer than two samples
 */
export function traceTest({ tags, samples }: RecordedTrace, { name, inputs, isInput }: TraceTestOptions): MadeFile {
  const [first, ...rest] = samples
  if (!first || rest.length === 0) throw new TraceError('the trace has fewer than two samples.')
  const isNamed = inputs && anyOf(inputs.map((one) => one.toLowerCase()))
  const driven = tags.map((tag) => (isNamed ? isNamed(tag.toLowerCase()) : isInput(tag)))
  if (!driven.includes(true))
    throw new TraceError(
      `no tag of the trace is an input: name those that come from outside with --inputs. It has ${tags.slice(0, 20).join(', ')}.`,
    )
  if (!driven.includes(false)) throw new TraceError('all tags of the trace are inputs: nothing is left to be expected.')
  const last = rest.at(-1) ?? first
  const cycleMs = Math.max(0.001, (last.time - first.time) / Math.max(1, last.cycle - first.cycle))
  const pick = (values: readonly TestValue[], wanted: boolean, before?: readonly TestValue[]) =>
    Object.fromEntries(
      tags.flatMap((tag, i) => {
        const value = values[i] ?? null
        const isSame = before !== undefined && JSON.stringify(before[i]) === JSON.stringify(value)
        return driven[i] === wanted && !isSame ? [[tag, value] as const] : []
      }),
    )
  const steps: MadeStep[] = []
  let before = first
  let cycles = 0
  for (const [i, sample] of rest.entries()) {
    cycles += sample.cycle - before.cycle
    const next = rest[i + 1]
    const set = pick(sample.values, true, before.values)
    const changed = pick(sample.values, false, before.values)
    before = sample
    // Samples in which nothing changes and before which nothing is set are one run.
    const isQuiet = next !== undefined && Object.keys(set).length + Object.keys(changed).length === 0
    if (
      isQuiet &&
      Object.keys(pick(next.values, true, sample.values)).length === 0 &&
      Object.keys(pick(next.values, false, sample.values)).length === 0
    )
      continue
    const expect = Object.entries(next === undefined ? pick(sample.values, false) : changed)
    steps.push({
      ...(Object.keys(set).length === 0 ? {} : { set }),
      run: counted(cycles, 'cycle'),
      ...(expect.length === 0
        ? {}
        : { expect: Object.fromEntries(expect.map(([tag, value]) => [tag, recorded(value)])) }),
    })
    cycles = 0
  }
  const given = Object.fromEntries(tags.map((tag, i) => [tag, first.values[i] ?? null]))
  const made = {
    program: true as const,
    cycle: `LT#${Math.max(1, Math.round(cycleMs * 1000))}us`,
    cases: [{ name: `as recorded: ${name}`, tags: ['recorded'], given, steps }],
  }
  const notes = [
    'Values that the trace does not have begin with their start values: record what the program remembers too.',
  ]
  return {
    name: fileName(name),
    content: testText(made, `Made from a recorded trace: ${counted(samples.length, 'sample')}.`),
    cases: 1,
    notes,
  }
}

/** Fractions differ in the last digits where another version rounds otherwise. */
function recorded(value: TestValue): unknown {
  if (typeof value === 'number' && !Number.isInteger(value))
    return { near: value, by: Number((Math.abs(value) * 1e-4).toPrecision(2)) }
  return expectedValue(value)
}
