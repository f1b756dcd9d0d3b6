/** Faulty specs: one for each fault code, and what is to be said of it. */
import { FAULT_LIMIT } from '../../plugins/design-spec/model/faults.ts'
import { SOUND_LINES, specWith, specWithExpression } from './specs.ts'

const headers: Readonly<Record<string, string>> = {
  PhaseTypes: 'PhaseType;States;Description',
  Parameters: 'PhaseType;Parameter;DataType;Unit;Default;Min;Max',
  Commands: 'PhaseType;Command;Action;Condition',
  Interlocks: 'CmType;Variable;BlockedWhen;SafeValue;Reason',
}

/** The sound spec behind another section, whose rows begin on line 3. */
function withSection(section: string, ...rows: string[]): string {
  return [`[${section}]`, headers[section], ...rows, ...SOUND_LINES].join('\n')
}

/** The sound spec with MinTime, Timeout, OnTimeout and AlarmText of its second step. */
function withTimes(fields: string): string {
  return specWith({
    9: `${SOUND_LINES[8]};MinTime;Timeout;OnTimeout;AlarmText`,
    11: `${SOUND_LINES[10]};${fields}`,
  })
}

/** One spec per fault code: the text, and the faults it must give, all of them. */
export const CASES: Record<string, { text: string | Uint8Array; faults: string[] }> = {
  not_utf8: {
    text: Buffer.from(specWith({ 3: 'Valve;Open;Out;Bool;\u00D6ffnen' }), 'latin1'),
    faults: ['3:0:not_utf8'],
  },
  csv_quote: {
    text: specWith({ 5: 'Tank;Level;In;Real;say "hi"' }),
    faults: ['5:5:csv_quote', '11:Condition:variable_unknown'],
  },
  row_outside_section: { text: `Valve;Open\nTank;Level\n${specWith()}`, faults: ['1:1:row_outside_section'] },
  section_unknown: { text: `${specWith()}\n[Fases]\na;b`, faults: ['13:0:section_unknown'] },
  section_duplicate: { text: `${specWith()}\n[CmTypes]\n${SOUND_LINES[1]}`, faults: ['13:0:section_duplicate'] },
  section_missing: { text: SOUND_LINES.slice(7).join('\n'), faults: ['1:0:section_missing'] },
  section_empty: { text: SOUND_LINES.slice(0, 9).join('\n'), faults: ['8:0:section_empty'] },
  separator_wrong: { text: specWith().replaceAll(';', ','), faults: ['2:1:separator_wrong'] },
  header_missing: { text: specWith({ 2: null }), faults: ['2:1:header_missing'] },
  column_unknown: {
    text: specWith({ 2: 'CmType;Variable;Direction;Type;Description' }),
    faults: ['2:4:column_unknown', '2:DataType:column_missing'],
  },
  column_duplicate: {
    text: specWith({ 2: 'CmType;Variable;Variable;Direction;DataType;Description' }),
    faults: ['2:Variable:column_duplicate'],
  },
  column_missing: {
    text: specWith({ 2: 'CmType;Variable;Direction;DataType' }),
    faults: ['2:Description:column_missing'],
  },
  column_order: {
    text: specWith({
      2: 'Variable;CmType;Direction;DataType;Description',
      3: 'Open;Valve;Out;Bool;',
      4: 'Opened;Valve;In;Bool;',
      5: 'Level;Tank;In;Real',
      6: 'Count;Tank;Out;SInt',
    }),
    faults: ['2:Variable:column_order'],
  },
  row_too_long: { text: specWith({ 3: 'Valve;Open;Out;Bool;Open; or not' }), faults: ['3:6:row_too_long'] },
  value_missing: {
    text: specWith({ 6: 'Tank;;;;', 10: 'Fill;1;;TRUE;;"Valve.Open:=TRUE";"Valve.Opened=TRUE";2' }),
    faults: [
      '6:Variable:value_missing',
      '6:Direction:value_missing',
      '6:DataType:value_missing',
      '10:StepName:value_missing',
    ],
  },
  name_invalid: { text: specWith({ 6: 'Ta.nk;Count;Out;SInt;' }), faults: ['6:CmType:name_invalid'] },
  name_reserved: {
    text: specWith({ 6: 'hold;Count;Out;SInt;\nhold;Other;Out;Int;' }),
    faults: ['6:CmType:name_reserved'],
  },
  hierarchy_duplicate: {
    text: `[Areas]\nArea;Description\nA;\na;\n${specWith()}`,
    faults: ['4:Area:hierarchy_duplicate'],
  },
  area_unknown: {
    text: `[Areas]\nArea;Description\nNorth;\n[ProcessCells]\nArea;ProcessCell;Description\nNrth;C;\n${specWith()}`,
    faults: ['6:Area:area_unknown'],
  },
  process_cell_unknown: {
    text: `[ProcessCells]\nArea;ProcessCell;Description\n;C;\n[UnitTypes]\nProcessCell;UnitType;Description\nD;U;\n${specWith()}`,
    faults: ['6:ProcessCell:process_cell_unknown'],
  },
  unit_type_unknown: {
    text: `[UnitTypes]\nProcessCell;UnitType;Description\n;Mixer;\n${specWith({ 9: `UnitType;${SOUND_LINES[8]}`, 10: `Mixr;${SOUND_LINES[9]}`, 11: `Mixer;${SOUND_LINES[10]}`, 12: `Mixer;${SOUND_LINES[11]}` })}`,
    faults: ['13:UnitType:unit_type_unknown'],
  },
  parent_needed: {
    text: `[UnitTypes]\nProcessCell;UnitType;Description\n;A;\n;B;\n${SOUND_LINES.slice(0, 3).join('\n')}\n[Phases]\nUnitType;${SOUND_LINES[8]}\nA;P;1;End;TRUE;TRUE;;;`,
    faults: ['7:UnitType:parent_needed'],
  },
  variable_duplicate: {
    text: specWith({ 4: 'Valve;Opened;In;Bool;\nValve;OPENED;In;Bool;' }),
    faults: ['5:Variable:variable_duplicate'],
  },
  cm_type_conflict: {
    text: `[CmTypes]\nUnitType;${SOUND_LINES[1]}\nA;Valve;Open;Out;Bool;\nB;Valve;Open;Out;Int;\n[Phases]\nUnitType;${SOUND_LINES[8]}\nA;P;1;End;TRUE;TRUE;;;`,
    faults: ['4:CmType:cm_type_conflict'],
  },
  data_type_unknown: { text: specWith({ 5: 'Tank;Level;In;Float;' }), faults: ['5:DataType:data_type_unknown'] },
  direction_unknown: { text: specWith({ 5: 'Tank;Level;InOut;Real;' }), faults: ['5:Direction:direction_unknown'] },
  step_not_integer: {
    text: specWith({ 11: 'Fill;2.5;Wait;;;;"Tank.Level>=80.0";3' }),
    faults: ['10:NextStep:next_step_unknown', '11:Step:step_not_integer'],
  },
  step_out_of_range: {
    text: specWith({ 11: 'Fill;0;Wait;;;;"Tank.Level>=80.0";3' }),
    faults: ['10:NextStep:next_step_unknown', '11:Step:step_out_of_range'],
  },
  step_duplicate: {
    text: specWith({ 11: 'Fill;1;Wait;;;;"Tank.Level>=80.0";3' }),
    faults: ['10:NextStep:next_step_unknown', '11:Step:step_duplicate'],
  },
  step_name_duplicate: {
    text: specWith({ 11: 'Fill;2;Open;;;;"Tank.Level>=80.0";3' }),
    faults: ['11:StepName:step_name_duplicate'],
  },
  flag_invalid: {
    text: specWith({
      10: 'Fill;1;Open;yes;;"Valve.Open:=TRUE";"Valve.Opened=TRUE";2',
      12: 'Fill;3;End;;FALSE;;TRUE;1',
    }),
    faults: ['10:IsInitial:flag_invalid', '12:IsFinal:flag_invalid'],
  },
  phase_split: {
    text: specWith({ 11: 'Other;1;End;TRUE;TRUE;;;\nFill;2;Wait;;;;"Tank.Level>=80.0";3' }),
    faults: ['12:PhaseType:phase_split'],
  },
  phase_duplicate: {
    text: `[CmTypes]\n${SOUND_LINES[1]}\n[Phases]\nUnitType;${SOUND_LINES[8]}\nA;P;1;End;TRUE;TRUE;;;\nB;P;1;Begin;TRUE;;;TRUE;2\nB;P;2;End;;TRUE;;;`,
    faults: ['6:PhaseType:phase_duplicate'],
  },
  initial_missing: { text: specWith({ 10: 'Fill;1;Open;;;;TRUE;2' }), faults: ['10:IsInitial:initial_missing'] },
  initial_several: { text: specWith({ 11: 'Fill;2;Wait;TRUE;;;TRUE;3' }), faults: ['11:IsInitial:initial_several'] },
  final_missing: { text: specWith({ 12: 'Fill;3;End;;;;TRUE;1' }), faults: ['10:IsFinal:final_missing'] },
  next_step_missing: { text: specWith({ 11: 'Fill;2;Wait;;;;TRUE;' }), faults: ['11:NextStep:next_step_missing'] },
  next_step_unknown: { text: specWith({ 11: 'Fill;2;Wait;;;;TRUE;30' }), faults: ['11:NextStep:next_step_unknown'] },
  condition_missing: { text: specWith({ 11: 'Fill;2;Wait;;;;;3' }), faults: ['11:Condition:condition_missing'] },
  step_unreachable: { text: specWith({ 10: 'Fill;1;Open;TRUE;;;TRUE;3' }), faults: ['11:Step:step_unreachable'] },
  expression_syntax: {
    text: specWithExpression({ condition: 'Valve.Opened==TRUE' }),
    faults: ['10:Condition:expression_syntax'],
  },
  expression_unbalanced: {
    text: specWithExpression({ condition: '(Valve.Opened=TRUE' }),
    faults: ['10:Condition:expression_unbalanced'],
  },
  expression_too_long: {
    text: specWithExpression({ condition: `${'('.repeat(100)}TRUE${')'.repeat(100)}` }),
    faults: ['10:Condition:expression_too_long'],
  },
  literal_invalid: {
    text: specWithExpression({ condition: 'Tank.Level>=T#5x' }),
    faults: ['10:Condition:literal_invalid'],
  },
  cm_type_unknown: {
    text: specWithExpression({ condition: 'Valv.Opened=TRUE' }),
    faults: ['10:Condition:cm_type_unknown'],
  },
  variable_unknown: {
    text: specWithExpression({ action: 'Valve.Opn:=TRUE' }),
    faults: ['10:EntryAction:variable_unknown'],
  },
  type_mismatch: { text: specWithExpression({ action: 'Valve.Open:=1' }), faults: ['10:EntryAction:type_mismatch'] },
  value_out_of_range: {
    text: specWithExpression({ action: 'Tank.Count:=300' }),
    faults: ['10:EntryAction:value_out_of_range'],
  },
  condition_not_boolean: {
    text: specWithExpression({ condition: 'Tank.Level + 1' }),
    faults: ['10:Condition:condition_not_boolean'],
  },
  phase_unknown: { text: withSection('Commands', 'Fil;Hold;'), faults: ['3:PhaseType:phase_unknown'] },
  phase_type_duplicate: {
    text: withSection('PhaseTypes', 'Fill;;', 'fill;Basic;'),
    faults: ['4:PhaseType:phase_type_duplicate'],
  },
  states_unknown: { text: withSection('PhaseTypes', 'Fill;PackML;'), faults: ['3:States:states_unknown'] },
  needs_isa88: {
    text: withSection('Commands', 'Fill;Stop;"Valve.Open:=FALSE"', 'Fill;Hold;;"Valve.Opened"'),
    faults: ['3:Command:needs_isa88', '4:Condition:needs_isa88'],
  },
  parameter_duplicate: {
    text: withSection('Parameters', 'Fill;Top;Real;;;;', 'Fill;TOP;Int;;;;'),
    faults: ['4:Parameter:parameter_duplicate'],
  },
  parameter_unknown: {
    text: `${withSection('Parameters', 'Fill;Target;Real;;;;')}`.replace('>=80.0', '>=Tarjet'),
    faults: ['14:Condition:parameter_unknown'],
  },
  parameter_written: {
    text: withSection('Parameters', 'Fill;Target;Real;;;;').replace('Valve.Open:=TRUE', 'Target:=1.0'),
    faults: ['13:EntryAction:parameter_written'],
  },
  limits_wrong: {
    text: withSection('Parameters', 'Fill;A;Real;;;5;1', 'Fill;B;Int;;10;0;9', 'Fill;C;Time;;T#1s;T#2s;'),
    faults: ['3:Min:limits_wrong', '4:Default:limits_wrong', '5:Default:limits_wrong'],
  },
  limit_without_order: {
    text: withSection('Parameters', 'Fill;A;Bool;;;FALSE;'),
    faults: ['3:Min:limit_without_order'],
  },
  command_unknown: { text: withSection('Commands', 'Fill;Aboort;'), faults: ['3:Command:command_unknown'] },
  command_duplicate: {
    text: withSection('Commands', 'Fill;Hold;', 'Fill;hold;'),
    faults: ['4:Command:command_duplicate'],
  },
  interlock_input: {
    text: withSection('Interlocks', 'Valve;Opened;"Tank.Level>90";;'),
    faults: ['3:Variable:interlock_input'],
  },
  interlock_conflict: {
    text: withSection('Interlocks', 'Tank;Count;"Tank.Level>90";1;', 'Tank;Count;"Tank.Level<1";2;'),
    faults: ['4:SafeValue:interlock_conflict'],
  },
  time_invalid: {
    text: withTimes('Tank.Level;T#0s;;'),
    faults: ['11:MinTime:time_invalid', '11:Timeout:time_invalid'],
  },
  time_order: { text: withTimes('T#10s;T#10s;;'), faults: ['11:Timeout:time_order'] },
  timeout_missing: { text: withTimes(';;Hold;'), faults: ['11:Timeout:timeout_missing'] },
  reaction_unknown: { text: withTimes(';T#1s;Holt;'), faults: ['11:OnTimeout:reaction_unknown'] },
  final_step_waits: {
    text: withTimes(';;;').replace('"TRUE";', '"TRUE";;;T#5s;;'),
    faults: ['12:Timeout:final_step_waits'],
  },
  text_too_long: { text: withTimes(`;T#1s;;${'x'.repeat(255)}`), faults: ['11:AlarmText:text_too_long'] },
  name_conflict: {
    text: withSection('Parameters', 'Fill;valve;Real;;;;', 'Fill;Done;Real;;;;'),
    faults: ['3:Parameter:name_conflict', '4:Parameter:name_conflict'],
  },
  too_many_faults: {
    text: specWith({ 3: Array.from({ length: FAULT_LIMIT + 5 }, (_, i) => `V;A${i};Out;Bolo;`).join('\n') }),
    faults: [],
  },
}
