/** Why a block cannot be tested: its own errors, those of what it needs, and what is not there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importFile } from '../formats/import.ts'
import { compileTested, whyNot } from './tested-program.ts'

const block = (name: string, sections: string, body: string) =>
  `FUNCTION_BLOCK "${name}"\n${sections}\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`
const a = 'VAR_INPUT\n  a : Int;\nEND_VAR'

async function tested(...sources: readonly string[]) {
  const { objects, faults } = await importFile(Buffer.from(sources.join('\n')))
  assert.deepEqual(faults, [])
  return compileTested(objects, ['Good', 'Bad'])
}

test('blocks with errors are left out with what needs them, and say why', async () => {
  const needs = 'VAR\n  bad : "Bad";\nEND_VAR'
  const program = await tested(
    block('Good', a, '#a := 1;'),
    block('Bad', a, "#a := 'text';\n#a := #gone;\n#a := 1;\n#a := TRUE;"),
    block('Needs', needs, '#bad(a := 1);'),
    block('Further', 'VAR\n  n : "Needs";\nEND_VAR', '#n();'),
    block('Missing', a, '"Elsewhere".x := #a;'),
  )
  assert.ok(program.compiled)
  assert.deepEqual([...program.harnesses.keys()], ['good', 'bad'])
  assert.equal(program.errors.has('good'), false)
  assert.equal(program.errors.get('bad')?.length, 3)
  const [, line, more] = /^"Bad", network 1, line (\d): .* \(and (\d) more\)\./.exec(whyNot(program, 'BAD')) ?? []
  assert.deepEqual([line, more], ['1', '2'])
  assert.match(whyNot(program, 'Needs'), /^"Needs"(, network 1)?(, line 1)?: .*"Bad".*\. "Bad", network 1, line 1: /)
  assert.match(whyNot(program, 'Further'), /^"Further".*"Needs".*"Bad", network 1, line 1: /)
  assert.match(whyNot(program, 'Missing'), /"Elsewhere".*\. What is not in the folder can be given by a stub: /)
  assert.equal(whyNot(program, 'Other'), '"Other" does not compile.')
})

test('a program of which nothing compiles has no module; one without faults no errors', async () => {
  const none = await tested(block('Bad', a, '#a := #gone;'))
  assert.equal(none.compiled, undefined)
  assert.match(whyNot(none, 'Bad'), /^"Bad", network 1, line 1: .*gone/)
  const all = await tested(block('Good', a, '#a := 1;'))
  assert.equal(all.errors.size, 0)
  assert.deepEqual(
    all.names.filter((name) => !all.added.has(name.toLowerCase())),
    ['Good'],
  )
})
