import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGatewayError } from '../../core/index.ts'
import { operandOf, type RowOperand } from './operands.ts'
import { OperandTypes, type ProgramSymbols } from './symbols.ts'

const tag = {
  name: 'Motor On',
  dataType: 'Bool',
  logicalAddress: '%Q4.0',
  comment: {},
  externalAccessible: true,
  externalVisible: true,
  externalWritable: true,
}
const symbols: ProgramSymbols = {
  find: (name) => (name.toLowerCase() === 'motor on' ? { tag } : undefined),
  tagAt: (address) => (address === '%Q4.0' ? tag : undefined),
}
// Tags of elementary types do not need the program.
const types = new OperandTypes({} as never, { id: 'd' })
const read = (text: string) => operandOf(text, '/name', symbols, types)

test('symbols and addresses in all the spellings that clients use', async () => {
  const shown = async (text: string) => {
    const { name, address } = await read(text)
    return [name, address]
  }
  assert.deepEqual(await shown('motor ON'), ['"Motor On"', '%Q4.0'])
  assert.deepEqual(await shown(' "Motor On" '), ['"Motor On"', '%Q4.0'])
  assert.deepEqual(await shown('A4.0'), ['"Motor On"', '%Q4.0'])
  assert.deepEqual(await shown('%q4.0:p'), ['"Motor On":P', '%Q4.0:P'])
  assert.deepEqual(await shown('"Motor On":P'), ['"Motor On":P', '%Q4.0:P'])
  assert.deepEqual(await shown('MD20'), ['', '%MD20'])
  assert.deepEqual(await shown('PEW64'), ['', '%IW64:P'])
  assert.deepEqual(await shown('db3.dbx1.7'), ['', '%DB3.DBX1.7'])
  assert.deepEqual(await shown('z5'), ['', '%C5'])
  assert.deepEqual(await shown('Line 7'), ['"Line 7"', ''])
  assert.deepEqual(await shown('Data.list[1, "MAX"].x.%X3'), ['"Data".list[1, "MAX"].x.%X3', ''])
})

test('any text is a row or is refused; what the table keeps is read as the same row', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...'"%#.:[]()PMIQDBXW0189 ,aÄ_\'$'), maxLength: 30 }),
    fc
      .array(fc.constantFrom('"a"', 'b', '.', '[', ']', '1', '%', 'MW', 'DB1', '.DBX', '0.0', ':P', '.%X7', '#', ' '), {
        maxLength: 12,
      })
      .map((parts) => parts.join('')),
  )
  let rows = 0
  await fc.assert(
    fc.asyncProperty(text, async (given) => {
      let row: RowOperand
      try {
        row = await read(given)
      } catch (error) {
        assert.ok(isGatewayError(error) && error.code === 'invalid_input', String(error))
        return
      }
      rows++
      assert.notEqual(`${row.name}${row.address}`, '')
      assert.doesNotMatch(row.name, /\p{Cc}|\p{Surrogate}/u)
      assert.deepEqual(await read(row.name || row.address), row)
    }),
    { numRuns: 3000 },
  )
  assert.ok(rows > 50, `only ${rows} texts were rows`)
})
