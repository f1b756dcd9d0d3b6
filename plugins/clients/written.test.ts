/** What is written of a document with each form of schema, parameter and answer, word by word (fixtures/written-…). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { type ClientFiles, readDocument } from './document.ts'
import { camel, pascal, snake, UniqueNames, wrap } from './names.ts'
import { pythonClient } from './python.ts'
import { typescriptClient } from './typescript.ts'

const here = import.meta.url
const raw = () => parse(fixtureText(here, 'document.yaml'))

/** The parts that are written; those that people wrote by hand are the same for every gateway. */
function writtenText(files: ClientFiles, names: readonly string[]): string {
  return names.map((name) => `=== ${name}\n${files.get(name)}`).join('\n')
}

test('the client for TypeScript', async () => {
  const document = readDocument(raw())
  assert.ok(typeof document === 'object')
  const files = await typescriptClient(document)
  assert.deepEqual([...files.keys()].sort(), [
    'README.md',
    'package.json',
    'src/client.ts',
    'src/index.ts',
    'src/operations.ts',
    'src/schema.ts',
    'tsconfig.json',
  ])
  const names = ['package.json', 'src/index.ts', 'src/schema.ts', 'src/operations.ts']
  assertRecorded(here, 'written-typescript.txt', writtenText(files, names))
})

test('the client for Python', async () => {
  const document = readDocument(raw())
  assert.ok(typeof document === 'object')
  const [text = '', ...others] = [...(await pythonClient(document)).values()]
  assert.deepEqual(others, [])
  // The part before the types is the same for every gateway.
  const from = text.indexOf('class JobAccepted')
  assert.ok(from > 0)
  assertRecorded(here, 'written-python.txt', text.slice(from))
})

test('what is no document of a gateway is said', () => {
  const changed = (change: (document: ReturnType<typeof raw>) => void) => {
    const document = raw()
    change(document)
    const read = readDocument(document)
    return typeof read === 'string' ? read : `${read.version}, ${read.operations.length} operations`
  }
  assert.deepEqual(
    [
      readDocument(undefined),
      changed(() => {}),
      changed((one) => {
        one.openapi = '3.0.3'
      }),
      changed((one) => {
        delete one.paths
      }),
      changed((one) => {
        delete one.components.schemas.Problem
      }),
      changed((one) => {
        delete one.components.schemas.JobAccepted
      }),
      changed((one) => {
        delete one.paths['/api/events'].get.operationId
      }),
      changed((one) => {
        delete one.paths['/api/jobs/{jobId}']
      }),
      changed((one) => {
        delete one.info
        delete one.tags
      }),
    ],
    [
      'it says openapi undefined where 3.1 is expected',
      '4.5.6, 11 operations',
      'it says openapi "3.0.3" where 3.1 is expected',
      'it has no schemas "Problem" and "JobAccepted"',
      'it has no schemas "Problem" and "JobAccepted"',
      'it has no schemas "Problem" and "JobAccepted"',
      'GET /api/events has no operationId',
      'it has no operation jobs.get',
      '0.0.0, 11 operations',
    ],
  )
})

test('names of generated code', () => {
  const cases: [string, string, string, string][] = [
    ['compile-device.async', 'CompileDeviceAsync', 'compileDeviceAsync', 'compile_device_async'],
    ['deviceName', 'DeviceName', 'deviceName', 'device_name'],
    ['HTTPServer', 'HTTPServer', 'hTTPServer', 'http_server'],
    ['s7Port2', 'S7Port2', 's7Port2', 's7_port2'],
    ['1st', 'N1st', 'n1st', 'n_1st'],
    ['--', 'N', 'n', 'n_'],
  ]
  for (const [text, ...expected] of cases) assert.deepEqual([pascal(text), camel(text), snake(text)], expected, text)
  const names = new UniqueNames(['a'])
  assert.deepEqual(
    ['a', 'a', 'b', 'b'].map((name) => names.take(name, '_')),
    ['a_2', 'a_3', 'b', 'b_2'],
  )
  assert.deepEqual(wrap('one two three\n\nfour', 7), ['one two', 'three', '', 'four'])
  assert.deepEqual(wrap('exactly seven', 13), ['exactly seven'])
  assert.deepEqual(wrap('exactly seven', 12), ['exactly', 'seven'])
})
