/**
 * Finds when an organization block runs from its source. The language has no word for it, but each kind of organization
 * block declares the start information of its own kind: as inputs, or in blocks with standard access of classic
 * programs as temporaries `OB33_EV_CLASS` ….
 */

import { classOf } from '../../model/event-classes.ts'
import type { InterfaceSection } from '../../model/object.ts'

/**
 * Inputs that only organization blocks of one class have (TIA Portal help, "Start information of organization blocks").
 */
const classOfInput: Readonly<Record<string, string>> = {
  lostretentive: 'Startup',
  lostrtc: 'Startup',
  caughtup: 'TimeOfDay',
  secondtime: 'TimeOfDay',
  sign: 'TimeDelayInterrupt',
  pip_input: 'SynchronousCycle',
  ichannel: 'HardwareInterrupt',
  multierror: 'DiagnosticErrorInterrupt',
}

/**
 * Returns event class and number of an organization block, as far as its source shows them; nothing for cyclic ones.
 */
export function declaredEvent(
  number: number | undefined,
  sections: readonly InterfaceSection[],
): { readonly secondaryType?: string; readonly number?: number } {
  const names = (wanted: string) =>
    sections.filter(({ section }) => section === wanted).flatMap(({ members }) => members.map(({ name }) => name))
  const classic = /^OB(\d{1,3})_EV_CLASS$/i.exec(names('Temp')[0] ?? '')?.[1]
  const told = number ?? (classic === undefined ? undefined : Number(classic))
  const byNumber = told === undefined ? undefined : classOf(told)
  if (byNumber !== undefined && byNumber !== 'ProgramCycle')
    return { secondaryType: byNumber, ...(told === undefined ? {} : { number: told }) }
  const inputs = names('Input').map((name) => name.toLowerCase())
  const known = inputs.find((name) => Object.hasOwn(classOfInput, name))
  if (known !== undefined) return { secondaryType: classOfInput[known] as string }
  if (inputs.includes('event_count')) return { secondaryType: 'CyclicInterrupt' }
  return {}
}
