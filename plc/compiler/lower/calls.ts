/**
 * Calls of blocks of the program: parameters of FBs are members of the instance, those of FCs values and addresses (see
 * plc/ir/ir.ts).
 */
import { nearest } from '../../../lib/nearest.ts'
import type { Expression, Place, Statement } from '../../ir/ir.ts'
import { layoutOf } from '../../program/layout.ts'
import type { Diagnostic, ProgramBlock } from '../../program/program.ts'
import { UDInt } from '../../program/scalars.ts'
import { isTechnologyObject, takesTechnologyObject } from '../../program/technology-objects.ts'
import type { InstanceType, Member, ScalarType } from '../../program/type.ts'
import { typeName } from '../../program/type-name.ts'
import { assign } from './assignments.ts'
import { type BlockContext, isInstanceData, signatureOf } from './block-context.ts'
import { checkPositional } from './checks/positional-parameters.ts'
import { pointerOf, storePointer, storeVariant, typeAddress, variantOf } from './instructions/regions.ts'
import { momentPlace } from './moments.ts'
import { fitsOpenArray, isOpenArray } from './open-array-parameters.ts'
import { passOpenArray } from './open-arrays.ts'
import { moved } from './operands.ts'
import { accessOf, placeOfValue } from './places.ts'
import { readAs, requireWritable, storeScalar } from './reading.ts'
import { assignReference, mayReferTo } from './references.ts'
import type { SourceRange } from './source-range.ts'
import { textFlags } from './text-places.ts'
import { type CallArgument, type Called, type Operand, sameType, type Value, type Variable, wrong } from './values.ts'

interface Bound {
  readonly member: Member
  readonly argument: CallArgument
}

/** Finds the parameter of each argument; arguments that do not fit are reported. */
function bind(
  context: BlockContext,
  name: string,
  parameters: readonly Member[],
  given: readonly CallArgument[],
): Bound[] | undefined {
  const bound: Bound[] = []
  const seen = new Set<Member>()
  let isRight = true
  const refuse = (code: Diagnostic['code'], place: SourceRange, message: string, hint?: string) => {
    context.report(code, place, message, hint)
    isRight = false
  }
  const inputs = parameters.filter(({ section }) => section !== 'Output')
  const byName = new Map(parameters.toReversed().map((one) => [one.name.toLowerCase(), one]))
  for (const [i, argument] of given.entries()) {
    const member = argument.name === undefined ? inputs[i] : byName.get(argument.name.toLowerCase())
    if (!member) {
      const close =
        argument.name === undefined
          ? undefined
          : nearest(
              argument.name,
              parameters.map((one) => one.name),
            )
      refuse(
        'unknown-parameter',
        argument.at,
        argument.name === undefined
          ? `"${name}" has ${inputs.length} inputs, more are given.`
          : `"${name}" has no parameter "${argument.name}".`,
        close === undefined ? undefined : `Did you mean "${close}"?`,
      )
      continue
    }
    if (seen.has(member)) refuse('duplicate-parameter', argument.at, `Parameter "${member.name}" is given twice.`)
    seen.add(member)
    if (argument.isEither !== true && argument.isOutput !== (member.section === 'Output')) {
      const sign = member.section === 'Output' ? '=>' : ':='
      refuse(
        'parameter-direction',
        argument.at,
        `"${member.name}" is ${articleOf(member.section)}: write ${member.name} ${sign} …`,
      )
    }
    bound.push({ member, argument })
  }
  return isRight ? bound : undefined
}

function articleOf(section: string): string {
  return section === 'Output' ? 'an output' : section === 'InOut' ? 'an in-out' : 'an input'
}

/** Parameters in the order they are passed by position, without overlays of parameters (AT). */
function parametersOf(members: readonly Member[]): Member[] {
  return members.filter(
    ({ section, overlays }) =>
      overlays === undefined && (section === 'Input' || section === 'Output' || section === 'InOut'),
  )
}

/**
 * Calls an FB with an instance.
 * @param run calls the code on the address of the instance
 */
