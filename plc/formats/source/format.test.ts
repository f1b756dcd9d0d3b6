import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { decodeText } from '../../model/decode.ts'
import { codeFaults } from './code-faults.ts'
import { formatSource } from './format.ts'
import { readSource } from './read.ts'

test('a source that cannot be parsed stays as it is, and its faults are told with their places', () => {
  const faultsOf = (text: string) => {
    const result = formatSource(text)
    assert.deepEqual([result.text, result.changed], [text, false])
    return result.faults.map(({ line, column, message }) => `${line}:${column} ${message}`)
  }
  const block = (body: string, end = 'END_FUNCTION') => `FUNCTION "A" : Void\nbegin\n${body}\n${end}\n`
  assert.match(faultsOf(block('if #a then\n#b:=1;'))[0]!, /^3:1 IF without END_IF/)
  assert.match(faultsOf(block('#b:=1;\nend_if;'))[0]!, /^4:1 END_IF without IF/)
  assert.match(faultsOf(block('#b := ;'))[0]!, /^3:7 /)
  assert.ok(faultsOf(block('#b:=1;', '')).length > 0)
  assert.ok(faultsOf('FUNCTION "A" : Void\nVAR_INPUT\na : ;\nEND_VAR\nBEGIN\nEND_FUNCTION\n').length > 0)
  assert.match(faultsOf('if #a then #b:=1;')[0]!, /END_IF/)
  assert.ok(faultsOf("#b := 'open;").length === 1)
})

test('sources, statement lists, statements alone and comments alone are formatted', () => {
  const textOf = (text: string) => {
    const { faults, text: formatted } = formatSource(text)
    assert.deepEqual(faults, [])
    return formatted
  }
  assert.equal(textOf('if #a then\n#b:=1;\nend_if;'), 'IF #a THEN\n    #b := 1;\nEND_IF;\n')
  assert.equal(textOf('// only\n'), '// only\n')
  assert.equal(textOf(''), '')
  assert.match(textOf('// head\nfunction "A" : Void\nbegin\n#b:=1;\nend_function\n'), /^ {4}#b := 1;$/m)
  assert.match(textOf('NAMESPACE n\nTYPE "T"\nstruct\na:Int;\nend_struct;\nEND_TYPE\nEND_NAMESPACE\n'), /a : Int;/)
  assert.match(textOf('FUNCTION "A" : Void\nBEGIN\nNETWORK\n  A   %I0.0;\nEND_FUNCTION\n'), /^ {2}A {3}%I0\.0;$/m)
})

test('every source of the corpus that is read without fault is formatted', () => {
  const dir = fileURLToPath(new URL('../../../test/corpus', import.meta.url))
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((one) => /\.(scl|udt|db)$/i.test(one))
  let count = 0
  for (const path of paths) {
    const { text } = decodeText(readFileSync(join(dir, path)))
    const { blocks, faults } = readSource(text)
    if (blocks.length === 0) continue
    const all = [...faults, ...codeFaults(text, blocks)]
    assert.equal(formatSource(text).faults.length > 0, all.length > 0, path)
    count++
  }
  assert.ok(count > 100, `${count} sources`)
})
