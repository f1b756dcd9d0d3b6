/** The difference between two snapshots, or between a snapshot and now. */
import { defined, isGatewayError, problem, type QueryContext } from '../../core/index.ts'
import { blockAspects, comparableNow, comparableSnapshot } from './content.ts'
import type { TextDiff } from './diff.task.ts'
import type { Snapshot } from './snapshot.ts'

/** Texts of up to this number of bytes are compared in the gateway. */
const smallBytes = 100_000

/**
 * Compares two snapshots, or a snapshot with the current state when `to` is absent. `context`: lines around each
 * change.
 */
export async function diffSnapshot(ctx: QueryContext, from: Snapshot, to: Snapshot | undefined, context: number) {
  if (to && to.type !== from.type)
    throw problem('invalid_input', `/to: ${to.id} is of a ${to.type}; ${from.id} is of a ${from.type}.`, {
      errors: [{ path: '/to', message: `must be a snapshot of a ${from.type}`, value: to.id }],
    })
  const [a, b] = [
    await comparableSnapshot(ctx, from),
    to ? await comparableSnapshot(ctx, to) : await comparableNow(ctx, from),
  ]
  const input = { from: { title: a.title, text: a.text }, to: { title: b.title, text: b.text }, context }
  const aspects = await blockAspects(ctx, from, to)
  const { diff, added, removed } = await run(ctx, input, a.text.length + b.text.length)
  return {
    from: from.id,
    to: to?.id ?? 'current',
    identical: a.text === b.text,
    format: from.type === 'tag-table' ? 'rows' : a.isSource && b.isSource ? 'source' : 'simaticml',
    ...defined({ aspects }),
    ...(diff === undefined ? { tooDifferent: true } : { diff }),
    added,
    removed,
  }
}

type Input = Parameters<typeof import('./diff.task.ts').diffTexts>[0]

async function run(ctx: QueryContext, input: Input, size: number): Promise<TextDiff> {
  if (size > smallBytes) {
    try {
      const module = new URL('./diff.task.ts', import.meta.url).href
      return await ctx.engine.run<TextDiff>({ module, fn: 'diffTexts', input })
    } catch (error) {
      // Reading does not require an instance.
      if (!isGatewayError(error) || error.code !== 'no_instance') throw error
    }
  }
  return (await import('./diff.task.ts')).diffTexts(input)
}