export function callInstance(
  context: BlockContext,
  instance: Variable,
  given: readonly CallArgument[],
  at: SourceRange,
  run: (address: Expression) => readonly Statement[],
): Called {
  if (instance.type.kind !== 'instance' || instance.at.kind !== 'place') return { statements: [] }
  const type: InstanceType = instance.type
  const parameters = parametersOf(type.members)
  const bound = bind(context, type.name, parameters, given)
  if (!bound) return { statements: [] }
  const inputs = parameters.filter(({ section }) => section !== 'Output')
  checkPositional(
    context,
    type.name,
    inputs.map(({ name }) => name),
    given,
  )
  const before: Statement[] = []
  const after: Statement[] = []
  // The address is computed once: writing arguments might change the indices of an instance array.
  const address = context.local('address')
  before.push({ kind: 'setLocal', local: address, value: { kind: 'address', place: instance.at.place } })
  const base: Place = {
    base: { kind: 'pointer', address: { kind: 'local', type: 'address', local: address } },
    offset: 0,
    indices: [],
    isStandard: instance.at.place.isStandard,
  }
  for (const { member, argument } of bound) {
    const { operand } = argument
    if (operand === undefined || operand.kind === 'wrong') continue
    if (member.section === 'InOut' && operand.kind === 'variable') context.notePartlyWritten(operand)
    const own = memberVariable(type, base, member)
    if (member.section === 'Output') after.push(...assign(context, operand, own, argument.at, argument.at))
    else if (member.section === 'InOut' && member.type.kind !== 'scalar') {
      const pointer = addressArgument(context, member, operand, argument.at, base.isStandard)
      if (pointer) {
        before.push(...pointer.before, {
          kind: 'store',
          place: placeOf(type, base, member),
          type: UDInt,
          value: pointer.address,
          site: context.site(argument.at),
        })
        after.push(...pointer.after)
      }
    } else if (member.type.kind === 'pointer') {
      const { form } = member.type
      const place = placeOf(type, base, member)
      before.push(
        ...(form === 'Variant'
          ? storeVariant(context, place, operand, argument.at)
          : storePointer(context, place, form, operand, argument.at)),
      )
    } else {
      const given = assign(context, { ...own, text: `parameter "${member.name}"` }, operand, argument.at, argument.at)
      before.push(...given)
      if (member.section === 'InOut' && given.length > 0)
        after.push(...assign(context, operand, own, argument.at, argument.at))
    }
  }
  const isGiven = new Set(bound.map(({ member }) => member))
  const missing = parameters.filter(
    (member) =>
      // Some in-outs of system blocks are optional.
      !type.isSystem && member.section === 'InOut' && member.type.kind !== 'scalar' && !isGiven.has(member),
  )
  for (const member of missing)
    context.report(
      'missing-parameter',
      at,
      `In-out "${member.name}" of "${type.name}" is not given.`,
      `Its type is ${typeName(member.type)}.`,
    )
  return { statements: [...before, ...run({ kind: 'local', type: 'address', local: address }), ...after] }
}

/** The place of a member in an instance: for an in-out that is not a scalar, the place of its address. */
function placeOf(type: InstanceType, base: Place, member: Member): Place {
  const { data, at } = dataOf(type.members)
  const index = at.get(member)
  const offset = index === undefined ? undefined : layoutOf(data, accessOf(base)).offsets[index]
  return moved(base, offset?.byte ?? 0, offset?.bit)
}

interface InstanceData {
  /** The members that an instance contains: the given list where that are all, since layouts are kept by list. */
  readonly data: readonly Member[]
  readonly at: ReadonlyMap<Member, number>
}

const knownData = new WeakMap<readonly Member[], InstanceData>()

function dataOf(members: readonly Member[]): InstanceData {
  let known = knownData.get(members)
  if (known === undefined) {
    const own = members.filter(({ section }) => isInstanceData(section))
    const data = own.length === members.length ? members : own
    known = { data, at: new Map(data.map((member, i) => [member, i])) }
    knownData.set(members, known)
  }
  return known
}

