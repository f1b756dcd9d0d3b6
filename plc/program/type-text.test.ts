/** Texts of data types, and the same with each character left out or doubled (`fixtures/type-texts.txt`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded } from '../../test/recorded.ts'
import { isTypeFault, type LimitSyntax, parseTypeText, type TypeSyntax } from './type-text.ts'

const marks = { local: '#', global: '@', any: '' }

function limit(one: LimitSyntax | undefined): string {
  if (!one) return 'nothing'
  return one.kind === 'number' ? String(one.value) : `${marks[one.scope]}${one.name}`
}

/** The type as it would be written, with the names of its parts in capitals. */
function written(type: TypeSyntax): string {
  switch (type.kind) {
    case 'struct':
      return 'STRUCT'
    case 'reference':
      return `REFERENCE ${written(type.target)}`
    case 'array': {
      const dimensions = type.dimensions.map(({ low, high }) => (low ? `${limit(low)}..${limit(high)}` : '*'))
      return `ARRAY ${dimensions.join(' ')} OF ${written(type.element)}`
    }
    default: {
      const length = type.length === undefined ? '' : ` LENGTH ${limit(type.length)}`
      return `NAME ${type.isQuoted ? JSON.stringify(type.name) : type.name}${length}`
    }
  }
}

function answer(text: string): string {
  const read = parseTypeText(text)
  return isTypeFault(read) ? `${read.column}: ${read.message}; ${read.hint}` : written(read)
}

const right = [
  'Bool',
  'Struct',
  '"Motor"',
  'Array[0..9] of Int',
  'array [-1 .. #N, "LOW".."HIGH"] OF String["LEN"]',
  'Array[*, *] of WString[20]',
  'REF_TO "a b"',
  'plant.hall.Motor',
  'Array[1..2] of Array[N..5] of Struct',
]
const wrong = [
  '',
  ' ',
  '""',
  '"',
  'Int[',
  'Int[]',
  'Int 5',
  'Array',
  'Array of Int',
  'Array[] of Int',
  'REF_TO',
  '5',
  '#x',
]

test('texts of data types are read, or the first fault is told', () => {
  const told = new Map<string, string[]>()
  const add = (text: string) => {
    const key = answer(text)
    told.set(key, [...(told.get(key) ?? []), text])
  }
  for (const text of [...right, ...wrong]) add(text)
  for (const text of right.slice(2))
    for (let i = 0; i < text.length; i++) {
      // Letters of names are alike.
      if (/[a-z]/i.test(text[i] ?? '') && /[a-z]/i.test(text[i - 1] ?? '')) continue
      add(text.slice(0, i) + text.slice(i + 1))
      add(text.slice(0, i + 1) + text.slice(i))
    }
  const rows = [...told].map(([key, texts]) => `${[...new Set(texts)].join('\n')}\n  ${key}\n`)
  assertRecorded(import.meta.url, 'type-texts.txt', rows.join(''))
})

test('arrays of arrays are read to a depth', () => {
  const nested = (depth: number) => `${'Array[0..1] of '.repeat(depth)}Int`
  assert.equal(isTypeFault(parseTypeText(nested(32))), false)
  assert.equal(isTypeFault(parseTypeText(nested(33))), true)
})
