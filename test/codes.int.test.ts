/** Every code that an answer can carry has its page: `GET /api/errors/{code}` and a heading in the manual. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageDir } from '../core/boot/running-code.ts'
import { codeTables } from '../core/contract/code-tables.ts'
import { passagesOf } from '../core/docs/markdown.ts'
import { docsPlugin } from '../core/docs/operations.ts'
import { diagnosticCodes } from '../plc/diagnostics/codes.ts'
import { faultCodes } from '../plc/model/fault-codes.ts'
import { FAULTS } from '../plugins/design-spec/model/faults.ts'
import { openTestGateway } from './harness.ts'
import { assertRecorded } from './recorded.ts'

/** Codes that the sources write out: `code: 'missing'`. Tests, and examples of the compiler's codes, are left out. */
function writtenCodes(): Map<string, string> {
  const found = new Map<string, string>()
  for (const folder of ['core', 'plugins', 'plc'])
    for (const name of readdirSync(join(packageDir, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || /\.test\.ts$|fixtures|(^|\/)testing\/|diagnostics\/|samples\.ts$/.test(name))
        continue
      const text = readFileSync(join(packageDir, folder, name), 'utf8')
      for (const [, code = ''] of text.matchAll(/\bcode: '([a-z]+(?:[_-][a-z]+)*)'/g))
        found.set(code, `${folder}/${name}`)
      for (const [, code = ''] of text.matchAll(/#?note\(\s*'\w+',\s*'([a-z-]+)'/g))
        found.set(code, `${folder}/${name}`)
    }
  return found
}

test('every code has a page', async (t) => {
  const { gateway, call } = await openTestGateway(t, { corePlugins: [docsPlugin] })
  const section = async (sectionName: string) => {
    const { text } = await call<{ text: string }>('docs.get-section', { sectionName })
    return new Set(passagesOf(text).map(({ anchor }) => anchor))
  }
  const [errors, codes] = [await section('errors'), await section('codes')]
  const { problems } = gateway.registry
  for (const code of problems.keys()) assert.ok(errors.has(code), code)
  const statuses = [...problems].map(([code, { status }]) => `${status} ${code}\n`)
  assertRecorded(import.meta.url, 'problem-statuses.txt', statuses.sort().join(''))
  const others = [...diagnosticCodes.keys(), ...Object.keys(faultCodes), ...Object.keys(FAULTS)]
  for (const table of gateway.registry.extensions(codeTables)) others.push(...(await table.codes()).keys())
  for (const code of others) {
    assert.ok(codes.has(code.toLowerCase()), code)
    const page = await call<Record<string, string>>('docs.get-error', { code })
    for (const field of ['title', 'meaning', 'remedy']) assert.ok(page[field]?.length, `${code}: ${field}`)
  }
  const known = new Set([...problems.keys(), ...others])
  const written = writtenCodes()
  assert.ok(written.size > 40, String(written.size))
  assert.deepEqual(
    // The shape of a contributed rule names the kind of its code.
    [...written].filter(([code, file]) => !known.has(code) && !file.endsWith('rule-point.ts')),
    [],
  )
})

test('a code that does not exist is answered with the nearest one', async (t) => {
  const { call } = await openTestGateway(t, { corePlugins: [docsPlugin] })
  await assert.rejects(call('docs.get-error', { code: 'section_mising' }), /section_missing/)
})