function memberVariable(type: InstanceType, base: Place, member: Member): Variable {
  return {
    kind: 'variable',
    type: member.type,
    at: { kind: 'place', place: placeOfValue(member.type, placeOf(type, base, member)) },
    text: `${member.name}`,
  }
}

interface Passed {
  readonly address: Expression
  readonly before: readonly Statement[]
  readonly after: readonly Statement[]
}

/**
 * Returns the address of a value that is not a scalar; a value in the other layout is copied into the frame and back.
 */
function addressArgument(
  context: BlockContext,
  member: Member,
  operand: Operand,
  at: SourceRange,
  wantsStandard: boolean,
): Passed | undefined {
  if (operand.kind === 'wrong') return undefined
  if (member.type.kind === 'pointer') {
    const { form } = member.type
    const isPassedOn = operand.kind === 'variable' && operand.type.kind === 'pointer' && operand.type.form === form
    if (!isPassedOn) return form === 'Variant' ? variantOf(context, operand, at) : pointerOf(context, form, operand, at)
  }
  const object = numberedObject(context, member, operand, at, wantsStandard)
  if (object) return object
  const source: Variable | undefined =
    operand.kind === 'variable'
      ? operand
      : operand.kind === 'block' && operand.block.type
        ? wholeBlock(operand.block)
        : momentConstant(operand, member)
  if (source?.at.kind !== 'place' || !takes(member, source)) {
    const text =
      operand.kind === 'variable'
        ? `${operand.text} is of type ${typeName(operand.type)}`
        : `${'text' in operand ? operand.text : 'a value'} is given`
    context.report(
      'type-mismatch',
      at,
      `For parameter "${member.name}" a variable of type ${typeName(member.type)} is wanted; ${text}.`,
    )
    return undefined
  }
  const { place } = source.at
  if (member.section === 'InOut' && !requireWritable(context, source, at)) return undefined
  if (isOpenArray(source.type) && place.isStandard !== wantsStandard) {
    context.report(
      'open-array',
      at,
      `${source.text} is an Array[*]: it cannot be passed to a block of the other access, since that takes a copy.`,
      'Give both blocks optimized access, or both standard access.',
    )
    return undefined
  }
  const passed = passedPlace(context, member, source, place, at, wantsStandard)
  if (!isOpenArray(member.type)) return passed
  const elements = passed.address.kind === 'address' ? passed.address.place : place
  const open = passOpenArray(context, source, elements, member.type)
  return { ...passed, address: open.address, before: [...passed.before, ...open.before] }
}

/** Puts a constant of type DTL or DATE_AND_TIME at a place with an address. */
function momentConstant(operand: Operand, { type }: Member): Variable | undefined {
  const place = momentPlace(operand, type)
  if (!place || operand.kind !== 'constant') return undefined
  return { kind: 'variable', type, at: { kind: 'place', place }, text: operand.text, readOnly: 'constant' }
}

/**
 * Finds the technology object that a DB_ANY gives by its number. A number without an object gives an object of zeros,
 * which nothing moves.
 * @returns `undefined` when the operand is no DB_ANY for a technology object
 */
function numberedObject(
  context: BlockContext,
  { type, name }: Member,
  operand: Operand,
  at: SourceRange,
  wantsStandard: boolean,
): Passed | undefined {
  if (!isTechnologyObject(type) || operand.kind !== 'variable') return undefined
  if (operand.type.kind !== 'scalar' || operand.type.name !== 'DB_ANY') return undefined
  const number = readAs(context, operand, operand.type, at, `For parameter "${name}"`)
  if (!number) return undefined
  const other: Place = { ...context.frame(type), isStandard: wantsStandard }
  const found = context.local('address')
  const layout: Expression = { kind: 'constant', type: UDInt, value: wantsStandard ? 1n : 0n }
  const call: Expression = {
    kind: 'routine',
    routine: 'anyBlock.address',
    type: 'address',
    arguments: [number, typeAddress(type), layout, { kind: 'address', place: other }],
    setsEno: context.setsEno,
  }
  return {
    address: { kind: 'local', type: 'address', local: found },
    before: [...context.started(type, other), { kind: 'setLocal', local: found, value: call }],
    after: [],
  }
}

