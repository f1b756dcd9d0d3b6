/** Codes of what the parser of SCL finds. */
import type { DiagnosticCode } from './diagnostic-code.ts'

const fb = (body: string) =>
  `FUNCTION_BLOCK "Motor"\nVAR\n  x : Int;\n  isOn : Bool;\nEND_VAR\nBEGIN\n  ${body}\nEND_FUNCTION_BLOCK\n`

function entry(title: string, explanation: string, fails: string, passes: string): DiagnosticCode {
  return { severity: 'error', title, explanation, fails: fb(fails), passes: fb(passes) }
}

/** By code. */
export const syntaxCodes = {
  'scl-token': entry(
    'Characters that are no word of SCL',
    'A text, name or comment has no end, or a character or operator is of another language: SCL compares with = and <>, and has AND, OR and NOT.',
    'IF #x == 1 THEN #x := 0; END_IF;',
    'IF #x = 1 THEN #x := 0; END_IF;',
  ),
  'scl-expected': entry(
    'Another word or sign is expected',
    'The statement is not finished as its first words require; the message names what is missing.',
    'IF #isOn #x := 0; END_IF;',
    'IF #isOn THEN #x := 0; END_IF;',
  ),
  'scl-missing-semicolon': entry(
    'A semicolon is missing',
    'Every statement ends with a semicolon, also END_IF and the like.',
    '#x := 1\n  #x := #x + 1;',
    '#x := 1;\n  #x := #x + 1;',
  ),
  'scl-missing-expression': entry(
    'An expression is missing',
    'A value is expected: behind :=, an operator, an opening bracket or a comma.',
    '#x := ;',
    '#x := 1;',
  ),
  'scl-not-a-statement': entry(
    'No statement begins like this',
    'A statement is an assignment, a call, or begins with a keyword such as IF. A value alone does nothing.',
    '#x + 1;',
    '#x += 1;',
  ),
  'scl-unclosed': entry(
    'A statement has no end',
    'IF, CASE, FOR, WHILE, REPEAT and REGION have an end of their own: END_IF, END_CASE and so on.',
    'IF #isOn THEN #x := 0;',
    'IF #isOn THEN #x := 0; END_IF;',
  ),
  'scl-stray-end': entry(
    'An end without its beginning',
    'END_IF, END_FOR, ELSE and the like belong to a statement that is open there.',
    '#x := 0; END_IF;',
    'IF #isOn THEN #x := 0; END_IF;',
  ),
  'scl-too-deep': entry(
    'Nested too deep',
    'Brackets and statements are nested too deep, or a chain of operators is too long, to be read. Divide them.',
    `#x := ${'('.repeat(2000)}1${')'.repeat(2000)};`,
    '#x := (1);',
  ),
  'scl-too-many-faults': entry(
    'There are more faults',
    'Only the first 200 faults of a text are listed.',
    '#x := ;\n  '.repeat(202),
    '#x := 1;',
  ),
} satisfies Readonly<Record<string, DiagnosticCode>>
