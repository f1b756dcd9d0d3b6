/** Boxes that compute a value: math, word logic, comparison of limits, conversion, shifts, selection, move, Calc. */

import { constant } from '../../../ir/build.ts'
import { comparePins } from '../../../languages/ladder/canonical.ts'
import type { InstructionNode } from '../../../model/logic-network.ts'
import { Bool, LReal, scalarNamed } from '../../../program/scalars.ts'
import { withEnable } from '../enable.ts'
import { findInstruction } from '../instructions.ts'
import type { ArithmeticOperator, LogicOperator } from '../operator-names.ts'
import { arithmetic, logic, power, unary } from '../operators.ts'
import { load, readScalar } from '../reading.ts'
import { lowerSclExpression } from '../scl-expressions.ts'
import type { Called, Side } from '../values.ts'
import { type Operand, wrong } from '../values.ts'
import type { InstructionLowering, NetworkValues } from './network-values.ts'
import { inType } from './pin-types.ts'

/** Value of a template that names a type, e.g. `SrcType`. */
function template(box: InstructionNode, ...names: readonly string[]): string | undefined {
  const known = names.map((name) => name.toLowerCase())
  return box.templates.find(({ name }) => known.includes(name.toLowerCase()))?.value
}

/** Inputs of a box except EN, in the order of their numbers. */
function inputPins(network: NetworkValues, box: InstructionNode): string[] {
  return network.index
    .inputs(box.uId)
    .filter((pin) => pin.toLowerCase() !== 'en')
    .sort(comparePins)
}

function side(network: NetworkValues, box: InstructionNode, pin: string): Side {
  return { operand: inType(network.context, box, network.input(box, pin), 'SrcType', pin), at: network.at(box) }
}

/** `in1 … inN`: the wired inputs, and those that the cardinality or the instruction requires. */
function numberedSides(network: NetworkValues, box: InstructionNode, least: number): Side[] {
  const card = Number(template(box, 'Card') ?? 0)
  const last = Number(network.index.numbered(inputPins(network, box), 'in').numbered.at(-1)?.slice(2) ?? 0)
  const count = Math.max(least, last, Number.isInteger(card) ? Math.min(card, 1000) : 0)
  return Array.from({ length: count }, (_one, i) => side(network, box, `in${i + 1}`))
}

/** Delivers a value at `out`, evaluated under EN. */
function valueBox(
  value: (network: NetworkValues, box: InstructionNode) => Operand,
  cannotFail = false,
): InstructionLowering {
  return (network, box) => network.enabled(box, { cannotFail }, () => network.deliver(box, 'out', value(network, box)))
}

function folded(
  network: NetworkValues,
  box: InstructionNode,
  sides: readonly Side[],
  operate: (left: Side, right: Side) => Operand,
): Operand {
  const at = network.at(box)
  const [first, ...rest] = sides
  if (!first) return wrong
  let value = first.operand
  // A faulty input is already reported; the others are still checked.
  for (const other of rest) value = operate({ operand: value, at }, other)
  return value
}

function calculation(operator: ArithmeticOperator): InstructionLowering {
  return valueBox((network, box) =>
    folded(network, box, numberedSides(network, box, 2), (left, right) =>
      arithmetic(network.context, operator, left, right, network.at(box)),
    ),
  )
}

function wordLogic(operator: LogicOperator): InstructionLowering {
  return valueBox(
    (network, box) =>
      folded(network, box, numberedSides(network, box, 2), (left, right) =>
        logic(network.context, operator, left, right, network.at(box)),
      ),
    true,
  )
}

/** Adds 1 to an operand or subtracts 1. */
function step(operator: '+' | '-'): InstructionLowering {
  return (network, box) =>
    network.enabled(box, {}, () => {
      const at = network.at(box)
      const operand = network.target(box, 'operand')
      const value = readScalar(network.context, operand, at)
      if (!value) return
      const isNumber = value.type.family === 'integer' || value.type.family === 'bits'
      if (!isNumber) {
        network.report(box, 'wrong-operand', `${box.name} counts whole numbers, not values of type ${value.type.name}.`)
        return
      }
      const one: Operand = { kind: 'result', type: value.type, expression: constant(value.type, 1n) }
      network.write(box, operand, arithmetic(network.context, operator, { operand, at }, { operand: one, at }, at))
    })
}

