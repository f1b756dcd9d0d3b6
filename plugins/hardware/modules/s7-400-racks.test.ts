/** What is wrong with the racks of an S7-400 that a file brought. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeviceItem, Station } from '../model.ts'
import { s7400Faults, widthOf } from './s7-400-racks.ts'

const item = (name: string, position: number): DeviceItem => ({
  ...{ id: `${name}/${position}`, name, kind: 'module', position, builtIn: false, typeName: name, items: [] },
  moduleKind: name.slice(0, 2),
})

/** `0:IM 460-3@4, 2 UR2:IM 461-3@9+PS@1`: rack, its kind (default UR1), modules with their slots. */
function stationOf(text: string): Pick<Station, 'racks'> {
  const racks = text.split(', ').map((part): DeviceItem => {
    const [head = '', names = ''] = part.split(':')
    const [number = '', kind] = head.split(' ')
    const items = names
      .split('+')
      .filter(Boolean)
      .map((one) => item(one.split('@')[0] as string, Number(one.split('@')[1])))
    const typeIdentifier = kind === 'UR2' ? 'OrderNumber:6ES7 400-1JA01-0AA0' : 'OrderNumber:6ES7 400-1TA01-0AA0'
    return { ...item(`Rack_${number}`, Number(number)), kind: 'rack', typeIdentifier, items }
  })
  return { racks }
}

test('faults of racks with their places', () => {
  const table: [layout: string, ...faults: string[]][] = [
    ['0:'],
    ['0:IM 460-3@4, 1:PS@1+IM 461-3@18'],
    ['0:IM 460-3@4, 1 UR2:PS@1+IM 461-3@9'],
    ['0:IM 460-3@4, 1 UR2:PS@1', '1/9 Rack 1 has no receive IM. Plug an IM 461 into slot 9 there.'],
    [
      '0:IM 460-3@4, 22:PS@1+IM 461-3@18',
      '22/18 There is a rack 22: an S7-400 has expansion racks 1 to 21. Remove it.',
    ],
    ['0:IM 460-3@4, 1:PS@1+IM 461-3@17', '1/17 "IM 461-3" is not in the last slot of rack 1. Its slot is 18.'],
    ['0:IM 460-0@4, 1:PS@1+IM 461-3@18', '1/18 Rack 0 has too few IM 460-3 for "IM 461-3". Plug one into rack 0.'],
    [
      '0:IM 460-1@4, 1:PS@1+IM 461-1@18, 2:IM 461-1@18',
      '1/1 Rack 1 is supplied by "IM 461-1" and has a power supply. Unplug the power supply.',
    ],
    [
      '0:IM 460-1@4, 1:IM 461-1@18, 2:IM 461-1@18, 3:IM 461-1@18',
      ...[1, 2, 3].map((rack) => `${rack}/18 Rack 0 has too few IM 460-1 for "IM 461-1". Plug one into rack 0.`),
    ],
    [
      '0:IM 460-3@4, 21:IM 461-3@18',
      '21/1 Rack 21 has no power supply. Plug one into slot 1, for example PS 407 10A. (warning)',
    ],
  ]
  for (const [layout, ...faults] of table)
    assert.deepEqual(
      s7400Faults(stationOf(layout)).map(
        ({ rack, slot, message, hint, isWarning }) =>
          `${rack}/${slot} ${message} ${hint}${isWarning ? ' (warning)' : ''}`,
      ),
      faults,
      layout,
    )
})

test('widths of modules', () => {
  const table = { 'PS 407 4A': 1, 'PS 407 10A': 2, 'PS 405 20A': 3, 'CPU 412-2 PN': 1, 'CPU 414-3 PN/DP': 2 }
  const more = { 'CPU 414F-3 PN/DP': 2, 'CPU 416-3': 2, 'CPU 416-2': 1, 'CPU 417-4': 2, 'DI 16xDC24V': 1 }
  for (const [typeName, width] of Object.entries({ ...table, ...more })) assert.equal(widthOf({ typeName }), width)
})
