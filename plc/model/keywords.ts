/**
 * Reserved words of SCL and of external sources. Words that only mean something in a block header (TITLE, AUTHOR,
 * FAMILY, NAME, VERSION, KNOW_HOW_PROTECT) are not reserved: they are common names of members.
 */

export const KEYWORDS = [
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

export type KeywordText = Exclude<(typeof KEYWORDS)[number], ''>

/** Number of a keyword in `KEYWORDS`; 0 is "no keyword". */
export const Keyword = Object.fromEntries(KEYWORDS.map((word, id) => [word, id])) as Record<KeywordText, number>

const RESERVED = new Set<string>(KEYWORDS)

/** Whether `word` (ignoring case) is reserved, so that a name must be quoted. */
export function isReservedWord(word: string): boolean {
  return RESERVED.has(word.toUpperCase())
}

/*
 * Look-up without allocating: an open-addressed table over a case-folding hash. `| 0x20` folds A-Z to a-z. It also maps
 * `_` (0x5f) to 0x7f, the same for table and text, so comparing folded codes stays exact for the characters of
 * identifiers.
 */
const TABLE_SIZE = 512
const table = new Uint8Array(TABLE_SIZE)
const MIN_LENGTH = 2
const MAX_LENGTH = Math.max(...KEYWORDS.map((word) => word.length))

function hash(text: string, start: number, end: number): number {
  let value = end - start
  for (let i = start; i < end; i++) value = (Math.imul(value, 31) + (text.charCodeAt(i) | 0x20)) | 0
  return (value ^ (value >>> 13)) & (TABLE_SIZE - 1)
}

for (let id = 1; id < KEYWORDS.length; id++) {
  const word = KEYWORDS[id] as string
  let slot = hash(word, 0, word.length)
  while (table[slot] !== 0) slot = (slot + 1) & (TABLE_SIZE - 1)
  table[slot] = id
}

/** Returns the number of the keyword at `text[start..end)`, 0 when it is not one. Ignores case. */
export function keywordAt(text: string, start: number, end: number): number {
  const length = end - start
  if (length < MIN_LENGTH || length > MAX_LENGTH) return 0
  let slot = hash(text, start, end)
  for (let id = table[slot] as number; id !== 0; id = table[slot] as number) {
    const word = KEYWORDS[id] as string
    if (word.length === length) {
      let i = 0
      while (i < length && (text.charCodeAt(start + i) | 0x20) === (word.charCodeAt(i) | 0x20)) i++
      if (i === length) return id
    }
    slot = (slot + 1) & (TABLE_SIZE - 1)
  }
  return 0
}
