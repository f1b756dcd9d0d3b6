/** Comparing DTL and DATE_AND_TIME, which are made of parts: as nanoseconds since 1970. */
import type { Expression } from '../program/ir.ts'
import { address, binary } from '../program/ir-build.ts'
import { dateParts } from '../program/literals.ts'
import { Bool, LInt, UDInt } from '../program/scalars.ts'
import type { Comparison, Side } from './operators.ts'
import { irComparisons } from './operators.ts'
import type { Operand, Result } from './values.ts'

/** Which of the two an operand is. */
function kindOf(operand: Operand): 'dtl' | 'dt' | undefined {
  const type = operand.kind === 'variable' || operand.kind === 'constant' ? operand.type : undefined
  if (type?.kind === 'dateAndTime') return 'dt'
  return type?.kind === 'struct' && type.isSystem && type.name?.toUpperCase() === 'DTL' ? 'dtl' : undefined
}

/** Both sides are DTL, or both DATE_AND_TIME: Bool. `undefined`: they are something else. */
export function compareMoments(operator: Comparison, left: Side, right: Side): Result | undefined {
  const kind = kindOf(left.operand)
  if (kind === undefined || kind !== kindOf(right.operand)) return undefined
  const [a, b] = [nanoseconds(left.operand, kind), nanoseconds(right.operand, kind)]
  return a && b && { kind: 'result', type: Bool, expression: binary(irComparisons[operator], LInt, a, b) }
}

function nanoseconds(operand: Operand, kind: 'dtl' | 'dt'): Expression | undefined {
  if (operand.kind === 'constant') {
    const parts = typeof operand.value === 'string' ? dateParts(operand.value) : undefined
    if (!parts) return undefined
    const { year, month, day, hour, minute, second, nanosecond } = parts
    const seconds = Date.UTC(year, month - 1, day, hour, minute, second) / 1000
    return { kind: 'constant', type: LInt, value: BigInt(seconds) * 1_000_000_000n + BigInt(nanosecond) }
  }
  if (operand.kind !== 'variable' || operand.at.kind !== 'place') return undefined
  const { place } = operand.at
  const layout: Expression = { kind: 'constant', type: UDInt, value: place.isStandard ? 1n : 0n }
  return {
    kind: 'routine',
    routine: `${kind}.read`,
    type: LInt,
    arguments: kind === 'dtl' ? [address(place), layout] : [address(place)],
    setsEno: false,
  }
}
