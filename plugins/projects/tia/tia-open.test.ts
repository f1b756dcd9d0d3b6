/** What a user is told of a project of TIA Portal that is opened: what was not read, and what became something else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TiaContent } from './tia-content.task.ts'
import { warningsOf } from './tia-open.ts'

const report = (...completeness: string[]) => completeness.map((one) => ({ completeness: one }))
const whole = {
  ...{ found: 'V19', version: 'V19', report: report('whole', 'whole'), systemElements: 0, systemConstants: 0 },
  ...{ unknownStations: [], notRead: {}, damaged: [] },
}
const told = (more: object) => warningsOf({ ...whole, ...more } as unknown as TiaContent)

test('a project that was read whole has no warnings', () => {
  assert.deepEqual(told({}), [])
  assert.deepEqual(told({ found: undefined }), [])
})

test('each thing that was not read, or became something else', () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => `S${i + 1}`)
  assert.deepEqual(
    told({
      ...{ found: 'V14', version: 'V16', report: report('whole', 'partly', 'not-read', 'partly') },
      ...{ systemElements: 2, systemConstants: 3, unknownStations: names(6) },
      ...{ notRead: { 'HMI screen': 2, recipe: 1 }, damaged: names(5) },
    }),
    [
      'The project is of V14, which is no version of projects here; it was opened as V16.',
      '1 object was read whole, 2 in part and 1 not at all: `tia.objects` says why.',
      "2 blocks and types of TIA Portal's instruction library were left out; Gantry has its own.",
      '3 system constants that the program uses are user constants of the table "System constants".',
      'Stations without a PLC or a head module are not opened: S1, S2, S3, S4, S5 and 1 more.',
      'Not read: 2 of the kind HMI screen.',
      'Not read: 1 of the kind recipe.',
      '5 damaged records were left out: S1, S2, S3, S4, S5.',
    ],
  )
  assert.deepEqual(
    told({
      report: report('whole', 'whole', 'not-read'),
      systemElements: 1,
      systemConstants: 1,
      damaged: ['record 7'],
    }),
    [
      '2 objects were read whole, 0 in part and 1 not at all: `tia.objects` says why.',
      "1 block or type of TIA Portal's instruction library was left out; Gantry has its own.",
      '1 system constant that the program uses is a user constant of the table "System constants".',
      '1 damaged record was left out: record 7.',
    ],
  )
})
