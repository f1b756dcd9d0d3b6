/** The assertion that most tests of error cases share. */
import assert from 'node:assert/strict'
import { type GatewayError, isGatewayError } from '../core/contract/problems.ts'

/** Asserts that a call fails with this problem code (and a matching detail); returns the error for further checks. */
export async function fails(call: Promise<unknown>, code: string, detail?: RegExp): Promise<GatewayError> {
  const error = await call.then(
    (value) => assert.fail(`expected ${code}, got ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  if (!isGatewayError(error)) throw error
  assert.equal(error.code, code, error.message)
  if (detail) assert.match(error.message, detail)
  return error
}