/** Copies one value to any number of operands. */
const move: InstructionLowering = (network, box) =>
  network.enabled(box, { cannotFail: true }, () => {
    const value = network.input(box, 'in')
    const outputs = network.index.outputs(box.uId).filter((pin) => pin.toLowerCase() !== 'eno')
    const kept: Operand =
      outputs.length > 1 && value.kind === 'result'
        ? { ...value, expression: network.settle(value.expression, value.type) }
        : value
    for (const pin of outputs.sort(comparePins)) network.deliver(box, pin, kept, true)
  })

interface Mapped {
  readonly instruction: string
  /** The parameter for each pin. */
  readonly pins: Readonly<Record<string, string>>
  /** The template with the type of each pin. */
  readonly types?: Readonly<Record<string, string>>
  readonly cannotFail?: boolean
}

/** Calls an instruction of the shared table with its pins as arguments by name. */
function callNamed(
  network: NetworkValues,
  box: InstructionNode,
  name: string,
  values: readonly { readonly name: string; readonly operand: Operand }[],
): Called {
  const at = network.at(box)
  const instruction = findInstruction(name)
  if (!instruction) {
    network.report(box, 'unknown-part', `The instruction ${box.name} cannot be compiled.`, `It stands for ${name}.`)
    return { statements: [] }
  }
  const given = values.map((value) => ({ ...value, isOutput: false, at }))
  return instruction({ context: network.context, name, at, arguments: given })
}

function mapped({ instruction, pins, types = {}, cannotFail = false }: Mapped): InstructionLowering {
  return (network, box) =>
    network.enabled(box, { cannotFail }, () => {
      const values = Object.entries(pins).map(([pin, name]) => {
        const operand = network.input(box, pin)
        const type = types[pin]
        return { name, operand: type === undefined ? operand : inType(network.context, box, operand, type, pin) }
      })
      const { statements, value } = callNamed(network, box, instruction, values)
      network.emit(...statements)
      if (value) network.deliver(box, 'out', value)
    })
}

/** A function of `in` alone. */
function ofOne(instruction: string, cannotFail = false): InstructionLowering {
  return mapped({ instruction, pins: { in: 'IN' }, types: { in: 'SrcType' }, cannotFail })
}

function shift(instruction: string): InstructionLowering {
  return mapped({ instruction, pins: { in: 'IN', n: 'N' }, types: { in: 'SrcType' }, cannotFail: true })
}

/** MIN or MAX of all inputs. */
function extreme(instruction: string): InstructionLowering {
  return (network, box) =>
    network.enabled(box, {}, () => {
      const values = numberedSides(network, box, 2).map(({ operand }, i) => ({ name: `IN${i + 1}`, operand }))
      const { statements, value } = callNamed(network, box, instruction, values)
      network.emit(...statements)
      if (value) network.deliver(box, 'out', value)
    })
}

/** `Convert` from SrcType to DestType; ROUND and similar boxes to DestType. */
function conversion(rounding?: string): InstructionLowering {
  return (network, box) =>
    network.enabled(box, {}, () => {
      const operand = network.input(box, 'in')
      const [from, to] = [template(box, 'SrcType'), template(box, 'DestType')]
      if (operand.kind === 'wrong') return
      if (from === undefined || to === undefined) {
        const missing = from === undefined ? 'SrcType' : 'DestType'
        network.report(box, 'wrong-part', `${box.name} needs the template ${missing}.`)
        return
      }
      const isSame = from.toLowerCase() === to.toLowerCase()
      if (isSame && rounding === undefined) {
        network.deliver(box, 'out', inType(network.context, box, operand, 'SrcType', 'in'))
        return
      }
      const name = rounding === undefined ? `${from}_TO_${to}` : `${rounding}_${to}`
      const value = rounding === undefined ? operand : inType(network.context, box, operand, 'SrcType', 'in')
      const called = callNamed(network, box, name.toUpperCase(), [{ name: 'IN', operand: value }])
      network.emit(...called.statements)
      if (called.value) network.deliver(box, 'out', called.value)
    })
}

