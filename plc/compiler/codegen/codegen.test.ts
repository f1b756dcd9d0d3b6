/**
 * The code of the programs in `plc/compiler/fixtures/codegen` after the optimising passes, and as WebAssembly
 * (testing/recorded-programs.ts).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkProgram } from '../../program/link-program.ts'
import { codeText } from '../../testing/ir-text.ts'
import { importedProgram } from '../../testing/program-text.ts'
import { isAsRecorded, recordedSources, recordedTags } from '../../testing/recorded-programs.ts'
import { wasmText } from '../../testing/wasm-text.ts'
import { lowerBlock } from '../lower/lower-block.ts'
import { compileBlock, optimized } from './function.ts'

for (const { file, bytes } of recordedSources('codegen'))
  test(`${file} is optimised and generated as recorded`, async () => {
    const { objects, faults } = await importedProgram(bytes, file)
    assert.deepEqual(faults, [])
    const program = linkProgram(
      objects.map((object) => ({ object })),
      [recordedTags],
    )
    const texts = [...program.blocks.values()].flatMap((block) => {
      if (block.kind.endsWith('DB')) return []
      const { code, diagnostics } = lowerBlock(program, block)
      assert.ok(code, JSON.stringify(diagnostics))
      return [codeText(optimized(code)), wasmText(compileBlock(code))]
    })
    isAsRecorded(`${file}.txt`, texts.join('\n'))
  })
