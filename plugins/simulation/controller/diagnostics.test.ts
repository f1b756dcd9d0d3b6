/** The diagnostics buffer, and what of repeated errors comes into it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DiagnosticFilter } from './diagnostic-filter.ts'
import { DiagnosticsBuffer } from './diagnostics-buffer.ts'
import type { RawEntry } from './messages.ts'

test('the diagnostics buffer: numbers, places in the source, the newest thousand', () => {
  const compiled = {
    linked: { blockNumbers: ['Main', 'Other'] },
    sites: [[], [{ network: 2, line: 3, column: 4 }, { network: 5 }]],
  }
  const program = { compiled } as never
  const buffer = new DiagnosticsBuffer()
  const raw = { time: 7, severity: 'error', code: 'x', message: 'm' } as const
  assert.deepEqual(buffer.add({ ...raw, block: 'Other', site: 0 }, program), {
    ...{ number: 1, ...raw, block: 'Other', network: 2, line: 3, column: 4 },
  })
  assert.deepEqual(buffer.add({ ...raw, block: 'Other', site: 1 }, program), {
    number: 2,
    ...raw,
    block: 'Other',
    network: 5,
  })
  for (const entry of [
    { ...raw, block: 'Main', site: 0 },
    { ...raw, block: 'Gone', site: 0 },
    { ...raw, block: 'Other', site: 9 },
    { ...raw, block: 'Other' },
  ])
    assert.equal(buffer.add(entry, program).network, undefined, JSON.stringify(entry))
  assert.equal(buffer.add({ ...raw, site: 0 }, program).network, undefined)
  assert.equal(buffer.add({ ...raw, block: 'Other', site: 0 }, undefined).network, undefined)
  assert.deepEqual(
    buffer.newestFirst.map(({ number }) => number),
    [8, 7, 6, 5, 4, 3, 2, 1],
  )
  for (let i = 0; i < 1993; i++) buffer.add(raw, undefined)
  assert.deepEqual(
    [buffer.newestFirst.length, buffer.newestFirst[0]?.number, buffer.newestFirst.at(-1)?.number],
    [1000, 2001, 1002],
  )
  buffer.add(raw, undefined)
  assert.deepEqual([buffer.newestFirst.length, buffer.newestFirst.at(-1)?.number], [1000, 1003])
})
test('the same error of each cycle is entered once a second, with the number of those between', () => {
  const put: string[] = []
  const filter = new DiagnosticFilter(({ time, message }) => put.push(`${time} ${message}`))
  const enter = (time: number, change: Partial<RawEntry> = {}) =>
    filter.enter({ time, severity: 'error', code: 'c', message: 'm', block: 'B', site: 1, ...change } as RawEntry)
  const told = () => put.splice(0)
  for (const time of [0, 1, 999]) enter(time)
  assert.deepEqual(told(), ['0 m'])
  enter(1000)
  enter(2000)
  assert.deepEqual(told(), ['1000 m (2 more since the last entry)', '2000 m'])
  enter(2001)
  enter(900, { message: 'back' })
  assert.deepEqual(told(), ['900 back (1 more since the last entry)'], 'the clock was set back')
  for (const change of [{ code: 'd' }, { block: 'C' }, { site: 2 }]) enter(901, change)
  assert.equal(told().length, 3)
  for (const time of [0, 0]) enter(time, { severity: 'information' })
  assert.equal(told().length, 2)
  filter.clear()
  enter(902)
  assert.deepEqual(told(), ['902 m'])
  for (let site = 2; site < 1001; site++) enter(0, { site })
  enter(0, { site: 1000 })
  assert.equal(told().length, 999)
  enter(0, { site: 1001 })
  enter(0, { site: 5 })
  assert.equal(told().length, 2, 'beyond a thousand kinds it begins anew')
})
