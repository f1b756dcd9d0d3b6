/**
 * Writes docs/instructions.md: the instructions of S7-1200 and S7-1500 by group, and which of them are compiled.
 * `node --import tsx scripts/instruction-docs.ts > docs/instructions.md`; test/instruction-docs.test.ts keeps it
 * current.
 */
import { fileURLToPath } from 'node:url'
import { findInstruction } from '../plc/compiler/lower/instructions.ts'
import { isLadderElement } from '../plc/compiler/lower/ladder.ts'
import { edgeBoxes, flowElements } from '../plc/languages/ladder/elements.ts'
import { instructionGroups } from '../plc/library/known-instructions.ts'
import { isModelled } from '../plc/library/model-names.ts'
import { systemFunctions } from '../plc/library/system-blocks.ts'
import { systemTypeNamed } from '../plc/program/system-types.ts'
import { driveModels } from '../plc/runtime/models/drives.ts'
import { jobModels, quietModels } from '../plc/runtime/models/jobs.ts'

/** How an instruction is supported. */
export type Support = 'compiled' | 'without device' | 'missing'

/** Parts of expressions and statements of SCL, which no table of instructions has. */
const inExpressions = new Set(['TYPEOF', 'TYPEOFELEMENTS', 'TYPEOFDB', 'A', 'O', 'X', 'NOT', 'CONVERT'])
/** The comparisons of types with a data block: boxes are those of types. */
const spellings: Readonly<Record<string, string>> = {
  P_TRIG: 'PBox',
  N_TRIG: 'NBox',
  CONVERT: 'Convert',
  INC: 'Inc',
  DEC: 'Dec',
  JMP_LIST: 'Jmp_List',
  SC: 'ScCoil',
  CU: 'CuCoil',
  CD: 'CdCoil',
  SP: 'SpCoil',
  SE: 'SeCoil',
  SD: 'SdCoil',
  SS: 'SsCoil',
  SF: 'SfCoil',
}

/** Whether a program with this instruction compiles, and what it does then. */
export function supportOf(name: string): Support {
  const upper = name.toUpperCase()
  if (upper in driveModels || upper in jobModels || upper in quietModels) return 'without device'
  const element = spellings[upper] ?? name
  const isCompiled =
    inExpressions.has(upper) ||
    findInstruction(upper) !== undefined ||
    (isModelled(upper) && systemTypeNamed(upper) !== undefined) ||
    (systemTypeNamed(upper)?.kind === 'instance' && upper in systemFunctions) ||
    isLadderElement(element) ||
    isLadderElement(upper) ||
    flowElements.has(element) ||
    edgeBoxes.has(element)
  return isCompiled ? 'compiled' : 'missing'
}

/** What had to be chosen, because the published page does not say it. */
const choices: readonly (readonly [names: string, text: string])[] = [
  [
    'T_COMP, S_COMP, SWITCH',
    'LAD and FBD only, as in TIA Portal; SCL has operators. No export with them is known: the comparison is read from ' +
      'templates of the kind `Operation`, those of SWITCH in the order of its values.',
  ],
  [
    'MSK_FLT, DMSK_FLT, READ_ERR',
    'Bit numbers: the event minus 16#2520, for access errors minus 16#2940. A mask ends with its organization block.',
  ],
  ['Polyline, RampSoak', 'A restart is seen by the start values of the instance: a changed static stays over STOP.'],
  [
    'TCONT_CP, TCONT_S',
    'The law is that of CONT_C from call to call with the parts of the pages; the pulses of TCONT_S are those of ' +
      'CONT_S. Tuning (TUN_ON, TUN_ST) is not simulated. SAVE_PAR, UNDO_PAR and LOAD_PID are reset when they have run.',
  ],
  ['DRUM_X', 'An instruction of S7-300 and S7-400 (SFB 32). Events that are not given are TRUE, as those of DRUM.'],
  [
    'FieldRead, FieldWrite',
    'MEMBER is a component of an array with one dimension whose limits are known; the index counts in the array.',
  ],
  [
    'Get_Alarm',
    'Texts are the numbers of the alarms: central alarm management in the PLC is off. All display classes are 0.',
  ],
  [
    'GET_DIAG, LED, DeviceStates, ModuleStates',
    'A pulled module is not there (OwnState 5); everything else is well. They know the loaded hardware; without it every identifier is accepted.',
  ],
  [
    'ENDIS_PW',
    'No password is locked: an order to lock one has no effect and answers 16#80D0 or 16#8090 (not supported).',
  ],
  [
    'DPRD_DAT, DPWR_DAT, GETIO, SETIO, GETIO_PART, SETIO_PART',
    'They move the data of the modules of the loaded hardware. Without hardware they succeed and change nothing.',
  ],
  ['Get_AlarmResources', 'Free places of the limit that the settings of the controller give.'],
  [
    'SinaPara, SinaParaS, SinaInfeed, SinaPos, SinaSpeed',
    'No drive is simulated: the status of an address without a module (16#8090).',
  ],
  ['DeviceInfo', 'The help of TIA Portal V19 has no instruction of this name: nothing to build from.'],
]

const marks: Readonly<Record<Support, string>> = { compiled: '', 'without device': '°', missing: '' }

/** Returns the whole document. */
export function instructionDocumentation(): string {
  const rows = instructionGroups.map(({ title, names }) => {
    const by = (wanted: readonly Support[]) =>
      names.filter((name) => wanted.includes(supportOf(name))).map((name) => `${name}${marks[supportOf(name)]}`)
    return { title, count: names.length, has: by(['compiled', 'without device']), lacks: by(['missing']) }
  })
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  const [known, has] = [sum(({ count }) => count), sum(({ has: one }) => one.length)]
  const without = rows.reduce((total, row) => total + row.has.filter((name) => name.endsWith('°')).length, 0)
  return [
    '# Instructions',
    '',
    `Of ${known} instructions of S7-1200 and S7-1500, ${has} are compiled: the list has the contents of the TIA Portal help (V19), and`,
    'what older projects bring along. Names are those of SCL; what exists only in LAD and FBD has the name of its element in',
    'exports. Conversions by name (`INT_TO_REAL`), operators and statements are no entries: all of them are compiled.',
    '',
    `° ${without} of them talk to a device that is not simulated: they compile and run, and end with the status that their page gives for a`,
    'device that does not answer.',
    '',
    'A call of a missing instruction is the diagnostic `unknown-instruction` (`unknown-part` in LAD and FBD), which says that the',
    'name is known. This file is written by `scripts/instruction-docs.ts` from the tables of the compiler.',
    '',
    '| group | compiled | missing |',
    '|---|---|---|',
    ...rows.map(({ title, count, has: one, lacks }) => {
      const share = `${one.length} of ${count}`
      return `| ${title} | ${share}: ${one.join(' ') || '-'} | ${lacks.join(' ') || '-'} |`
    }),
    '',
    '## What had to be chosen',
    '',
    '| instructions | choice |',
    '|---|---|',
    ...choices.map(([names, text]) => `| ${names} | ${text} |`),
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(instructionDocumentation())
