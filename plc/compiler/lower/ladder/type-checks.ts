/**
 * Checks of types and validity in the power flow, and jumps to one of several labels (TIA Portal help, "EQ_Type",
 * "IS_NULL", "OK", "JMP_LIST").
 *
 * No export with these instructions is known: names are those of the help, with and without `_`; operands are read from
 * all pins except those of the flow.
 */

import { and, binary, constant, isTrue, not } from '../../../ir/build.ts'
import type { Expression, Statement } from '../../../ir/ir.ts'
import { comparePins } from '../../../languages/ladder/canonical.ts'
import type { InstructionNode } from '../../../model/logic-network.ts'
import { Bool, DInt, LReal } from '../../../program/scalars.ts'
import { regionOf } from '../instructions/regions.ts'
import { readAs, readScalar } from '../reading.ts'
import { compareReferences, nullReference } from '../references.ts'
import { compareTypes, typeOfBlock, typeOfOperand, typeOrVariable } from '../type-questions.ts'
import type { Operand } from '../values.ts'
import { conditional } from './coils.ts'
import { jumpTarget } from './jump-target.ts'
import { flowValue, type InstructionLowering, type NetworkValues } from './network-values.ts'

const flowPins = ['pre', 'en', 'in']

/** The flow before a box; TRUE when nothing is wired. */
function flowBefore(
  network: NetworkValues,
  box: InstructionNode,
  operands: number,
): { flow: Expression | undefined; pins: string[] } {
  const pins = [...network.index.inputs(box.uId)].sort(comparePins)
  // When there is `pre` or `en`, a pin `in` is an operand.
  const pin = flowPins.find((one) => pins.includes(one) && pins.length > operands)
  return { flow: pin === undefined ? isTrue : network.flow(box, pin), pins: pins.filter((one) => one !== pin) }
}

/** Delivers `flow AND answer`. */
function question(
  count: number,
  answer: (network: NetworkValues, box: InstructionNode, operands: readonly Operand[]) => Expression | undefined,
): InstructionLowering {
  return (network, box) => {
    const { flow, pins } = flowBefore(network, box, count)
    if (!hasPins(network, box, pins, count)) return
    const operands = pins.map((pin) => network.input(box, pin))
    const value = operands.some(({ kind }) => kind === 'wrong') ? undefined : answer(network, box, operands)
    deliver(network, box, flow, value)
  }
}

function hasPins(network: NetworkValues, box: InstructionNode, pins: readonly string[], count: number): boolean {
  if (pins.length === count) return true
  const wanted = count === 1 ? 'one operand' : `${count} operands`
  network.report(box, 'wrong-part', `${box.name} asks for ${wanted}; it has the pins ${pins.join(', ') || 'none'}.`)
  return false
}

function deliver(
  network: NetworkValues,
  box: InstructionNode,
  flow: Expression | undefined,
  value: Expression | undefined,
): void {
  if (flow && value) network.deliver(box, 'out', flowValue(flow.kind === 'constant' ? value : and(flow, value)))
}

/** The type of the data block whose number is at the first pin; the second one has a variable or the name of a type. */
function sameBlockType(isEqual: boolean): InstructionLowering {
  return (network, box) => {
    const { context } = network
    const { flow, pins } = flowBefore(network, box, 2)
    if (!hasPins(network, box, pins, 2)) return
    const [first, second] = pins as [string, string]
    const at = network.at(box)
    const asked = typeOfBlock(context, box.name, network.input(box, first), at)
    const given = network.index.operandAt(box.uId, second)
    const type = given
      ? typeOrVariable(context, given, () => network.input(box, second), at)
      : typeOfOperand(context, 'TypeOf', network.input(box, second), at)
    if (!asked || !type) return
    const { statements, expression } = compareTypes(asked, type, isEqual)
    deliver(network, box, flow, sequence(statements, expression))
  }
}

function sameType(ofElements: boolean, isEqual: boolean): InstructionLowering {
  return question(2, (network, box, operands) => {
    const { context } = network
    const at = network.at(box)
    const [left, right] = operands.map((operand, i) => {
      // Only the first operand is an array whose elements are meant.
      const name = ofElements && i === 0 ? 'TypeOfElements' : 'TypeOf'
      return typeOfOperand(context, name, operand, at)
    })
    if (!left || !right) return undefined
    const { statements, expression } = compareTypes(left, right, isEqual)
    return sequence(statements, expression)
  })
}

function sequence(statements: readonly Statement[], value: Expression): Expression {
  return statements.length === 0 ? value : { kind: 'sequence', statements, value }
}

