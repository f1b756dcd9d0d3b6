import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestController, testController } from '../../../test/controller.ts'

const source = `DATA_BLOCK "Data"
VAR
  n : DInt; x : DInt; i : Int;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Data".n := "Data".n + 1;
  FOR "Data".i := 1 TO 100 DO "Data".x := "Data".x * 3 + 1; END_FOR;
END_ORGANIZATION_BLOCK
`

/**
 * Milliseconds with reads, and as many without. The number of cycles in time is only printed here; bench/controller.ts
 * measures it.
 */
const duration = 700
test('four controllers at 1 ms under a thousand reads a second: each read is of one scan boundary, none stops', async (t) => {
  const options = { time: { mode: 'real', factor: 1 }, maximumCycleTimeMs: 60_000 } as const
  const all = await Promise.all(Array.from({ length: 4 }, () => testController(t, options)))
  await Promise.all(all.map(({ load }) => load(source)))
  await Promise.all(all.map(({ controller }) => controller.change('run')))
  const share = await sharesOf(all, () => new Promise((resolve) => setTimeout(resolve, duration)))
  let reads = 0
  const shareWithReads = await sharesOf(all, async () => {
    const counts = all.map(() => 0)
    const begin = performance.now()
    for (let elapsed = 0; elapsed < duration; elapsed = performance.now() - begin) {
      for (; reads < elapsed; reads++) {
        const i = reads % all.length
        const { controller, range } = all[i] ?? assert.fail()
        const { bytes, cycle } = await controller.read([range('Data.n')])
        const value = Buffer.from(bytes[0] ?? []).readInt32LE(0)
        assert.equal(value, cycle, 'what is read is of the scan boundary that is told')
        assert.ok(value >= (counts[i] ?? 0))
        counts[i] = value
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  })
  assert.ok(reads > 0)
  t.diagnostic(`${shareWithReads.toFixed(3)} of the cycles with ${reads} reads, ${share.toFixed(3)} without`)
  for (const { controller } of all) {
    assert.equal(controller.state, 'Run')
    assert.equal(controller.statistics.overruns, 0)
  }
})

/** The share of due cycles that ran during the work. */
async function sharesOf(all: readonly TestController[], work: () => Promise<unknown>): Promise<number> {
  const before = all.map(({ controller: { statistics, time } }) => ({ cycles: statistics.cycles, time }))
  await work()
  const shares = all.map(({ controller: { statistics, time } }, i) => {
    const from = before[i] ?? { cycles: 0, time: 0 }
    return (statistics.cycles - from.cycles) / (time - from.time)
  })
  return Math.min(...shares)
}
