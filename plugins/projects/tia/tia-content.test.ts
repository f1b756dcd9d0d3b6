/** What a project file of TIA Portal is read as, without the texts of its objects (fixtures/tia-content.txt). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../../test/fails.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import { largeArchive, libraryArchive, projectFileOf, smallArchive } from '../../../test/tia-files.ts'
import { readTiaContent } from './tia-content.task.ts'

/** Rows of a value, a field each; lists of plain values on one line. */
function rows(value: unknown, indent = ''): string[] {
  if (Array.isArray(value)) return value.map((one) => `${indent}- ${textOf(one)}`)
  return Object.entries(value as object).flatMap(([name, one]) =>
    Array.isArray(one) && one.some((part) => typeof part === 'object')
      ? [`${indent}${name}:`, ...rows(one, `${indent}  `)]
      : [`${indent}${name}: ${textOf(one)}`],
  )
}

const texts = new Set(['content', 'text'])

/** JSON without what is empty, and without the texts that the formats are tested with. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (name, one) => {
    const isEmpty = one === false || (Array.isArray(one) && one.length === 0)
    return texts.has(name) || (isEmpty && name !== '') ? undefined : one
  })
}

test('content of projects and libraries', async () => {
  const told: string[] = []
  for (const [name, archive] of Object.entries({ smallArchive, libraryArchive, largeArchive })) {
    const steps: string[] = []
    const store = await projectFileOf(archive)
    const content = await readTiaContent(
      { path: name, store },
      { progress: (percent, message) => steps.push(`${percent} ${message}`) },
    )
    assert.deepEqual(steps, ["5 Reading TIA Portal's project file", '60 Writing what was read as exports'])
    const { types, copies, instances } = content.library
    // A few of each tell the form; plc/formats/tia-project tells them all.
    const library = { types: types.slice(0, 3), copies: copies.slice(0, 5), instances: instances.slice(0, 5) }
    told.push(`# ${name}`, ...rows({ ...content, library: [library, types.length, copies.length, instances.length] }))
  }
  assertRecorded(import.meta.url, 'tia-content.txt', `${told.join('\n')}\n`)
})

test('a project of any version is opened as the nearest one that there is', async () => {
  const store = await projectFileOf(smallArchive)
  const versionOf = async (version: string) =>
    (await readTiaContent({ path: 'a.zap', store, version }, { progress: () => undefined })).version
  assert.deepEqual(await Promise.all(['V14 SP1', 'V16', 'V18 Update 2', 'V22', 'no version'].map(versionOf)), [
    ...['V16', 'V16', 'V18', 'V21', 'V16'],
  ])
})

test('a damaged project file is refused with record and reason, and what helps', async () => {
  const store = Buffer.from(await projectFileOf(smallArchive))
  store.fill(0xff, store.length - 40_000, store.length - 39_984)
  const read = (skipDamaged: boolean) =>
    readTiaContent({ path: 'plant/a.zap19', store, skipDamaged }, { progress: () => undefined })
  const error = await fails(read(false), 'unacceptable_content', /^"plant\/a\.zap19": /)
  const [fault] = error.details.errors ?? []
  assert.deepEqual([fault?.path, `"plant/a.zap19": ${fault?.message}`], ['/path', error.message])
  assert.match(String(fault?.reason), /^(hash|damaged)$/)
  assert.equal(error.details.suggestion, 'Send "continueOnError": true to leave damaged records out and open the rest.')
  assert.ok((await read(true)).damaged.length > 0)
  const none = await fails(
    readTiaContent({ path: 'b.zap19', store: Buffer.from('no project') }, { progress: () => undefined }),
    'unacceptable_content',
    /^"b\.zap19": /,
  )
  assert.equal(none.details.suggestion, undefined)
})