/** `in1 ** in2` */
const exponent: InstructionLowering = valueBox((network, box) => {
  const [base, by] = [side(network, box, 'in1'), side(network, box, 'in2')]
  return power(network.context, base, by, network.at(box))
})

/**
 * The formula of a Calc box is an SCL expression of its inputs, which have the type of the box. When one of its
 * operations fails, nothing is transferred to OUT (help page "CALCULATE: Calculate"); without ENO nothing is checked.
 */
const calc: InstructionLowering = (network, box) =>
  network.enabled(box, {}, () => {
    const inputs = new Map<string, Operand>()
    for (const pin of inputPins(network, box)) inputs.set(pin.toUpperCase(), side(network, box, pin).operand)
    if (box.equation === undefined || box.equation.trim() === '') {
      network.report(box, 'wrong-part', 'The Calc box has no formula.', 'E.g. (IN1 + IN2) / IN3.')
      return
    }
    const { context } = network
    const { equation } = box
    const at = network.at(box)
    const run = (): Called => {
      const { statements, value } = lowerSclExpression(context, equation, inputs, at)
      return value.kind === 'wrong' || value.kind === 'block' ? { statements } : { statements, value }
    }
    if (box.disabledEno === true) {
      const { statements, value } = run()
      network.emit(...statements)
      if (value) network.deliver(box, 'out', value)
      return
    }
    const eno = network.register(Bool, 'the ENO of the formula')
    const { statements, value } = withEnable(context, [{ name: 'ENO', isOutput: true, operand: eno, at }], false, run)
    network.emit(...statements)
    if (value) network.deliver(box, 'out', value, false, load(eno))
  })

function one(operator: '-' | 'NOT'): InstructionLowering {
  return valueBox((network, box) => unary(network.context, operator, side(network, box, 'in'), network.at(box)))
}

/** NORM_X and SCALE_X have the type of their result in DestType. */
function scaled(instruction: string, limits: 'SrcType' | 'DestType', value: 'SrcType'): InstructionLowering {
  const named = (name: string) =>
    mapped({
      instruction: name,
      pins: { min: 'MIN', value: 'VALUE', max: 'MAX' },
      types: { min: limits, value, max: limits },
    })
  const [usual, precise] = [named(instruction), named(`${instruction}_LREAL`)]
  return (network, box) => {
    const type = template(box, 'DestType')
    const found = type === undefined ? undefined : scalarNamed(type)
    if (found === LReal) precise(network, box)
    else if (type === undefined || found) usual(network, box)
    else network.report(box, 'wrong-part', `${box.name} cannot give values of type ${type}.`)
  }
}

/**
 * Boxes whose names differ from those of their instructions. Others are looked up by their own name (block-calls.ts).
 */
export const valueBoxes: Readonly<Record<string, InstructionLowering>> = {
  Add: calculation('+'),
  Sub: calculation('-'),
  Mul: calculation('*'),
  Div: calculation('/'),
  Mod: calculation('MOD'),
  And: wordLogic('AND'),
  Or: wordLogic('OR'),
  Xor: wordLogic('XOR'),
  Inv: one('NOT'),
  Neg: one('-'),
  Inc: step('+'),
  Dec: step('-'),
  Move: move,
  MOVE: move,
  S_Move: move,
  Expt: exponent,
  Calc: calc,
  Convert: conversion(),
  Round: conversion('ROUND'),
  Trunc: conversion('TRUNC'),
  Ceil: conversion('CEIL'),
  Floor: conversion('FLOOR'),
  Normalize: scaled('NORM_X', 'SrcType', 'SrcType'),
  Scale_X: scaled('SCALE_X', 'DestType', 'SrcType'),
  Min: extreme('MIN'),
  Max: extreme('MAX'),
  ...Object.fromEntries(
    'Abs Sqr Sqrt Ln Exp Sin Cos Tan ASin ACos ATan Frac Enco'
      .split(' ')
      .map((name) => [name, ofOne(name.toUpperCase())]),
  ),
  Swap: ofOne('SWAP', true),
  ...Object.fromEntries(['Shl', 'Shr', 'Rol', 'Ror'].map((name) => [name, shift(name.toUpperCase())])),
}
