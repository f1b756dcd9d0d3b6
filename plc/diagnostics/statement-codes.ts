/** Codes of diagnostics about statement lists (STL) and sequencers (GRAPH), with an example each. */
import type { DiagnosticCode } from './diagnostic-code.ts'

const stl = (body: string, temporaries = '') =>
  `FUNCTION_BLOCK "Motor"\nVAR\n  a : Bool;\n  q : Bool;\n  n : Int;\nEND_VAR\n${temporaries}BEGIN\nNETWORK\nTITLE =\n${body}\nEND_FUNCTION_BLOCK\n`

function error(
  title: string,
  explanation: string,
  fails: string,
  passes: string,
  temporaries?: string,
): DiagnosticCode {
  return { severity: 'error', title, explanation, fails: stl(fails, temporaries), passes: stl(passes) }
}

/** Diagnostic codes by name. */
export const statementCodes = {
  'unknown-statement': error(
    'The instruction is not known',
    'A line of a statement list begins with a word that is no instruction of STL, or with one that S7-1500 does not have, such as the master control relay.',
    '      A #a;\n      MCRA;\n      = #q;',
    '      A #a;\n      = #q;',
  ),
  'missing-operand': error(
    'The instruction needs an operand',
    'Most instructions of STL work on an operand: A #x, L 5, JU label.',
    '      A #a;\n      =;',
    '      A #a;\n      = #q;',
  ),
  'unbalanced-bracket': error(
    'Brackets do not belong together',
    'Every A(, O( and X( is closed by a ) in the same network. A jump leads neither into a bracket nor out of one.',
    '      A(;\n      A #a;\n      = #q;',
    '      A(;\n      A #a;\n      );\n      = #q;',
  ),
  'duplicate-label': error(
    'A label stands twice',
    'Each label stands once in a block. Case does not matter.',
    '      JU next;\nnext: SET;\nnext: = #q;',
    '      JU next;\nnext: SET;\nlast: = #q;',
  ),
  'no-open-block': error(
    'No data block is open',
    'DBX, DBB, DBW and DBD mean the data block that OPN opened before, in the same block.',
    '      L DBW 2;\n      T #n;',
    '      L MW 2;\n      T #n;',
  ),
  'unsupported-operand': error(
    'The operand cannot be used',
    'The operand is of a kind that this compiler has no code for: addresses of declared temporaries, pointers to variables that have no address. The message names it.',
    '      LAR1 P##pad;',
    '      LAR1 P##a;',
    'VAR_TEMP\n  pad : Int;\nEND_VAR\n',
  ),
} satisfies Readonly<Record<string, DiagnosticCode>>
