import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Statement } from '../../model/statement.ts'
import { start } from '../../testing/codegen.ts'
import { sclProgram } from '../../testing/runtime.ts'
import { statement } from '../../testing/stl.ts'
import { compileBlock } from '../codegen/function.ts'
import { lowerBlock } from './lower-block.ts'

const members = { a: 'Bool', i: 'Int', x: 'DInt', f: 'Real' }

/** Lowers a list; a list without errors gives a function. */
function compile(statements: readonly Statement[], access: 'standard' | 'optimized'): void {
  const networks = [{ number: 1, title: '', language: 'STL', statements }]
  const { program, main } = sclProgram({ members, body: '', access, networks })
  const { code, diagnostics } = lowerBlock(program, main)
  if (code) compileBlock(code)
  for (const { line, message } of diagnostics) assert.ok((line ?? 0) >= 1, message)
}

test('any statements are lowered or give diagnostics with their line', () => {
  fc.assert(fc.property(fc.array(statement, { maxLength: 30 }), fc.constantFrom('standard', 'optimized'), compile), {
    numRuns: 300,
  })
})

/** Statements whose operands exist, so that most lists have no error. */
const valid = fc.constantFrom<Statement>(
  ...['A', 'AN', 'O', 'ON', 'X', 'XN', '=', 'S', 'R', 'FP', 'FN'].map(
    (mnemonic): Statement => ({
      mnemonic,
      operand: { kind: 'symbol', scope: 'LocalVariable', path: [{ name: 'a' }] },
    }),
  ),
  ...['L', 'T'].flatMap((mnemonic): Statement[] =>
    ['i', 'x', 'f'].map((name) => ({
      mnemonic,
      operand: { kind: 'symbol', scope: 'LocalVariable', path: [{ name }] },
    })),
  ),
  ...'O NOT SET CLR SAVE +I -D *R /I MOD ==I <>R SSD SLW RLDA TAK BTI DTB RND CAW PUSH BEC BE LAR1 +AR1 TAR2 CDB'
    .split(' ')
    .map((mnemonic): Statement => ({ mnemonic })),
  ...['JU', 'JC', 'JNB', 'JZ', 'JO', 'LOOP', 'JL'].map(
    (mnemonic): Statement => ({ mnemonic, operand: { kind: 'label', name: 'here' } }),
  ),
)

test('statements without errors give functions, wherever the label stands', () => {
  fc.assert(
    fc.property(fc.array(valid, { minLength: 1, maxLength: 30 }), fc.nat(), (list, at) => {
      const statements = list.map((one, i) => (i === at % list.length ? { ...one, label: 'here' } : one))
      const networks = [{ number: 1, title: '', language: 'STL', statements }]
      const { program, main } = sclProgram({ members, body: '', access: 'standard', networks })
      const { code, diagnostics } = lowerBlock(program, main)
      // Random jumps leave unreachable statements.
      const told = diagnostics.filter((one) => one.code !== 'unreachable')
      assert.deepEqual(told, [])
      assert.ok(code)
      // The engine checks the module.
      start([code])
    }),
    { numRuns: 200 },
  )
})
