import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bitsOfTag } from './tags.ts'

test('a tag has the memory of its address and type; timers, and types without a fixed size, have none', () => {
  const bitsOf = (logicalAddress: string, dataType: string) => {
    const found = bitsOfTag({ logicalAddress, dataType })
    return found && `${found.area} ${found.first} ${found.bits}`
  }
  const tags: readonly (readonly [address: string, type: string, bits: string | undefined])[] = [
    ['%M0.0', 'Bool', 'M 0 1'],
    ['%I1.7', 'bool', 'I 15 1'],
    ['%Q2.3', 'Bool', 'Q 19 1'],
    ['%MB4', 'SInt', 'M 32 8'],
    ['%IW2', 'WORD', 'I 16 16'],
    ['%MW2', 'S5Time', 'M 16 16'],
    ['%MD4', 'Time_Of_Day', 'M 32 32'],
    ['%MD4', 'TOD', 'M 32 32'],
    ['%QD8', 'Real', 'Q 64 32'],
    ['%ML8', 'LTOD', 'M 64 64'],
    ['%M8.0', 'LReal', 'M 64 64'],
    ['', 'Bool', undefined],
    ['%T5', 'Timer', undefined],
    ['%DB1.DBW2', 'Word', undefined],
    ['%DB1', 'Word', undefined],
    ['%MB0', 'String', undefined],
    ['%MB0', '"Own"', undefined],
    ['nothing', 'Bool', undefined],
  ]
  for (const [address, type, bits] of tags) assert.equal(bitsOf(address, type), bits, `${address} ${type}`)
})
