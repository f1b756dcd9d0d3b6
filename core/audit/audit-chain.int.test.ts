/** An exported audit is checked without the log: every change of the file is found, and an expected hash pins it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../../test/http-server.ts'
import { AuditReader } from './audit.ts'
import { type ChainedEntry, chained, checkExport, type ExpectedRecord, readExpected } from './audit-chain.ts'

async function* of(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

const verdict = async (lines: readonly string[], expect: readonly ExpectedRecord[] = []) =>
  checkExport(of(lines), { expect })

test('the export verifies; an edited, missing, moved or added line is found, and so is a cut', async (t) => {
  const { gateway, post } = await startServer(t)
  for (let n = 0; n < 12; n++) await post(`/api/counter/c${n % 3}/actions/add-sync`, { by: n })
  await post('/api/counter/secrets', { password: 'a secret of mine', token: 'another secret' })
  await post('/api/counter/end/actions/add-sync', {})
  const { store } = gateway
  const lines: string[] = []
  for await (const entry of chained(store, new AuditReader(store).entries())) lines.push(JSON.stringify(entry))
  assert.doesNotMatch(lines.join(''), /a secret of mine|another secret|scrypt|sealed:/)
  const report = await verdict(lines)
  assert.deepEqual([report.ok, report.faults, report.missing], [true, [], []])
  assert.deepEqual([report.entries, report.first, report.head?.seq], [lines.length, 1, store.log.durableSeq])
  assert.ok(report.withheld >= 1 && report.withheld < report.commits / 2)
  const { head } = await store.log.verify()
  assert.equal(report.head?.hash, head.hash)

  const changed = (n: number, change: (entry: Record<string, unknown>) => void) => {
    const entry = JSON.parse(lines[n]!) as Record<string, unknown>
    change(entry)
    return lines.with(n, JSON.stringify(entry))
  }
  const added = lines.findIndex((line) => line.includes('"counter.added"'))
  const wrong: Record<string, readonly string[]> = {
    'another actor': changed(added, (entry) => Object.assign(entry, { actor: 'nobody' })),
    'another operation': changed(added - 1, (entry) => Object.assign(entry, { operation: 'counter.remove' })),
    'another value': changed(added, (entry) => Object.assign(entry.data as object, { by: 99 })),
    'another time': changed(added, (entry) => Object.assign(entry, { time: '2020-01-01T00:00:00.000Z' })),
    'an entry removed': lines.toSpliced(added, 1),
    'two swapped': lines.with(added, lines[added + 1]!).with(added + 1, lines[added]!),
    'one twice': lines.toSpliced(added, 0, lines[added]!),
    'no JSON': lines.with(added, '{'),
  }
  const commits = lines.flatMap((line, n) => ((JSON.parse(line) as ChainedEntry).commit ? [n] : []))
  const [, second = 0, third = 0] = commits
  wrong['a commit removed'] = lines.toSpliced(second + 1, third - second)
  wrong['a commit that is not of its hash'] = changed(second, ({ commit }) => {
    const proof = commit as { content: string }
    proof.content = proof.content.replace(/.$/, 'X')
  })
  wrong['cut within a commit'] = lines.slice(0, third)
  for (const [what, file] of Object.entries(wrong)) {
    const found = await verdict(file)
    assert.equal(found.ok, false, what)
    assert.ok(found.faults.length > 0 && found.faults[0]!.detail !== '', what)
  }

  const expected = readExpected(`${head.seq}:${head.hash.slice(0, 20)}`)
  assert.equal((await verdict(lines, [expected])).ok, true)
  const cut = lines.slice(0, commits.at(-2)! + 1)
  assert.equal((await verdict(cut)).ok, true, 'only an expected record shows that the end is cut off')
  assert.match((await verdict(cut, [expected])).faults[0]!.detail, /which is expected, is not in the file/)
  const other = await verdict(lines, [readExpected(`3:${'0'.repeat(64)}`)])
  assert.match(other.faults[0]!.detail, /record 3 is in a commit with the hash [0-9a-f]{64}, not 0000/)
  assert.match(
    (await store.log.verify({ expect: [readExpected(`3:${'0'.repeat(64)}`)] })).faults[0]!.kind,
    /not-as-expected/,
  )
  assert.deepEqual((await store.log.verify({ expect: [expected] })).faults, [])
  for (const text of ['3', 'x:1', '3:abc', `0:${head.hash}`]) assert.throws(() => readExpected(text), RangeError)
})

test('a filtered export is checked as the part that it is', async (t) => {
  const { gateway, post } = await startServer(t)
  for (let n = 0; n < 5; n++) await post(`/api/counter/c${n}/actions/add-sync`, {})
  const { store } = gateway
  const lines: string[] = []
  for await (const entry of chained(store, new AuditReader(store).entries({ types: ['counter.*'] })))
    lines.push(JSON.stringify(entry))
  assert.equal(lines.length, 5)
  assert.equal((await verdict(lines)).ok, false)
  assert.equal((await checkExport(of(lines), { isPart: true })).ok, true)
  const forged = lines.with(2, lines[2]!.replace('"by":1', '"by":2'))
  assert.equal((await checkExport(of(forged), { isPart: true })).ok, false)
})
