import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseXml } from '../simaticml/xml.ts'
import type { Identifiers } from './identifiers.ts'
import { readStructuredText } from './structured-text.ts'

const identifiers = {
  operand: (id: string | undefined) => (id === '51' ? { kind: 'label', name: 'Ready' } : undefined),
  name: () => undefined,
} as unknown as Identifiers

const source = (statements: string) =>
  parseXml(
    `<SCLSource><Symbols><Label SymID="66" RefId="51"/></Symbols><RootStatements>${statements}</RootStatements></SCLSource>`,
  )

test('a label is printed where it stands and behind GOTO', () => {
  const text = `<Statement TE="GOTO" SI="STGOT"><BL/><SymLa SyId="66"/><FiSt/></Statement><NL/>
    <Label SyId="66"><Colon/></Label><NL/><FiSt/>`
  assert.deepEqual(readStructuredText(source(text), identifiers), { text: 'GOTO Ready;\nReady:\n;', problems: [] })
})

test('a label without a name is told', () => {
  const { problems } = readStructuredText(source('<Label SyId="67"><Colon/></Label>'), identifiers)
  assert.deepEqual(problems, ['the name of a label (67) is not in the identifiers'])
})
