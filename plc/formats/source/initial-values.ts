/** Spreads array initialisers of sources, `[1, 2, 3(0)]`, over the elements as SimaticML stores them. */

import { lex } from '../../languages/scl/lexer.ts'
import { lastTrivia, TokenKind, tokenText } from '../../languages/scl/tokens.ts'
import type { InterfaceMember, Subelement } from '../../model/object.ts'

/** Arrays with more elements are not spread; TIA Portal's own limit for an array in a data block is of that order. */
const maxElements = 65_536

/**
 * Returns the lower and upper limit of every dimension of `Array[0..9, 1..2] of …`; `undefined` when limits are names.
 */
export function arrayLimits(dataType: string): [low: number, high: number][] | undefined {
  const match = /^Array\[([^\]]*)\] of /i.exec(dataType)
  if (match === null) return undefined
  const limits: [number, number][] = []
  for (const dimension of (match[1] as string).split(',')) {
    const bounds = /^\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*$/.exec(dimension)
    if (bounds === null) return undefined
    limits.push([Number(bounds[1]), Number(bounds[2])])
  }
  return limits
}

/**
 * Returns the start values of the elements of an array of elementary type; `undefined` when the text is no such list,
 * or a limit is not a number.
 */
export function spreadArrayValue(dataType: string, value: string): Subelement[] | undefined {
  const values = arrayLimits(dataType) === undefined ? undefined : listValues(value)
  const paths = values && arrayIndices(dataType, values.length)
  return paths && values?.map((startValue, at) => ({ path: paths[at] as string, startValue }))
}

/**
 * Returns the start values of elements that the list of an array member gives. A member of structures in arrays gives
 * them in each structure; an element with a value of its own has that.
 *
 * @param around data types of what the member is in, from outside to inside
 * @returns undefined when the start value is no list, or not one that can be spread
 */
export function listedElements(
  { dataType, startValue, subelements = [] }: Pick<InterfaceMember, 'dataType' | 'startValue' | 'subelements'>,
  around: readonly string[],
): Subelement[] | undefined {
  if (startValue?.startsWith('[') !== true) return undefined
  const arrays = around.filter((type) => /^Array\[/i.test(type))
  const own = new Set(subelements.map(({ path }) => path))
  return arrays
    .reduceRight<Subelement[] | undefined>(
      (inner, type) => {
        const indices = arrayIndices(type)
        if (inner === undefined || indices === undefined || indices.length * inner.length > maxElements)
          return undefined
        return indices.flatMap((index) => inner.map((element) => ({ ...element, path: `${index};${element.path}` })))
      },
      spreadArrayValue(dataType, startValue),
    )
    ?.filter(({ path }) => !own.has(path))
}

/**
 * Returns the indices of the first elements of an array, `1,2` for two dimensions; `undefined` when there are not so
 * many, they are too many to be listed, or a limit is not a number.
 *
 * @param count default: all
 */
export function arrayIndices(dataType: string, count?: number): string[] | undefined {
  const limits = arrayLimits(dataType)
  if (limits === undefined) return undefined
  const total = limits.reduce((product, [low, high]) => product * (high - low + 1), 1)
  const wanted = count ?? total
  if (!(total > 0) || wanted > total || wanted > maxElements) return undefined
  const index = limits.map(([low]) => low)
  return Array.from({ length: wanted }, () => {
    const path = index.join(',')
    for (let d = index.length - 1; d >= 0; d--) {
      const [low, high] = limits[d] as [number, number]
      if ((index[d] as number) < high) {
        index[d] = (index[d] as number) + 1
        break
      }
      index[d] = low
    }
    return path
  })
}

/** Flat list of the values between the brackets, with repetitions `3(0)` expanded; nested lists are joined. */
function listValues(text: string): string[] | undefined {
  const tokens = lex(text)
  const at: number[] = []
  for (let i = 0; i < tokens.count - 1; i++) if ((tokens.kind[i] as number) > lastTrivia) at.push(i)
  let position = 0
  const kind = (offset = 0): number => tokens.kind[at[position + offset] ?? tokens.count - 1] as number

  function list(close: number, depth: number): string[] | undefined {
    const values: string[] = []
    position++
    while (kind() !== close) {
      const item = element(depth)
      if (item === undefined || values.length + item.length > maxElements) return undefined
      values.push(...item)
      if (kind() === TokenKind.Comma) position++
      else if (kind() !== close) return undefined
    }
    position++
    return values
  }

  function element(depth: number): string[] | undefined {
    if (depth > 8) return undefined
    if (kind() === TokenKind.LeftBracket) return list(TokenKind.RightBracket, depth + 1)
    if (kind() === TokenKind.Integer && kind(1) === TokenKind.LeftParen) {
      const count = Number(tokenText(tokens, at[position] as number).replaceAll('_', ''))
      position++
      const repeated = list(TokenKind.RightParen, depth + 1)
      if (repeated === undefined || !(count >= 0) || count * repeated.length > maxElements) return undefined
      return Array.from({ length: count }, () => repeated).flat()
    }
    let value = ''
    while (
      kind() !== TokenKind.Comma &&
      kind() !== TokenKind.RightBracket &&
      kind() !== TokenKind.RightParen &&
      kind() !== TokenKind.EndOfFile
    ) {
      if (kind() === TokenKind.LeftParen || kind() === TokenKind.LeftBracket) return undefined
      // A comma is missing.
      if (value !== '' && isOperand(kind(-1)) && isOperand(kind())) return undefined
      value += tokenText(tokens, at[position] as number)
      position++
    }
    return value === '' ? undefined : [value]
  }

  if (kind() !== TokenKind.LeftBracket) return undefined
  const values = list(TokenKind.RightBracket, 0)
  return position === at.length ? values : undefined
}

function isOperand(kind: number): boolean {
  return kind >= TokenKind.Identifier && kind <= TokenKind.String && kind !== TokenKind.Keyword
}
