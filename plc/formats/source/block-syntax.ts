/** How the blocks of sources begin and end: their keywords, and the sections that they can have. */

import { TokenKind, type TokenList } from '../../languages/scl/tokens.ts'
import { Keyword } from '../../model/keywords.ts'
import type { SectionName } from '../../model/object.ts'
import { opensLine } from './cursor.ts'

export interface BlockSyntax {
  readonly element: string
  readonly end: number
  readonly kind: 'FB' | 'FC' | 'OB' | 'DB' | 'UDT'
  readonly sections: readonly SectionName[]
  readonly plainVar: SectionName
}

/** By the number of the keyword that begins a block. */
export const syntaxOfKeyword: ReadonlyMap<number, BlockSyntax> = new Map(
  (
    [
      ['FUNCTION_BLOCK', 'FB', ['Input', 'Output', 'InOut', 'Static', 'Temp', 'Constant'], 'Static'],
      ['FUNCTION', 'FC', ['Input', 'Output', 'InOut', 'Temp', 'Constant', 'Return'], 'Temp'],
      ['ORGANIZATION_BLOCK', 'OB', ['Input', 'Temp', 'Constant'], 'Temp'],
      ['DATA_BLOCK', 'DB', ['Static'], 'Static'],
      ['TYPE', 'UDT', ['None'], 'None'],
    ] as const
  ).map(([element, kind, sections, plainVar]): [number, BlockSyntax] => [
    Keyword[element],
    { element, end: Keyword[`END_${element}`], kind, sections, plainVar },
  ]),
)

/** Index of the block's END keyword, otherwise of the next block's keyword, otherwise of the end of the file. */
export function findEnd(tokens: TokenList, from: number, end: number): number {
  for (let i = from; i < tokens.count; i++) {
    const keyword = tokens.keyword[i] as number
    if (keyword === 0) continue
    if (keyword === end) return i
    if (syntaxOfKeyword.has(keyword) && opensLine(tokens, i) && isBlockName(tokens, i + 1)) return i
  }
  return tokens.count - 1
}

/** Whether a name follows, so that the preceding keyword opens a block. */
function isBlockName(tokens: TokenList, from: number): boolean {
  for (let i = from; i < tokens.count; i++) {
    const kind = tokens.kind[i] as number
    if (kind > TokenKind.MultilingualComment) return kind === TokenKind.QuotedName || kind === TokenKind.Identifier
  }
  return false
}
