import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { FileEdit, PlacedFinding } from '../../../plc/review/check.ts'
import { temporaryFolder } from '../../../test/folder.ts'
import { fixFiles } from './fix.ts'

type Edit = readonly [line: number, column: number, endLine: number, endColumn: number, text: string]

const finding = (file: string, message: string, ...edits: readonly Edit[]): PlacedFinding =>
  ({
    ...{ code: 'x', severity: 'warning', file, line: 1, column: 1, message },
    ...(edits.length === 0
      ? {}
      : {
          fix: {
            description: message,
            edits: edits.map(
              ([line, column, endLine, endColumn, text]): FileEdit => ({ line, column, endLine, endColumn, text }),
            ),
          },
        }),
  }) as PlacedFinding

/** The files after the fixes, and the messages of what is mended, in the order of the findings. */
async function fixed(t: TestContext, files: Record<string, string | Buffer>, all: PlacedFinding[]) {
  const root = await temporaryFolder(t, 'gantry-fix-')
  for (const [path, content] of Object.entries(files)) await writeFile(join(root, path), content)
  const { mended, files: count } = await fixFiles(root, all)
  const texts: Record<string, string> = {}
  for (const path of Object.keys(files)) texts[path] = (await readFile(join(root, path))).toString('latin1')
  return { texts, count, mended: all.filter((one) => mended.has(one)).map(({ message }) => message) }
}

test('fixes are made by their places, whatever their order; of those that overlap the first', async (t) => {
  const found = await fixed(t, { 'a.scl': 'one two\r\nthree\nfour five', 'b.scl': 'x', 'c.scl': 'y' }, [
    finding('a.scl', 'last two', [3, 6, 3, 10, '5'], [3, 1, 3, 5, '4']),
    finding('a.scl', 'first', [1, 1, 1, 4, '1']),
    finding('a.scl', 'over the end of the first', [1, 3, 1, 8, 'E']),
    finding('a.scl', 'right behind the first', [1, 4, 1, 4, '!']),
    finding('a.scl', 'over two lines', [1, 8, 2, 6, '+']),
    finding('a.scl', 'inside of the last two', [3, 5, 3, 6, '']),
    finding('a.scl', 'behind the end', [3, 10, 3, 10, '.']),
    finding('b.scl', 'nothing to mend'),
    finding('c.scl', 'behind the last line', [2, 1, 2, 1, 'z']),
  ])
  assert.deepEqual(found, {
    texts: { 'a.scl': '1! two+\n4 5.', 'b.scl': 'x', 'c.scl': 'yz' },
    count: 2,
    mended: ['last two', 'first', 'right behind the first', 'over two lines', 'behind the end', 'behind the last line'],
  })
})

/** Without a block a text in ANSI is no source. */
const classic = '\nFUNCTION FC 1 : VOID // ä\nEND_FUNCTION'

test('the encoding of a file stays, and its byte order mark', async (t) => {
  const [utf8, utf16] = [Buffer.from('\ufeff#ä'), Buffer.from('\ufeff#ä', 'utf16le')]
  const files = { 'bom.scl': utf8, 'wide.scl': utf16, 'ansi.scl': Buffer.from(`#${classic}`, 'latin1') }
  const { texts } = await fixed(
    t,
    files,
    Object.keys(files).map((file) => finding(file, 'm', [1, 1, 1, 2, 'ö'])),
  )
  assert.deepEqual(texts, {
    'bom.scl': Buffer.from('\ufefföä').toString('latin1'),
    'wide.scl': Buffer.from('\ufefföä', 'utf16le').toString('latin1'),
    'ansi.scl': `ö${classic}`,
  })
})

test('a file that cannot be written stays with its findings, and the others are mended', async (t) => {
  const root = await temporaryFolder(t, 'gantry-fix-')
  for (const name of ['a.scl', 'b.scl', 'c.scl']) await writeFile(join(root, name), 'x')
  const all = ['a.scl', 'b.scl', 'c.scl'].map((file) => finding(file, file, [1, 1, 1, 2, 'y']))
  const { mended, files, failed } = await fixFiles(root, all, async (path, content) => {
    if (path === join(root, 'b.scl')) throw new Error('EBUSY: resource busy or locked')
    await writeFile(path, content)
  })
  assert.deepEqual([[...mended].map(({ file }) => file), files], [['a.scl', 'c.scl'], 2])
  assert.deepEqual(failed, [{ file: 'b.scl', message: 'EBUSY: resource busy or locked' }])
  assert.equal(await readFile(join(root, 'b.scl'), 'utf8'), 'x')
  assert.equal(await readFile(join(root, 'c.scl'), 'utf8'), 'y')
})