/** Whether a Variant or a reference points to nothing. */
function isNull(isAsked: boolean): InstructionLowering {
  return question(1, (network, box, [operand]) => {
    const at = network.at(box)
    if (!operand) return undefined
    const other = nullReference(network.context)
    const found = compareReferences(network.context, isAsked ? '=' : '<>', { operand, at }, { operand: other, at }, at)
    if (found?.kind === 'result') return found.expression
    if (!found) network.report(box, 'wrong-operand', `${box.name} asks a Variant or a reference.`)
    return undefined
  })
}

const isArray: InstructionLowering = question(1, (network, box, [operand]) => {
  const region = operand && regionOf(network.context, operand, network.at(box))
  return (
    region &&
    sequence(region.statements, {
      kind: 'routine',
      routine: 'variant.isArray',
      type: Bool,
      arguments: region.values,
      setsEno: false,
    })
  )
})

/** Whether a real is a valid number: neither infinite nor NaN. */
function isValid(isAsked: boolean): InstructionLowering {
  return question(1, (network, box, [operand]) => {
    const at = network.at(box)
    const own = operand && readScalar(network.context, operand, at)
    if (!operand || !own) return undefined
    if (own.type.family !== 'real') {
      network.report(box, 'wrong-operand', `${box.name} asks a real number, not a value of type ${own.type.name}.`)
      return undefined
    }
    const value = readAs(network.context, operand, LReal, at)
    if (!value) return undefined
    const kept = network.settle(value, LReal)
    // The difference of an invalid number with itself is NaN too.
    const valid = binary('equal', LReal, binary('subtract', LReal, kept, kept), constant(LReal, 0))
    return isAsked ? valid : not(valid)
  })
}

/**
 * JMP_LIST: jumps to the label at DEST0, DEST1 … by the number K; continues with the next network when there is none.
 */
const jumpList: InstructionLowering = (network, box) => {
  const { context } = network
  const at = network.at(box)
  const flow = network.isConnected(box, 'en') ? network.flow(box, 'en') : isTrue
  const pins = network.index.inputs(box.uId)
  const selector = pins.find((pin) => pin.toUpperCase() === 'K')
  const number = selector === undefined ? undefined : readAs(context, network.input(box, selector), DInt, at, 'For K')
  if (selector === undefined) network.report(box, 'wrong-part', `${box.name} needs the pin K.`)
  const branches = network.index
    .outputs(box.uId)
    .concat(pins)
    .flatMap((pin) => {
      const dest = /^DEST(\d{1,3})$/i.exec(pin)?.[1]
      if (dest === undefined) return []
      const target = jumpTarget(network, box, pin)
      if (!target) return []
      return [{ ranges: [[BigInt(dest), BigInt(dest)] as const], body: [target] }]
    })
  if (!flow || !number) return
  const kept = network.settle(flow)
  const jump: Statement = {
    kind: 'switch',
    selector: number,
    type: DInt,
    branches,
    otherwise: [],
    site: context.site(at),
  }
  network.emit(...conditional(network, box, kept, [jump]))
}

const named = (name: string, lowering: InstructionLowering): [string, InstructionLowering][] => [
  [name, lowering],
  [name.replaceAll('_', ''), lowering],
  [name.toUpperCase(), lowering],
]

export const typeChecks: Readonly<Record<string, InstructionLowering>> = Object.fromEntries([
  ...named('Eq_Type', sameType(false, true)),
  ...named('EQ_Type', sameType(false, true)),
  ...named('Ne_Type', sameType(false, false)),
  ...named('NE_Type', sameType(false, false)),
  ...named('Eq_ElemType', sameType(true, true)),
  ...named('EQ_ElemType', sameType(true, true)),
  ...named('Ne_ElemType', sameType(true, false)),
  ...named('NE_ElemType', sameType(true, false)),
  ...named('EQ_TypeOfDB', sameBlockType(true)),
  ...named('Eq_TypeOfDB', sameBlockType(true)),
  ...named('NE_TypeOfDB', sameBlockType(false)),
  ...named('Ne_TypeOfDB', sameBlockType(false)),
  ...named('Is_Null', isNull(true)),
  ...named('Not_Null', isNull(false)),
  ...named('Is_Array', isArray),
  ...named('OK', isValid(true)),
  ...named('Ok', isValid(true)),
  ...named('Not_OK', isValid(false)),
  ...named('Not_Ok', isValid(false)),
  ...named('Jmp_List', jumpList),
  ...named('JumpList', jumpList),
])