/** Whether a parameter that is passed by address accepts the variable. */
function takes({ type }: Member, source: Variable): boolean {
  if (type.kind === 'pointer') return true
  if (isOpenArray(type)) return fitsOpenArray(type, source.type)
  if (type.kind === 'reference') return source.type.kind === 'reference' && mayReferTo(type.target, source.type.target)
  if (takesTechnologyObject(type, source.type)) return true
  return !isOpenArray(source.type) && sameType(type, source.type)
}

/** Returns the place itself, or a copy in the required layout. */
function passedPlace(
  context: BlockContext,
  member: Member,
  source: Variable,
  place: Place,
  at: SourceRange,
  wantsStandard: boolean,
): Passed {
  // An instance of an FB has the layout of its block in both.
  const isOwn = member.type.kind === 'instance' && member.type.access !== undefined
  if (place.isStandard === wantsStandard || isOwn || member.type.kind === 'pointer')
    return { address: { kind: 'address', place }, before: [], after: [] }
  const copy: Place = { ...context.frame(source.type), isStandard: wantsStandard }
  const site = context.site(at)
  return {
    address: { kind: 'address', place: copy },
    before: [{ kind: 'copy', type: source.type, from: place, to: copy, site }],
    after: member.section === 'Input' ? [] : [{ kind: 'copy', type: source.type, from: copy, to: place, site }],
  }
}

function wholeBlock(block: ProgramBlock): Variable {
  const place: Place = {
    base: { kind: 'block', block: block.name },
    offset: 0,
    indices: [],
    isStandard: block.access === 'standard',
  }
  return {
    kind: 'variable',
    type: block.type as Variable['type'],
    at: { kind: 'place', place },
    text: `"${block.name}"`,
  }
}

/** Calls an FC; all inputs and in-outs are required. */
export function callFunction(
  context: BlockContext,
  block: ProgramBlock,
  given: readonly CallArgument[],
  at: SourceRange,
): Called {
  const parameters = parametersOf(block.members)
  const bound = bind(context, block.name, parameters, given)
  const signature = signatureOf(block)
  const { returnType } = block
  const site = context.site(at)
  const before: Statement[] = []
  const after: Statement[] = []
  const values: Expression[] = []
  const results: number[] = []
  let value: Value | undefined
  let isRight = bound !== undefined
  if (returnType?.kind === 'scalar') {
    const local = context.local(returnType)
    results.push(local)
    value = { kind: 'result', type: returnType, expression: { kind: 'local', type: returnType, local } }
  } else if (returnType && returnType.kind !== 'void') {
    const place = { ...context.frame(returnType), isStandard: block.access === 'standard' }
    before.push(...context.started(returnType, place))
    values.push({ kind: 'address', place })
    value = { kind: 'variable', type: returnType, at: { kind: 'place', place }, text: `"${block.name}"` }
  }
  const argumentOf = new Map(bound?.map(({ member, argument }) => [member, argument]))
  for (const member of parameters) {
    const argument = argumentOf.get(member)
    const operand = argument?.operand
    const place = argument?.at ?? at
    if (!operand) {
      if (member.section === 'Output' && !isOpenArray(member.type)) {
        if (member.type.kind === 'scalar') results.push(context.local(member.type))
        else {
          const place = { ...context.frame(member.type), isStandard: block.access === 'standard' }
          before.push(...context.started(member.type, place))
          values.push({ kind: 'address', place })
        }
      } else {
        if (bound)
          context.report(
            'missing-parameter',
            place,
            `Parameter "${member.name}" of "${block.name}" is not given.`,
            'A function needs all its inputs and in-outs.',
          )
        isRight = false
      }
      continue
    }
    if (operand.kind === 'wrong') {
      isRight = false
      continue
    }
    if (member.section === 'InOut' && operand.kind === 'variable') context.notePartlyWritten(operand)
    if (member.type.kind !== 'scalar') {
      const passed =
        referenceInput(context, member, operand, place) ??
        textInput(context, member, operand, place, block) ??
        addressArgument(context, member, operand, place, block.access === 'standard')
      if (passed) {
        values.push(passed.address)
        before.push(...passed.before)
        after.push(...passed.after)
      } else isRight = false
      continue
    }
    if (member.section !== 'Output') {
      const expression = readAs(context, operand, member.type, place, `For parameter "${member.name}"`)
      if (!expression) {
        isRight = false
        continue
      }
      values.push(expression)
    }
    if (member.section !== 'Input') {
      const local = context.local(member.type)
      results.push(local)
      if (!requireWritable(context, operand, place)) isRight = false
      else after.push(...giveBack(context, operand, member.type, local, place))
    }
  }
  if (!isRight || values.length !== signature.parameters.length) return { statements: [], ...(value ? { value } : {}) }
  const call: Statement = { kind: 'call', block: block.name, arguments: values, results, site }
  return { statements: [...before, call, ...after], ...(value ? { value } : {}) }
}

