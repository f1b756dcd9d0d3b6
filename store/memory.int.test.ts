/** Memory does not grow with the length of the log. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { processArguments } from '../core/boot/running-code.ts'
import { tempDir } from './fixtures/stores.ts'

const script = processArguments(new URL('./fixtures/append-many.ts', import.meta.url))

test('the heap is flat while 200 000 records are appended, indexed and read', async (t) => {
  const dir = await tempDir(t)
  const args = ['--expose-gc', ...script, dir, '200000']
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 24 })
  const { samples, jobs } = JSON.parse(stdout) as {
    samples: { records: number; heap: number; rss: number }[]
    jobs: number
  }
  assert.equal(jobs, 50_000)
  const early = samples.find(({ records }) => records >= 40_000)
  const late = samples.at(-1)
  assert.ok(early !== undefined && late !== undefined && late.records >= 200_000)
  const mebibyte = 1024 * 1024
  t.diagnostic(
    `heap ${(early.heap / mebibyte).toFixed(1)} → ${(late.heap / mebibyte).toFixed(1)} MiB, rss ${(early.rss / mebibyte).toFixed(0)} → ${(late.rss / mebibyte).toFixed(0)} MiB`,
  )
  assert.ok(late.heap - early.heap < 8 * mebibyte, `heap grew from ${early.heap} to ${late.heap} bytes`)
})
