import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseXml } from '../simaticml/xml.ts'
import type { Identifiers } from './identifiers.ts'
import { readStructuredText } from './structured-text.ts'

const operands: Readonly<Record<string, object>> = {
  51: { kind: 'label', name: 'Ready' },
  52: { kind: 'symbol', scope: 'LocalVariable', path: [{ name: 'Wait' }] },
  53: { kind: 'symbol', scope: 'GlobalVariable', path: [{ name: 'Axis 1' }] },
}
const identifiers = {
  operand: (id: string | undefined) => operands[id ?? ''],
  name: () => undefined,
} as unknown as Identifiers

const source = (statements: string) =>
  parseXml(
    `<SCLSource><Symbols><Label SymID="66" RefId="51"/><Instance SymID="1" RefId="52"/><InstanceFBT SymID="2" RefId="53"/>
     <Instance SymID="3" RefId="54" Name="Lost"/></Symbols><RootStatements>${statements}</RootStatements></SCLSource>`,
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

test('an instance is a member or a data block, as its identifier says; an unknown one is told', () => {
  const { text, problems } = readStructuredText(
    source('<SymVa SyId="1"/><NL/><SymVa SyId="2"/><NL/><SymVa SyId="3"/>'),
    identifiers,
  )
  assert.equal(text, '#Wait\n"Axis 1"\nLost')
  assert.deepEqual(problems, ['a symbol of the kind Instance is not understood'])
})

test('assignments with an operation, and powers', () => {
  const { text } = readStructuredText(source('<OpPlAs/><OpMinAs/><OpMulAs/><OpPo/>'), identifiers)
  assert.equal(text, '+=-=*=**')
})
