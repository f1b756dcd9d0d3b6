/**
 * Blocks of the system that reach beyond the program: communication, data records, data logs, alarms; and PID_Compact (runtime/routines/pid.ts). Nothing answers here, so they are models: they take their
 * parameters, and a job ends with the error that a controller without partner reports. Status codes: TIA Portal help of each block ([M] in
 * plc-semantics.md where a controller has several for the same state).
 */
import type { Expression, Place, Statement } from '../program/ir.ts'
import { address, and, behind, constant, isFalse, isTrue, load, not, store, when } from '../program/ir-build.ts'
import { layoutOf } from '../program/layout.ts'
import { Bool, UDInt } from '../program/scalars.ts'
import type { InstanceType, ScalarType, Type } from '../program/type.ts'
import { typeCode } from '../program/type-code.ts'
import type { BlockContext, SourceRange } from './block-context.ts'
import { type CallArgument, type Called, callInstance } from './calls.ts'
import type { Variable } from './values.ts'

interface Model {
  /** Input that starts a job: `REQ` with its rising edge, `EN_R` as long as it is on. */
  readonly start: 'REQ' | 'EN_R'
  /** STATUS with ERROR. */
  readonly error: bigint
  /** STATUS when there is no job. */
  readonly idle: bigint
}

const noJob = 0x7000n

function models(names: string, start: Model['start'], error: bigint, idle = noJob): [string, Model][] {
  return names.split(' ').map((name) => [name, { start, error, idle }])
}

/** By name in upper case. */
const table: ReadonlyMap<string, Model> = new Map([
  // The connection is not established.
  ...models('TSEND T_DIAG TRESET', 'REQ', 0x80a1n),
  ...models('TRCV', 'EN_R', 0x80a1n),
  // The connection cannot be established at the moment.
  ...models('TCON TSEND_C MB_CLIENT', 'REQ', 0x80c4n),
  ...models('TRCV_C', 'EN_R', 0x80c4n),
  // There is no such connection to end.
  ...models('TDISCON', 'REQ', 0x80a3n),
  ...models('TUSEND', 'REQ', 0x80a1n),
  ...models('TURCV', 'EN_R', 0x80a1n),
  // S7 communication: 1 is "communication problem, connection not there".
  ...models('PUT GET USEND BSEND', 'REQ', 1n, 0n),
  ...models('URCV BRCV', 'EN_R', 1n, 0n),
  // The partner does not answer; the port is none.
  ...models('MB_MASTER MODBUS_MASTER', 'REQ', 0x80c8n),
  ...models('MB_COMM_LOAD MODBUS_COMM_LOAD', 'REQ', 0x8180n),
  // Without a memory card there is no data log to work on, and no room for a new one.
  ...models('DATALOGOPEN DATALOGWRITE DATALOGCLOSE DATALOGCLEAR DATALOGDELETE DATALOGNEWFILE', 'REQ', 0x8092n),
  ...models('DATALOGCREATE', 'REQ', 0x8070n),
  // There is no such module: the third and second byte are the error of the record.
  ...models('RDREC WRREC', 'REQ', 0xdf80_9000n, 0x0070_0000n),
  ...models('PROGRAM_ALARM', 'REQ', 0n, 0n),
])

/** Whether the type is that of a block with a model. */
export function hasModel(type: Type): type is InstanceType {
  return type.kind === 'instance' && type.isSystem && (table.has(type.name.toUpperCase()) || isPid(type))
}

/** Whether the type has all that the model of PID_Compact works on. */
function isPid({ name, members }: InstanceType): boolean {
  return name.toUpperCase() === 'PID_COMPACT' && members.some((member) => member.name === 'Retain')
}

/** Calls a model; `type` is one that `hasModel` knows. */
export function callModel(
  context: BlockContext,
  instance: Variable,
  type: InstanceType,
  given: readonly CallArgument[],
  at: SourceRange,
): Called {
  if (instance.at.kind !== 'place') return { statements: [] }
  const { isStandard } = instance.at.place
  if (isPid(type)) return callInstance(context, instance, given, at, (pointer) => [runPid(type, pointer, isStandard)])
  const model = table.get(type.name.toUpperCase())
  if (!model) return { statements: [] }
  return callInstance(context, instance, given, at, (pointer) => run(model, type, pointer, isStandard))
}

/** The controller is worked out by the runtime, from its members by name. */
function runPid(type: InstanceType, pointer: Expression, isStandard: boolean): Statement {
  const bytes: Place = {
    base: { kind: 'constant', bytes: typeCode(type) },
    offset: 0,
    indices: [],
    isStandard: false,
  }
  const layout = constant(UDInt, isStandard ? 1n : 0n)
  return { kind: 'routine', routine: 'pid.compact', arguments: [pointer, address(bytes), layout], setsEno: false }
}

function run(model: Model, type: InstanceType, pointer: Expression, isStandard: boolean): Statement[] {
  const { offsets } = layoutOf(type.members, isStandard ? 'standard' : 'optimized')
  const find = (name: string): { place: Place; type: ScalarType } | undefined => {
    const index = type.members.findIndex((member) => member.name.toUpperCase() === name)
    const [member, offset] = [type.members[index], offsets[index]]
    if (!offset || member?.type.kind !== 'scalar') return undefined
    return { place: behind(pointer, isStandard, offset.byte, offset.bit), type: member.type }
  }
  const set = (name: string, value: bigint): Statement[] => {
    const found = find(name)
    return found ? [store(found.type, found.place, constant(found.type, value))] : []
  }
  // An alarm goes out without an answer; nobody shows it here.
  if (type.name.toUpperCase() === 'PROGRAM_ALARM') return [...set('ERROR', 0n), ...set('STATUS', 0n)]
  const input = find(model.start)
  const before = find('REQ_OLD')
  if (!input) return []
  const on = load(Bool, input.place)
  const starts = model.start === 'REQ' && before ? and(on, not(load(Bool, before.place))) : on
  const idle = ['DONE', 'NDR', 'VALID', 'BUSY'].flatMap((name) => set(name, 0n))
  return [
    ...idle,
    when(
      starts,
      [...set('ERROR', 1n), ...set('STATUS', model.error)],
      [...set('ERROR', 0n), ...set('STATUS', model.idle)],
    ),
    ...(before ? [when(on, [store(Bool, before.place, isTrue)], [store(Bool, before.place, isFalse)])] : []),
  ]
}
