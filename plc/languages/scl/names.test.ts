import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../../formats/source/read.ts'
import type { InterfaceMember } from '../../model/object.ts'
import { checkNames, type NameScope } from './names.ts'
import { parseScl } from './parser.ts'
import { nameOf } from './syntax.ts'

const declaredMembers = `FUNCTION_BLOCK "F"
VAR_INPUT
  start : Bool;
  speed : Real;
END_VAR
VAR
  motor : Struct
    run : Bool;
    limits : Array[0..3] of Struct
      low : Int;
    END_STRUCT;
  END_STRUCT;
  drive : "UDT_drive";
  drives : Array[0..1, 0..2] of "UDT_drive";
  unknown : "UDT_unknown";
  ref : REF_TO "UDT_drive";
END_VAR
BEGIN
END_FUNCTION_BLOCK`
const sections = readSource(declaredMembers).blocks[0]?.object.interface ?? []

const member = (name: string, dataType: string): InterfaceMember => ({
  name,
  dataType,
  comment: {},
  attributes: [],
  members: [],
})

function check(text: string, scope: Partial<NameScope> = {}) {
  const { tree, diagnostics: faults } = parseScl(text)
  assert.deepEqual(faults, [])
  const { diagnostics, globals } = checkNames(tree, {
    sections,
    membersOf: (type) => (type === 'UDT_drive' ? [member('torque', 'Real'), member('axis', 'Int')] : undefined),
    ...scope,
  })
  return {
    faults: diagnostics.map(({ code, start, end }) => `${code}@${text.slice(start, end)}`),
    messages: diagnostics.map(({ message }) => message),
    globals: globals.map(({ token, access }) => `${nameOf(tree.tokens, token)} ${access}`),
  }
}

test('declared names and known members are right, whatever their case, with or without #', () => {
  assert.deepEqual(
    check(`#START := start AND #motor.RUN;
      #motor.limits[#motor.limits[0].low].low := 1;
      #drives[1, 2].torque := #drive.torque;
      #unknown.anything := #ref^.anything;
      ENO := #speed > 0.0;
      #motor.limits[1].low.%X3 := TRUE;`).faults,
    [],
  )
})

test('undeclared names and unknown members are told with the nearest name', () => {
  const { faults, messages } = check(`#strat := TRUE; #motor.rum := #drive.tork; #motor.limits[0].high := 1;
    #drives[0, 0].axes := nowhere; #start.x := 1;`)
  assert.deepEqual(faults, [
    'scl-undeclared@#strat',
    'scl-unknown-member@rum',
    'scl-unknown-member@tork',
    'scl-unknown-member@high',
    'scl-unknown-member@axes',
    'scl-undeclared@nowhere',
    'scl-no-members@x',
  ])
  assert.match(messages[0] as string, /did you mean "start"/)
  assert.match(messages[1] as string, /did you mean "run"/)
})

test('global names are collected with what is done to them', () => {
  assert.deepEqual(
    check(`"DB".a[#motor.limits["i".x].low] := "T" + %MW10;
      "FC"(in := "A", out => "B"); MyFunction(MW20); #speed := ABS(#speed);
      "C" += 1; FOR "i" := 0 TO "n" DO "D" ?= "E"; END_FOR;`).globals,
    [
      'DB Write',
      'i Read',
      'T Read',
      '%MW10 Read',
      'FC Call',
      'A Read',
      'B Write',
      'MyFunction Call',
      'MW20 Read',
      'ABS Call',
      'C ReadWrite',
      'i ReadWrite',
      'n Read',
      'D Write',
      'E Read',
    ],
  )
})

test('words that the caller knows are not undeclared', () => {
  assert.deepEqual(check('Scale := MAX_SPEED;').faults, ['scl-undeclared@Scale', 'scl-undeclared@MAX_SPEED'])
  const isGlobal = (name: string) => name === 'MAX_SPEED'
  assert.deepEqual(check('Scale := MAX_SPEED;', { known: new Set(['SCALE']), isGlobal }).faults, [])
})
