/** Turns what an operation threw into what a client reads. */

import { defined } from '../../lib/optional.ts'
import { isStoreError } from '../../store/index.ts'
import { problemOfFileError } from '../contract/file-problem.ts'
import { GatewayError, isGatewayError, type Problem, type ProblemDefinition, problem } from '../contract/problems.ts'
import { isEngineError } from '../engine/index.ts'

const damage = new Set(['store_corrupt', 'store_truncated', 'blob_corrupt'])

/** An expected error of the gateway's own parts as an error of the problem table; undefined for an unexpected one. */
export function expectedProblem(error: unknown): GatewayError | undefined {
  if (isGatewayError(error)) return error
  const options = { cause: error }
  if (isStoreError(error)) {
    // Data that is not JSON is a fault of the operation that gave it.
    if (error.code === 'record_invalid') return undefined
    if (error.code === 'blob_missing' || error.code === 'log_archived') return problem('gone', error.message, options)
    if (error.code === 'copy_damaged') return problem('unacceptable_content', error.message, options)
    if (damage.has(error.code)) return problem('log_corrupt', error.message, { ...options, suggestion: error.advice })
    return problem('log_unavailable', `${error.message}. ${error.advice}`, { ...options, suggestion: error.advice })
  }
  if (isEngineError(error)) {
    if (error.kind === 'cancelled') return problem('request_cancelled', error.message, options)
    if (error.kind === 'engine_not_attached') return problem('no_instance', error.message, options)
    // A problem thrown by a task arrives above as a GatewayError; anything else that it throws is a fault of the task.
    if (error.kind !== 'engine_task_failed') return problem('engine_failed', error.message, options)
  }
  if (error instanceof Error && error.name === 'AbortError')
    return problem('request_cancelled', 'The job was cancelled.', options)
  return problemOfFileError(error)
}

/** The wire form of an error. */
export function wireProblem(error: GatewayError, definition: ProblemDefinition | undefined, jobId?: string): Problem {
  const { errors, suggestion, extra } = error.details
  return defined({
    type: `/api/errors/${error.code}`,
    title: definition?.title ?? error.code,
    status: definition?.status ?? 500,
    detail: error.message,
    code: error.code,
    jobId,
    errors,
    suggestion,
    ...extra,
  })
}

/** The error of which {@link wireProblem} made a problem that was recorded. */
export function errorOfWire(recorded: Problem): GatewayError {
  const { type: _type, title: _title, status: _status, detail, code, errors, suggestion, ...extra } = recorded
  return new GatewayError(code, detail, defined({ errors, suggestion, extra }))
}
