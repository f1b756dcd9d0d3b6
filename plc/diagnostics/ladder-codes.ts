/**
 * Codes of diagnostics about LAD and FBD networks, which have no source text. The examples are network expressions
 * (`plc/languages/ladder/expression.ts`) in a block with the members `a b q : Bool; x y : Int; d : DInt`, or SimaticML
 * where an expression cannot show the fault.
 */
import type { DiagnosticCode } from './diagnostic-code.ts'

function error(title: string, explanation: string, fails: string, passes: string): DiagnosticCode {
  return { severity: 'error', title, explanation, fails, passes }
}

function local(uId: number, name: string): string {
  return `<Access Scope="LocalVariable" UId="${uId}"><Symbol><Component Name="${name}" /></Symbol></Access>`
}

/** Two gates `21` and `22` with two inputs each, and a coil of #q after the second one. */
function gates(...wires: readonly string[]): string {
  const gate = (uId: number) =>
    `<Part Name="O" UId="${uId}"><TemplateValue Name="Card" Type="Cardinality">2</TemplateValue></Part>`
  const all = [
    wire(operand(24), pin(21, 'in2')),
    wire(operand(25), pin(22, 'in2')),
    wire(operand(26), pin(23, 'operand')),
    wire(pin(22, 'out'), pin(23, 'in')),
    ...wires,
  ]
  const numbered = all.map((ends, i) => `<Wire UId="${30 + i}">${ends}</Wire>`)
  const parts = [local(24, 'a'), local(25, 'b'), local(26, 'q'), local(27, 'a'), gate(21), gate(22)]
  return `<FlgNet><Parts>${parts.join('')}<Part Name="Coil" UId="23" /></Parts><Wires>${numbered.join('')}</Wires></FlgNet>`
}

function wire(...ends: readonly string[]): string {
  return ends.join('')
}

function pin(uId: number, name: string): string {
  return `<NameCon UId="${uId}" Name="${name}" />`
}

function operand(uId: number): string {
  return `<IdentCon UId="${uId}" />`
}

/** A network with a label and a coil. */
function labelled(name: string): string {
  const label = `<Labels><LabelDeclaration UId="20"><Label Name="${name}" /></LabelDeclaration></Labels>`
  const parts = `<Parts>${local(24, 'a')}${local(26, 'q')}<Part Name="Contact" UId="21" /><Part Name="Coil" UId="23" /></Parts>`
  const wires = [
    wire('<Powerrail />', pin(21, 'in')),
    wire(operand(24), pin(21, 'operand')),
    wire(pin(21, 'out'), pin(23, 'in')),
    wire(operand(26), pin(23, 'operand')),
  ].map((ends, i) => `<Wire UId="${30 + i}">${ends}</Wire>`)
  return `<FlgNet>${label}${parts}<Wires>${wires.join('')}</Wires></FlgNet>`
}

const inSeries = [wire(operand(27), pin(21, 'in1')), wire(pin(21, 'out'), pin(22, 'in1'))]

/** Diagnostic codes by name. */
export const ladderCodes = {
  'open-pin': error(
    'Nothing is connected to an input',
    'Contacts, coils, gates and boxes need all their inputs but EN, which may be left open. Connect an operand, the power rail or another element.',
    '#q := A(???, #b);',
    '#q := A(#a, #b);',
  ),
  'connection-ring': error(
    'Connections lead round in a ring',
    'The value of an element depends on itself. Write it to an operand and read that: it then has the value of the cycle before.',
    gates(wire(pin(22, 'out'), pin(21, 'in1')), wire(pin(21, 'out'), pin(22, 'in1'))),
    gates(...inSeries),
  ),
  'wrong-connection': error(
    'A connection leads to something that cannot take it',
    'An input has two sources, or an operand is connected with an operand. Every input is fed from one place.',
    gates(...inSeries, wire(operand(25), operand(26))),
    gates(...inSeries),
  ),
  'unknown-part': error(
    'The instruction cannot be compiled',
    'The network uses an instruction that is not supported here, or one that stands only in the conditions of GRAPH blocks.',
    'TrCoil() := #a;',
    '#q := #a;',
  ),
  'wrong-part': error(
    'The instruction is not complete',
    'A box lacks what it needs beside its pins: the types it converts between, or its formula.',
    "#x := Calc{Int}('', #y);",
    "#x := Calc{Int}('IN1 + 1', #y);",
  ),
  'wrong-expression': error(
    'The formula of a Calc box cannot be read',
    'A formula is one SCL expression of IN1, IN2 … with functions such as ABS or SQRT.',
    "#x := Calc{Int}('IN1 +', #y);",
    "#x := Calc{Int}('IN1 + 1', #y);",
  ),
  'no-label': error(
    'A jump leads to no label',
    'A label stands at the beginning of a network of the same block; jumps name it.',
    'JMP(end) := #a;',
    '#q := #a;',
  ),
  'second-jump': error(
    'A network jumps or returns twice',
    'Only one coil JMP, JMPN or RET stands in a network. Put the other one into a network of its own.',
    'done:\nJMP(done) := #a;\nRET() := #b;',
    'done:\nJMP(done) := #a;',
  ),
  'wrong-label': error(
    'The name of a label does not begin with a letter',
    'Labels have letters and digits, a letter first.',
    labelled('1st'),
    labelled('first'),
  ),
  'lossy-conversion': {
    severity: 'warning',
    title: 'A number may not fit where it goes',
    explanation:
      'A number is converted to a smaller type; a pin of LAD or FBD also takes a real as a whole number, or a whole number as a time. What does not fit is cut off or rounded, and ENO becomes FALSE. With the block property "IEC check" this is an error.',
    fails: '#x := #d + 1;',
    passes: '#d := #d + 1;',
  },
} satisfies Readonly<Record<string, DiagnosticCode>>
