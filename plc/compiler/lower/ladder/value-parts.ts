/** Boxes that work out a value: math, word logic, comparison of limits, conversion, shifts, selection, move, Calc. */

import { constant } from '../../../ir/build.ts'
import { comparePins } from '../../../languages/ladder/canonical.ts'
import type { InstructionNode } from '../../../model/network.ts'
import { scalarNamed } from '../../../program/scalars.ts'
import type { Called } from '../calls.ts'
import { findInstruction } from '../instructions.ts'
import {
  type ArithmeticOperator,
  arithmetic,
  type LogicOperator,
  logic,
  power,
  type Side,
  unary,
} from '../operators.ts'
import { readScalar } from '../reading.ts'
import { lowerSclExpression } from '../scl-expressions.ts'
import { type Operand, wrong } from '../values.ts'
import type { InstructionLowering, NetworkValues } from './network-values.ts'
import { inType } from './pin-types.ts'

/** Value of a template that names a type, e.g. `SrcType`. */
function template(part: InstructionNode, ...names: readonly string[]): string | undefined {
  const known = names.map((name) => name.toLowerCase())
  return part.templates.find(({ name }) => known.includes(name.toLowerCase()))?.value
}

/** Inputs of a box but EN, in the order of their numbers. */
function inputPins(graph: NetworkValues, part: InstructionNode): string[] {
  return graph.index
    .inputs(part.uId)
    .filter((pin) => pin.toLowerCase() !== 'en')
    .sort(comparePins)
}

function side(graph: NetworkValues, part: InstructionNode, pin: string): Side {
  return { operand: inType(graph.context, part, graph.input(part, pin), 'SrcType', pin), at: graph.at(part) }
}

/** `in1 … inN`: those that are wired, and those that the cardinality or the instruction ask for. */
function numberedSides(graph: NetworkValues, part: InstructionNode, least: number): Side[] {
  const card = Number(template(part, 'Card') ?? 0)
  const last = Number(graph.index.numbered(inputPins(graph, part), 'in').numbered.at(-1)?.slice(2) ?? 0)
  const count = Math.max(least, last, Number.isInteger(card) ? Math.min(card, 1000) : 0)
  return Array.from({ length: count }, (_one, i) => side(graph, part, `in${i + 1}`))
}

/** Delivers a value at `out`, worked out under EN. */
function valueBox(
  value: (graph: NetworkValues, part: InstructionNode) => Operand,
  cannotFail = false,
): InstructionLowering {
  return (graph, part) => graph.enabled(part, { cannotFail }, () => graph.deliver(part, 'out', value(graph, part)))
}

function folded(
  graph: NetworkValues,
  part: InstructionNode,
  sides: readonly Side[],
  operate: (left: Side, right: Side) => Operand,
): Operand {
  const at = graph.at(part)
  const [first, ...rest] = sides
  if (!first) return wrong
  let value = first.operand
  // One that is wrong was reported; the others are still looked at.
  for (const other of rest) value = operate({ operand: value, at }, other)
  return value
}

function calculation(operator: ArithmeticOperator): InstructionLowering {
  return valueBox((graph, part) =>
    folded(graph, part, numberedSides(graph, part, 2), (left, right) =>
      arithmetic(graph.context, operator, left, right, graph.at(part)),
    ),
  )
}

function wordLogic(operator: LogicOperator): InstructionLowering {
  return valueBox(
    (graph, part) =>
      folded(graph, part, numberedSides(graph, part, 2), (left, right) =>
        logic(graph.context, operator, left, right, graph.at(part)),
      ),
    true,
  )
}

/** Adds 1 to an operand or takes 1 away. */
function step(operator: '+' | '-'): InstructionLowering {
  return (graph, part) =>
    graph.enabled(part, {}, () => {
      const at = graph.at(part)
      const operand = graph.target(part, 'operand')
      const value = readScalar(graph.context, operand, at)
      if (!value) return
      const isNumber = value.type.family === 'integer' || value.type.family === 'bits'
      if (!isNumber) {
        graph.report(part, 'wrong-operand', `${part.name} counts whole numbers, not values of type ${value.type.name}.`)
        return
      }
      const one: Operand = { kind: 'result', type: value.type, expression: constant(value.type, 1n) }
      graph.write(part, operand, arithmetic(graph.context, operator, { operand, at }, { operand: one, at }, at))
    })
}

/** Copies one value to any number of operands. */
const move: InstructionLowering = (graph, part) =>
  graph.enabled(part, { cannotFail: true }, () => {
    const value = graph.input(part, 'in')
    const outputs = graph.index.outputs(part.uId).filter((pin) => pin.toLowerCase() !== 'eno')
    const kept: Operand =
      outputs.length > 1 && value.kind === 'result'
        ? { ...value, expression: graph.settle(value.expression, value.type) }
        : value
    for (const pin of outputs.sort(comparePins)) graph.deliver(part, pin, kept)
  })

interface Mapped {
  readonly instruction: string
  /** Parameter of each pin. */
  readonly pins: Readonly<Record<string, string>>
  /** Template with the type a pin is read in. */
  readonly types?: Readonly<Record<string, string>>
  readonly cannotFail?: boolean
}

