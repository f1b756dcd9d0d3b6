/**
 * Generates the SCL function block of one phase (docs/design.md#design-specs) and the types it uses.
 *
 * The text has LF line ends, no byte order mark, and the layout of a source that TIA Portal writes. It is the same for
 * each run, and depends on nothing but the phase, what it uses, and where it is: another phase or an unused module
 * that changes leaves it as it is.
 */
import { nearest } from '../../../core/index.ts'
import {
  type Area,
  type CmType,
  type DesignModel,
  type Phase,
  type PhaseStep,
  type ProcessCell,
  type UnitType,
  unitTypesOf,
} from '../model/model.ts'
import { commentText, foldName, sclName } from '../model/names.ts'
import type { Member } from '../read/phase-interface.ts'
import { basicBody, basicNotes } from './generate-basic.ts'
import { stateBody, stateNotes } from './generate-states.ts'
import { contextOf, type PhaseContext, stepTitle } from './generate-steps.ts'

/** The source of a user-defined type. */
export interface GeneratedUdt {
  /** Name of the type, without quotes: `UDT_Valve`. */
  readonly name: string
  readonly scl: string
}

/** The sources of one phase. */
export interface GeneratedPhase {
  /** Name of the function block, without quotes: `FB_Fill`. */
  readonly blockName: string
  /** Source of the function block. */
  readonly scl: string
  /** Sources of the types it uses; they must be imported before the block. */
  readonly udts: readonly GeneratedUdt[]
}

/** Thrown when the model has no phase with the given name. */
export class UnknownPhaseError extends Error {
  readonly phase: string
  /** Names of the phases in the model. */
  readonly phases: readonly string[]
  readonly suggestion: string | undefined

  constructor(phase: string, phases: readonly string[]) {
    const suggestion = nearest(phase, phases)
    const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`
    super(`The design model has no phase "${phase}".${hint}`)
    this.name = 'UnknownPhaseError'
    this.phase = phase
    this.phases = phases
    this.suggestion = suggestion
  }
}

/** A phase with the levels above it. */
interface PhaseInPlace {
  readonly area: Area
  readonly cell: ProcessCell
  readonly unit: UnitType
  readonly phase: Phase
}

/**
 * Generates the block of a phase and the types it needs. The same input gives the same text.
 * @param phaseName as in the model, ignoring case
 * @throws UnknownPhaseError when the model has no such phase
 */
export function generatePhase(model: DesignModel, phaseName: string): GeneratedPhase {
  const place = findPhase(model, phaseName)
  const context = contextOf(place.phase, place.unit)
  return {
    blockName: `FB_${place.phase.name}`,
    scl: lines(phaseBlock(model, place, context)),
    udts: context.face.modules.map(generateUdt),
  }
}

/** Generates the type `UDT_<CmType>`: one member for each variable, in the order of the spec. */
export function generateUdt(cmType: CmType): GeneratedUdt {
  const name = `UDT_${cmType.name}`
  const members = cmType.variables.map((variable) => {
    const meaning = commentText(`${variable.direction}: ${variable.description}`).replace(/:$/, '')
    return `      ${sclName(variable.name)} : ${variable.dataType};   // ${meaning}`
  })
  return {
    name,
    scl: lines([
      `TYPE "${name}"`,
      `TITLE = Control module type ${cmType.name}`,
      'VERSION : 0.1',
      '// Out: written by the phases. In: read by the phases.',
      '   STRUCT ',
      ...members,
      '   END_STRUCT;',
      '',
      'END_TYPE',
      '',
    ]),
  }
}

function findPhase(model: DesignModel, phaseName: string): PhaseInPlace {
  const names: string[] = []
  for (const { area, cell, unit } of unitTypesOf(model)) {
    for (const phase of unit.phases) {
      if (foldName(phase.name) === foldName(phaseName.trim())) return { area, cell, unit, phase }
      names.push(phase.name)
    }
  }
  throw new UnknownPhaseError(phaseName, names)
}

