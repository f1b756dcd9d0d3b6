/**
 * The user documentation of the format, generated from the tables that the reader uses. Run as a program, it prints
 * README.md.
 */

import { fileURLToPath } from 'node:url'
import { dataTypeNames } from '../../plc/model/data-type.ts'
import { fullExample } from './example.ts'
import { specLimit } from './load/load.ts'
import { FAULTS } from './model/faults.ts'
import { NAME_RULE, PHASE_BLOCK_NAMES } from './model/names.ts'
import { doneStateOf, stateNames, transitionsOf } from './model/states.ts'
import { headerText, SECTIONS } from './read/layout.ts'
import { ROWS } from './verify/script.ts'

/** A complete spec that loads without faults (checked by a test). */
export const EXAMPLE_SPEC = `[CmTypes]
CmType;Variable;Direction;DataType;Description
Valve;Open;Out;Bool;Open command
Valve;Opened;In;Bool;Limit switch
Tank;Level;In;Real;Level in %

[Phases]
PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep
Fill;1;OpenInlet;TRUE;;"Valve.Open:=TRUE";"Valve.Opened=TRUE";2
Fill;2;WaitLevel;;;;"Tank.Level>=80";3
Fill;3;Filled;;TRUE;"Valve.Open:=FALSE";"TRUE";
`

