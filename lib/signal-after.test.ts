import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { becomes } from '../test/until.ts'
import { signalAfter } from './signal-after.ts'

test('a signal made of it ends, also after garbage was collected', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const reasons: string[] = []
  const listen = (signal: AbortSignal) =>
    signal.addEventListener('abort', () => reasons.push((signal.reason as Error).name))
  listen(AbortSignal.any([signalAfter(100), new AbortController().signal]))
  listen(AbortSignal.any([AbortSignal.any([signalAfter(100)]), new AbortController().signal]))
  await becomes(() => {
    collect()
    return reasons
  }, ['TimeoutError', 'TimeoutError'])
})
