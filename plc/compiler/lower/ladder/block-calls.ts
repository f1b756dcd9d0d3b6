/** Calls of blocks, and boxes that are looked up by name: timers, counters, instructions of the library. */

import type { Expression } from '../../../ir/ir.ts'
import { comparePins } from '../../../languages/ladder/canonical.ts'
import { withInstance } from '../../../languages/ladder/instructions.ts'
import type { Box } from '../../../languages/ladder/network-index.ts'
import { groupOfInstruction } from '../../../library/known-instructions.ts'
import { type CallNode, callName, type InstructionNode } from '../../../model/logic-network.ts'
import { blockNamed, type ProgramBlock } from '../../../program/program.ts'
import { Bool, scalarNamed } from '../../../program/scalars.ts'
import type { Member, Type } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import type { BlockContext } from '../block-context.ts'
import { callFunction, callInstance, instanceVariable } from '../calls.ts'
import { noteInstanceCall } from '../checks/instance-calls.ts'
import { findInstruction, nearestInstruction } from '../instructions.ts'
import { lowerPath } from '../model-operand.ts'
import { textOf, wholeVariable } from '../operands.ts'
import { callSystemInstance, canBeInstance } from '../system-instances.ts'
import type { CallArgument, Called, Variable } from '../values.ts'
import type { NetworkValues } from './network-values.ts'
import { inType, loosely } from './pin-types.ts'

const pinsOfEnable: ReadonlySet<string> = new Set(['en', 'eno'])

function isOwnPin(pin: string): boolean {
  return !pinsOfEnable.has(pin.toLowerCase())
}

/** Returns the inputs as arguments by name. */
function inputs(network: NetworkValues, box: Box): CallArgument[] {
  const pins = network.index.inputs(box.uId).filter(isOwnPin)
  return pins.map((pin) => {
    const source = network.index.source(box.uId, pin)
    const at = source?.kind === 'operand' ? { uId: source.uId } : network.at(box)
    return {
      name: pin,
      isOutput: false,
      operand: network.context.argument(pin, () => network.s5Argument(box, pin) ?? network.input(box, pin)),
      at,
    }
  })
}

function outputPins(network: NetworkValues, box: Box): string[] {
  return network.index.outputs(box.uId).filter(isOwnPin).sort(comparePins)
}

/** Lowers a call of a block of the program. */
export function lowerCallNode(network: NetworkValues, call: CallNode): void {
  const { context } = network
  const block =
    blockNamed(context.program, call.name) ??
    (call.name === '' ? context.program.byNumber.get(`${call.blockType} ${call.blockNumber}`) : undefined)
  if (!block) {
    // Of a call that is not resolved the file says FC, whatever it calls.
    const isUnresolved = call.name === '' && call.instance !== undefined
    const kind = isUnresolved ? 'block or instance' : call.blockType === '' ? 'block' : call.blockType
    const text = `The ${kind} "${callName(call)}" is not in the program.`
    network.report(call, 'undeclared', text, 'Import the block first.')
    return
  }
  callBlock(network, call, block)
}

function callBlock(network: NetworkValues, box: Box, block: ProgramBlock): void {
  const { context } = network
  const at = network.at(box)
  if (block.kind === 'FC') {
    network.enabled(box, { isBlock: true }, () =>
      perform(network, box, block.members, (given) => callFunction(context, block, given, at), returnPin(block)),
    )
    return
  }
  if (block.kind !== 'FB') {
    network.report(box, 'not-callable', `"${block.name}" is ${block.kind === 'OB' ? 'an OB' : `a ${block.kind}`}.`)
    return
  }
  const instance = instanceOf(network, box)
  if (!instance) return
  const { type } = instance
  if (type.kind !== 'instance' || type.name.toLowerCase() !== block.name.toLowerCase()) {
    const message = `${instance.text} is of type ${typeName(type)}, not an instance of "${block.name}".`
    network.report(box, 'not-callable', message)
    return
  }
  noteInstanceCall(context, instance, at, isAlways(network, box))
  const site = context.site(at)
  network.enabled(box, { isBlock: true }, () =>
    perform(network, box, type.members, (given) =>
      callInstance(context, instance, given, at, (address: Expression) => [
        { kind: 'call', block: type.name, instance: address, arguments: [], results: [], site },
      ]),
    ),
  )
}

