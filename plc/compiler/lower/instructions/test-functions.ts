/**
 * The functions of the library GantryTest: assertions, cycles and time in blocks whose name begins with `Test_`. They
 * have an effect where tests run (runtime/test-functions.ts), and none on any other controller.
 */
import { address, binary, convert, local, not, setLocal, store } from '../../../ir/build.ts'
import type { Expression, Statement } from '../../../ir/ir.ts'
import { isTestName } from '../../../library/gantry-test.ts'
import type { AssertionNote, AssertionSide } from '../../../library/test-notes.ts'
import { ownType } from '../../../program/constants.ts'
import { Bool, DInt, LInt, LReal, LTime, Time } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import type { BlockContext } from '../block-context.ts'
import type { Instruction, InstructionCall } from '../instruction.ts'
import { textOf } from '../operands.ts'
import { comparison } from '../operators.ts'
import { readAs, readScalar } from '../reading.ts'
import type { Called } from '../values.ts'
import { type BoundCall, type Given, instruction, nothing, number, valueAs } from './arguments.ts'

/** A value of an assertion: where the host reads it when the assertion fails, and what it is. */
interface Shown {
  readonly side: AssertionSide
  readonly place: Expression
  readonly statements: readonly Statement[]
}

function shown(context: BlockContext, { operand, at }: Given, type?: ScalarType): Shown {
  const text = textOf(operand)
  const none = { place: number(0), statements: [] }
  if (operand.kind === 'constant') return { side: { text, value: operand.text }, ...none }
  if (operand.kind !== 'result' && operand.kind !== 'variable') return { side: { text }, ...none }
  if (operand.kind === 'variable' && operand.type.kind === 'string' && operand.at.kind === 'place') {
    const { place } = operand.at
    const side = { text, type: operand.type.isWide ? 'WString' : 'String', isStandard: place.isStandard }
    return { side, place: address(place), statements: [] }
  }
  if (operand.kind === 'variable' && operand.type.kind !== 'scalar')
    return { side: { text, type: typeName(operand.type) }, ...none }
  const value = readScalar(context, operand, at)
  if (!value) return { side: { text }, ...none }
  const place = context.frame(value.type)
  return {
    side: { text: operand.kind === 'result' ? '' : text, type: (type ?? value.type).name },
    place: address(place),
    statements: [store(value.type, place, value.expression)],
  }
}

/** Reports the result of an assertion to the host. */
function assertion(bound: BoundCall, condition: Expression, sides: readonly Shown[], rule: string): Called {
  const { context, call } = bound
  const message = bound.optional('MESSAGE')
  const written = message && constantText(bound, message)
  if (message && written === undefined) return nothing
  const note: AssertionNote = {
    block: context.block.name,
    network: context.network,
    line: call.at.line ?? 1,
    column: call.at.column ?? 1,
    function: call.name,
    rule,
    sides: sides.map(({ side }) => side),
    ...(written === undefined ? {} : { message: written }),
  }
  const bytes = Buffer.from(JSON.stringify(note))
  const info = address({ base: { kind: 'constant', bytes }, offset: 0, indices: [], isStandard: false })
  const holds = context.local(Bool)
  const [one, two] = [sides[0]?.place ?? number(0), sides[1]?.place ?? number(0)]
  return {
    statements: [
      // The condition first: values are shown as they were when it was evaluated.
      setLocal(holds, condition),
      ...sides.flatMap(({ statements }) => statements),
      {
        kind: 'routine',
        routine: 'test.assert',
        arguments: [local(Bool, holds), info, number(bytes.length), one, two],
        setsEno: false,
      },
    ],
    value: { kind: 'result', type: Bool, expression: local(Bool, holds) },
  }
}

/** The text of a constant; anything else is reported. */
function constantText({ context, call }: BoundCall, { operand, at, name }: Given): string | undefined {
  if (operand.kind === 'constant' && typeof operand.value === 'string') return operand.value
  if (operand.kind !== 'wrong')
    context.report('wrong-operand', at, `${name} of ${call.name} is a constant text, as 'ready'.`)
  return undefined
}

const equal: Instruction = instruction('EXPECTED ACTUAL ?MESSAGE', (bound) => {
  const { context, call } = bound
  const [expected, actual] = [bound.given('EXPECTED'), bound.given('ACTUAL')]
  const result = comparison(context, '=', expected, actual, call.at, false)
  if (result.kind !== 'result') return nothing
  const sides = [shown(context, expected), shown(context, actual)]
  return assertion(bound, result.expression, sides, 'equal')
})

