/** What clients read of what operations throw. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreError } from '../../store/errors.ts'
import type { StoreErrorCode } from '../../store/index.ts'
import { type GatewayError, problem } from '../contract/problems.ts'
import { EngineError, type EngineErrorKind } from '../engine/errors.ts'
import { errorOfWire, expectedProblem, wireProblem } from './failure.ts'

test('errors of the store and of the engine become problems; faults of the code stay unexpected', () => {
  const told = (error: unknown) => {
    const found = expectedProblem(error)
    if (found === undefined) return undefined
    if (found !== error) assert.equal(found.cause, error)
    return found.code
  }
  const store: Partial<Record<StoreErrorCode, string | undefined>> = {
    record_invalid: undefined,
    blob_missing: 'gone',
    log_archived: 'gone',
    copy_damaged: 'unacceptable_content',
    store_corrupt: 'log_corrupt',
    store_truncated: 'log_corrupt',
    blob_corrupt: 'log_corrupt',
    store_unavailable: 'log_unavailable',
    store_locked: 'log_unavailable',
  }
  for (const [code, wanted] of Object.entries(store))
    assert.equal(told(new StoreError(code as StoreErrorCode, 'it is so')), wanted, code)
  for (const [kind, wanted] of Object.entries({
    cancelled: 'request_cancelled',
    engine_not_attached: 'no_instance',
    engine_task_failed: undefined,
    engine_crashed: 'engine_failed',
  }))
    assert.equal(told(new EngineError(kind as EngineErrorKind, 'it is so')), wanted, kind)
  assert.equal(told(new DOMException('x', 'AbortError')), 'request_cancelled')
  assert.equal(expectedProblem(new DOMException('x', 'AbortError'))?.message, 'The job was cancelled.')
  assert.equal(told(problem('conflict', 'x')), 'conflict')
  for (const other of [new Error('x'), new TypeError('x'), 'x', undefined, { name: 'AbortError' }])
    assert.equal(told(other), undefined)
  const full = expectedProblem(new StoreError('store_unavailable', 'no room'))!
  const { advice } = new StoreError('store_unavailable', '')
  assert.deepEqual([full.message, full.details.suggestion], [`no room. ${advice}`, advice])
  const corrupt = expectedProblem(new StoreError('store_corrupt', 'a gap'))!
  assert.deepEqual([corrupt.message, corrupt.details.suggestion], ['a gap', new StoreError('store_corrupt', '').advice])
})

test('a file that the system refuses is named; other calls of the system are faults', () => {
  const told = (error: object) => expectedProblem(Object.assign(new Error('x'), error))
  const busy = told({ code: 'EBUSY', syscall: 'open', path: '/a/b' })
  assert.equal(busy?.code, 'conflict')
  assert.match(busy?.message ?? '', /^"\/a\/b" is in use by another program \(EBUSY\)/)
  assert.match(told({ code: 'EMFILE', syscall: 'rename', path: '/x.tmp', dest: '/c' })?.message ?? '', /^"\/c" cannot/)
  const folder = told({ code: 'EEXIST', syscall: 'mkdir', path: '/a' })
  assert.equal(folder?.message, 'A file or folder is in the way of "/a" (EEXIST).')
  for (const other of [
    { code: 'EACCES', syscall: 'listen', path: '/a' },
    { code: 'EACCES', syscall: 'spawn git', path: 'git' },
    { code: 'EACCES', syscall: 'open' },
    { code: 'EACCES', path: '/a' },
    { code: 'ENOENT', syscall: 'open', path: '/a' },
    { code: 'EIO', syscall: 'read', path: '/a' },
  ])
    assert.equal(told(other), undefined, JSON.stringify(other))
})

test('a problem has its title and status from its table, and what is recorded of it is the same error again', () => {
  const definition = { status: 409, title: 'Not now', meaning: '', remedy: '', example: '' }
  const error = problem('conflict', 'It is busy.', {
    errors: [{ path: '/a', message: 'is busy' }],
    suggestion: 'Wait.',
    extra: { retryAfterSeconds: 5 },
  })
  const whole = {
    type: '/api/errors/conflict',
    title: 'Not now',
    status: 409,
    detail: 'It is busy.',
    code: 'conflict',
    errors: [{ path: '/a', message: 'is busy' }],
    suggestion: 'Wait.',
    retryAfterSeconds: 5,
  }
  assert.deepEqual(wireProblem(error, definition), whole)
  assert.deepEqual(wireProblem(error, definition, 'J1-a'), { ...whole, jobId: 'J1-a' })
  assert.deepEqual(wireProblem(problem('conflict', 'x'), undefined), {
    type: '/api/errors/conflict',
    title: 'conflict',
    status: 500,
    detail: 'x',
    code: 'conflict',
  })
  const again: GatewayError = errorOfWire({ ...whole, jobId: 'J1-a' })
  assert.deepEqual(wireProblem(again, definition), { ...whole, jobId: 'J1-a' })
  assert.deepEqual(again.details.extra, { jobId: 'J1-a', retryAfterSeconds: 5 })
})
