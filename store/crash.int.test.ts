/** SIGKILL at any moment loses nothing that was acknowledged, and leaves no partial group. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { processArguments } from '../core/boot/running-code.ts'
import { allRecords, tempDir, terms } from './fixtures/stores.ts'
import { openStore } from './index.ts'

const writer = processArguments(new URL('./fixtures/writer.ts', import.meta.url))
const rounds = Number(process.env.GANTRY_CRASH_ROUNDS ?? 6)

/** Runs the writer, kills it `ms` after its first acknowledgement, and returns what it acknowledged. */
async function runAndKill(
  dir: string,
  ms: number,
  appenders: number,
): Promise<{ first: number; last: number; group: string }[]> {
  const child = spawn(process.execPath, [...writer, dir, String(appenders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output === '') setTimeout(() => child.kill('SIGKILL'), ms)
    output += text
  })
  await new Promise((resolve) => child.on('close', resolve))
  const lines = output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
  return lines.map((line) => {
    const [first, last, group] = line.split(' ')
    return { first: Number(first), last: Number(last), group: String(group) }
  })
}

test(`nothing acknowledged is lost, groups are whole, the chain is whole (${rounds} kills)`, async (t) => {
  const dir = await tempDir(t)
  for (let round = 0; round < rounds; round++) {
    const acknowledged = await runAndKill(dir, Math.random() * 400, [1, 16, 3][round % 3] as number)
    assert.notEqual(acknowledged.length, 0, 'the writer has acknowledged something')
    const store = await openStore({ dir, terms })
    try {
      assert.equal(store.health.state, 'ok')
      const report = await store.log.verify({ blobs: 'whole' })
      assert.deepEqual(report.faults, [])
      const records = await allRecords(store)
      for (const { first, last, group } of acknowledged) {
        for (let seq = first; seq <= last; seq++)
          assert.equal(records[seq - 1]?.jobId, group, `record ${seq} of an acknowledged group`)
      }
      for (const { type, jobId, seq, data } of records) {
        if (type !== 'load') continue
        const { n, size } = data as { n: number; size: number }
        assert.equal(records[seq - 1 - n]?.jobId, jobId, `the group of record ${seq} has a begin`)
        assert.equal(records[seq - 1 + (size - 1 - n)]?.jobId, jobId, `the group of record ${seq} has an end`)
      }
      const sample = acknowledged[acknowledged.length - 1]
      assert.deepEqual(
        await store.index.find(`job:${sample?.group}`),
        records.filter(({ jobId }) => jobId === sample?.group).map(({ seq }) => seq),
      )
      const all = await store.index.find('type:load')
      assert.deepEqual(
        all,
        records.filter(({ type }) => type === 'load').map(({ seq }) => seq),
      )
    } finally {
      await store.close()
    }
  }
})
