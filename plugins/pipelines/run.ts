/** Runs the steps of a pipeline, one after the other, each as a call of its own. */
import { setTimeout as wait } from 'node:timers/promises'
import { type CommandContext, isGatewayError, isObject } from '../../core/index.ts'
import { signalAfter } from '../../lib/signal-after.ts'
import { filled, operationOf } from './check.ts'
import type { Ended, Execution, Pipeline, PipelineStep, StepResult } from './state.ts'

/**
 * Runs a pipeline. It does not throw for a step that fails: the execution tells it.
 * @param variables instead of those of the pipeline
 */
export async function execute(
  ctx: CommandContext,
  pipeline: Pipeline,
  variables: Readonly<Record<string, unknown>>,
): Promise<Execution> {
  const { clock, ticks } = ctx.gateway
  const [startedAt, startedTicks] = [clock(), ticks()]
  const values = { ...pipeline.variables, ...variables }
  const stepResults: StepResult[] = []
  let failed: StepResult | undefined
  for (const [i, step] of pipeline.steps.entries()) {
    ctx.progress((100 * i) / pipeline.steps.length, `Step ${i + 1} of ${pipeline.steps.length}: ${step.name}`)
    const [begun, begunTicks] = [clock(), ticks()]
    const outcome = runs(step, failed !== undefined, pipeline.onFailure)
      ? await attempts(ctx, step, values)
      : ({ status: 'Skipped', resultMessage: '', attempts: 0 } as const)
    const durationMs = Math.round(ticks() - begunTicks)
    const times = { startedAt: iso(begun), completedAt: iso(clock()), durationMs }
    const result = { stepIndex: i + 1, stepName: step.name, action: step.action, ...outcome, ...times }
    stepResults.push(result)
    if (outcome.status === 'Failed') failed ??= result
  }
  const status: Ended = ctx.signal.aborted ? 'Cancelled' : failed ? 'Failed' : 'Completed'
  const told = failed && `step ${failed.stepIndex} (${failed.stepName}) failed: ${failed.error ?? failed.resultMessage}`
  return {
    ...{ id: ctx.jobId, jobId: ctx.jobId, pipelineName: pipeline.name, status, stepResults },
    ...{ startedAt: iso(startedAt), completedAt: iso(clock()), durationMs: Math.round(ticks() - startedTicks) },
    ...(told === undefined ? {} : { error: told }),
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

function runs({ condition }: PipelineStep, hasFailed: boolean, onFailure: Pipeline['onFailure']): boolean {
  if (condition === 'always') return true
  if (condition === 'onFailure') return hasFailed
  return !hasFailed || onFailure === 'continue'
}

type Outcome = Pick<StepResult, 'status' | 'resultMessage' | 'error' | 'attempts'>

async function attempts(
  ctx: CommandContext,
  step: PipelineStep,
  variables: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  let last: Omit<Outcome, 'attempts'> = { status: 'Cancelled', resultMessage: '' }
  for (let attempt = 1; attempt <= step.retryCount + 1; attempt++) {
    if (attempt > 1) await wait(step.retryDelayMs, undefined, { signal: ctx.signal }).catch(() => {})
    if (ctx.signal.aborted) return { ...last, status: 'Cancelled', attempts: attempt - 1 }
    last = await once(ctx, step, variables)
    if (last.status !== 'Failed') return { ...last, attempts: attempt }
  }
  return { ...last, attempts: step.retryCount + 1 }
}

async function once(
  ctx: CommandContext,
  step: PipelineStep,
  variables: Readonly<Record<string, unknown>>,
): Promise<Omit<Outcome, 'attempts'>> {
  const ends = signalAfter(step.timeoutSeconds * 1000)
  const { actor, correlationId } = ctx
  try {
    const operation = operationOf(ctx, step)
    const input = filled(step.params ?? {}, variables) as Record<string, unknown>
    const signal = AbortSignal.any([ctx.signal, ends])
    const reply = await ctx.gateway.invoke(operation, input, { actor, correlationId, signal, mode: 'sync' })
    const value = 'value' in reply ? reply.value : undefined
    return { status: isFailure(value) ? 'Failed' : 'Completed', resultMessage: messageOf(value) }
  } catch (error) {
    if (ctx.signal.aborted) return { status: 'Cancelled', resultMessage: '' }
    const message = ends.aborted
      ? `It took longer than ${step.timeoutSeconds} s.`
      : isGatewayError(error)
        ? error.message
        : ctx.gateway.asProblem(error, step.action, correlationId).message
    return { status: 'Failed', resultMessage: '', error: message }
  }
}

/** A result that says that something is wrong: errors of a compilation, tests or checks that did not pass. */
function isFailure(value: unknown): boolean {
  if (!isObject(value)) return false
  const { passed, failed, errorCount, success } = value
  return passed === false || success === false || failed === true || Number(failed) > 0 || Number(errorCount) > 0
}

/** What a result says in a line: its message, else its numbers and words. */
function messageOf(value: unknown): string {
  if (!isObject(value)) return ''
  if (typeof value.message === 'string') return value.message
  const { counts, ...own } = value
  return Object.entries({ ...own, ...(isObject(counts) ? counts : {}) })
    .filter(([, one]) => ['number', 'boolean', 'string'].includes(typeof one) && String(one).length <= 60)
    .slice(0, 8)
    .map(([name, one]) => `${name} ${one}`)
    .join(', ')
}
