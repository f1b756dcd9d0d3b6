/**
 * System blocks that reach beyond the program, or contain a technology: communication, data records, alarms,
 * controllers, axes. The runtime implements them as models that use the members of their instance by name
 * (runtime/models), so their state is in the instance.
 */

import { constant } from '../../ir/build.ts'
import type { Statement } from '../../ir/ir.ts'
import { isModelled } from '../../library/model-names.ts'
import { UDInt } from '../../program/scalars.ts'
import type { InstanceType, Type } from '../../program/type.ts'
import type { BlockContext } from './block-context.ts'
import { callInstance } from './calls.ts'
import { typeAddress } from './instructions/regions.ts'
import type { SourceRange } from './source-range.ts'
import type { CallArgument, Called, Variable } from './values.ts'

/** Members that a block of this name must have. */
const needed: Readonly<Record<string, string>> = { PID_COMPACT: 'Retain', PID_3STEP: 'Retain', PID_TEMP: 'Retain' }

/** Whether the type is that of a block with a model. */
export function hasModel(type: Type): type is InstanceType {
  if (type.kind !== 'instance' || !type.isSystem || !isModelled(type.name)) return false
  const member = needed[type.name.toUpperCase()]
  return member === undefined || type.members.some(({ name }) => name === member)
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
  const layout = constant(UDInt, instance.at.place.isStandard ? 1n : 0n)
  return callInstance(context, instance, given, at, (pointer): Statement[] => [
    {
      kind: 'routine',
      // A server of Modbus gives its clients the whole process image.
      routine: type.name.toUpperCase() === 'MB_SERVER' ? 'model.image' : 'model.run',
      arguments: [pointer, typeAddress(type), layout],
      setsEno: context.setsEno,
    },
  ])
}