/** Puts REF(…) or NULL for an input into the frame. */
function referenceInput(context: BlockContext, member: Member, operand: Operand, at: SourceRange): Passed | undefined {
  if (member.type.kind !== 'reference' || member.section !== 'Input') return undefined
  if (operand.kind !== 'variable' || operand.at.kind !== 'local') return undefined
  const place = context.frame(member.type)
  const text = `parameter "${member.name}"`
  const target: Variable = { kind: 'variable', type: member.type, at: { kind: 'place', place }, text }
  return {
    address: { kind: 'address', place },
    before: assignReference(context, target, operand, at, at),
    after: [],
  }
}

/** Copies a text constant for an input into a text of the required length. */
function textInput(
  context: BlockContext,
  member: Member,
  operand: Operand,
  at: SourceRange,
  block: ProgramBlock,
): Passed | undefined {
  if (member.type.kind !== 'string' || member.section !== 'Input' || operand.kind !== 'constant') return undefined
  const place = { ...context.frame(member.type), isStandard: block.access === 'standard' }
  const target: Variable = {
    kind: 'variable',
    type: member.type,
    at: { kind: 'place', place },
    text: `parameter "${member.name}"`,
  }
  const prepare: Statement = {
    kind: 'routine',
    routine: 'string.clear',
    arguments: [
      { kind: 'address', place },
      { kind: 'constant', type: UDInt, value: BigInt(member.type.length < 0 ? 254 : member.type.length) },
      textFlags([place, member.type.isWide]),
    ],
    setsEno: false,
  }
  return {
    address: { kind: 'address', place },
    before: [prepare, ...assign(context, target, operand, at, at)],
    after: [],
  }
}

function giveBack(
  context: BlockContext,
  target: Variable,
  type: ScalarType,
  local: number,
  at: SourceRange,
): Statement[] {
  const value: Value = { kind: 'result', type, expression: { kind: 'local', type, local } }
  if (target.type.kind !== 'scalar') return assign(context, target, value, at, at)
  const expression = readAs(context, value, target.type, at, `For ${target.text}`)
  return expression ? storeScalar(context, target, expression, at) : []
}

/** Returns a data block as an instance; `wrong` when it is not one. */
export function instanceVariable(context: BlockContext, block: ProgramBlock, at: SourceRange): Variable | typeof wrong {
  if (block.type?.kind === 'instance') return wholeBlock(block)
  if (block.type?.kind === 'unknown' && block.kind === 'InstanceDB') {
    const of = block.instanceOf ?? ''
    const hint = `Add the block "${of}".`
    context.report(
      'instance-of-unknown',
      at,
      `"${block.name}" is an instance of "${of}", which is not in the program.`,
      hint,
    )
  } else context.report('not-callable', at, `"${block.name}" is no instance of a function block: it cannot be called.`)
  return wrong
}
