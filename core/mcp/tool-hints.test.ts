import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../contract/operation.ts'
import { ToolHints } from './tool-hints.ts'

const operation = (id: string) => ({ id }) as Operation
const close = operation('projects.close')
const compile = operation('blocks.compile')
const hidden = operation('system.hidden')
const read = operation('things.read')
const write = operation('things.write')
const hints = new ToolHints(
  [
    { method: 'POST', path: '/api/projects/actions/close', operation: close },
    { method: 'POST', path: '/api/projects/actions/close-sync', operation: close },
    { method: 'POST', path: '/api/devices/{deviceName}/actions/compile-sync', operation: compile },
    { method: 'POST', path: '/api/hidden', operation: hidden },
    { method: 'GET', path: '/api/things/{name}', operation: read },
    { method: 'PUT', path: '/api/things/{name}', operation: write },
  ],
  ({ id }) =>
    id === 'system.hidden' ? undefined : id === 'projects.close' ? 'projects_close' : `call_operation ${id}`,
)

test('requests in a text become calls of tools', () => {
  const cases: [string, string][] = [
    ['POST /api/projects/actions/close-sync', 'projects_close'],
    ['Close it: POST /api/projects/actions/close-sync { "save": true }.', 'Close it: projects_close { "save": true }.'],
    ['POST /api/projects/actions/close or /api/projects/actions/close-sync.', 'projects_close or projects_close.'],
    [
      'POST /api/devices/PLC%201/actions/compile-sync { "rebuild": true }, then again',
      'call_operation blocks.compile { "deviceName": "PLC 1", "rebuild": true }, then again',
    ],
    ['PUT /api/things/{name} { "value": 1 }', 'call_operation things.write { "value": 1 }'],
    ['(GET /api/things/a)', '(call_operation things.read { "name": "a" })'],
  ]
  for (const [text, expected] of cases) assert.equal(hints.of(text), expected)
})

test('what is no request of one known tool stays as it is', () => {
  for (const text of [
    'Send compile: true.',
    'DELETE /api/projects/actions/close',
    'POST /api/hidden',
    'GET /api/nowhere/at/all',
    '/api/things/a',
    'GET /api/things/a?limit=1',
    'GET /api/',
  ])
    assert.equal(hints.of(text), text)
  assert.equal(hints.of('GET /api/things/%zz'), 'call_operation things.read { "name": "%zz" }')
})
