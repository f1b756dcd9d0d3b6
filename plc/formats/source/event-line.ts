/**
 * The comment line before an organization block that says what neither external sources nor SIMATIC SD have a word for:
 * `// Gantry { Number := '30'; SecondaryType := 'CyclicInterrupt' }`. Engineering tools skip it, as any comment before
 * a block (docs/formats.md#external-sources).
 */

import { lex } from '../../languages/scl/lexer.ts'
import { lastTrivia, TokenKind, type TokenList, tokenText } from '../../languages/scl/tokens.ts'
import { classOfNumber, firstNumberOf } from '../../model/event-classes.ts'
import { Keyword } from '../../model/keywords.ts'
import type { ImportedObject, ObjectAttribute } from '../../model/object.ts'
import { parsePragma, pragmaLiteral } from './pragma.ts'

/** Attributes that say when a block runs, by their names in Openness; the line can say them too. */
export const scheduleNames: readonly string[] = [
  'PriorityNumber',
  'CyclicTime',
  'PhaseOffset',
  'ProcessImagePartNumber',
  'EventsToBeQueued',
  'EnableTimeError',
]

/** What a line says. Entries with other names, or values that make no sense, are in `unknown`. */
export interface EventLine {
  readonly number?: number
  readonly secondaryType?: string
  /** The attributes of `scheduleNames`; times in microseconds. */
  readonly schedule: readonly ObjectAttribute[]
  readonly unknown: readonly ObjectAttribute[]
  /** The token of the line. */
  readonly token: number
}

const form = /^\/\/\s*Gantry\s*(\{.*\})\s*$/i

/** Whether a comment is such a line. */
export function isEventLine(comment: string): boolean {
  return form.test(comment)
}

/** Reads the line between the token `keyword` (ORGANIZATION_BLOCK) and what is before the block; the nearest one. */
export function eventLineBefore(tokens: TokenList, keyword: number): EventLine | undefined {
  for (let token = keyword - 1; token >= 0; token--) {
    const kind = tokens.kind[token] as number
    if (kind > lastTrivia && kind !== TokenKind.Pragma) return undefined
    const entries = kind === TokenKind.LineComment ? form.exec(tokenText(tokens, token))?.[1] : undefined
    if (entries !== undefined) return { ...readEntries(parsePragma(entries)), token }
  }
  return undefined
}

function readEntries(entries: readonly ObjectAttribute[]): Omit<EventLine, 'token'> {
  const of = (name: string) => entries.find((entry) => entry.name.toLowerCase() === name.toLowerCase())
  const number = of('Number')
  const isNumber = number !== undefined && /^\d{1,5}$/.test(number.value) && isBlockNumber(Number(number.value))
  const secondaryType = of('SecondaryType')
  const isClass = secondaryType !== undefined && /^[A-Za-z][\w-]*$/.test(secondaryType.value)
  const schedule = scheduleNames.flatMap((name) => {
    const entry = of(name)
    const pattern = name === 'EnableTimeError' ? /^(true|false)$/i : /^\d{1,15}$/
    return entry !== undefined && pattern.test(entry.value) ? [{ name, value: entry.value }] : []
  })
  const known = [isNumber && number, isClass && secondaryType]
  return {
    ...(isNumber ? { number: Number(number.value) } : {}),
    ...(isClass ? { secondaryType: secondaryType.value } : {}),
    schedule,
    unknown: entries.filter(
      (entry) =>
        !known.includes(entry) && !schedule.some(({ name }) => name.toLowerCase() === entry.name.toLowerCase()),
    ),
  }
}

function isBlockNumber(number: number): boolean {
  return number >= 1 && number <= 65_535
}

/** The line for an organization block, without a line end. */
export function eventLine({ number, secondaryType, attributes }: EventOfBlock): string {
  const entries = [
    ...(number === undefined ? [] : [{ name: 'Number', value: String(number) }]),
    ...(secondaryType === undefined ? [] : [{ name: 'SecondaryType', value: secondaryType }]),
    ...scheduleOf(attributes),
  ]
  return `// Gantry { ${entries.map(({ name, value }) => `${name} := ${pragmaLiteral(value)}`).join('; ')} }`
}

/** When an organization block runs: its number, its event class, and its priority and cycle among its attributes. */
export type EventOfBlock = Pick<ImportedObject, 'number' | 'secondaryType' | 'attributes'>

function scheduleOf(attributes: readonly ObjectAttribute[]): ObjectAttribute[] {
  return scheduleNames.flatMap((name) => attributes.find((entry) => entry.name === name) ?? [])
}

/**
 * Whether a text needs the line.
 * @param told what the text says without it, or with the one it has
 * @param wanted what is so
 */
export function needsEventLine(
  told: EventOfBlock & Pick<ImportedObject, 'guessedEvent'>,
  wanted: EventOfBlock,
): boolean {
  const { secondaryType = classOfWanted(wanted), number } = wanted
  const toldClass = told.secondaryType ?? 'ProgramCycle'
  if (toldClass !== secondaryType) return true
  // A guess that is right for a program cycle is what everybody takes it for.
  if (told.guessedEvent !== undefined && secondaryType !== 'ProgramCycle') return true
  if (number !== undefined && number !== (told.number ?? firstNumberOf(secondaryType))) return true
  return scheduleOf(wanted.attributes).some(
    ({ name, value }) => told.attributes.find((entry) => entry.name === name)?.value !== value,
  )
}

function classOfWanted({ number }: EventOfBlock): string {
  return (number === undefined ? undefined : classOfNumber(number)) ?? 'ProgramCycle'
}

/** Returns the source text of an organization block with the line in it, in place of one it may have. */
export function withEventLine(text: string, event: EventOfBlock): string {
  const tokens = lex(text)
  let keyword = 0
  while (keyword < tokens.count && tokens.keyword[keyword] !== Keyword.ORGANIZATION_BLOCK) keyword++
  if (keyword === tokens.count) return text
  const line = eventLine(event)
  const present = eventLineBefore(tokens, keyword)?.token
  if (present !== undefined)
    return text.slice(0, tokens.start[present]) + line + text.slice(tokens.start[present + 1] as number)
  const at = tokens.start[keyword] as number
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return `${text.slice(0, at)}${line}${eol}${text.slice(at)}`
}
