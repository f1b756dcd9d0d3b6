/** Runs a block of tests on a private controller: it is called once, and its assertions decide. */
import { counted } from '../../lib/counted.ts'
import type { AssertionNote, AssertionSide } from '../library/test-notes.ts'
import { scalarNamed } from '../program/scalars.ts'
import type { ScalarType } from '../program/type.ts'
import { readText } from '../runtime/texts.ts'
import { CaseTrace } from './case-trace.ts'
import type { TestCase, TestValue } from './model.ts'
import { TrapError } from './private-controller.ts'
import { type CaseContext, type CaseResult, type Failure, LimitError, mostFailures, unknownText } from './run-case.ts'
import { shownValue, type TestVariable } from './variables.ts'

/** What a block of tests needs besides the context of a case. */
export interface BlockTestContext extends CaseContext {
  /** Variables of the trace. */
  readonly paths: readonly string[]
  /** Shows a value of a scalar type in memory. */
  readonly scalarText: (type: ScalarType, bytes: Uint8Array) => TestValue
}

/** Runs it from the start image on. Faults of the program are in the result. */
export function runBlockTest(context: BlockTestContext, { name, tags, place }: TestCase): CaseResult {
  const { controller, file, harness, clock } = context
  const begin = clock()
  const failures: Failure[] = []
  let assertions = 0
  let status: CaseResult['status'] = 'passed'
  const trace = new CaseTrace(controller)
  const look = () => {
    if (clock() - begin > file.maxWallMs) throw new LimitError(`The test takes longer than ${file.maxWallMs / 1000} s.`)
  }
  const side = (one: AssertionSide | undefined, address: number): string => {
    if (!one) return ''
    if (one.value !== undefined) return one.value
    if (address === 0) return wholeValue(context, one)
    const isText = one.type === 'String' || one.type === 'WString'
    if (isText) {
      const { memory } = controller
      const view = new DataView(memory.buffer)
      const isWide = one.type === 'WString'
      return `'${readText({ view, bytes: memory }, { address, isWide, isStandard: one.isStandard === true })}'`
    }
    const type = scalarNamed(one.type ?? '')
    if (!type) return ''
    const bytes = controller.memory.slice(address, address + Math.max(1, type.bits / 8))
    return shownValue(context.scalarText(type, bytes))
  }
  try {
    controller.restart({ cycle: file.cycle, look }, undefined, {
      assertion(holds, note, [one, two]) {
        assertions++
        if (holds || failures.length >= mostFailures) return
        const told = note()
        const [expected, actual] = [side(told.sides[0], one), side(told.sides[1], two)]
        const { block, network, line, column } = told
        failures.push({
          ...{ line, column, inBlock: { block, network }, step: 0, ...texts(told, expected, actual) },
          milliseconds: millisecondsOf(controller.now),
        })
      },
      runCycles(count) {
        for (let i = 0; i < count; i++) {
          if (controller.cycles >= file.maxCycles)
            throw new LimitError(`The test has run ${counted(file.maxCycles, 'cycle')} and has not ended.`)
          look()
          controller.cycle(true)
          trace.record()
        }
      },
      advance(milliseconds) {
        look()
        trace.record()
        controller.advance(milliseconds * 1_000_000n)
      },
    })
    for (const path of context.paths) {
      const found = variableOf(context, path)
      if (found) trace.add(path, found)
    }
    controller.startUp()
    controller.call(harness?.entry ?? file.block ?? '')
    trace.record()
    if (failures.length > 0) status = 'failed'
    else if (assertions === 0) {
      status = 'error'
      failures.push({ ...place, step: 0, message: `"${name}" asserts nothing: no Assert_… was reached.` })
    }
  } catch (error) {
    const isKnown = error instanceof LimitError || error instanceof TrapError
    status = 'error'
    failures.push({ ...place, step: 0, message: isKnown ? error.message : unknownText(error) })
  }
  return {
    ...{ file: file.path, name, tags, ...place, status, failures },
    ...{ cycles: controller.cycles, milliseconds: millisecondsOf(controller.now), wallMs: clock() - begin },
    trace: status === 'passed' ? [] : trace.lines(),
  }
}

function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / 1000n) / 1000
}

function texts({ function: called, sides, rule, message }: AssertionNote, expected: string, actual: string) {
  const path = sides[1]?.text ?? ''
  const own = message === undefined ? '' : ` ${message}`
  const by = rule.startsWith('near ') ? ` +/- ${rule.slice(5)}` : ''
  const what = path === '' ? `${called}:` : path
  if (expected === '' && actual === '')
    return { message: `${called}: ${path} and ${sides[0]?.text} differ.${own}`, path }
  return {
    message: `${what} is ${actual}; expected ${expected}${by}.${own}`,
    ...{ path, expected: `${expected}${by}`, actual },
  }
}

/** The value of a structure or array, where its name alone says where it is. */
function wholeValue(context: BlockTestContext, { text }: AssertionSide): string {
  const { controller } = context
  const found = variableOf(context, text)
  return found ? shownValue(found.read(controller.memory, controller.now)) : ''
}

function variableOf({ harness, find }: BlockTestContext, path: string): TestVariable | undefined {
  const [whole = '', quoted, plain = ''] = /^#(?:"([^"]+)"|(\w+))/.exec(path) ?? []
  const owner = whole === '' ? undefined : harness?.owners.get((quoted ?? plain).toLowerCase())
  // Temporaries are nowhere between two cycles.
  if (whole !== '' && !owner) return undefined
  try {
    return find(owner ? `"${owner.block}"."${owner.member}"${path.slice(whole.length)}` : path)
  } catch {
    // A trace without it is still a trace.
    return undefined
  }
}
