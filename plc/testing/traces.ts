/**
 * What system blocks do over time, in a YAML file beside the test: each scenario calls blocks in a program and tells
 * what changed in each scan. `UPDATE_SNAPSHOTS=1` records the traces; read the difference before it is kept.
 *
 *     - title: MC_Halt stops with the deceleration of the axis
 *       objects: { M: TO_PositioningAxis }       # data blocks
 *       variables: 'p : MC_Power; h : MC_Halt; x : Bool;'
 *       body: '#p(Axis := "M", Enable := TRUE); #h(Axis := "M", Execute := #x);'
 *       watch: [h, M.Velocity]                   # of an instance: all that the program reads and does not set
 *       steps: [2, { set: { x: true } }, 5]      # scans; before some of them values are set
 *       cycle: 10                                # milliseconds between two scans
 *       trace: |
 *         20  h.Busy 1
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDocument, Scalar } from 'yaml'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { systemTypeNamed } from '../program/system-types.ts'
import { runSource } from './lower-source.ts'

interface Scenario {
  readonly title: string
  readonly types?: string
  readonly objects?: Readonly<Record<string, string>>
  readonly variables: string
  readonly body: string
  readonly watch: readonly string[]
  /** Values that are there when the trace begins. */
  readonly before?: Readonly<Record<string, number | boolean>>
  readonly steps: readonly (number | { readonly set: Readonly<Record<string, number | boolean>> })[]
  readonly cycle?: number
  readonly trace?: string
}

/** Real numbers with six digits: what follows may differ from one processor to the next. */
const shown = (value: unknown) =>
  typeof value !== 'number' || Number.isInteger(value)
    ? (JSON.stringify(value) ?? '')
    : String(Number(value.toPrecision(6)))

/** Runs a scenario; returns a line for each scan that changes something: milliseconds, names and values. */
function traceOf({
  types = '',
  objects = {},
  variables,
  body,
  watch,
  before = {},
  steps,
  cycle = 10,
}: Scenario): string {
  const blocks = Object.entries(objects).map(([name, type]) => `DATA_BLOCK "${name}"\n${type}\nBEGIN\nEND_DATA_BLOCK\n`)
  const run = runSource(
    `${types}${blocks.join('')}FUNCTION_BLOCK "Main"\nVAR ${variables} END_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`,
  )
  /** The data block and the member of a name. */
  const place = (name: string): [path: string, block: string] => {
    const [first = '', ...rest] = name.split('.')
    return first in objects ? [rest.join('.'), first] : [name, 'Main_DB']
  }
  const given = new Set(steps.flatMap((step) => (typeof step === 'number' ? [] : Object.keys(step.set))))
  const watched = watch
    .flatMap((name) => {
      const [, type = ''] = new RegExp(`\\b${name} *: *(\\w+)`).exec(variables) ?? []
      const members = systemTypeNamed(type)?.members.filter(({ isHidden, section }) => !isHidden && section !== 'Input')
      return members?.filter(({ dataType }) => isScalar(dataType)).map((member) => `${name}.${member.name}`) ?? [name]
    })
    .filter((name) => !given.has(name))
  const set = (values: Readonly<Record<string, number | boolean>>) => {
    for (const [name, value] of Object.entries(values)) {
      const [path, block] = place(name)
      run.set(path, value, block)
    }
  }
  set(before)
  const last = new Map(watched.map((name) => [name, shown(run.get(...place(name)))]))
  const lines: string[] = []
  let now = 0
  for (const step of steps) {
    if (typeof step !== 'number') {
      set(step.set)
      continue
    }
    for (let scan = 0; scan < step; scan++) {
      now += cycle
      run.clock.advanceMilliseconds(cycle)
      run.scan()
      const changes: string[] = []
      for (const name of watched) {
        const value = shown(run.get(...place(name)))
        if (value !== last.get(name)) changes.push(`${name} ${value}`)
        last.set(name, value)
      }
      if (changes.length > 0) lines.push(`${now}  ${changes.join(', ')}`)
    }
  }
  assert.deepEqual(run.faults, [])
  return `${lines.join('\n')}\n`
}

function isScalar(type: string): boolean {
  return /^(Bool|Byte|[DL]?Word|U?[SD]?Int|[UL]*Int|L?Real|L?Time|S5Time|Char|String)$/i.test(type)
}

/** A test for each scenario of a file beside a test. @param at `import.meta.url` of the test */
export function testTraces(at: string, name: string): void {
  const document = parseDocument(fixtureText(at, name))
  assert.deepEqual(document.errors, [])
  const scenarios = document.toJS() as Scenario[]
  if (process.env.UPDATE_SNAPSHOTS) {
    for (const [index, scenario] of scenarios.entries()) {
      const trace = new Scalar(traceOf(scenario))
      trace.type = 'BLOCK_LITERAL'
      document.setIn([index, 'trace'], trace)
    }
    assertRecorded(at, name, document.toString({ lineWidth: 0 }))
    return
  }
  for (const scenario of scenarios) test(scenario.title, () => assert.equal(traceOf(scenario), scenario.trace))
}
