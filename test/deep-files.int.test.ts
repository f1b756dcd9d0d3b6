/**
 * Files whose elements, lists or brackets are nested 100 000 deep, through each operation that reads a file: refused by
 * a message that says where, or read; none is an internal error.
 */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isGatewayError } from '../core/contract/problems.ts'
import { openPlant } from './plant.ts'

const n = 100_000
const xml = (root: string) =>
  `<?xml version="1.0" encoding="utf-8"?><${root}>${'<a>'.repeat(n)}${'</a>'.repeat(n)}</${root}>`
const json = (start: string) => start + '['.repeat(n) + ']'.repeat(n)
const plc = { deviceName: 'PLC_1' }
const panel = { deviceName: 'Panel' }
const phases = (condition: string) =>
  `[CmTypes]\nCmType;Variable;Direction;DataType;Description\nV;Open;In;Bool;\n\n[Phases]\nPhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep\nF;1;One;TRUE;;;"${condition}";2\nF;2;Two;;TRUE;;;\n`

/** Operations that read files: each with the names and contents of files, and what its refusal says. */
const files: readonly (readonly [operation: string, input: object, name: string, content: string, message: RegExp])[] =
  [
    ['blocks.import', plc, 'block.xml', xml('Document'), /deeper than \d+ levels/],
    ['types.import', plc, 'type.xml', xml('Document'), /deeper than \d+ levels/],
    ['watch-tables.import', plc, 'watch.xml', xml('Document'), /deeper than \d+ levels/],
    ['tags.import', plc, 'tags.json', json(''), /deeper than \d+ levels/],
    ['cax.import-hardware', {}, 'plant.aml', xml('CAEXFile'), /deeper than \d+ levels/],
    ['hmi.import', panel, 'screen.xml', xml('Document'), /deeper than \d+ levels/],
    ['hmi.import', panel, 'picture.svg', xml('svg'), /deeper than \d+ levels/],
    ['simulation.import-legacy', {}, 'instances.json', json(''), /deeper than \d+ levels/],
    [
      'design-spec.load',
      {},
      'brackets.csv',
      phases(`${'('.repeat(190)}V.Open${')'.repeat(190)}`),
      /nested|brackets|deep/,
    ],
    ['design-spec.load', {}, 'long.csv', phases('('.repeat(n)), /characters/],
    ['blocks.import', plc, 'brackets.scl', `FUNCTION "F" : Void\nBEGIN\n${'('.repeat(n)};\nEND_FUNCTION\n`, /./],
    ['plc-tests.run', {}, 'brackets.test.yml', `block: ${'['.repeat(n)}`, /./],
    ['review.check', {}, 'gantry.yml', `devices: ${'['.repeat(n)}`, /./],
  ]

for (const [operation, input, name, content, message] of files)
  test(`deep: ${operation} of ${name}`, async (t) => {
    const at = await openPlant(t)
    await at.call('devices.add', { orderNumber: '6AV2 124-0MC01-0AX0', name: 'Panel' })
    await writeFile(join(at.dir, 'workspace', name), content)
    const place = /^(plc-tests|review)\./.test(operation) ? { path: '.' } : { filePath: name }
    try {
      const answer = await at.call(operation, { ...input, ...place })
      assert.doesNotMatch(JSON.stringify(answer), /call stack/)
    } catch (error) {
      assert.ok(isGatewayError(error), String(error))
      assert.notEqual(error.code, 'internal_error', error.message)
      assert.match(`${error.message} ${JSON.stringify(error.details.errors ?? '')}`, message)
    }
  })
