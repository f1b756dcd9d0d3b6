/**
 * Calls of timers, counters and edges, and the effect of reading a timer (docs/plc-semantics.md#timers,
 * docs/plc-semantics.md#counters, docs/plc-semantics.md#edges).
 */
import { nearest } from '../../../lib/nearest.ts'
import { defined } from '../../../lib/optional.ts'
import { address, load, local, setLocal } from '../../ir/build.ts'
import type { Expression, Place, Statement } from '../../ir/ir.ts'
import type { SystemFunction } from '../../library/system-blocks.ts'
import { Bool } from '../../program/scalars.ts'
import type { Type } from '../../program/type.ts'
import { typeName } from '../../program/type-name.ts'
import { assign } from './assignments.ts'
import type { BlockContext } from './block-context.ts'
import { checkPositional } from './checks/positional-parameters.ts'
import { refusesInstruction } from './family-checks.ts'
import { readAs } from './reading.ts'
import type { SourceRange } from './source-range.ts'
import { find, type Located, resolve, timerType } from './system-functions.ts'
import { callModel, hasModel } from './system-models.ts'
import type { CallArgument, Called, Variable } from './values.ts'

const counterType = /^IEC_U?[SDL]?(?:INT_)?COUNTER$/i

/**
 * Returns the instruction for an instance of this system type: `TON` for `TON_TIME`. Types that several instructions
 * share (`IEC_TIMER`) have none.
 */
export function instructionOf(type: Type): string | undefined {
  if ((type.kind !== 'instance' && type.kind !== 'struct') || !type.isSystem) return undefined
  return /^(TON|TOF|TP|TONR|CTU|CTD|CTUD|R_TRIG|F_TRIG)(?:_(?:L?TIME|U?(?:S|D|L)?INT))?$/i
    .exec(type.name ?? '')?.[1]
    ?.toUpperCase()
}

/**
 * Whether data of the type can be the instance of an instruction: `"IEC_Timer_0_DB".TON(…)`. Each timer fits each
 * instruction for timers: exports of TIA Portal V18 contain boxes TOF with an instance of type TON_TIME.
 */
export function canBeInstance(type: Type, instruction: string): boolean {
  if ((type.kind !== 'instance' && type.kind !== 'struct') || !type.isSystem) return false
  const upper = instruction.toUpperCase()
  const name = type.name ?? ''
  if (/^(TON|TOF|TP|TONR)(_L?TIME)?$/.test(upper)) return timerType.test(name)
  if (/^CT(U|D|UD)(_\w+)?$/.test(upper))
    return counterType.test(name) || (instructionOf(type)?.startsWith('CT') ?? false)
  return instructionOf(type) === upper || (hasModel(type) && name.toUpperCase() === upper)
}

/**
 * Calls an instruction that has an instance.
 * @param instruction name as in the call or as the type contains it: `TON`, `TON_TIME`, `CTU_INT`
 */
export function callSystemInstance(
  context: BlockContext,
  instance: Variable,
  instruction: string,
  given: readonly CallArgument[],
  at: SourceRange,
): Called {
  const nothing: Called = { statements: [] }
  const { type } = instance
  if (instance.at.kind !== 'place' || (type.kind !== 'instance' && type.kind !== 'struct')) return nothing
  if (refusesInstruction(context, type.name ?? instruction, at)) return nothing
  const { place } = instance.at
  if (hasModel(type)) return callModel(context, instance, type, given, at)
  const key = /^(RESET_TIMER|PRESET_TIMER|R_TRIG|F_TRIG|[A-Z]+)/i.exec(instruction)?.[1]?.toUpperCase() ?? ''
  const resolved = resolve(key, type, place.isStandard)
  if (!resolved) {
    context.report(
      'unknown-instruction',
      at,
      `${instruction} cannot be compiled: ${typeName(type)} is no instance of an instruction that is known here.`,
    )
    return nothing
  }
  const { own, members } = resolved
  const typeOf = (kind: 'Bool' | 'T') => (kind === 'Bool' ? Bool : resolved.type)
  const pointer = context.local('address')
  const base: Place = {
    base: { kind: 'pointer', address: local('address', pointer) },
    offset: 0,
    indices: [],
    isStandard: place.isStandard,
  }
  const placeOf = ({ offset }: Located): Place => ({
    ...base,
    offset: offset.byte,
    ...defined({ bit: offset.bit }),
  })
  checkPositional(
    context,
    instruction,
    own.inputs.map(({ name }) => name),
    given,
  )
  const values = new Map<string, Expression>()
  const after: Statement[] = []
  const seen = new Set<string>()
  const known = [...own.inputs.map(({ name }) => name), ...outputsOf(own)]
  let isRight = true
  for (const [i, argument] of given.entries()) {
    const name = argument.name?.toUpperCase() ?? own.inputs[i]?.name ?? ''
    const input = own.inputs.find((one) => one.name === name)
    const output = input ? undefined : members.find((_one, k) => own.roles[k]?.names.includes(name))
    if (!known.includes(name) || (!input && !output)) {
      const close = nearest(name, known)
      const what = argument.name === undefined ? 'so many inputs' : `parameter "${argument.name}"`
      const hint = close === undefined ? `Its parameters: ${known.join(', ')}.` : `Did you mean "${close}"?`
      context.report('unknown-parameter', argument.at, `${instruction} has no ${what}.`, hint)
      isRight = false
      continue
    }
    if (seen.has(name)) {
      context.report('duplicate-parameter', argument.at, `Parameter "${name}" is given twice.`)
      isRight = false
    }
    seen.add(name)
    if (argument.isEither !== true && argument.isOutput !== (output !== undefined)) {
      const [what, sign] = output ? ['an output', '=>'] : ['an input', ':=']
      context.report('parameter-direction', argument.at, `"${name}" is ${what}: write ${name} ${sign} …`)
      isRight = false
      continue
    }
    const { operand } = argument
    if (!operand) continue
    if (output) {
      const value = {
        kind: 'variable',
        type: output.member.type,
        at: { kind: 'place', place: placeOf(output) },
      } as const
      after.push(...assign(context, operand, { ...value, text: `${instance.text}.${name}` }, argument.at, argument.at))
    } else if (input) {
      const value = readAs(context, operand, typeOf(input.type), argument.at, `For parameter "${name}"`)
      if (value) values.set(name, value)
      else isRight = false
    }
  }
  if (!isRight) return nothing
  // Inputs that are left out keep the value of the last call.
  const inputs = own.inputs.map(({ name, type: kind }): Expression => {
    const value = values.get(name)
    if (value) return value
    const kept = find(type, place.isStandard, [name])
    return kept ? load(typeOf(kind), placeOf(kept)) : { kind: 'constant', type: typeOf(kind), value: 0n }
  })
  const call: Statement = {
    kind: 'call',
    block: resolved.name,
    arguments: [local('address', pointer), ...inputs],
    results: [],
    site: context.site(at),
  }
  return { statements: [setLocal(pointer, address(place)), call, ...after] }
}

/** Members that a call can read as outputs: those that are no inputs. */
function outputsOf({ roles, inputs }: SystemFunction): string[] {
  const taken = new Set(inputs.map(({ name }) => name))
  return roles
    .filter(({ names }) => !names.some((name) => taken.has(name)))
    .flatMap(({ names }) => names)
    .filter((name) => /^(Q|QU|QD|ET|CV)$/.test(name))
}
