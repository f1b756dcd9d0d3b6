/** Small specs for tests: a sound one, and the same with one thing changed. */

import type { SpecFault } from '../../plugins/design-spec/model/faults.ts'
import type { DesignModel } from '../../plugins/design-spec/model/model.ts'
import { parseDesignSpec, type SpecResult } from '../../plugins/design-spec/read/parse.ts'

/** A sound spec of one type and one phase, as lines; line numbers in tests count from 1. */
export const SOUND_LINES: readonly string[] = [
  '[CmTypes]',
  'CmType;Variable;Direction;DataType;Description',
  'Valve;Open;Out;Bool;Open command',
  'Valve;Opened;In;Bool;',
  'Tank;Level;In;Real;',
  'Tank;Count;Out;SInt;',
  '',
  '[Phases]',
  'PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep',
  'Fill;1;Open;TRUE;;"Valve.Open:=TRUE";"Valve.Opened=TRUE";2',
  'Fill;2;Wait;;;;"Tank.Level>=80.0";3',
  'Fill;3;End;;TRUE;"Valve.Open:=FALSE";"TRUE";',
]

/** The sound spec with lines replaced: line number to its new text; null removes the line. */
export function specWith(changes: Readonly<Record<number, string | null>> = {}): string {
  return SOUND_LINES.flatMap((line, index) => {
    const change = changes[index + 1]
    return change === null ? [] : [change ?? line]
  }).join('\n')
}

/** The sound spec with another entry action, condition or variable declaration. */
export function specWithExpression(parts: {
  action?: string
  condition?: string
  variables?: readonly string[]
}): string {
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  const changes: Record<number, string> = {
    10: `Fill;1;Open;TRUE;;${quote(parts.action ?? '')};${quote(parts.condition ?? 'TRUE')};2`,
  }
  if (parts.variables !== undefined) changes[6] = ['Tank;Count;Out;SInt;', ...parts.variables].join('\n')
  return specWith(changes)
}

/** Loads a spec that must be sound. */
export async function loadSound(text: string | Uint8Array, fileName = 'plant.csv'): Promise<DesignModel> {
  const result = await parseDesignSpec(text, fileName)
  if ('faults' in result) throw new Error(`not sound: ${JSON.stringify(result.faults, null, 1)}`)
  return result.model
}

/** The faults of a spec that must not load. */
export function faultsIn(result: SpecResult): readonly SpecFault[] {
  if ('model' in result) throw new Error('the spec was loaded')
  return result.faults
}

/** Faults of a text as `line:column:code`. */
export async function faultCodes(text: string | Uint8Array): Promise<string[]> {
  return faultsIn(await parseDesignSpec(text, 'plant.csv')).map(
    (fault) => `${fault.line}:${fault.column || fault.columnNumber}:${fault.code}`,
  )
}
