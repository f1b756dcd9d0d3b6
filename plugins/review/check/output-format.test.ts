/** The format of a report by the name of its file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outputFormat } from './output-format.ts'

const names = [
  [/\.html?$/i, ['html']],
  [/\.json$/i, ['json', 'sarif']],
  [/\.xml$/i, []],
] as const

function formatOf(format: string | undefined, out: string | undefined): string {
  const tools = {
    fail(message: string, code: number): never {
      throw new Error(`${code} ${message}`)
    },
  }
  try {
    return outputFormat({ format, out }, ['text', 'json', 'sarif', 'html'], names, { tools, usage: 2 })
  } catch (error) {
    return (error as Error).message
  }
}

test('the name of the file says the format where none is given, and must not deny the given one', () => {
  const told = [
    [undefined, undefined, 'text'],
    ['html', undefined, 'html'],
    [undefined, 'a/b.HTM', 'html'],
    [undefined, 'x.json', 'json'],
    ['sarif', 'x.json', 'sarif'],
    [undefined, 'report', 'text'],
    [undefined, 'report.txt', 'text'],
    ['json', 'report.txt', 'json'],
    ['text', 'x.json', '2 --format text contradicts --out x.json, which is a name for json or sarif.'],
    ['html', 'x.json', '2 --format html contradicts --out x.json, which is a name for json or sarif.'],
    [undefined, 'x.xml', '2 --out x.xml: no format of this command has such a name (text, json, sarif, html).'],
    ['html', 'x.pdf', '2 --out x.pdf: no format of this command has such a name (text, json, sarif, html).'],
    ['pdf', 'x.pdf', '2 --format is one of text, json, sarif, html.'],
  ] as const
  for (const [format, out, wanted] of told) assert.equal(formatOf(format, out), wanted, `${format} ${out}`)
})
