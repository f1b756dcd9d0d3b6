/** Data types at the ends of paths, through structures, types, arrays, instances and members of system types. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InterfaceMember, InterfaceSection } from '../../model/object.ts'
import { parseOperand } from '../../model/operand-reader.ts'
import { elementType, type ProgramAround, typeOfGlobal, typeOfPath, valueTypes } from './program.ts'

const member = (name: string, dataType: string, more: Partial<InterfaceMember> = {}): InterfaceMember => ({
  ...{ name, dataType, comment: {}, attributes: [], members: [] },
  ...more,
})
const section = (...members: InterfaceMember[]): InterfaceSection[] => [{ section: 'Static', members }]
const interfaces: Readonly<Record<string, InterfaceSection[]>> = {
  Motor: section(member('speed', 'Int'), member('timer', 'TON_TIME')),
  Data: section(member('list', 'Array[0..3] of "Motor"'), member('word', 'Word')),
  Motor_DB: section(),
}
const program: ProgramAround = {
  interfaceOf: (name) => {
    const sections = interfaces[name]
    return sections && { kind: 'UDT', sections }
  },
  systemType: (name) => (name === 'DTL' ? { kind: 'system', sections: section(member('YEAR', 'UInt')) } : undefined),
  instanceOf: (name) => (name === 'Motor_DB' ? 'Motor' : undefined),
  tagType: (name) => ({ tag: 'Word', point: '"Motor"' })[name],
}
const local = section(
  member('a', 'Int'),
  member('delay', 'TON_TIME'),
  member('times', 'Array[1..2] of DTL'),
  member('rows', 'Array[0..2] of Struct', { members: [member('level', 'Real'), member('own', '"Motor"')] }),
  member('motor', '"Motor"'),
  member('copy', 'Unknown', { sections: section(member('inside', 'LReal')) }),
)

test('a path of members ends at a type, also in types, arrays, bits and members of the system', () => {
  const typeOf = (text: string) => {
    const operand = parseOperand(text)
    return operand?.kind === 'symbol' ? typeOfPath(local, operand.path, program) : 'no path'
  }
  const types: Readonly<Record<string, string | undefined>> = {
    '#a': 'Int',
    '#A': 'Int',
    '#none': undefined,
    '#a.x': undefined,
    '#a.%X3': 'Bool',
    '#delay': 'TON_TIME',
    '#delay.ET': 'Time',
    '#delay.q': 'Bool',
    '#delay.ET.%W0': 'Word',
    '#delay.ET[1]': undefined,
    '#delay.nothing': undefined,
    '#times': 'Array[1..2] of DTL',
    '#times[1]': 'DTL',
    '#times[1].year': 'UInt',
    '#times.year': undefined,
    '#rows': 'Array[0..2] of Struct',
    '#rows[1].level': 'Real',
    '#rows[1].own.speed': 'Int',
    '#rows[1].own.timer.PT': 'Time',
    '#motor.speed': 'Int',
    '#motor.speed.%B1': 'Byte',
    '#copy.inside': 'LReal',
  }
  for (const [text, type] of Object.entries(types)) assert.equal(typeOf(text), type, text)
  assert.equal(typeOfPath(local, [], program), undefined)
  assert.equal(typeOfPath(local, [{ name: 'motor' }, { name: 'speed' }], {}), undefined)
})

test('a path of the program begins with a tag, a data block or an instance', () => {
  const typeOf = (text: string, around = program) => {
    const operand = parseOperand(text)
    return operand?.kind === 'symbol' ? typeOfGlobal(operand.path, around) : 'no path'
  }
  const types: Readonly<Record<string, string | undefined>> = {
    '"tag"': 'Word',
    '"tag".%X0': 'Bool',
    '"point".speed': 'Int',
    '"Data"': undefined,
    '"Data".word': 'Word',
    '"Data".list[2]': '"Motor"',
    '"Data".list[2].timer.Q': 'Bool',
    '"Motor_DB".speed': 'Int',
    '"Motor_DB".none': undefined,
    '"Nothing".a': undefined,
  }
  for (const [text, type] of Object.entries(types)) assert.equal(typeOf(text), type, text)
  assert.equal(typeOfGlobal([], program), undefined)
  assert.equal(typeOf('"tag"', {}), undefined)
  assert.equal(typeOf('"Data".word', {}), undefined)
})

test('types of elements, and types that start values are in', () => {
  assert.deepEqual(['Array[0..1] of Int', 'array[1..2, 3..4] of "T"', 'Int', 'REF_TO Int'].map(elementType), [
    ...['Int', '"T"', 'Int', 'REF_TO Int'],
  ])
  const find = valueTypes(program)
  assert.deepEqual([find('Motor')?.kind, find('DTL')?.kind, find('none')], ['UDT', 'system', undefined])
  assert.equal(valueTypes({})('Motor'), undefined)
})
