import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  internationalMnemonic,
  isStlToken,
  mnemonicOfToken,
  setOfMnemonic,
  stlInstruction,
  stlInstructions,
  tokenOfMnemonic,
} from './mnemonics.ts'

test('the schema has 172 names, two of them for lines without an instruction', () => {
  const tokens = new Set(stlInstructions.map(({ token }) => token))
  assert.equal(tokens.size, 170)
  assert.equal(stlInstructions.length, 170)
  assert.ok(isStlToken('COMMENT') && isStlToken('EMPTY_LINE') && !isStlToken('='))
})

test('name and mnemonic lead to each other', () => {
  for (const { token, mnemonic, operands } of stlInstructions) {
    assert.equal(mnemonicOfToken(token), mnemonic)
    assert.equal(tokenOfMnemonic(mnemonic, operands.length > 0), token, mnemonic)
  }
})

test('an instruction with an optional operand has one name, LAR1 has one for each form', () => {
  assert.equal(tokenOfMnemonic('O', true), tokenOfMnemonic('O', false))
  assert.equal(tokenOfMnemonic('LAR1', true), 'LAR1')
  assert.equal(tokenOfMnemonic('LAR1', false), 'LAR1_ACCU1')
  assert.equal(tokenOfMnemonic('LAR1 AR2', false), 'LAR1_AR2')
  assert.equal(tokenOfMnemonic('SPX', true), undefined)
})

test('German mnemonics', () => {
  const pairs = {
    ...{
      U: 'A',
      'UN(': 'AN(',
      O: 'O',
      '=': '=',
      SPBNB: 'JNB',
      SPU: 'JUO',
      SPL: 'JL',
      BEA: 'BEU',
      BEB: 'BEC',
      AUF: 'OPN',
    },
    ...{
      SI: 'SP',
      SV: 'SE',
      SE: 'SD',
      SS: 'SS',
      SA: 'SF',
      ZV: 'CU',
      ZR: 'CD',
      TAK: 'TAK',
      TAR: 'CAR',
      TAW: 'CAW',
      TDB: 'CDB',
    },
    ...{ UW: 'AW', XOD: 'XOD', '==I': '==I', L: 'L', 'NOP 0': 'NOP 0', CALL: 'CALL' },
  }
  for (const [german, international] of Object.entries(pairs))
    assert.equal(internationalMnemonic(german, 'german'), international, german)
  assert.equal(internationalMnemonic('U', 'international'), undefined)
  assert.equal(internationalMnemonic('SE', 'international'), 'SE')
})

test('a word tells the set when only one has it', () => {
  assert.equal(setOfMnemonic('U'), 'german')
  assert.equal(setOfMnemonic('JC'), 'international')
  // Two timers share this word.
  assert.equal(setOfMnemonic('SE'), undefined)
  assert.equal(setOfMnemonic('L'), undefined)
  assert.equal(setOfMnemonic('XYZ'), undefined)
})

test('what may follow', () => {
  assert.deepEqual(stlInstruction('JC')?.operands, ['label'])
  assert.deepEqual(stlInstruction('+I')?.operands, [])
  assert.equal(stlInstruction('SLW')?.isOptional, true)
})
