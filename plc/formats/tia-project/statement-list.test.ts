import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operand } from '../../model/operand.ts'
import { parseXml } from '../simaticml/xml.ts'
import { DataTypes } from './data-types.ts'
import type { Identifiers } from './identifiers.ts'
import { readStatementList } from './statement-list.ts'
import type { TiaStore } from './store.ts'

const symbol = (scope: 'GlobalVariable' | 'LocalVariable', ...names: string[]): Operand & { kind: 'symbol' } => ({
  kind: 'symbol',
  scope,
  path: names.map((name) => ({ name })),
})
const operands: Readonly<Record<string, Operand & { kind: 'symbol' }>> = {
  1: symbol('GlobalVariable', 'Start'),
  2: symbol('GlobalVariable', 'Motor_DB'),
  3: symbol('LocalVariable', 'pump'),
  4: symbol('GlobalVariable', 'Timer_DB'),
}
const motor = { id: '10', name: 'Motor', blockType: 'FB', number: 7 }
const kinds: Readonly<Record<string, string>> = { 20: 'Instruction', 21: 'Instruction' }
const names: Readonly<Record<string, string>> = { 20: 'TON', 21: 'PUT', 30: 'wait' }
const identifiers = {
  operand: (id: string | undefined) => operands[id ?? ''],
  instance: (id: string | undefined) => {
    const found = operands[id ?? '']
    return found && { scope: found.scope, path: found.path }
  },
  callee: (id: string | undefined) => (id === motor.id ? motor : undefined),
  calleeOf: (id: string | undefined) => (id === '11' ? motor : undefined),
  parameters: (id: string | undefined) => (id === motor.id ? [{ name: 'on' }, { name: 'speed' }] : []),
  kind: (id: string | undefined) => kinds[id ?? ''],
  name: (id: string | undefined) => names[id ?? ''],
  templates: () => [{ name: 'time_type', type: 'Type', value: 'Time' }],
  libraryEntry: () => undefined,
} as unknown as Identifiers

/** A project that stores no versions of instructions, as those of V14. */
const emptyStore = { objects: [], ofType: () => [] } as unknown as TiaStore
const types = new DataTypes(emptyStore)

const read = (statements: string) =>
  readStatementList(parseXml(`<Statements>${statements}</Statements>`), identifiers, (name, entry) =>
    types.instructionVersion(name, entry),
  )
const callOf = (inside: string) => {
  const { statements, problems } = read(`<Statement><Token DispName="CALL"/>${inside}</Statement>`)
  assert.equal(statements[0]?.mnemonic, 'CALL')
  return { call: statements[0]?.call, problems }
}

test('a call of a block has its instance, and its parameters by name or by their place', () => {
  const { call, problems } = callOf(
    `<OpdAccess RefId="10"/><OpdAccess RefId="2"/><CallInfo RefId="11">
       <ParaExpression FPNum="2"><OpdAccess RefId="1"/></ParaExpression>
       <ParaExpression FPNum="1" DispName="given"/></CallInfo>`,
  )
  assert.deepEqual(problems, [])
  assert.deepEqual(call, {
    target: 'block',
    name: 'Motor',
    blockType: 'FB',
    blockNumber: 7,
    instance: { scope: 'GlobalVariable', path: [{ name: 'Motor_DB' }] },
    parameters: [{ name: 'speed', value: operands[1] }, { name: 'given' }],
  })
})

test('a call of a local instance is one of a multi-instance, with the parameters of its block', () => {
  const { call, problems } = callOf(
    '<OpdAccess RefId="3"/><CallInfo RefId="11"><ParaExpression FPNum="1"><OpdAccess RefId="1"/></ParaExpression></CallInfo>',
  )
  assert.deepEqual(problems, [])
  assert.deepEqual(call, {
    target: 'multiInstance',
    name: 'pump',
    blockType: 'FB',
    instance: { scope: 'LocalVariable', path: [{ name: 'pump' }] },
    parameters: [{ name: 'on', value: operands[1] }],
  })
})

test('timers of a project without versions have the version 1.0; for others none is made up', () => {
  const timer = callOf(
    '<OpdAccess RefId="20"/><OpdAccess RefId="4"/><CallInfo RefId="20"><ParaExpression FPNum="1" DispName="IN"/></CallInfo>',
  )
  assert.deepEqual(timer, {
    problems: [],
    call: {
      target: 'instruction',
      name: 'TON',
      version: '1.0',
      templates: [{ name: 'time_type', type: 'Type', value: 'Time' }],
      instance: { scope: 'GlobalVariable', path: [{ name: 'Timer_DB' }] },
      parameters: [{ name: 'IN' }],
    },
  })
  for (const name of ['TP', 'TOF', 'TONR', 'CTU', 'CTD', 'CTUD'])
    assert.equal(types.instructionVersion(name), '1.0', name)
  const { call, problems } = callOf('<OpdAccess RefId="21"/><CallInfo RefId="21"/>')
  assert.deepEqual(problems, ['statement 1: the version of the instruction PUT is not in the file'])
  assert.equal(call?.target === 'instruction' && call.version, undefined)
})

test('an instruction that is no identifier has its name and its types in the call', () => {
  const { call, problems } = callOf(
    '<OpdAccess RefId="99"/><CallInfo DispName="MOVE_BLK"><TemplateParameter Name="count" Value="UInt"/></CallInfo>',
  )
  assert.deepEqual(problems, [])
  assert.deepEqual(call, {
    target: 'instruction',
    name: 'MOVE_BLK',
    templates: [{ name: 'count', type: 'Type', value: 'UInt' }],
    parameters: [],
  })
})

test('what of a statement is not understood is told with its number', () => {
  const { statements, problems } = read(
    `<Statement><Label><OpdAccess RefId="30"/></Label><Token DispName="A"/><OpdAccess RefId="1"/><LC DispName=" go"/></Statement>
     <Statement><Token DispName="A"/><OpdAccess RefId="98"/></Statement>
     <Statement><Token DispName="A"/><UserToken DispName="Rs"/></Statement>
     <Statement><Token DispName="CALL"/><OpdAccess RefId="10"/><OpdAccess RefId="97"/><CallInfo RefId="11">
       <ParaExpression FPNum="9"><OpdAccess RefId="96"/><Other/></ParaExpression></CallInfo></Statement>`,
  )
  assert.deepEqual(statements[0], { label: 'wait', mnemonic: 'A', operand: operands[1], comment: ' go' })
  assert.deepEqual(problems, [
    'statement 2: the operand (no identifier 98) is not understood',
    'statement 3: UserToken Rs is not understood',
    'statement 4: the instance of the call is not understood',
    'statement 4: the name of parameter 9 is not in the identifiers',
    'statement 4: the operand (no identifier 96) is not understood',
    'statement 4: parameter 9: Other is not understood',
  ])
})