function lines(parts: readonly string[]): string {
  return `${parts.join('\n')}\n`
}

function phaseBlock(model: DesignModel, place: PhaseInPlace, context: PhaseContext): string[] {
  const { phase } = place
  const body = phase.states === 'ISA88' ? stateBody(context) : basicBody(context)
  return [
    `FUNCTION_BLOCK "FB_${phase.name}"`,
    `TITLE = Phase ${phase.name}`,
    "{ S7_Optimized_Access := 'TRUE' }",
    'AUTHOR : Gantry',
    'FAMILY : Phases',
    'VERSION : 0.1',
    ...headerComment(model, place, context),
    ...declarations(context),
    '',
    'BEGIN',
    ...body.map((line) => `\t${line}`),
    'END_FUNCTION_BLOCK',
    '',
  ]
}

const RULE = `//${'='.repeat(98)}`

function headerComment(model: DesignModel, { area, cell, unit, phase }: PhaseInPlace, context: PhaseContext): string[] {
  const where = `${unit.name} (process cell ${cell.name}, area ${area.name})`
  const notes = phase.states === 'ISA88' ? stateNotes(context) : basicNotes(context)
  return [
    RULE,
    `// Phase      ${phase.name}`,
    ...(phase.description === undefined ? [] : [`//            ${commentText(phase.description)}`]),
    `// Unit type  ${commentText(where)}`,
    `// Source     ${commentText(model.sourceName)}`,
    '//',
    ...stepTable(phase),
    '//',
    ...notes.map((note) => `// ${note}`),
    '// Modules    Control modules are inputs, so the block works on the copy in its instance. After the call,',
    '//            the caller passes the Out variables on from there: "<instance>".<module>.<variable>.',
    RULE,
  ]
}

/** The table of steps in the header. Long expressions are not shortened: the last column is as wide as needed. */
function stepTable({ steps }: Phase): string[] {
  const optional = [
    ['While', ({ whileAction }: PhaseStep) => whileAction],
    ['Exit action', ({ exitAction }: PhaseStep) => exitAction],
    ['MinTime', ({ minTime }: PhaseStep) => minTime],
    ['Timeout', ({ timeout, onTimeout }: PhaseStep) => timeout && `${timeout} ${onTimeout}`],
  ] as const
  const used = optional.filter(([, read]) => steps.some((step) => read(step) !== undefined))
  const rows = [
    ['Step', 'Name', 'Next', 'Entry action', ...used.map(([title]) => title), 'Condition'],
    ...steps.map((step) => [
      String(step.number),
      stepTitle(step),
      step.isFinal ? 'idle' : String(step.nextStep),
      step.entryAction === '' ? '-' : step.entryAction,
      ...used.map(([, read]) => read(step) ?? '-'),
      step.isFinal ? '-' : step.condition,
    ]),
  ].map((row) => row.map(commentText))
  const widths = rows[0]!.map((_, column) => Math.min(48, Math.max(...rows.map((row) => row[column]!.length))))
  widths.pop()
  return rows.map((row) => `// ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}

function declarations({ face }: PhaseContext): string[] {
  return [
    ...section('VAR_INPUT', face.inputs),
    ...section('VAR_OUTPUT', face.outputs),
    ...section('VAR', face.statics),
    ...section('VAR CONSTANT', face.constants),
  ]
}

function section(keyword: string, members: readonly Member[]): string[] {
  return [`   ${keyword} `, ...members.map(declaration), '   END_VAR', '']
}

function declaration({ name, attributes, type, value, comment }: Member): string {
  const before = attributes === undefined ? '' : ` ${attributes}`
  const start = value === undefined ? '' : ` := ${value}`
  const meaning = commentText(comment)
  return `      ${sclName(name)}${before} : ${type}${start};${meaning === '' ? '' : `   // ${meaning}`}`
}
