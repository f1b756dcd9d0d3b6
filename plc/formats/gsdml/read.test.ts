import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gsdFile, gsdFileName } from '../../../test/gsd-file.ts'
import { FormatError } from '../../model/fault.ts'
import { commonSlots, gsdText, parseGsdIdentifier } from './gsdml.ts'
import { readGsdml } from './read.ts'

test('access points, modules, lengths, slots and texts are read', () => {
  const file = readGsdml(gsdFile, gsdFileName)
  assert.equal(file.fileName, gsdFileName.toUpperCase())
  const [point] = file.accessPoints
  assert.ok(point)
  assert.equal(gsdText(point.name, 'de-DE'), 'Ventilinsel')
  assert.equal(gsdText(point.name, 'fr-FR'), 'Valve island')
  assert.deepEqual(point.physicalSlots, [[0, 4]])
  assert.deepEqual([point.orderNumber, point.maxInputLength, point.ports.length], ['EX-100', 64, 1])
  const [status, valves] = file.modules
  assert.deepEqual([status?.submodules[0]?.inputBits, status?.submodules[0]?.outputBits], [48, 0])
  assert.deepEqual([valves?.submodules[0]?.inputBits, valves?.submodules[0]?.outputBits], [0, 24])
  const [fixed, allowed] = point.useableModules
  assert.deepEqual([fixed?.fixed, allowed?.allowed, allowed?.used], [[[1, 1]], [[2, 4]], [[2, 2]]])
})

function faultOf(text: string) {
  try {
    readGsdml(text, gsdFileName)
  } catch (error) {
    assert.ok(error instanceof FormatError)
    return error.faults[0]
  }
  assert.fail('it was read')
}

test('faults are told with their line', () => {
  const changed = (from: string, to: string) => faultOf(gsdFile.replace(from, to))
  const target = changed('ModuleItemTarget="VALVES"', 'ModuleItemTarget="VALVE"')
  assert.match(target?.message ?? '', /names "VALVE", which the file has not/)
  assert.equal(target?.line, 8)
  assert.match(changed('0..4', '4..0')?.message ?? '', /numbers and ranges/)
  assert.match(changed('ID="STATUS"', 'ID="VALVES"')?.message ?? '', /stands twice/)
  assert.equal(faultOf('<!DOCTYPE a [<!ENTITY x "y">]><a/>')?.code, 'xml-doctype')
  assert.equal(faultOf('<a/>')?.code, 'xml-root')
})

test('a data type that is not known leaves the rest of the file usable: it is as long as its item says', () => {
  const read = (from: string, to: string) => {
    const { modules, warnings } = readGsdml(gsdFile.replace(from, to), gsdFileName)
    return { bits: modules.map(({ submodules: [one] }) => [one?.inputBits, one?.outputBits]), warnings, modules }
  }
  const whole = read('', '')
  assert.deepEqual(whole.warnings, [])
  const withLength = read('"Float32"', '"Quaternion" Length="16"')
  assert.deepEqual(withLength.bits[0], [16 + 128, 0])
  assert.deepEqual(withLength.warnings, [
    'line 24: DataType "Quaternion" is not known: its 16 bytes are taken as they are',
  ])
  const without = read('"Float32"', '"Quaternion"')
  assert.deepEqual(without.bits, [[16, 0], whole.bits[1]])
  assert.match(
    without.warnings[0] ?? '',
    /^line 24: DataType "Quaternion" without Length has no known length: this item/,
  )
  assert.deepEqual(without.modules[0]?.submodules[0]?.unknownLengths, ['Quaternion'])
  assert.match(read('"OctetString" Length="3"', '"OctetString"').warnings[0] ?? '', /"OctetString" without Length/)
  // Types of newer specifications, and types of several parts.
  for (const [type, bits] of [
    ['TimeStamp', 96],
    ['TimeStampDifferenceShort', 64],
    ['Unipolar2.16', 16],
    ['Unsigned16+Status8', 24],
  ] as const) {
    const { bits: found, warnings } = read('"Float32"', `"${type}"`)
    assert.deepEqual([found[0], warnings], [[16 + bits, 0], []], type)
  }
})

test('type identifiers are taken apart, slots have what two lists share', () => {
  assert.deepEqual(parseGsdIdentifier('GSD:gsdml-a.xml/DAP/DAP V1.0'), {
    fileName: 'GSDML-A.XML',
    kind: 'DAP',
    id: 'DAP V1.0',
  })
  assert.equal(parseGsdIdentifier('OrderNumber:6ES7 1'), undefined)
  assert.deepEqual(
    commonSlots(
      [
        [0, 3],
        [7, 9],
      ],
      [[2, 7]],
    ),
    [2, 3, 7],
  )
})