function sectionTable(): string {
  const rows = SECTIONS.map((section) => {
    const optional = section.optionalFirst === undefined ? '' : ` (\`${section.optionalFirst}\` may stand before them)`
    const more = (section.optional ?? []).map((column) => `\`${column}\``).join(', ')
    const needed = section.name === 'CmTypes' || section.name === 'Phases' ? 'yes' : 'no'
    return `| \`[${section.name}]\` | ${needed} | \`${headerText(section)}\`${optional} | ${more === '' ? '-' : more} | ${section.rowMeaning} |`
  })
  return [
    '| Section | Required | Header | Columns that may follow, in any order | A row is |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function faultTable(severity: 'fault' | 'warning'): string {
  const rows = Object.entries(FAULTS)
    .filter(([, definition]) => definition.severity === severity)
    .map(([code, { meaning, remedy }]) => `| \`${code}\` | ${meaning} | ${remedy} |`)
  return ['| Code | Meaning | What to do |', '|---|---|---|', ...rows].join('\n')
}

function stateTable(): string {
  const rows = stateNames.map((state, number) => {
    const commands = transitionsOf[state].map(([command, next]) => `${command}: ${next}`).join(', ')
    return `| ${number} | ${state} | ${commands === '' ? '-' : commands} | ${doneStateOf[state] ?? '-'} |`
  })
  return ['| State | Name | Commands | When it is done |', '|---|---|---|---|', ...rows].join('\n')
}

function rowTable(): string {
  return [
    '| Row | What must hold |',
    '|---|---|',
    ...Object.entries(ROWS).map(([row, rule]) => `| \`${row}\` | ${rule} |`),
  ].join('\n')
}

/** Returns the documentation in Markdown: format, expressions, generated block, separate load, all fault codes. */
export function designSpecDocumentation(): string {
  return `# Design specs

A design spec describes the phases of a unit in one CSV file. Loading it gives an ISA-88 model (Area > ProcessCell >
UnitType > control-module types and phases); each phase becomes one SCL function block \`FB_<phase>\`, each
control-module type one data type \`UDT_<CmType>\`.

## The file

Text in UTF-8 (with or without byte order mark), any line ends, fields separated by \`;\`. A field that contains \`;\`, a
quote or a line break stands in double quotes, with inner quotes doubled. Blank lines and empty columns at the end do
not matter. Sections may stand in any order.

\`\`\`
${EXAMPLE_SPEC}\`\`\`

${sectionTable()}

Without the optional sections there is one area, one process cell and one unit type, named after the file. An empty
\`UnitType\`, \`ProcessCell\` or \`Area\` means the only one there is. Names are compared ignoring case, as in the
controller. Control-module types and phases are global in the controller: a type that two unit types share must be the
same in both, and a phase name is unique in the file.

- \`CmType\`, \`Variable\`, \`PhaseType\`: ${NAME_RULE}. Names that are no plain identifiers are quoted in the generated code.
  A control-module type cannot be named ${PHASE_BLOCK_NAMES.join(', ')}.
- \`Direction\`: \`Out\` is written by the phase (a command), \`In\` is read by it (a feedback).
- \`DataType\`: ${dataTypeNames.join(', ')}.
- \`Step\`: 1 to 32767, each once in a phase; 0 is idle. \`StepName\`: each once in a phase. The rows of a phase stand together.
- \`IsInitial\`: \`TRUE\` on exactly one step. \`IsFinal\`: \`TRUE\` on at least one. Other steps: empty.
- \`NextStep\`: the step that follows when \`Condition\` holds. Both are required, except on final steps, where they have no
  effect. Every step must be reachable from the initial one.

## Expressions

\`EntryAction\` is one assignment \`<CmType>.<Variable>:=<value>\`, or several separated by \`;\`. \`Condition\` is a Bool
expression. Operators by priority, as in SCL: \`( )\`; \`NOT\`, sign; \`* / MOD\`; \`+ -\`; \`< <= > >=\`; \`= <>\`; \`AND &\`; \`XOR\`; \`OR\`.
\`NOT\` binds tighter than a comparison: write \`NOT (a=b)\`.

\`WhileAction\`, \`ExitAction\` and \`Action\` are written like \`EntryAction\`, \`BlockedWhen\` like \`Condition\`. A parameter is
written by its name alone: \`Tank.Level>=TargetLevel\`.

Constants: \`TRUE\`, \`FALSE\`, \`12\`, \`16#FF\`, \`2#1010\`, \`1.5\`, \`1.0E-3\`, \`T#1h30m\`, \`LT#5us\`, \`S5T#5s\`, \`D#2024-01-31\`,
\`TOD#14:30:00\`, \`DT#2024-01-31-14:30:00\`, \`'text'\` (escapes \`$$ $' $L $N $P $R $T $hh\`), and typed ones such as \`INT#5\`.
Names with blanks or a digit first stand in double quotes: \`"Glycol Loop".Cool\` (doubled inside a quoted field).

Types are checked as in a block with IEC check: a constant must fit its data type, integers widen only to types that
hold all their values, Bool is not a number, a duration has its unit.

## Parameters, times, commands, interlocks

The fixed columns and sections are enough. What else a spec may tell is added to the block of a phase that uses it:

\`\`\`
${fullExample}\`\`\`

- **\`[Parameters]\`**: inputs of the block. \`Default\`, \`Min\` and \`Max\` are constants of the data type; numbers and durations may have
  limits. A parameter outside its limits refuses the start: the phase stays idle, \`Error\` is TRUE and \`ErrorText\` says which one. While
  the phase runs, a parameter may change.
- **\`WhileAction\`** is done at every call while the step is active, after the entry action; **\`ExitAction\`** once, when \`Condition\` ends
  the step (not when the phase is aborted).
- **\`MinTime\`, \`Timeout\`**: a duration or a parameter of the type Time. A step is not left before \`MinTime\` is over. When it is not left
  before \`Timeout\`, \`Alarm\` is TRUE, \`AlarmText\` is the \`AlarmText\` of the step (or names the step), and \`OnTimeout\` follows:
  \`Alarm\` (nothing else, the default), \`Hold\` (the phase is held until \`Hold\` was TRUE and is FALSE again), \`Abort\` (with \`Error\`), with
  ISA-88 also \`Stop\`. The alarm ends when the step is left, after Hold, and with the next start. \`StepTime\` shows the time in the step;
  it begins with the first call in the step, and again after Hold. One TON in the instance measures it.
- **\`[Commands]\`**: what is done once on Hold, Restart (the end of Hold), Abort, and with ISA-88 on Stop. A phase with an action of Restart or
  a timeout goes on one call after Hold.
- **\`[Interlocks]\`**: while \`BlockedWhen\` is TRUE the variable has its \`SafeValue\` after every call, also in idle; \`Interlocked\` is TRUE and
  \`InterlockText\` is the first \`Reason\`. Without it the variable has what the actions wrote last: nothing is lost while it is blocked. The
  default of \`SafeValue\` is FALSE or 0. Several rows for one variable all block it. A block has the interlocks of the variables it writes.
- **\`[PhaseTypes]\`**: \`States\` is \`Basic\` (the default, the interface below) or \`ISA88\`; \`Description\` stands in the header of the block.
- A final step ends the phase at once: it has an entry action only.

### The states of ISA-88

A phase with \`ISA88\` has the inputs \`Start\`, \`Hold\`, \`Restart\`, \`Stop\`, \`Abort\`, \`Reset\` and the output \`State\` beside \`Done\`, \`Active\`,
\`Held\`, \`Error\`. The transitions are those of ANSI/ISA-88.00.01, without Pausing and Paused; the numbers are Gantry's own.

${stateTable()}

\`Start\` needs a rising edge; the others count while they are TRUE. Where a state obeys several, the first of the table wins. \`Restart\` has no
effect while \`Hold\` is TRUE. A command takes effect in the call that gives it, and that call does nothing else. Holding, Restarting, Stopping and
Aborting do the action of their command once and end when its \`Condition\` is TRUE (at once when there is none). After Restarting the step
goes on; its entry action is not done again. An unknown step aborts the phase with \`Error\`.

## The generated block

Inputs \`Execute\`, \`Abort\`, \`Hold\` and one per control-module type that the phase uses; outputs \`Done\`, \`Active\`, \`Held\`, \`Error\`.
Steps are constants (\`STEP_OPEN_INLET\`) with the numbers of the spec. A change of the spec changes the blocks that it concerns, and no others.

- **Start.** A rising edge of \`Execute\` in idle starts the initial step. An \`Execute\` that stays TRUE does not start the phase
  again, neither after \`Done\` nor after \`Abort\`; it must be FALSE once. \`Done\` and \`Error\` stay until \`Execute\` becomes FALSE
  after the end of the phase, or, when \`Execute\` was a pulse, until the next start.
- **Steps.** The entry action runs once when a step is evaluated first. When \`Condition\` is TRUE the next step is active
  from the next call on.
- **Final step.** Its entry action runs, then the phase is idle with \`Done\`.
- **Hold.** While \`Hold\` is TRUE an active phase stays in its step and issues nothing; \`Held\` is TRUE. An entry action that was
  still to be done is done after \`Hold\`.
- **Abort.** While \`Abort\` is TRUE an active phase goes to idle at once and issues nothing more; it wins over \`Hold\`. Without
  an action of Abort, outputs keep their last value, and the caller takes the modules to their safe state.
- **Error.** \`_Step\` had a value that is no step, or a timeout aborted the phase: it goes to idle. Or a parameter refused the start.

Control modules are inputs (\`VAR_INPUT\`), so the block works on the copy in its instance data block, and what it writes
does not return to the caller by itself. Either leave the module inputs unconnected and use the instance members
directly, or connect them and pass the \`Out\` variables on after the call:

\`\`\`
"FB_Fill_DB".Valve.Opened := "I_ValveOpened";
"FB_Fill_DB"(Execute := "StartFill", Abort := FALSE, Hold := FALSE);
"Q_ValveOpen" := "FB_Fill_DB".Valve.Open;
\`\`\`

A connected input is copied in at every call: a caller that does not copy the \`Out\` variables back into the connected
structure overwrites them with the next call.

\`POST /api/design-spec/generate { "phase" }\` answers the source text. \`POST /api/design-spec/generate-and-import { "phase", "device" }\`
wraps the block and its types in block XML and imports them into the device, over what is there; what is the same already stays
untouched. The same spec gives the same bytes.

## Checking phases

\`POST /api/design-spec/actions/verify-phases-sync { "phases"?, "deviceName"?, "maxScans"? }\` (or \`…/verify-phases\`, as a job) proves the blocks
before they reach a plant. It generates the phases into a scratch program, compiles it, and runs it on a private controller in stepped
time; neither the project nor an instance is touched. Each phase is driven by its commands and the In variables of its modules:

${rowTable()}

Every row is tried in every step, and the whole instance is compared after every scan with what the spec says, so that a block which
writes too much is found too. What the conditions and actions of the spec mean is reckoned apart from the generator and the compiler.

- Values that make a condition TRUE and FALSE are searched for among the In variables: its constants and what lies beside them, the ends
  of the types, and where both sides of a comparison meet. \`transitions\` tells them (\`inputs\`).
- Times are waited for on the clock of the controller, and tried to the millisecond: just before \`MinTime\` and \`Timeout\`, and when they are over.
- Each limit of a parameter is tried from outside and at the limit; each interlock where the phase wants another value than the safe one.
- With ISA-88 every command is given in every state (\`states\`).
- When only Out variables can make a condition TRUE, they are set too and told as \`presets\`.
- When nothing is found, the step is not left: the steps behind it are \`unreachable\`, with the reason, and the phase is \`incomplete\`.
- \`coverage\` counts the steps that were seen active. A failure has the differences and the last scans (\`trace\`).
- A side road (Abort, an Execute that stays TRUE) ends with the instance put back as it was, so a phase is walked once.

### The report

\`POST /api/design-spec/actions/verification-report-sync\` (or \`…/verification-report\`, as a job) takes the same and
\`{ "projectName"?, "customer"?, "tester"?, "filePath"?, "overwrite"?, "format"? }\`, and answers one HTML file to be printed on A4 and signed: title page with the
hashes of spec and blocks, summary, deviations with their last checks, what was not tested and why, the coverage of steps and transitions, and each
requirement with every check (stimulus, expected, observed, time). It needs no scripts and no other files, and its content security policy allows
none. \`filePath\` writes it to the workspace as well, over an existing file with \`overwrite\` only. With \`"format": "summary"\` (the default over MCP) the answer is short and says where it is:
\`GET /api/design-spec/verification-reports/{reportId}\`; \`reportId\` is the id of the job. \`GET /api/design-spec/verification-reports\` lists the newest 50.

## Loading

\`POST /api/design-spec/load\` takes the CSV as multipart part \`file\`, as JSON \`{ "file": { "fileName", "content" } }\`, or by the
name of a file of the workspace, \`{ "filePath" }\`; up to ${specLimit / 1024 / 1024} MiB. One spec is loaded at a time: a load replaces the one before.
\`GET /api/design-spec\` shows which, its warnings, and what became of its copy.

## The copy in the project

When a spec is loaded, a copy is written at once to \`.gantry/cdc/<file>\` in the folder of the open project: the file byte for byte,
or the merged spec after a load of parts. A spec that was loaded while no project was open gets its copy when a project is saved.

- Opening the project reads the copy again. Closing it clears the model.
- When the gateway starts with the project open, a copy that was edited meanwhile is read.
- \`POST /api/design-spec/actions/reload\` reads a copy that was edited while the project is open.
- A faulty copy does not keep the project from being opened: no model is loaded then, and \`GET /api/design-spec\` says why.
- Several files in the folder are not chosen from: keep one. Files that are no copies of ours are kept as \`<file>.bak\` by the next load.
- \`DELETE /api/design-spec/model\` removes the copy too.

## Loading parts

A separate load takes any of the parts \`inputs\` (\`[CmTypes]\` rows with Direction In), \`outputs\` (Direction Out), \`logic\`
(\`[Phases]\`, \`[PhaseTypes]\`, \`[Parameters]\`, \`[Commands]\`, \`[Interlocks]\`) and \`configuration\` (the hierarchy), each the text of its sections. A part
replaces the sections that it has in the loaded model; a variable that was there keeps its place. When anything is wrong, nothing changes.

## Faults

Every fault names section, line, column, value, what is allowed, and the character in an expression. All faults of a file
are reported at once, and nothing is loaded when there is one.

${faultTable('fault')}

## Warnings

${faultTable('warning')}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(designSpecDocumentation())
