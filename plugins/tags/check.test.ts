import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandContext } from '../../core/index.ts'
import { checkRows, type FileRows } from './check.ts'

/** A device with the PLC data type `Motor`. */
const ctx = {
  read: () => ({
    get: (key: string) => (key === 'd/motor' ? { name: 'Motor' } : undefined),
    find: () => [{ name: 'Motor' }],
  }),
} as unknown as Pick<CommandContext, 'read'>

const check = (tags: FileRows['tags'], constants: FileRows['constants'] = []) =>
  checkRows(ctx, { id: 'd' }, { tags, constants })
const tag = (name: string, dataType: string, logicalAddress = '') => ({ name, dataType, logicalAddress })

test('rows that cannot be stored are faults; what TIA Portal would not accept itself is a warning', async () => {
  const addresses = 'e.g. %I0.0, %QB4, %MW10, %MD20, %ML8, %T1, %C1'
  const { faults, warnings } = await check(
    [
      tag('Good', 'Int', '%MW0'),
      tag('Typed', '"motor"', '%M10.0'),
      tag('Later', '"Pump"'),
      tag('Array', 'Array[0..3] of "Pump"'),
      tag('a"b', 'Bool', '%M0.0'),
      tag('Form', 'Bool', '%M0.8'),
      tag('Fit', 'Int', '%MD4'),
      tag('Range', 'Int', '%MW16383'),
      tag('Unknown', 'Bol'),
      tag('Parameter', 'Variant'),
      tag('Bad type', 'In t[', '%X'),
    ],
    [
      { name: 'Most', dataType: 'Int', value: '7' },
      { name: '', dataType: 'Int', value: '1' },
      { name: 'Far', dataType: 'Int', value: '70000' },
      { name: 'Empty', dataType: 'Int', value: '' },
      { name: 'Kind', dataType: 'Rael', value: '1' },
    ],
  )
  assert.deepEqual(faults, [
    { message: 'tag "a\\"b": the name must not contain "\\""', value: 'a"b', name: 'a"b' },
    {
      message: `tag "Form": "%M0.8" is not an address: there is no bit 8, a byte has the bits 0 to 7; ${addresses}`,
      ...{ value: '%M0.8', name: 'Form' },
    },
    {
      message: 'tag "Bad type": "In t[" is not a data type; e.g. Bool, Int, Real, "UDT_Motor"',
      ...{ value: 'In t[', name: 'Bad type' },
    },
    { message: `tag "Bad type": "%X" is not an address; ${addresses}`, value: '%X', name: 'Bad type' },
    { message: 'constant "": the name must not be empty', value: '', name: '' },
  ])
  assert.deepEqual(warnings, [
    'tag "Fit": "%MD4" does not fit data type Int: an address such as %MW4 is needed',
    'tag "Range": "%MW16383" is out of range: bit memory ends at byte 16383',
    'tag "Unknown": "Bol" is not a data type; did you mean "Bool"?',
    'tag "Parameter": "Variant" cannot be the data type of a tag or constant',
    'constant "Far": "70000" does not fit into Int: -32768 to 32767',
    'constant "Empty": "" must not be empty',
    'constant "Kind": "Rael" is not a data type; did you mean "Real"?',
  ])
})

test('a hundred warnings of a table are told, and how many more there are', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => tag(`T${i}`, 'Int', '%MD4'))
  const last = async (count: number) => {
    const { warnings } = await check(many(count))
    return [warnings.length, warnings.at(-1)]
  }
  const misfit = 'does not fit data type Int: an address such as %MW4 is needed'
  assert.deepEqual(await last(100), [100, `tag "T99": "%MD4" ${misfit}`])
  assert.deepEqual(await last(102), [101, '2 more'])
})
