/**
 * Generates the SCL function block of one phase (docs/design.md#design-specs).
 *
 * How the block implements each rule with its two internal variables, which the rules fix:
 *
 *    _Step       0 is idle, otherwise the number of the active step.
 *    _StepEntry  in a step: the entry action is pending.
 *                in idle:   Execute has not been FALSE since the last end of the phase, so it does not start it.
 *
 * "Execute becomes true" is an edge. In idle _StepEntry is free to store it: the phase starts when Execute is TRUE and
 * _StepEntry is FALSE. Each transition to idle (final step, Abort, unknown step) copies Execute to _StepEntry, so an
 * Execute that stays TRUE does not start the phase again. When Execute is FALSE, _StepEntry, Done and Error are reset.
 * When Execute was only a pulse, Done and Error stay until the next start, so that a slow caller can read them.
 *
 * While Hold or Abort is TRUE in an active phase, the CASE is not evaluated: the step stays, no action runs, and a
 * pending entry action runs after Hold. Held and the transition to idle are set after the CASE.
 *
 * The text has LF line ends, no byte order mark (`encodeSource` makes the file), and the layout of a source that TIA
 * Portal writes. It is the same for each run.
 */
import { nearest } from '../../core/index.ts'
import { scopeOfUnit } from './build.ts'
import {
  type Area,
  type CmType,
  type DesignModel,
  type Phase,
  type PhaseStep,
  type ProcessCell,
  type UnitType,
  unitTypesOf,
} from './model.ts'
import { commentText, foldName, sclName } from './names.ts'
import { compileActions, compileCondition } from './typing.ts'

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
  return {
    blockName: `FB_${place.phase.name}`,
    scl: lines(phaseBlock(model, place)),
    udts: place.unit.cmTypes.map(generateUdt),
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

/**
 * Returns the bytes of a source file for TIA Portal: UTF-8 with byte order mark (without it TIA Portal uses the code
 * page of the machine) and CRLF line ends, as in its own sources.
 */
export function encodeSource(scl: string): Uint8Array {
  return Buffer.from(`\uFEFF${scl.replace(/\r?\n/g, '\r\n')}`, 'utf8')
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

function phaseBlock(model: DesignModel, place: PhaseInPlace): string[] {
  const { phase, unit } = place
  return [
    `FUNCTION_BLOCK "FB_${phase.name}"`,
    `TITLE = Phase ${phase.name}`,
    "{ S7_Optimized_Access := 'TRUE' }",
    'AUTHOR : Gantry',
    'FAMILY : Phases',
    'VERSION : 0.1',
    ...headerComment(model, place),
    ...declarations(unit),
    '',
    'BEGIN',
    ...body(phase, unit),
    'END_FUNCTION_BLOCK',
    '',
  ]
}

const RULE = `//${'='.repeat(98)}`

function headerComment(model: DesignModel, { area, cell, unit, phase }: PhaseInPlace): string[] {
  const where = `${unit.name} (process cell ${cell.name}, area ${area.name})`
  return [
    RULE,
    `// Phase      ${phase.name}`,
    `// Unit type  ${commentText(where)}`,
    `// Source     ${commentText(model.sourceName)}`,
    '//',
    ...stepTable(phase),
    '//',
    '// Start      Execute becomes TRUE in idle. Done and Error stay until Execute is FALSE or the next start.',
    '// Hold       The active step stays and issues nothing; Held is TRUE. The phase goes on when Hold is FALSE.',
    '// Abort      Back to idle at once. Outputs keep their last value: the caller takes the modules to their safe',
    '//            state when Active becomes FALSE without Done.',
    '// Modules    Control modules are inputs, so the block works on the copy in its instance. After the call,',
    '//            the caller passes the Out variables on from there: "<instance>".<module>.<variable>.',
    RULE,
  ]
}

/** The table of steps in the header. Long expressions are not shortened: the last column is as wide as needed. */
function stepTable(phase: Phase): string[] {
  const rows = [
    ['Step', 'Name', 'Next', 'Entry action', 'Condition'],
    ...phase.steps.map((step) => [
      String(step.number),
      stepTitle(step),
      step.isFinal ? 'idle' : String(step.nextStep),
      step.entryAction === '' ? '-' : step.entryAction,
      step.isFinal ? '-' : step.condition,
    ]),
  ].map((row) => row.map(commentText))
  const widths = [0, 1, 2, 3].map((column) => Math.min(48, Math.max(...rows.map((row) => row[column]!.length))))
  return rows.map((row) => `// ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}

function declarations(unit: UnitType): string[] {
  return [
    '   VAR_INPUT ',
    '      Execute : Bool;   // Rising edge starts the phase',
    '      Abort : Bool;   // TRUE takes the active phase back to idle',
    '      Hold : Bool;   // TRUE keeps the active phase in its step',
    ...unit.cmTypes.map((cmType) => `      ${sclName(cmType.name)} : "UDT_${cmType.name}";   // Control module`),
    '   END_VAR',
    '',
    '   VAR_OUTPUT ',
    '      Done : Bool;   // The final step has been reached',
    '      Active : Bool;   // The phase is in a step',
    '      Held : Bool;   // The active phase is held',
    '      Error : Bool;   // _Step had a value that is no step of the phase',
    '   END_VAR',
    '',
    '   VAR ',
    '      _Step : Int;   // Active step, 0 = idle',
    '      _StepEntry : Bool;   // In a step: entry action to be done. In idle: Execute not yet FALSE again',
    '   END_VAR',
    '',
  ]
}

function body(phase: Phase, unit: UnitType): string[] {
  const scope = scopeOfUnit(unit)
  const initial = phase.steps.find((step) => step.isInitial)
  if (initial === undefined) throw new Error(`phase ${phase.name} has no initial step`)
  const branches = phase.steps.flatMap((step) => stepBranch(step, phase, scope))
  return [
    '\tREGION Steps',
    '\t    // A held or aborted phase does nothing; what follows from Hold and Abort is set below.',
    '\t    IF NOT (#Active AND (#Hold OR #Abort)) THEN',
    '\t        CASE #_Step OF',
    ...idleBranch(initial),
    ...branches,
    ...unknownBranch(),
    '\t        END_CASE;',
    '\t    END_IF;',
    '\tEND_REGION',
    '\t',
    '\tREGION HOLD',
    '\t    IF #Hold AND #Active THEN',
    '\t        #Held := TRUE;',
    '\t    ELSE',
    '\t        #Held := FALSE;',
    '\t    END_IF;',
    '\tEND_REGION',
    '\t',
    '\tREGION ABORT',
    '\t    IF #Abort AND #Active THEN',
    '\t        #_Step := 0;',
    '\t        #_StepEntry := #Execute;',
    '\t        #Active := FALSE;',
    '\t        #Held := FALSE;',
    '\t    END_IF;',
    '\tEND_REGION',
  ]
}

const LABEL = '\t            '
const STATEMENT = '\t                '

function idleBranch(initial: PhaseStep): string[] {
  return [
    `${LABEL}0:  // Idle`,
    `${STATEMENT}IF #Execute AND NOT #_StepEntry THEN`,
    `${STATEMENT}    #_Step := ${initial.number};  // ${commentText(initial.name)}`,
    `${STATEMENT}    #_StepEntry := TRUE;`,
    `${STATEMENT}    #Active := TRUE;`,
    `${STATEMENT}    #Done := FALSE;`,
    `${STATEMENT}    #Error := FALSE;`,
    `${STATEMENT}ELSIF #_StepEntry AND NOT #Execute THEN`,
    `${STATEMENT}    #_StepEntry := FALSE;`,
    `${STATEMENT}    #Done := FALSE;`,
    `${STATEMENT}    #Error := FALSE;`,
    `${STATEMENT}END_IF;`,
  ]
}

function stepBranch(step: PhaseStep, phase: Phase, scope: ReturnType<typeof scopeOfUnit>): string[] {
  const actions = compileActions(step.entryAction, scope)
  sound(
    actions.faults.filter((fault) => fault.code !== 'action_writes_input'),
    phase,
    step,
  )
  return [
    `${LABEL}${step.number}:  // ${stepTitle(step)}`,
    ...(step.isFinal
      ? finalStep(actions.statements)
      : [...entry(actions.statements), ...transition(step, phase, scope)]),
  ]
}

function stepTitle(step: PhaseStep): string {
  return commentText(`${step.name}${step.isInitial ? ' (initial)' : ''}${step.isFinal ? ' (final)' : ''}`)
}

function entry(statements: readonly string[]): string[] {
  if (statements.length === 0) return [`${STATEMENT}#_StepEntry := FALSE;  // No entry action`]
  return [
    `${STATEMENT}IF #_StepEntry THEN`,
    ...statements.map((statement) => `${STATEMENT}    ${statement};`),
    `${STATEMENT}    #_StepEntry := FALSE;`,
    `${STATEMENT}END_IF;`,
  ]
}

/** A final step ends the phase when it is evaluated; its _StepEntry then has the meaning it has in idle. */
function finalStep(statements: readonly string[]): string[] {
  const actions = statements.map((statement) => `${STATEMENT}    ${statement};`)
  return [
    ...(actions.length === 0 ? [] : [`${STATEMENT}IF #_StepEntry THEN`, ...actions, `${STATEMENT}END_IF;`]),
    `${STATEMENT}#_Step := 0;`,
    `${STATEMENT}#_StepEntry := #Execute;`,
    `${STATEMENT}#Done := TRUE;`,
    `${STATEMENT}#Active := FALSE;`,
  ]
}

function transition(step: PhaseStep, phase: Phase, scope: ReturnType<typeof scopeOfUnit>): string[] {
  const condition = compileCondition(step.condition, scope)
  sound(condition.faults, phase, step)
  const next = phase.steps.find((other) => other.number === step.nextStep)
  if (next === undefined) throw new Error(`step ${step.number} of phase ${phase.name} leads nowhere`)
  return [
    `${STATEMENT}IF ${condition.scl} THEN`,
    `${STATEMENT}    #_Step := ${next.number};  // ${commentText(next.name)}`,
    `${STATEMENT}    #_StepEntry := TRUE;`,
    `${STATEMENT}END_IF;`,
  ]
}

function unknownBranch(): string[] {
  return [
    `${LABEL}ELSE  // Unknown step`,
    `${STATEMENT}#_Step := 0;`,
    `${STATEMENT}#_StepEntry := #Execute;`,
    `${STATEMENT}#Error := TRUE;`,
    `${STATEMENT}#Active := FALSE;`,
  ]
}

/** Expressions were checked when the spec was loaded; a fault here is an error in this program. */
function sound(faults: readonly { readonly message: string }[], phase: Phase, step: PhaseStep): void {
  const first = faults[0]
  if (first !== undefined) throw new Error(`step ${step.number} of phase ${phase.name}: ${first.message}`)
}
