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
  assert.match(
    changed('DataType="Float32"', 'DataType="Quaternion"')?.message ?? '',
    /"Quaternion" without Length has no known length/,
  )
  assert.match(changed('"OctetString" Length="3"', '"OctetString"')?.message ?? '', /without Length/)
  const target = changed('ModuleItemTarget="VALVES"', 'ModuleItemTarget="VALVE"')
  assert.match(target?.message ?? '', /names "VALVE", which the file has not/)
  assert.equal(target?.line, 8)
  assert.match(changed('0..4', '4..0')?.message ?? '', /numbers and ranges/)
  assert.match(changed('ID="STATUS"', 'ID="VALVES"')?.message ?? '', /stands twice/)
  assert.equal(faultOf('<!DOCTYPE a [<!ENTITY x "y">]><a/>')?.code, 'xml-doctype')
  assert.equal(faultOf('<a/>')?.code, 'xml-root')
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
