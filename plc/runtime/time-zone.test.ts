/** Local time and daylight saving: TIA Portal help of SET_TIMEZONE, WR_LOC_T and RD_LOC_T. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runSource } from '../testing/lower-source.ts'
import { isDaylight, offsetAt, systemTimeOf, timeZoneOf } from './time-zone.ts'

const at = (month: number, week: number, weekday: number, hour: number, minute = 0) => ({
  ...{ month, week, weekday, hour, minute },
})
const sunday = 1
const lastSundayOfMarch = at(3, 5, sunday, 2)
const lastSundayOfOctober = at(10, 5, sunday, 3)
const berlin = timeZoneOf(60, 60, lastSundayOfMarch, lastSundayOfOctober)!
const sydney = timeZoneOf(600, 60, at(10, 1, sunday, 2), at(4, 1, sunday, 3))!
const ns = (date: string) => BigInt(Date.parse(`${date}Z`)) * 1_000_000n

describe('daylight saving', () => {
  test('begins and ends at the minute, in the north and in the south', () => {
    for (const [zone, date, hours] of [
      [berlin, '2026-03-29T00:59:59', 1],
      [berlin, '2026-03-29T01:00:00', 2],
      [berlin, '2026-10-25T00:59:59', 2],
      [berlin, '2026-10-25T01:00:00', 1],
      [berlin, '2025-12-31T23:30:00', 1],
      [sydney, '2026-01-01T00:00:00', 11],
      [sydney, '2026-04-04T15:59:59', 11],
      [sydney, '2026-04-04T16:00:00', 10],
      [sydney, '2026-10-03T15:59:59', 10],
      [sydney, '2026-10-03T16:00:00', 11],
      [sydney, '2026-12-31T23:00:00', 11],
    ] as const)
      assert.equal(Number(offsetAt(zone, ns(date))) / 3.6e12, hours, date)
  })

  test('weeks: the fourth is not the last one, the fifth is the last', () => {
    const change = (week: number) => timeZoneOf(0, 60, at(3, week, 7, 2, 30), at(11, 1, 4, 0))!
    const begins = (week: number, date: string) => [
      isDaylight(change(week), ns(date) - 1n),
      isDaylight(change(week), ns(date)),
    ]
    // Saturdays of March 2025: 1, 8, 15, 22, 29.
    assert.deepEqual(begins(1, '2025-03-01T02:30:00'), [false, true])
    assert.deepEqual(begins(4, '2025-03-22T02:30:00'), [false, true])
    assert.deepEqual(begins(5, '2025-03-29T02:30:00'), [false, true])
    // Those of March 2027: 6, 13, 20, 27.
    assert.deepEqual(begins(5, '2027-03-27T02:30:00'), [false, true])
  })

  test('one hour does not exist, one comes twice', () => {
    const system = (local: string, isFirst: boolean) => systemTimeOf(berlin, ns(local), isFirst)
    assert.deepEqual(
      ['01:59:59', '02:00:00', '02:59:59', '03:00:00'].map((time) => system(`2026-03-29T${time}`, false)),
      [ns('2026-03-29T00:59:59'), undefined, undefined, ns('2026-03-29T01:00:00')],
    )
    assert.deepEqual(
      ['01:59:59', '02:00:00', '02:59:59', '03:00:00'].map((time) => [
        system(`2026-10-25T${time}`, true),
        system(`2026-10-25T${time}`, false),
      ]),
      [
        [ns('2026-10-24T23:59:59'), ns('2026-10-24T23:59:59')],
        [ns('2026-10-25T00:00:00'), ns('2026-10-25T01:00:00')],
        [ns('2026-10-25T00:59:59'), ns('2026-10-25T01:59:59')],
        [ns('2026-10-25T02:00:00'), ns('2026-10-25T02:00:00')],
      ],
    )
  })

  test('values out of their range are no zone; without daylight saving its times do not matter', () => {
    const none = at(0, 0, 0, 0)
    assert.deepEqual(timeZoneOf(-720, 0, none, none), { bias: -43_200_000_000_000n })
    assert.deepEqual(timeZoneOf(780, 0, none, none), { bias: 46_800_000_000_000n })
    for (const [bias, daylight] of [
      [-721, 0],
      [781, 0],
      [0, -1],
      [0, 121],
    ] as const)
      assert.equal(timeZoneOf(bias, daylight, lastSundayOfMarch, lastSundayOfOctober), undefined)
    const changes = [at(0, 1, 1, 0), at(13, 1, 1, 0), at(1, 0, 1, 0), at(1, 6, 1, 0), at(1, 1, 0, 0), at(1, 1, 8, 0)]
    for (const wrong of [...changes, at(1, 1, 1, 24), at(1, 1, 1, 0, 60)]) {
      assert.equal(timeZoneOf(0, 60, wrong, lastSundayOfOctober), undefined)
      assert.equal(timeZoneOf(0, 60, lastSundayOfMarch, wrong), undefined)
    }
    for (const right of [at(12, 5, 7, 23, 59), at(1, 1, 1, 0)])
      assert.ok(timeZoneOf(0, 120, right, lastSundayOfOctober))
  })
})

const program = `FUNCTION_BLOCK "Main"
VAR
  zone : SET_TIMEZONE; rule : TimeTransformationRule; req : Bool; local : LDT; set : DTL; write : Bool; dst : Bool;
  read : Int; written : Int; old : DTL; oldStatus : Int; system : LDT; r : Int;
END_VAR
BEGIN
#zone(REQ := #req, TimeZone := #rule);
IF #write THEN #written := WR_LOC_T(LOCTIME := #set, DST := #dst); END_IF;
#read := RD_LOC_T(#local);
#r := RD_SYS_T(#system);
END_FUNCTION_BLOCK
`

test('a program sets its time zone, and its clock by the local time', () => {
  const run = runSource(program)
  const rule = (values: Readonly<Record<string, number>>) => {
    for (const [name, value] of Object.entries(values)) run.set(`rule.${name}`, value)
  }
  const start = { DaylightStartMonth: 3, DaylightStartWeek: 5, DaylightStartWeekday: 1, DaylightStartHour: 2 }
  const end = { StandardStartMonth: 10, StandardStartWeek: 5, StandardStartWeekday: 1, StandardStartHour: 3 }
  rule({ Bias: 60, DaylightBias: 60, ...start, ...end })
  const job = () => {
    const seen: unknown[] = []
    run.set('req', true)
    for (let i = 0; i < 3; i++) {
      run.scan()
      seen.push((run.get('zone.STATUS') as number) & 0xffff)
    }
    const ended = [run.get('zone.DONE'), run.get('zone.ERROR')]
    run.set('req', false)
    run.scan()
    return [seen, ended, (run.get('zone.STATUS') as number) & 0xffff]
  }
  run.clock.setSystemTime(ns('2026-07-01T12:00:00'))
  assert.deepEqual(job(), [[0x7001, 0x7002, 0], [1, 0], 0x7000])
  assert.deepEqual([run.bits('local'), run.get('read')], [ns('2026-07-01T14:00:00'), 1])

  const set = (year: number, month: number, day: number, hour: number, dst: boolean) => {
    for (const [name, value] of Object.entries({ YEAR: year, MONTH: month, DAY: day, HOUR: hour, MINUTE: 30 }))
      run.set(`set.${name}`, value)
    run.set('dst', dst)
    run.set('write', true)
    run.scan()
    run.set('write', false)
    return [(run.get('written') as number) & 0xffff, new Date(Number(run.bits('system') / 1_000_000n)).toISOString()]
  }
  assert.deepEqual(set(2026, 10, 25, 2, true), [0, '2026-10-25T00:30:00.000Z'])
  assert.equal(run.get('read'), 1)
  assert.deepEqual(set(2026, 10, 25, 2, false), [0, '2026-10-25T01:30:00.000Z'])
  assert.equal(run.get('read'), 0)
  assert.deepEqual(set(2026, 3, 29, 2, true), [0x8089, '2026-10-25T01:30:00.000Z'])
  assert.deepEqual(set(2026, 2, 30, 2, true), [0x8080, '2026-10-25T01:30:00.000Z'])
  assert.deepEqual(set(2201, 1, 1, 2, true), [0x8081, '2026-10-25T01:30:00.000Z'])

  rule({ Bias: 800 })
  assert.deepEqual(job(), [[0x7001, 0x7002, 0x808f], [0, 1], 0x7000])
  rule({ Bias: -300, DaylightBias: 0, DaylightStartMonth: 99 })
  assert.deepEqual(job(), [[0x7001, 0x7002, 0], [1, 0], 0x7000])
  assert.equal(run.bits('local'), ns('2026-10-24T20:30:00'))
})
