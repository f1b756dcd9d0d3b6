import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOperand } from '../model/operand-reader.ts'
import { usedAddress } from './use.ts'

const address = (area: string, type: string, bitOffset?: number, blockNumber?: number) =>
  usedAddress({
    kind: 'address',
    area,
    type,
    ...(bitOffset === undefined ? {} : { bitOffset }),
    ...(blockNumber === undefined ? {} : { blockNumber }),
  } as Parameters<typeof usedAddress>[0])

test('an absolute operand takes as many bits as its type has', () => {
  const types: Readonly<Record<number, string>> = {
    1: 'Bool',
    8: 'Byte Char SInt USInt',
    16: 'Word Int UInt WChar Date S5Time',
    32: 'DWord DInt UDInt Real Time Time_Of_Day',
    64: 'LWord LInt ULInt LReal LTime LTime_Of_Day LDT Date_And_Time',
    96: 'DTL',
  }
  for (const [bits, names] of Object.entries(types))
    for (const type of names.split(' ')) {
      assert.deepEqual(address('Memory', type, 80), { area: 'M', start: 80, bits: Number(bits) }, type)
      assert.deepEqual(address('DB', type, 80, 7), { area: 'DB', number: 7, start: 80, bits: Number(bits) }, type)
    }
})

test('areas are those of the process image, of timers and counters, and of blocks; others belong to no program', () => {
  const short: Readonly<Record<string, string>> = {
    Input: 'I',
    Output: 'Q',
    Memory: 'M',
    PeripheryInput: 'I',
    PeripheryOutput: 'Q',
  }
  for (const [area, name] of Object.entries(short)) {
    assert.deepEqual(address(area, 'Bool', 0), { area: name, start: 0, bits: 1 })
    assert.equal(address(area, 'Bool'), undefined)
  }
  assert.deepEqual(address('Timer', 'Timer', 5), { area: 'T', number: 5 })
  assert.deepEqual(address('Counter', 'Counter', 6), { area: 'C', number: 6 })
  assert.deepEqual(address('FB', 'Block_FB', 7), { area: 'FB', number: 7 })
  assert.deepEqual(address('FC', 'Block_FC', 8), { area: 'FC', number: 8 })
  assert.equal(address('FC', 'Block_FC'), undefined)
  assert.deepEqual(address('DB', 'Block_DB', 9), { area: 'DB', number: 9 })
  assert.deepEqual(address('DB', 'Block_DB', 0, 9), { area: 'DB', number: 9 })
  assert.deepEqual(address('DB', 'Int', undefined, 9), { area: 'DB', number: 9 })
  // The opened data block, and local data.
  assert.equal(address('DB', 'Int', 16), undefined)
  assert.equal(address('DB', 'Block_DB'), undefined)
  assert.equal(address('Local', 'Int', 16), undefined)
})

test('addresses as they are written', () => {
  const of = (text: string) => {
    const operand = parseOperand(text)
    return operand?.kind === 'address' ? usedAddress(operand) : undefined
  }
  assert.deepEqual(of('%I1.7'), { area: 'I', start: 15, bits: 1 })
  assert.deepEqual(of('%QW4'), { area: 'Q', start: 32, bits: 16 })
  assert.deepEqual(of('%MD2'), { area: 'M', start: 16, bits: 32 })
  assert.deepEqual(of('%DB3.DBX2.1'), { area: 'DB', number: 3, start: 17, bits: 1 })
})
