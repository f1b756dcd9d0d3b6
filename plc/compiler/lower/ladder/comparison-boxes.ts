/**
 * Boxes of LAD and FBD that compare by a comparison chosen in the box: T_COMP, S_COMP and SWITCH (TIA Portal help,
 * "T_COMP", "S_COMP", "SWITCH"). No export with them is known. The schema has templates of the kind `Operation`
 * (docs/formats.md), so this project reads the comparison there: one for T_COMP and S_COMP, one for each input of
 * SWITCH in the order of the document; the name of the template does not matter.
 */

import { and, isTrue } from '../../../ir/build.ts'
import type { Expression, Statement } from '../../../ir/ir.ts'
import { comparePins } from '../../../languages/ladder/canonical.ts'
import type { InstructionNode } from '../../../model/logic-network.ts'

import type { Type } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import { momentKind } from '../moments.ts'
import type { Comparison } from '../operator-names.ts'
import { comparison } from '../operators.ts'
import type { Operand, Side } from '../values.ts'
import { conditional } from './coils.ts'
import { jumpTarget } from './jump-target.ts'
import type { InstructionLowering, NetworkValues } from './network-values.ts'

const symbols: Readonly<Record<string, Comparison>> = {
  EQ: '=',
  '==': '=',
  '=': '=',
  NE: '<>',
  '<>': '<>',
  GE: '>=',
  '>=': '>=',
  LE: '<=',
  '<=': '<=',
  GT: '>',
  '>': '>',
  LT: '<',
  '<': '<',
}

/** The comparisons chosen in a box, in order; a value that is not one is reported. */
function comparisonsOf(network: NetworkValues, box: InstructionNode): Comparison[] {
  return box.templates.flatMap(({ type, value }) => {
    const found = symbols[value.trim().toUpperCase()]
    if (found) return [found]
    if (type === 'Operation')
      network.report(box, 'wrong-part', `${value} is no comparison.`, 'Comparisons: EQ, NE, GE, LE, GT, LT.')
    return []
  })
}

/** Finds a pin whatever its case. */
function pinNamed(pins: readonly string[], name: string): string | undefined {
  return pins.find((pin) => pin.toUpperCase() === name)
}

function isTimeType(type: Type | undefined): boolean {
  if (type?.kind === 'scalar') return /^(duration|date|timeOfDay|dateTime)$/.test(type.family)
  return momentKind(type) !== undefined
}

function isTextType(type: Type | undefined): boolean {
  return type?.kind === 'string'
}

/** Delivers the answer of the comparison of IN1 and IN2 at OUT. */
function compareBox(what: string, isRight: (type: Type | undefined) => boolean): InstructionLowering {
  return (network, box) =>
    network.enabled(box, { cannotFail: true }, () => {
      const at = network.at(box)
      const [operator, ...more] = comparisonsOf(network, box)
      if (!operator || more.length > 0) {
        const message = `${box.name} needs one comparison; it has ${operator ? more.length + 1 : 'none'}.`
        network.report(
          box,
          'wrong-part',
          message,
          'It stands in a template of the kind Operation: EQ, NE, GE, LE, GT, LT.',
        )
        return
      }
      const pins = network.index.inputs(box.uId)
      const sides = ['IN1', 'IN2'].map((name): Side => {
        const pin = pinNamed(pins, name) ?? name
        return { operand: network.input(box, pin), at }
      })
      for (const [i, { operand }] of sides.entries()) {
        const type = 'type' in operand ? operand.type : undefined
        const isText = operand.kind === 'constant' && typeof operand.value === 'string' && type === undefined
        if (operand.kind === 'wrong' || isRight(type) || (isText && what === 'texts')) continue
        const of = type ? `of type ${typeName(type)}` : 'without such a type'
        network.report(box, 'wrong-operand', `${box.name} compares ${what}; IN${i + 1} is a value ${of}.`)
        return
      }
      const [left, right] = sides as [Side, Side]
      const answer = comparison(network.context, operator, left, right, at)
      network.deliver(box, pinNamed(network.index.outputs(box.uId), 'OUT') ?? 'OUT', answer)
    })
}

/**
 * SWITCH: compares K with one value after the other and jumps to the label of the first comparison that holds, else to
 * the label at ELSE, else continues. The value of DEST0 is at the first input besides EN and K.
 */
const switchBox: InstructionLowering = (network, box) => {
  const { context } = network
  const at = network.at(box)
  const flow = network.isConnected(box, 'en') ? network.flow(box, 'en') : isTrue
  const pins = network.index.inputs(box.uId)
  const selector = pinNamed(pins, 'K')
  if (selector === undefined) network.report(box, 'wrong-part', `${box.name} needs the pin K.`)
  const isDestination = (pin: string) => /^(DEST\d{1,3}|ELSE|DESTELSE)$/i.test(pin)
  const values = pins.filter((pin) => pin !== selector && !/^en$/i.test(pin) && !isDestination(pin)).sort(comparePins)
  const operators = comparisonsOf(network, box)
  const targets = new Map<string, Statement | undefined>()
  for (const pin of network.index.outputs(box.uId).concat(pins))
    if (isDestination(pin)) targets.set(pin.toUpperCase().replace(/^DESTELSE$/, 'ELSE'), jumpTarget(network, box, pin))
  if (operators.length !== values.length)
    network.report(
      box,
      'wrong-part',
      `${box.name} has ${values.length} values to compare and ${operators.length} comparisons.`,
      'Each value has its comparison in a template of the kind Operation, in the order of the values.',
    )
  if (!flow || selector === undefined || operators.length !== values.length) return
  const kept = network.settle(flow)
  const tested: Operand = network.input(box, selector)
  if (tested.kind === 'wrong') return
  const otherwise = targets.get('ELSE')
  // A test runs only while none before it held: the jump of that one has left the network.
  for (const [i, pin] of values.entries()) {
    const target = targets.get(`DEST${i}`)
    if (!targets.has(`DEST${i}`)) {
      network.report(box, 'wrong-part', `${box.name} has no DEST${i} for its value at ${pin}.`)
      continue
    }
    const sides = [
      { operand: tested, at },
      { operand: network.input(box, pin), at },
    ] as const
    const answer = comparison(context, operators[i] as Comparison, ...sides, at, false)
    if (answer.kind === 'result' && target)
      network.emit(...conditional(network, box, both(kept, answer.expression), [target]))
  }
  if (otherwise) network.emit(...conditional(network, box, kept, [otherwise]))
}

function both(flow: Expression, answer: Expression): Expression {
  return flow.kind === 'constant' ? answer : and(flow, answer)
}

const times = compareBox('times and dates', isTimeType)
const texts = compareBox('texts', isTextType)

export const comparisonBoxes: Readonly<Record<string, InstructionLowering>> = {
  T_COMP: times,
  T_Comp: times,
  S_COMP: texts,
  S_Comp: texts,
  SWITCH: switchBox,
  Switch: switchBox,
}