/** Whether a box runs in every pass: nothing or the power rail leads to its EN. */
function isAlways(network: NetworkValues, { uId }: Box): boolean {
  const source = network.index.source(uId, 'en')
  return source === undefined || source.kind === 'powerrail'
}

/** The pin of a function's return value has the name of that value, or the name of the function. */
function returnPin(block: ProgramBlock): (pin: string) => boolean {
  const names = ['ret_val', block.name.toLowerCase()]
  const isParameter = (pin: string) =>
    block.members.some(({ name, section }) => section !== 'Return' && name.toLowerCase() === pin)
  return (pin) =>
    block.returnType?.kind !== 'void' && names.includes(pin.toLowerCase()) && !isParameter(pin.toLowerCase())
}

/** Returns the instance data of a box; `undefined`: there are none, which is then reported. */
function instanceOf(network: NetworkValues, box: Box): Variable | undefined {
  const { context } = network
  if (!box.instance) {
    const hint = 'Give it an instance data block, or a static of its type.'
    network.report(box, 'no-instance', `"${box.name}" is called without an instance.`, hint)
    return undefined
  }
  const at = { uId: box.instance.uId ?? box.uId }
  const found = lowerPath(context, box.instance.scope, box.instance.path, at)
  if (found.kind === 'wrong') return undefined
  const variable =
    wholeVariable(found) ?? (found.kind === 'block' ? instanceVariable(context, found.block, at) : undefined)
  if (variable?.kind === 'variable') return variable
  if (!variable) network.report(box, 'not-callable', `${textOf(found)} cannot be called.`)
  return undefined
}

/** Passes the pins of a box to a call, and its outputs to their wires. */
function perform(
  network: NetworkValues,
  box: Box,
  members: readonly Member[],
  run: (given: readonly CallArgument[]) => Called,
  isReturn: (pin: string) => boolean = () => false,
): void {
  const memberOf = (pin: string) => members.find(({ name }) => name.toLowerCase() === pin.toLowerCase())
  const pins = outputPins(network, box)
  const returned = pins.filter(isReturn)
  const given = inputs(network, box).map((one) => {
    const member = memberOf(one.name ?? '')
    if (member?.section !== 'Input' || member.type.kind !== 'scalar' || !one.operand) return one
    const what = `For parameter "${member.name}"`
    return { ...one, operand: loosely(network.context, one.operand, member.type, one.at, what) }
  })
  const outputs = network.outputs(
    box,
    pins.filter((pin) => !returned.includes(pin)),
    (pin) => memberOf(pin)?.type,
  )
  // An in-out drawn at the right side is still an in-out.
  const passed = outputs.given.map((one) =>
    memberOf(one.name ?? '')?.section === 'InOut' ? { ...one, isOutput: false } : one,
  )
  const { statements, value } = run([...given, ...passed])
  network.emit(...statements)
  if (value) for (const pin of returned) network.deliver(box, pin, value)
  outputs.deliver()
}

/** Counters of the type IEC_COUNTER have QU for the output that the box calls Q. */
function withOutputs(members: readonly Member[]): readonly Member[] {
  const q: Member = { name: 'Q', type: Bool, section: 'Output', isRetentive: false, comment: '' }
  return members.some(({ name }) => name.toUpperCase() === 'Q') ? members : [...members, q]
}

/** Names of boxes that differ from those of their instruction. */
const instructionNames: Readonly<Record<string, string>> = {
  MoveBlockI: 'MOVE_BLK',
  MoveBlockU: 'UMOVE_BLK',
  FillBlockI: 'FILL_BLK',
  FillBlockU: 'UFILL_BLK',
}

/** DECO sets a bit in a value of the type that the box has: DECO_WORD. */
function decodeName({ name, templates }: InstructionNode): string | undefined {
  if (name.toUpperCase() !== 'DECO') return undefined
  const types = templates.map(({ value }) => scalarNamed(value))
  const bits = types.find((type) => type?.family === 'bits')
  return bits && `DECO_${bits.name.toUpperCase()}`
}

/**
 * Lowers a box that is looked up by its name: an instruction with or without an instance, or a block of the program.
 */
