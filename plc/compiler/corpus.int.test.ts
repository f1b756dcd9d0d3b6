/**
 * The programs of the corpus, folder by folder: linked, checked, lowered and generated. A block that does not compile
 * must have a reason: an object that is missing in its folder, or an unsupported instruction. Prints a table.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { test } from 'node:test'
import { publicDir, publicFolders } from '../../test/corpus.ts'
import { importFile } from '../formats/import.ts'
import { type LinkDocument, type LinkTagTable, linkProgram } from '../program/link-program.ts'
import type { Diagnostic } from '../program/program.ts'
import { compileBlock } from './codegen/function.ts'
import { lowerBlock } from './lower/lower-block.ts'

const extensions = new Set(['.xml', '.scl', '.db', '.udt', '.awl'])
const blockKinds = new Set(['OB', 'FB', 'FC', 'GlobalDB', 'InstanceDB', 'ArrayDB', 'UDT'])

/** Codes for something missing in the folder, not in the compiler. */
const missing = new Set([
  'undeclared',
  'unknown-type',
  'unknown-constant',
  // Members of types that the folder has in another version.
  'unknown-member',
  'unknown-parameter',
])
/** Codes for features that the compiler does not support. */
const named = new Set([
  'unknown-instruction',
  'unknown-part',
  'unknown-statement',
  'unsupported',
  'unsupported-language',
  'unsupported-operand',
])

/**
 * Sources written by hand that no compiler accepts: a function without its input, `IF … END_FUNCTION`, `PT := … NOT …`.
 */
const knownFaulty = new Set(['TimerTOF', 'ValveControl_1_way', 'ValveControl_2_way'])

const total = { compiled: 0, complete: 0 }

/** The objects of a folder; the first of several with one name. */
async function programIn(folder: string): Promise<{ documents: LinkDocument[]; tables: LinkTagTable[] }> {
  const documents = new Map<string, LinkDocument>()
  const tables: LinkTagTable[] = []
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!extensions.has(extname(file).toLowerCase())) continue
    const { objects } = await importFile(new Uint8Array(readFileSync(join(folder, file))))
    for (const object of objects) {
      const { kind, name, tags = [], constants = [] } = object
      if (kind === 'TagTable') tables.push({ name, tags, constants })
      else if (blockKinds.has(kind) && !documents.has(name.toLowerCase())) documents.set(name.toLowerCase(), { object })
    }
  }
  return { documents: [...documents.values()], tables }
}

for (const name of publicFolders)
  test(`${name}: every block compiles, or says what is missing`, async (t) => {
    const { documents, tables } = await programIn(join(publicDir, name))
    const program = linkProgram(documents, tables)
    const broken = new Set(
      program.diagnostics.filter(({ severity }) => severity === 'error').map(({ object }) => object.toLowerCase()),
    )
    const codes = new Map<string, number>()
    const languages = new Map<string, [compiled: number, all: number]>()
    let [compiled, incomplete, unsupported] = [0, 0, 0]
    const unexplained: string[] = []
    for (const block of program.blocks.values()) {
      if (block.kind.endsWith('DB')) continue
      const { code, diagnostics } = lowerBlock(program, block)
      const errors = diagnostics.filter(({ severity }) => severity === 'error')
      const count = languages.get(block.language) ?? [0, 0]
      languages.set(block.language, [count[0] + (code ? 1 : 0), count[1] + 1])
      for (const one of new Set(errors.map((error) => error.code))) codes.set(one, (codes.get(one) ?? 0) + 1)
      assert.equal(code === undefined, errors.length > 0, `${block.name}: code without errors, or errors without code`)
      if (code) {
        compileBlock(code)
        compiled++
      } else if (broken.has(block.name.toLowerCase()) || errors.some((error) => missing.has(error.code))) incomplete++
      else if (errors.some((error) => named.has(error.code))) unsupported++
      else if (!knownFaulty.has(block.name)) unexplained.push(`${block.name}: ${textOf(errors[0])}`)
    }
    const byLanguage = [...languages].map(([language, [done, all]]) => `${language} ${done}/${all}`).join(', ')
    t.diagnostic(
      `${compiled} compiled (${byLanguage}); ${incomplete} use what is not in the folder, ${unsupported} what the compiler has not`,
    )
    t.diagnostic([...codes].map(([code, count]) => `${code} ${count}`).join(', ') || 'no errors')
    assert.deepEqual(unexplained, [], 'each fault names what is missing')
    total.compiled += compiled
    total.complete += compiled + unsupported
  })

test('of the blocks whose dependencies are in their folder 95 % compile', (t) => {
  t.diagnostic(`${total.compiled} of ${total.complete}`)
  assert.ok(total.compiled >= 0.95 * total.complete)
})

function textOf(error: Diagnostic | undefined): string {
  return error ? `${error.code} at ${error.network}:${error.line ?? error.uId ?? ''} ${error.message}` : ''
}
