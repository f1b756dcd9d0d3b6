/**
 * The library function for an instance of a timer, counter or edge, and the effect of reading a timer
 * (docs/plc-semantics.md#timers).
 */

import { address } from '../../ir/build.ts'
import type { Place, Statement } from '../../ir/ir.ts'
import {
  type MemberOffset,
  type SystemFunction,
  systemBlockName,
  systemFunctions,
} from '../../library/system-blocks.ts'
import { layoutOf } from '../../program/layout.ts'
import { DInt } from '../../program/scalars.ts'
import type { InstanceType, Member, ScalarType, StructType, Type } from '../../program/type.ts'

export type Structured = InstanceType | StructType

export const timerType = /^(?:IEC_L?TIMER|(?:TON|TOF|TP|TONR)(?:_L?TIME)?)$/i

/** Whether the type is that of a timer. */
export function isTimer(type: Type): type is Structured {
  return (type.kind === 'instance' || type.kind === 'struct') && type.isSystem && timerType.test(type.name ?? '')
}

export interface Located {
  readonly member: Member
  readonly offset: MemberOffset
}

export function find(type: Structured, isStandard: boolean, names: readonly string[]): Located | undefined {
  const { offsets } = layoutOf(type.members, isStandard ? 'standard' : 'optimized')
  for (const name of names) {
    const index = type.members.findIndex((member) => member.name.toUpperCase() === name)
    const [member, offset] = [type.members[index], offsets[index]]
    if (member && offset) return { member, offset }
  }
  return undefined
}

export interface Resolved {
  readonly name: string
  readonly own: SystemFunction
  readonly type: ScalarType
  readonly members: readonly Located[]
}

/** Returns the function for instances of this type; `undefined` when the type lacks a member it needs. */
export function resolve(instruction: string, type: Structured, isStandard: boolean): Resolved | undefined {
  const own = systemFunctions[instruction]
  if (!own) return undefined
  const members: Located[] = []
  for (const { names } of own.roles) {
    const found = find(type, isStandard, names)
    if (!found) return undefined
    members.push(found)
  }
  const counted = members.find((_one, i) => own.roles[i]?.type === 'T')?.member.type
  const scalar = counted?.kind === 'scalar' ? counted : DInt
  return {
    name: systemBlockName(
      instruction,
      scalar,
      isStandard,
      members.map(({ offset }) => offset),
    ),
    own,
    type: scalar,
    members,
  }
}

/** Returns the statement that must run before Q or ET of a timer is read: both follow the clock. */
export function timerUpdate(type: Type, place: Place, member: string): Statement | undefined {
  if (!/^(Q|ET|ELAPSED)$/i.test(member) || !isTimer(type)) return undefined
  const resolved = resolve('TIMER_UPDATE', type, place.isStandard)
  return resolved && { kind: 'call', block: resolved.name, arguments: [address(place)], results: [], site: 0 }
}

/** Whether a called block is the one that `timerUpdate` calls: it only brings the data of a timer up to date. */
export function isTimerUpdate(block: string): boolean {
  return /\bTIMER_UPDATE\b/i.test(block)
}
