/**
 * System constants of a PLC, as TIA Portal lists them in the default tag table. Those of organization blocks follow
 * from the program: `OB_<name>` with the block's number (Siemens, Programming Guideline for S7-1200/1500, section on
 * system constants). Those of the hardware come from their sources.
 */

import { LRUCache } from 'lru-cache'
import { extensionPoint, type QueryContext } from '../../core/index.ts'
import { blocksOf } from '../blocks/index.ts'
import type { Device } from '../devices/index.ts'
import type { ProgramObject, ProgramSymbol } from '../program-objects/index.ts'
import type { Constant } from './tag-table.ts'

type Reader = Pick<QueryContext, 'read' | 'extensions'>

/** Constants of a PLC from another plugin: hardware identifiers. */
export type SystemConstantSource = (ctx: Pick<QueryContext, 'read'>, device: Device) => readonly Constant[]

/** Sources of system constants beside the organization blocks. */
export const systemConstantSource = extensionPoint<SystemConstantSource>('tags.system-constant-sources', {
  title: 'Sources of system constants',
  description: 'System constants of a PLC beside those of its organization blocks, e.g. hardware identifiers.',
  constant: 'systemConstantSource',
  check: 'function',
  example: "(ctx, device) => [{ name: 'Local~Pump', dataType: 'Hw_SubModule', value: '270', comment: {} }]",
  formerly: 'tags.system-constants',
})

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

/** The system constants of a PLC: those of its organization blocks, then those of its hardware. */
export function systemConstantsOf(ctx: Reader, device: Device): Constant[] {
  const blocks = blocksOf(ctx, device.id)
    .filter(({ kind }) => kind === 'OB')
    .map(({ name, number, secondaryType = '' }) => ({
      name: `OB_${name}`,
      dataType: typeOfClass[secondaryType] ?? 'OB_ANY',
      value: String(number),
      comment: {},
    }))
  return [...blocks, ...ctx.extensions(systemConstantSource).flatMap((source) => source(ctx, device))]
}

/** The constants as a part of the program. */
interface Part {
  readonly content: string
  readonly object: ProgramObject
  readonly symbols: readonly ProgramSymbol[]
}
/** By device: the same objects while no constant changes. */
const parts = new LRUCache<string, Part>({ max: 100 })

/** The system constants as an object of the program, with their symbols; undefined for what is no PLC. */
export function systemPart(ctx: Reader, device: Device): Part | undefined {
  if (device.kind !== 'PLC') return undefined
  const constants = systemConstantsOf(ctx, device)
  if (constants.length === 0) return undefined
  const content = JSON.stringify(constants)
  const known = parts.get(device.id)
  if (known?.content === content) return known
  const path = 'PLC tags/System constants'
  const part: Part = {
    content,
    object: {
      category: 'system-constants',
      name: 'System constants',
      typeName: 'System constants',
      path,
      rows: { tags: [], constants },
    },
    symbols: constants.map(({ name, dataType, value }) => ({
      kind: 'constant',
      name,
      typeName: dataType,
      value,
      path,
    })),
  }
  parts.set(device.id, part)
  return part
}

/** The object, when it has a constant of this name (in lower case). */
export function systemObjectOf(ctx: Reader, device: Device, lowerCaseName: string): ProgramObject | undefined {
  // The form of all their names: most names of a program need no look.
  if (!/~|^ob_|^local$/.test(lowerCaseName)) return undefined
  const part = systemPart(ctx, device)
  return part?.symbols.some(({ name }) => name.toLowerCase() === lowerCaseName) ? part.object : undefined
}
