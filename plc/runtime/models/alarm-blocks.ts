/**
 * Program_Alarm and Ack_Alarms (TIA Portal help, "Alarms"; docs/plc-semantics.md#alarms). The signal's edge is found
 * with SIG_Edge_History, as in the real block. A change that the controller cannot take is reported with STATUS and
 * tried again at the next call.
 */
import { alarmValue } from '../alarm-values.ts'
import { type AlarmValue, alarmStatus, mostValueBytes } from '../alarms.ts'
import type { InstanceView, Model } from './instance-view.ts'

const mostValues = 10

function valuesOf(instance: InstanceView): readonly AlarmValue[] | number {
  const values: AlarmValue[] = []
  let size = 0
  for (let i = 1; i <= mostValues; i++) {
    const given = instance.behind(`SD_${i}`)
    if (!given) {
      values.push({ type: '', value: 0 })
      continue
    }
    const read = alarmValue(instance.context, given.cell)
    if (!read) return alarmStatus.wrongType
    const { bytes, ...value } = read
    size += bytes
    values.push(value)
  }
  if (size > mostValueBytes) return alarmStatus.tooLong
  // The last parameters that are not used say nothing.
  while (values.at(-1)?.type === '') values.pop()
  return values
}

function end(instance: InstanceView, status: number): void {
  instance.setAll({ Error: status >= 0x8000, Status: status })
  if (status >= 0x8000) instance.context.fail()
}

const programAlarm: Model = (instance) => {
  const isPresent = instance.is('SIG')
  if (isPresent === instance.is('SIG_Edge_History')) {
    end(instance, 0)
    return
  }
  const values = valuesOf(instance)
  if (typeof values === 'number') {
    end(instance, values)
    return
  }
  const { alarms } = instance.context
  const timestamp = BigInt.asIntN(64, instance.bits('TIMESTAMP'))
  const status = alarms?.signal(instance.cell.address, isPresent, timestamp, values) ?? 0
  if (status === 0) instance.set('SIG_Edge_History', isPresent)
  end(instance, status)
}

const acknowledgeAlarms: Model = (instance) => {
  // MODE 1 acknowledges all pending alarms of the program.
  const mode = instance.number('MODE')
  if (mode === 1) instance.context.alarms?.acknowledgeAll()
  end(instance, mode === 1 ? 0 : alarmStatus.wrongMode)
}

/** Models by name in upper case. */
export const alarmModels: Readonly<Record<string, Model>> = {
  PROGRAM_ALARM: programAlarm,
  ACK_ALARMS: acknowledgeAlarms,
}
