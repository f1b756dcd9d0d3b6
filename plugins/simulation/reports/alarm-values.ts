/** Associated values of alarms as clients see them. */

import { scalarNamed } from '../../../plc/program/scalars.ts'
import type { AlarmValue } from '../../../plc/runtime/alarms.ts'
import type { JsonValue } from '../tags/index.ts'
import { scalarCodec } from '../tags/scalar-codec.ts'

/** A value with its type; `value` as tags show it (times and dates as texts), `raw` as the controller sent it. */
export interface AlarmValueView {
  readonly type: string
  readonly value: JsonValue
  readonly raw: AlarmValue['value']
}

/** A value as tags of its type are shown. */
export function alarmValueView({ type, value }: AlarmValue): AlarmValueView {
  const scalar = scalarNamed(type)
  const isPlain = scalar === undefined || /^(bool|real|character|integer|hardware)$/.test(scalar.family)
  if (isPlain)
    return { type, value: typeof value === 'string' && scalar?.bits === 64 ? numberOf(value) : value, raw: value }
  const view = new DataView(new ArrayBuffer(8))
  view.setBigInt64(0, BigInt(value) << BigInt(64 - scalar.bits))
  return { type, value: scalarCodec(scalar, 'standard').decode(view, 0, 0), raw: value }
}

/** Whole numbers beyond 2^53 stay texts. */
function numberOf(text: string): number | string {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}