/** Calls an instruction of the shared table with its pins as arguments by name. */
export function callNamed(
  graph: NetworkValues,
  part: InstructionNode,
  name: string,
  values: readonly { readonly name: string; readonly operand: Operand }[],
): Called {
  const at = graph.at(part)
  const instruction = findInstruction(name)
  if (!instruction) {
    graph.report(part, 'unknown-part', `The instruction ${part.name} cannot be compiled.`, `It stands for ${name}.`)
    return { statements: [] }
  }
  const given = values.map((value) => ({ ...value, isOutput: false, at }))
  return instruction({ context: graph.context, name, at, arguments: given })
}

function mapped({ instruction, pins, types = {}, cannotFail = false }: Mapped): InstructionLowering {
  return (graph, part) =>
    graph.enabled(part, { cannotFail }, () => {
      const values = Object.entries(pins).map(([pin, name]) => {
        const operand = graph.input(part, pin)
        const type = types[pin]
        return { name, operand: type === undefined ? operand : inType(graph.context, part, operand, type, pin) }
      })
      const { statements, value } = callNamed(graph, part, instruction, values)
      graph.emit(...statements)
      if (value) graph.deliver(part, 'out', value)
    })
}

/** A function of `in` alone. */
function ofOne(instruction: string, cannotFail = false): InstructionLowering {
  return mapped({ instruction, pins: { in: 'IN' }, types: { in: 'SrcType' }, cannotFail })
}

function shift(instruction: string): InstructionLowering {
  return mapped({ instruction, pins: { in: 'IN', n: 'N' }, types: { in: 'SrcType' }, cannotFail: true })
}

/** MIN and MAX of all inputs. */
function extreme(instruction: string): InstructionLowering {
  return (graph, part) =>
    graph.enabled(part, {}, () => {
      const values = numberedSides(graph, part, 2).map(({ operand }, i) => ({ name: `IN${i + 1}`, operand }))
      const { statements, value } = callNamed(graph, part, instruction, values)
      graph.emit(...statements)
      if (value) graph.deliver(part, 'out', value)
    })
}

/** `Convert` from SrcType to DestType; ROUND and its like to DestType. */
function conversion(rounding?: string): InstructionLowering {
  return (graph, part) =>
    graph.enabled(part, {}, () => {
      const operand = graph.input(part, 'in')
      const [from, to] = [template(part, 'SrcType'), template(part, 'DestType')]
      if (operand.kind === 'wrong') return
      if (from === undefined || to === undefined) {
        const missing = from === undefined ? 'SrcType' : 'DestType'
        graph.report(part, 'wrong-part', `${part.name} needs the template ${missing}.`)
        return
      }
      const isSame = from.toLowerCase() === to.toLowerCase()
      if (isSame && rounding === undefined) {
        graph.deliver(part, 'out', inType(graph.context, part, operand, 'SrcType', 'in'))
        return
      }
      const name = rounding === undefined ? `${from}_TO_${to}` : `${rounding}_${to}`
      const value = rounding === undefined ? operand : inType(graph.context, part, operand, 'SrcType', 'in')
      const called = callNamed(graph, part, name.toUpperCase(), [{ name: 'IN', operand: value }])
      graph.emit(...called.statements)
      if (called.value) graph.deliver(part, 'out', called.value)
    })
}

/** `in1 ** in2` */
const exponent: InstructionLowering = valueBox((graph, part) => {
  const [base, by] = [side(graph, part, 'in1'), side(graph, part, 'in2')]
  return power(graph.context, base, by, graph.at(part))
})

/** The formula of a Calc box is an SCL expression of its inputs, which have the type of the box. */
const calc: InstructionLowering = (graph, part) =>
  graph.enabled(part, {}, () => {
    const inputs = new Map<string, Operand>()
    for (const pin of inputPins(graph, part)) inputs.set(pin.toUpperCase(), side(graph, part, pin).operand)
    if (part.equation === undefined || part.equation.trim() === '') {
      graph.report(part, 'wrong-part', 'The Calc box has no formula.', 'E.g. (IN1 + IN2) / IN3.')
      return
    }
    const { statements, value } = lowerSclExpression(graph.context, part.equation, inputs, graph.at(part))
    graph.emit(...statements)
    graph.deliver(part, 'out', value)
  })

function one(operator: '-' | 'NOT'): InstructionLowering {
  return valueBox((graph, part) => unary(graph.context, operator, side(graph, part, 'in'), graph.at(part)))
}

/** Types of the results of NORM_X and SCALE_X stand in DestType. */
function scaled(instruction: string, limits: 'SrcType' | 'DestType', value: 'SrcType'): InstructionLowering {
  const base = mapped({
    instruction,
    pins: { min: 'MIN', value: 'VALUE', max: 'MAX' },
    types: { min: limits, value, max: limits },
  })
  return (graph, part) => {
    const type = template(part, 'DestType')
    if (type === undefined || scalarNamed(type)) base(graph, part)
    else graph.report(part, 'wrong-part', `${part.name} cannot give values of type ${type}.`)
  }
}

/** Parts whose names are no names of instructions. Others are looked up by their own name (block-parts.ts). */
export const valueParts: Readonly<Record<string, InstructionLowering>> = {
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
    'Abs Sqr Sqrt Ln Exp Sin Cos Tan ASin ACos ATan Frac Enco Deco'
      .split(' ')
      .map((name) => [name, ofOne(name.toUpperCase())]),
  ),
  Swap: ofOne('SWAP', true),
  ...Object.fromEntries(['Shl', 'Shr', 'Rol', 'Ror'].map((name) => [name, shift(name.toUpperCase())])),
}
