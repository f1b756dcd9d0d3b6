import assert from 'node:assert/strict'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../test/folder.ts'
import type { FolderContent } from '../folder/folder.ts'
import { cacheKey, defaultCacheDir, ResultCache } from './cache.ts'
import type { CheckResult } from './check.ts'

test('the cache is where the system has those of users', () => {
  const dirs = [
    defaultCacheDir({ LOCALAPPDATA: '/local' }, 'win32'),
    defaultCacheDir({}, 'win32'),
    defaultCacheDir({ XDG_CACHE_HOME: '/other' }, 'darwin'),
    defaultCacheDir({ XDG_CACHE_HOME: '/other' }, 'linux'),
    defaultCacheDir({ XDG_CACHE_HOME: '' }, 'linux'),
  ]
  assert.deepEqual(dirs, [
    join('/local', 'gantry', 'cache'),
    join(homedir(), 'AppData', 'Local', 'gantry', 'cache'),
    join(homedir(), 'Library', 'Caches', 'gantry'),
    join('/other', 'gantry'),
    join(homedir(), '.cache', 'gantry'),
  ])
})

const file = (path: string, text: string, texts?: string) => ({
  ...{ path, bytes: Buffer.from(text) },
  ...(texts === undefined ? {} : { texts: Buffer.from(texts) }),
})

test('whatever a result depends on makes another key; the same content has the same one', () => {
  const content: FolderContent = {
    program: [file('A.scl', 'ab'), file('B.s7dcl', 'c', 'd')],
    sheets: [file('T.csv', 'e')],
    hardware: [file('H.aml', 'f')],
    config: 'failOn: error',
  }
  const refused = [{ path: 'R.scl', message: 'is a link', hint: 'h', isDenied: false }]
  const others: FolderContent[] = [
    { ...content, program: [file('A.scl', 'ax'), content.program[1]!] },
    { ...content, program: [file('A2.scl', 'ab'), content.program[1]!] },
    { ...content, program: [content.program[0]!, file('B.s7dcl', 'c', 'x')] },
    { ...content, program: [content.program[0]!, file('B.s7dcl', 'c')] },
    // An empty text is not the same as none.
    { ...content, program: [content.program[0]!, file('B.s7dcl', 'c', '')] },
    { ...content, program: [file('A.scl', 'a'), file('B.s7dcl', 'bc', 'd')] },
    { ...content, program: [...content.program].reverse() },
    { ...content, sheets: [] },
    { ...content, hardware: [file('H.aml', 'g')] },
    { ...content, config: 'failOn: never' },
    { program: content.program, sheets: content.sheets, hardware: content.hardware },
    { ...content, refused },
    { ...content, refused: refused.map((one) => ({ ...one, message: 'cannot be read' })) },
  ]
  const keys = [...[content, ...others].map((one) => cacheKey(one, '')), cacheKey(content, 'own')]
  assert.equal(new Set(keys).size, keys.length)
  assert.equal(cacheKey({ ...content, refused: [] }, ''), keys[0])
  assert.ok(keys.every((key) => /^[0-9a-f]{64}$/.test(key)))
})

test('results are found again, the hundred newest stay, and a cache that cannot be written is none', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-cache-')
  const cache = new ResultCache(dir)
  const result = { failOn: 'error', findings: [] } as unknown as CheckResult
  assert.equal(await cache.find('none'), undefined)
  await cache.keep('k000', result)
  assert.deepEqual(await cache.find('k000'), result)
  const names = Array.from({ length: 99 }, (_, i) => `k${String(i + 1).padStart(3, '0')}`)
  for (const [i, name] of names.entries()) {
    const path = join(dir, 'check', `${name}.json`)
    await writeFile(path, '{}')
    await utimes(path, 1000 + i, 1000 + i)
  }
  await utimes(join(dir, 'check', 'k000.json'), 999, 999)
  const kept = async () => (await readdir(join(dir, 'check'))).sort()
  assert.equal((await kept()).length, 100)
  await cache.keep('new', result)
  assert.deepEqual(await kept(), [...names.map((name) => `${name}.json`), 'new.json'])
  await writeFile(join(dir, 'check', 'k050.json'), 'no JSON')
  assert.equal(await cache.find('k050'), undefined)
  await new ResultCache(join(dir, 'check', 'new.json')).keep('k', result)
  assert.deepEqual(await cache.find('new'), result)
})
