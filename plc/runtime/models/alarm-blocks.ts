/**
 * Program_Alarm and Ack_Alarms (TIA Portal help, "Alarms"; docs/plc-semantics.md#alarms). The signal's edge is found
 * with SIG_Edge_History, as in the real block. A change that the controller cannot take is reported with STATUS and
 * tried again at the next call.
 */
import { alarmValue } from '../alarm-values.ts'
import { type AlarmChange, type AlarmValue, alarmStatus, mostValueBytes } from '../alarms.ts'
import { writeText } from '../texts.ts'
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
    if (!read) return alarmStatus.wrongType + i
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
  if (status === 0 || status === alarmStatus.notComing) instance.set('SIG_Edge_History', isPresent)
  end(instance, status)
}

/** STATUS of Ack_Alarms: MODE is neither 0 nor 1. */
const wrongMode = 0x8001

const acknowledgeAlarms: Model = (instance) => {
  // MODE 1 acknowledges all pending alarms of the program, 0 does nothing.
  const mode = instance.number('MODE')
  if (mode === 1) instance.context.alarms?.acknowledgeAll()
  end(instance, mode === 0 || mode === 1 ? 0 : wrongMode)
}

/** STATUS of Get_Alarm. */
const getAlarmStatus = {
  newData: 1,
  wrongMode: 0x8001,
  noData: 0x8002,
  loggedOn: 0x8004,
  wrongDataMode: 0x8005,
  loggedOff: 0x8085,
}

/** Writes a change to the structure AlarmData. Texts are numbers: central alarm management in the PLC is off. */
function giveChange(target: InstanceView, { id, producer, isPresent, time }: AlarmChange, withText: boolean): void {
  target.setAll({ ProducerID: producer, ID_1: id & 0xffff, ID_2: 0, PRIO: 0, TimeStamp: time, State: isPresent })
  for (const name of ['AlarmText', 'InfoText'])
    for (const { cell } of target.elements(name)) {
      const place = { address: cell.address, isWide: true, isStandard: cell.isStandard }
      writeText(target.context, place, withText && name === 'AlarmText' ? String(id) : '')
    }
}

/**
 * Get_Alarm: OperateMode 1 logs on, 2 reads the oldest change, 3 logs off. A change is there at once, so Busy stays
 * FALSE. All alarms have display class 0: a log-on only for other classes gets nothing.
 */
const getAlarm: Model = (instance) => {
  const { alarms } = instance.context
  const answer = (status: number, more: Readonly<Record<string, boolean>> = {}) => {
    const isError = status >= 0x8000
    instance.setAll({ DataReady: false, Busy: false, Init: false, Error: isError, Status: status, ...more })
    if (isError) instance.context.fail()
  }
  const mode = instance.number('OperateMode')
  const dataMode = instance.number('DataMode')
  if (mode < 1 || mode > 3) answer(getAlarmStatus.wrongMode)
  else if (dataMode > 3) answer(getAlarmStatus.wrongDataMode)
  else if (mode === 3) {
    alarms?.logOff()
    instance.set('LOGGED', false)
    answer(0)
  } else if (mode === 1) {
    const classes = instance.elements('DispClassNr').map(({ value }) => value)
    if (alarms?.isLoggedOn && instance.is('LOGGED')) answer(getAlarmStatus.loggedOn)
    else {
      alarms?.logOff()
      alarms?.logOn()
      instance.setAll({ LOGGED: true, ASKED: classes[0] === 65_535 || classes.includes(0) })
      answer(0, { Init: true })
    }
  } else if (!alarms?.isLoggedOn || !instance.is('LOGGED')) answer(getAlarmStatus.loggedOff)
  else {
    const target = instance.behind('Data')
    if (!target?.has('ProducerID')) answer(getAlarmStatus.noData)
    else {
      const change = alarms.nextChange()
      if (change && instance.is('ASKED')) giveChange(target, change, dataMode > 0)
      const isNew = change !== undefined && instance.is('ASKED')
      answer(isNew ? getAlarmStatus.newData : 0, { DataReady: isNew })
    }
  }
}

/** Models by name in upper case. */
export const alarmModels: Readonly<Record<string, Model>> = {
  PROGRAM_ALARM: programAlarm,
  ACK_ALARMS: acknowledgeAlarms,
  GET_ALARM: getAlarm,
}
