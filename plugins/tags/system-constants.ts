/**
 * System constants of a PLC, as TIA Portal lists them in the default tag table. Those of organization blocks follow
 * from the program: `OB_<name>` with the block's number (Siemens, Programming Guideline for S7-1200/1500, section on
 * system constants). Those of modules and interfaces need identifiers of the hardware configuration.
 */

import type { SliceReader } from '../../core/index.ts'
import { blocksOf } from '../blocks/index.ts'
import type { Constant, TagTable } from './tag-table.ts'

/** Data type of the constant by the event class of its OB; all others are `OB_ANY`. */
const typeOfClass: Readonly<Record<string, string>> = {
  ProgramCycle: 'OB_PCYCLE',
  Startup: 'OB_STARTUP',
  CyclicInterrupt: 'OB_CYCLIC',
  TimeDelayInterrupt: 'OB_DELAY',
  TimeOfDay: 'OB_TOD',
  HardwareInterrupt: 'OB_HWINT',
  DiagnosticErrorInterrupt: 'OB_DIAG',
  TimeErrorInterrupt: 'OB_TIMEERROR',
}

/** A note in the response about the system constants that are not listed. */
export const systemConstantsNote =
  'System constants of organization blocks stand in the default tag table. Those of modules and interfaces are not known: the hardware configuration has no identifiers.'

/** The system constants of a table: only the default table contains any. */
export function systemConstantsOf(ctx: { readonly read: SliceReader }, table: TagTable): Constant[] {
  if (!table.isDefault) return []
  return blocksOf(ctx, table.deviceId)
    .filter(({ kind }) => kind === 'OB')
    .map(({ name, number, secondaryType = '' }) => ({
      name: `OB_${name}`,
      dataType: typeOfClass[secondaryType] ?? 'OB_ANY',
      value: String(number),
      comment: {},
    }))
}
