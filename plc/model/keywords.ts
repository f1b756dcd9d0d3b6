/**
 * Reserved words of SCL and of external sources. Words that only mean something in a block header (TITLE, AUTHOR,
 * FAMILY, NAME, VERSION, KNOW_HOW_PROTECT) are not reserved: they are common names of members.
 */

export const keywordTexts = [
  '',
  'AND',
  'OR',
  'XOR',
  'NOT',
  'MOD',
  'DIV',
  'IF',
  'THEN',
  'ELSE',
  'ELSIF',
  'END_IF',
  'CASE',
  'OF',
  'END_CASE',
  'FOR',
  'TO',
  'BY',
  'DO',
  'END_FOR',
  'WHILE',
  'END_WHILE',
  'REPEAT',
  'UNTIL',
  'END_REPEAT',
  'CONTINUE',
  'EXIT',
  'GOTO',
  'RETURN',
  'REGION',
  'END_REGION',
  'TRUE',
  'FALSE',
  'BEGIN',
  'FUNCTION',
  'END_FUNCTION',
  'FUNCTION_BLOCK',
  'END_FUNCTION_BLOCK',
  'ORGANIZATION_BLOCK',
  'END_ORGANIZATION_BLOCK',
  'DATA_BLOCK',
  'END_DATA_BLOCK',
  'TYPE',
  'END_TYPE',
  'VAR',
  'VAR_INPUT',
  'VAR_OUTPUT',
  'VAR_IN_OUT',
  'VAR_TEMP',
  'END_VAR',
  'CONST',
  'END_CONST',
  'LABEL',
  'END_LABEL',
  'CONSTANT',
  'RETAIN',
  'NON_RETAIN',
  'DB_SPECIFIC',
  'STRUCT',
  'END_STRUCT',
  'ARRAY',
  'AT',
  'REF_TO',
  'NETWORK',
] as const

export type KeywordText = Exclude<(typeof keywordTexts)[number], ''>

/** Number of a keyword in `keywordTexts`; 0 is "no keyword". */
export const Keyword = Object.fromEntries(keywordTexts.map((word, id) => [word, id])) as Record<KeywordText, number>

const reserved = new Set<string>(keywordTexts)

/** Whether `word` (ignoring case) is reserved, so that a name must be quoted. */
export function isReservedWord(word: string): boolean {
  return reserved.has(word.toUpperCase())
}

/*
 * Look-up without allocating: an open-addressed table over a case-folding hash. `| 0x20` folds A-Z to a-z. It also maps
 * `_` (0x5f) to 0x7f, the same for table and text, so comparing folded codes stays exact for the characters of
 * identifiers.
 */
const tableSize = 512
const table = new Uint8Array(tableSize)
const minLength = 2
const maxLength = Math.max(...keywordTexts.map((word) => word.length))

function hash(text: string, start: number, end: number): number {
  let value = end - start
  for (let i = start; i < end; i++) value = (Math.imul(value, 31) + (text.charCodeAt(i) | 0x20)) | 0
  return (value ^ (value >>> 13)) & (tableSize - 1)
}

for (let id = 1; id < keywordTexts.length; id++) {
  const word = keywordTexts[id] as string
  let slot = hash(word, 0, word.length)
  while (table[slot] !== 0) slot = (slot + 1) & (tableSize - 1)
  table[slot] = id
}

/** Returns the number of the keyword at `text[start..end)`, 0 when it is not one. Ignores case. */
export function keywordAt(text: string, start: number, end: number): number {
  const length = end - start
  if (length < minLength || length > maxLength) return 0
  let slot = hash(text, start, end)
  for (let id = table[slot] as number; id !== 0; id = table[slot] as number) {
    const word = keywordTexts[id] as string
    if (word.length === length) {
      let i = 0
      while (i < length && (text.charCodeAt(start + i) | 0x20) === (word.charCodeAt(i) | 0x20)) i++
      if (i === length) return id
    }
    slot = (slot + 1) & (tableSize - 1)
  }
  return 0
}