export function lowerLibraryBox(network: NetworkValues, box: InstructionNode): void {
  const { context } = network
  const at = network.at(box)
  const name = instructionNames[box.name] ?? decodeName(box) ?? box.name
  const block = blockNamed(context.program, box.name)
  if (box.instance) {
    if (block?.kind === 'FB') {
      callBlock(network, box, block)
      return
    }
    const instance = instanceOf(network, box)
    if (!instance) return
    const { type } = instance
    if (canBeInstance(type, name) && (type.kind === 'instance' || type.kind === 'struct')) {
      noteInstanceCall(context, instance, at, isAlways(network, box))
      network.enabled(box, {}, () =>
        perform(network, box, withOutputs(type.members), (given) =>
          callSystemInstance(context, instance, name, given, at),
        ),
      )
      return
    }
    if (!findInstruction(name)) {
      if (withInstance.has(name.toUpperCase())) {
        const message = `${instance.text} is of type ${typeName(type)}, not an instance of ${box.name}.`
        network.report(box, 'not-callable', message)
      } else refuse(network, box, name)
      return
    }
  }
  const instruction = findInstruction(name)
  if (instruction) {
    network.enabled(box, {}, () => {
      const types = (pin: string): Type | undefined => typeOfPin(box, pin)
      const isReturn = (pin: string) => /^(out|ret_val)$/i.test(pin) && !types(pin) && !hasOperand(network, box, pin)
      const members = network.index.outputs(box.uId).flatMap((pin): Member[] => {
        const type = types(pin)
        return type ? [{ name: pin, type, section: 'Output', isRetentive: false, comment: '' }] : []
      })
      const run = (given: readonly CallArgument[]) =>
        instruction({
          context,
          name,
          at,
          arguments: withElse(name, given).map((one) => inValueType(context, box, one)),
        })
      perform(network, box, members, run, isReturn)
    })
  } else if (block && block.kind === 'FC') callBlock(network, box, block)
  else refuse(network, box, name)
}

function refuse(network: NetworkValues, box: InstructionNode, name: string): void {
  if (!box.instance && withInstance.has(name.toUpperCase())) {
    const hint = 'Its data are in a data block, or in a member of a type such as TON_TIME or CTU_INT.'
    network.report(box, 'no-instance', `${box.name} has no instance.`, hint)
    return
  }
  const group = groupOfInstruction(name)
  const close = group === undefined ? nearestInstruction(name) : undefined
  const hint = group === undefined ? undefined : `TIA Portal has it (${group}); it is not supported here.`
  network.report(
    box,
    'unknown-part',
    `The instruction ${box.name} cannot be compiled.`,
    close === undefined ? hint : `Did you mean ${close}?`,
  )
}

function hasOperand(network: NetworkValues, { uId }: InstructionNode, pin: string): boolean {
  return network.index.sinks({ kind: 'pin', uId, pin }).some(({ kind }) => kind === 'operand')
}

/** Boxes whose template `value_type` is the type of their values, and the pins of these. */
const typedValues = /^(?:LIMIT|SEL|MUX|DEMUX)$/i
const valuePins = /^(?:MN|MX|IN\d*|INELSE)$/i

/** Returns an input of such a box in its type, whatever the others and the output have. */
function inValueType(context: BlockContext, box: InstructionNode, argument: CallArgument): CallArgument {
  const { name = '', operand } = argument
  if (!operand || argument.isOutput || !typedValues.test(box.name) || !valuePins.test(name)) return argument
  return { ...argument, operand: inType(context, box, operand, 'value_type', name) }
}

/** MUX without ELSE keeps what is at OUT when there is no input K (TIA help V19, "MUX" of LAD). */
function withElse(name: string, given: readonly CallArgument[]): readonly CallArgument[] {
  const has = (pin: string) => given.find((one) => one.name?.toUpperCase() === pin)
  const out = has('OUT')
  if (name.toUpperCase() !== 'MUX' || has('INELSE') || !out) return given
  return [...given, { ...out, name: 'INELSE', isOutput: false }]
}

/** The type of an output that a template gives: `value_type` of LIMIT, `dest_type` of T_CONV. */
function typeOfPin(box: InstructionNode, pin: string): Type | undefined {
  if (!/^out/i.test(pin)) return undefined
  for (const template of ['DestType', 'dest_type', 'value_type', 'date_type', 'SrcType']) {
    const found = box.templates.find(({ name }) => name === template)?.value
    const type = found === undefined ? undefined : scalarNamed(found)
    if (type) return type
  }
  return undefined
}
