import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { packSegment, type Segment, segmentsOf, unpackSegment } from './archive.ts'
import { noHash } from './commit.ts'
import { isStoreError } from './errors.ts'

const segment = (first: number, last: number, previous: string, hash: string): Segment => ({
  ...{ first, last, previous, hash, commits: 1, lastTime: 0, file: `${first}`, bytes: 1, sha256: '' },
})
const a = segment(1, 9, noHash, 'a')
const b = segment(10, 10, 'a', 'b')
const c = segment(11, 20, 'b', 'c')
const values = (...segments: readonly unknown[]) => segments.map((one) => Buffer.from(JSON.stringify(one)))

test('the segments of an archive are one chain from the first record on', () => {
  assert.deepEqual(segmentsOf([]), [])
  assert.deepEqual(segmentsOf(values(a, b, c)), [a, b, c])
  const cases: readonly [readonly Buffer[], number, string][] = [
    [values(b, c), 1, 'the archive has no segment with record 1'],
    [values(a, c), 10, 'the archive has no segment with record 10'],
    [values(a, a), 10, 'the archive has no segment with record 10'],
    [values(a, { ...b, previous: 'c' }), 10, 'the archive has no segment with record 10'],
    [values({ ...a, previous: 'c' }), 1, 'the archive has no segment with record 1'],
    [[...values(a, b), Buffer.from('{')], 11, 'an entry of the archive is damaged'],
  ]
  for (const [entries, seq, message] of cases)
    assert.throws(
      () => segmentsOf(entries),
      (error) =>
        isStoreError(error) && error.code === 'store_corrupt' && error.place.seq === seq && error.message === message,
    )
})

test('a file of the archive has its commits one behind the other, and nothing else', async () => {
  for (const texts of [[], ['one'], ['', 'ä'.repeat(70_000), 'three'].slice(1)])
    assert.deepEqual(await unpackSegment(await packSegment(texts.map((text) => Buffer.from(text)))), texts)
  const whole = (await promisify(gunzip)(await packSegment([Buffer.from('one'), Buffer.from('two')]))).toString(
    'latin1',
  )
  const refused = async (text: string) => {
    const bytes = await promisify(gzip)(Buffer.from(text, 'latin1'))
    await assert.rejects(unpackSegment(bytes), new RangeError('the length of a commit is wrong'), text)
  }
  for (const end of [1, 3, whole.length - 1]) await refused(whole.slice(0, end))
  await refused(`${whole}0`)
  await refused(whole.replace(/[0-9a-f]/, 'x'))
  await refused('0'.repeat(whole.length))
})
