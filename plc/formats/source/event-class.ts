/**
 * Finds when an organization block runs from its source. The language has no word for it. In this order count: the line
 * of Gantry, a number in place of the name (`OB35`), the start information that the block declares (each kind of
 * organization block has its own inputs; blocks with standard access of classic programs have temporaries
 * `OB33_EV_CLASS` …), and as a guess the name and the title that engineering tools give such blocks.
 */

import { defined } from '../../../lib/optional.ts'
import { classOfNumber, eventOfStandardName } from '../../model/event-classes.ts'
import type { ImportedObject, InterfaceSection } from '../../model/object.ts'
import type { EventLine } from './event-line.ts'

/**
 * Inputs that only organization blocks of one class have (TIA Portal help, "Start information of organization blocks").
 */
const classOfInput: Readonly<Record<string, string>> = {
  remanence: 'ProgramCycle',
  lostretentive: 'Startup',
  lostrtc: 'Startup',
  caughtup: 'TimeOfDay',
  secondtime: 'TimeOfDay',
  sign: 'TimeDelayInterrupt',
  pip_input: 'SynchronousCycle',
  ichannel: 'HardwareInterrupt',
  multierror: 'DiagnosticErrorInterrupt',
}

/** What a source has of an organization block. */
export interface OrganizationBlockSource {
  readonly name: string
  /** Given in place of a name. */
  readonly number: number | undefined
  readonly title: string
  readonly sections: readonly InterfaceSection[]
  readonly line: EventLine | undefined
}

type Event = Pick<ImportedObject, 'secondaryType' | 'number' | 'guessedEvent'>

/** Returns event class and number of an organization block, as far as its source shows them. */
export function declaredEvent(source: OrganizationBlockSource): Event {
  const { name, line, sections } = source
  const number = line?.number ?? source.number ?? classicNumber(sections)
  const numbered = number === undefined ? {} : { number }
  const known =
    line?.secondaryType ?? (number === undefined ? undefined : classOfNumber(number)) ?? classByInput(sections)
  const byName = eventOfStandardName(name)
  if (known !== undefined) {
    const isSame = number === undefined && byName.eventClass === known
    return { ...numbered, ...(isSame ? defined({ number: byName.number }) : {}), secondaryType: known }
  }
  if (number === undefined && byName.eventClass !== undefined)
    return {
      secondaryType: byName.eventClass,
      ...defined({ number: byName.number }),
      guessedEvent: 'name',
    }
  const byTitle = eventOfStandardName(source.title)
  // The number in a title is that of somebody's list.
  if (byTitle.eventClass !== undefined && byTitle.number === undefined)
    return { ...numbered, secondaryType: byTitle.eventClass, guessedEvent: 'title' }
  return { ...numbered, ...(byName.number === undefined || number !== undefined ? {} : { number: byName.number }) }
}

function namesIn(sections: readonly InterfaceSection[], wanted: string): string[] {
  return sections.filter(({ section }) => section === wanted).flatMap(({ members }) => members.map(({ name }) => name))
}

function classicNumber(sections: readonly InterfaceSection[]): number | undefined {
  const digits = /^OB(\d{1,3})_EV_CLASS$/i.exec(namesIn(sections, 'Temp')[0] ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function classByInput(sections: readonly InterfaceSection[]): string | undefined {
  const inputs = namesIn(sections, 'Input').map((name) => name.toLowerCase())
  const known = inputs.find((name) => Object.hasOwn(classOfInput, name))
  if (known !== undefined) return classOfInput[known]
  return inputs.includes('event_count') ? 'CyclicInterrupt' : undefined
}
