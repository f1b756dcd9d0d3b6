/**
 * What the line of Gantry says of an organization block, which neither external sources nor SIMATIC SD have a word for:
 * `// Gantry { Number := '30'; SecondaryType := 'CyclicInterrupt' }` (docs/formats.md#external-sources).
 */

import { classOfNumber, firstNumberOf } from '../../model/event-classes.ts'
import type { ImportedObject, ObjectAttribute } from '../../model/object.ts'
import { gantryLine } from './gantry-line.ts'

/** Attributes that say when a block runs, by their names in Openness; the line can say them too. */
export const scheduleNames: readonly string[] = [
  'PriorityNumber',
  'CyclicTime',
  'PhaseOffset',
  'ProcessImagePartNumber',
  'EventsToBeQueued',
  'EnableTimeError',
]

/**
 * What a line says of an organization block. Entries with other names, or values that make no sense, are in `unknown`.
 */
export interface EventLine {
  readonly number?: number
  readonly secondaryType?: string
  /** The attributes of `scheduleNames`; times in microseconds. */
  readonly schedule: readonly ObjectAttribute[]
  readonly unknown: readonly ObjectAttribute[]
}

/** Reads what the entries of a line say of an organization block. */
export function readEventLine(entries: readonly ObjectAttribute[]): EventLine {
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
export function eventLine(event: EventOfBlock): string {
  return gantryLine(eventEntries(event))
}

/** What the line for an organization block says. */
export function eventEntries({ number, secondaryType, attributes }: EventOfBlock): ObjectAttribute[] {
  return [
    ...(number === undefined ? [] : [{ name: 'Number', value: String(number) }]),
    ...(secondaryType === undefined ? [] : [{ name: 'SecondaryType', value: secondaryType }]),
    ...scheduleOf(attributes),
  ]
}

/** When an organization block runs: its number, its event class, and its priority and cycle among its attributes. */
export type EventOfBlock = Pick<ImportedObject, 'number' | 'secondaryType' | 'attributes'>

function scheduleOf(attributes: readonly ObjectAttribute[]): ObjectAttribute[] {
  return scheduleNames.flatMap((name) => attributes.find((entry) => entry.name === name) ?? [])
}

/**
 * Whether a text needs the line.
 * @param told the event class in the text, without the line or with the present one
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