/** The one type in which three values are compared: times as LInt, numbers as LReal. */
function nearType(context: BlockContext, values: readonly Given[]): ScalarType | undefined {
  const typeOf = ({ operand }: Given): ScalarType | undefined => {
    if (operand.kind === 'constant') return ownType(operand)
    if (operand.kind === 'result') return operand.type
    return operand.kind === 'variable' && operand.type.kind === 'scalar' ? operand.type : undefined
  }
  const types = values.map(typeOf)
  const first = types.find((type) => type === Time || type === LTime)
  if (first) return first
  for (const [i, type] of types.entries()) {
    const given = values[i] as Given
    if (type && (type.family === 'real' || type.family === 'integer')) continue
    if (given.operand.kind !== 'wrong')
      context.report('wrong-operand', given.at, `${given.name} of Assert_Near is a number or a time.`)
    return undefined
  }
  return LReal
}

function wide(context: BlockContext, { operand, at, name }: Given, type: ScalarType): Expression | undefined {
  const what = `For parameter "${name}"`
  if (type !== LReal) {
    const value = readAs(context, operand, type, at, what)
    return value && convert(value, type, LInt)
  }
  if (operand.kind === 'constant') return readAs(context, operand, LReal, at, what)
  const value = readScalar(context, operand, at)
  return value && convert(value.expression, value.type, LReal)
}

const near: Instruction = instruction('EXPECTED ACTUAL TOLERANCE ?MESSAGE', (bound) => {
  const { context } = bound
  const given = [bound.given('EXPECTED'), bound.given('ACTUAL'), bound.given('TOLERANCE')] as const
  const type = nearType(context, given)
  if (!type) return nothing
  const [expected, actual, tolerance] = given.map((one) => wide(context, one, type))
  if (!expected || !actual || !tolerance) return nothing
  const as = type === LReal ? LReal : LInt
  const distance: Expression = {
    kind: 'unary',
    operator: 'abs',
    type: as,
    operand: binary('subtract', as, actual, expected),
  }
  const sides = [shown(context, given[0]), shown(context, given[1])]
  return assertion(bound, binary('lessOrEqual', as, distance, tolerance), sides, `near ${textOf(given[2].operand)}`)
})

function truth(wanted: boolean): Instruction {
  return instruction('CONDITION ?MESSAGE', (bound) => {
    const condition = bound.given('CONDITION')
    const value = valueAs(bound, condition, Bool)
    if (!value) return nothing
    const expected: Shown = { side: { text: '', value: wanted ? 'TRUE' : 'FALSE' }, place: number(0), statements: [] }
    return assertion(bound, wanted ? value : not(value), [expected, shown(bound.context, condition)], 'equal')
  })
}

function effect(name: string, type: ScalarType, parameter: string): Instruction {
  return instruction(parameter, (bound) => {
    const value = valueAs(bound, bound.given(parameter), type)
    if (!value) return nothing
    const argument = convert(value, type, LInt)
    return { statements: [{ kind: 'routine', routine: name, arguments: [argument], setsEno: false }] }
  })
}

/** Who compiles the tests replaces the block before; here only the names are checked. */
const stub: Instruction = instruction('BLOCK BY', (bound) => {
  for (const name of ['BLOCK', 'BY']) {
    const given = bound.given(name)
    const text = constantText(bound, given)
    if (text !== undefined && !isBlock(bound.context, text))
      bound.context.report(
        'undeclared',
        given.at,
        `There is no block "${text}" in the program.`,
        "Write Stub(BLOCK := 'Valve', BY := 'Valve_Stub').",
      )
  }
  return nothing
})

function isBlock({ program }: BlockContext, name: string): boolean {
  return program.blocks.has(name.toLowerCase())
}

/** Only blocks of tests have these functions. */
function inTests(work: Instruction): Instruction {
  return (call: InstructionCall): Called => {
    if (isTestName(call.context.block.name)) return work(call)
    call.context.report(
      'unknown-instruction',
      call.at,
      `${call.name} is a function of GantryTest: it stands in function blocks and functions whose name begins with Test_.`,
    )
    return nothing
  }
}

/** By name in upper case. */
export const testFunctions: Readonly<Record<string, Instruction>> = {
  ASSERT_EQUAL: inTests(equal),
  ASSERT_NEAR: inTests(near),
  ASSERT_TRUE: inTests(truth(true)),
  ASSERT_FALSE: inTests(truth(false)),
  RUN_CYCLES: inTests(effect('test.cycles', DInt, 'CYCLES')),
  ADVANCE: inTests(effect('test.advance', Time, 'DURATION')),
  STUB: inTests(stub),
}

/**
 * Whether a name in quotes is a function of GantryTest: blocks of tests that TIA Portal compiles too call its functions
 * as blocks of the program.
 */
export function isTestFunction({ block }: BlockContext, name: string): boolean {
  return isTestName(block.name) && Object.hasOwn(testFunctions, name.toUpperCase())
}
