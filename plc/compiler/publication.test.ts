import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCodes } from '../diagnostics/compile-codes.ts'
import { compileSources } from './compile-sources.ts'

const pragma = (published: string | undefined) =>
  `{ S7_Optimized_Access := 'TRUE'${published === undefined ? '' : `; Published := '${published}'`} }\n`

const scale = (name: string, published?: string, body = '#in * 2') =>
  `FUNCTION "${name}" : Int\n${pragma(published)}VAR_INPUT\n  in : Int;\nEND_VAR\nBEGIN\n  #${name} := ${body};\nEND_FUNCTION\n`

const unit = (blocks: string) => `NAMESPACE Oven\n${blocks}END_NAMESPACE\n`

const data = `TYPE "Data"\nSTRUCT\n  value : Int;\nEND_STRUCT;\nEND_TYPE\n`
const store = `DATA_BLOCK "Store"\n${pragma(undefined)}VAR\n  value : Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`

const main = (body: string, temporary = 'Int') =>
  `ORGANIZATION_BLOCK "Main"\n${pragma(undefined)}VAR_TEMP\n  x : ${temporary};\nEND_VAR\nBEGIN\n  ${body}\nEND_ORGANIZATION_BLOCK\n`

function errorsOf(source: string): string[] {
  const result = compileSources(source)
  if (result.ok) return []
  assert.deepEqual(result.faults, [])
  return result.errors.map(
    ({ code, object, message, member, line }) => `${code} ${object} ${member ?? line ?? ''}: ${message}`,
  )
}

test('what a unit does not publish is an error outside of it, with the place of the call or the member', () => {
  const oven = unit(
    scale('Heat', 'TRUE', '"Hidden"(#in) + "Store".value') + scale('Hidden') + scale('Secret', 'FALSE') + store + data,
  )
  assert.deepEqual(errorsOf(oven + main('#x := _.Oven.Heat(1);')), [])
  assert.deepEqual(errorsOf(oven + main('\n  #x := "Hidden"(1) + _.Oven.Secret(2);')), [
    'unpublished Main 2: FC "Hidden" is not published by the software unit "Oven".',
    'unpublished Main 2: FC "Secret" is not published by the software unit "Oven".',
  ])
  assert.deepEqual(errorsOf(oven + main('#x := "Store".value;')), [
    'unpublished Main : GlobalDB "Store" is not published by the software unit "Oven".',
  ])
  assert.deepEqual(errorsOf(oven + main('#x.value := 1;', '"Data"')), [
    'unpublished Main x: UDT "Data" is not published by the software unit "Oven".',
  ])
})

test('a unit whose objects say nothing is open', () => {
  assert.deepEqual(errorsOf(unit(scale('Heat') + scale('Hidden')) + main('#x := "Hidden"(1) + _.Oven.Heat(1);')), [])
})

test('the example of the code has it, and the other one has nothing', () => {
  const { fails, passes } = compileCodes.unpublished
  assert.match(errorsOf(fails).join(), /^unpublished Main/)
  assert.deepEqual(errorsOf(passes), [])
})
