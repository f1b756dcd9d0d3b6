import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from './devices.ts'

const controller = (name: string) => ({ name, file: 'plant.aml', tables: [] })
const paths = ['PLC_1/Main.xml', 'plc_2/blocks/Main.xml', 'common/Type.xml', 'PLC_3.xml']

/** Which files are of which controller. */
function divided(...[configured, controllers]: [Parameters<typeof partsOf>[0], Parameters<typeof partsOf>[1]]) {
  return partsOf(configured, controllers, paths).map(({ name, isOf }) => [name, paths.filter(isOf)])
}

test('folders called like controllers have their files, whatever the case', () => {
  const controllers = ['PLC_1', 'PLC_2', 'PLC_3'].map(controller)
  assert.deepEqual(divided([], controllers), [
    ['PLC_1', ['PLC_1/Main.xml']],
    ['PLC_2', ['plc_2/blocks/Main.xml']],
  ])
})

test('one folder called like a controller is enough: what is elsewhere is of none', () => {
  assert.deepEqual(divided([], ['PLC_1', 'Other'].map(controller)), [['PLC_1', ['PLC_1/Main.xml']]])
})

test('folders have names as file systems allow them', () => {
  const controllers = ['PLC/1', 'PLC%'].map(controller)
  const files = ['plc%2f1/A.xml', 'PLC%/B.xml', 'PLC/1/C.xml']
  const parts = partsOf([], controllers, files)
  assert.deepEqual(
    parts.map(({ name, isOf }) => [name, files.filter(isOf)]),
    [
      ['PLC/1', ['plc%2f1/A.xml']],
      ['PLC%', ['PLC%/B.xml']],
    ],
  )
})

test('one controller, or none whose name a folder has: all files are of one', () => {
  assert.deepEqual(divided([], [controller('PLC_1')]), [['PLC_1', paths]])
  assert.deepEqual(divided([], [controller('A'), controller('B')]), [['A', paths]])
  assert.deepEqual(divided([], []), [['PLC_1', paths]])
})

test('what is configured goes before all else; a folder is one as a whole, and "." is all', () => {
  const device = (name: string, ...folders: string[]) => ({ name, folders })
  assert.deepEqual(divided([device('A', 'plc_2/blocks'), device('B', 'PLC_1', 'common'), device('C', 'PLC')], []), [
    ['A', ['plc_2/blocks/Main.xml']],
    ['B', ['PLC_1/Main.xml', 'common/Type.xml']],
    ['C', []],
  ])
  assert.deepEqual(divided([device('A', '.')], [controller('PLC_1')]), [['A', paths]])
})
