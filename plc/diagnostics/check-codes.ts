/**
 * Codes of warnings about code that is correct but probably not intended, in one block or in the whole program. The
 * examples are sources.
 */
import type { DiagnosticCode } from './diagnostic-code.ts'

const fc = (body: string, temporaries = '') =>
  `FUNCTION "Scale" : Int\nVAR_INPUT\n  raw : Int;\nEND_VAR\n${temporaries === '' ? '' : `VAR_TEMP\n  ${temporaries}\nEND_VAR\n`}BEGIN\n  ${body}\nEND_FUNCTION\n`

function warning(title: string, explanation: string, fails: string, passes: string): DiagnosticCode {
  return { severity: 'warning', title, explanation, fails, passes }
}

/** Diagnostic codes by name. */
export const checkCodes = {
  'unused-temporary': warning(
    'A temporary is never used',
    'The interface declares a temporary that no network names. The start information of organization blocks is not meant.',
    fc('#Scale := #raw;', 'sum : Int;'),
    fc('#sum := #raw + 1;\n  #Scale := #sum;', 'sum : Int;'),
  ),
  'uninitialised-temporary': warning(
    'A temporary is read before it has a value',
    'Temporaries hold no defined value at the beginning of a call. This one is read where nothing was assigned to it on any way that leads there; what is assigned in a loop, or between labels, counts as assigned.',
    fc('#Scale := #sum;\n  #sum := #raw;', 'sum : Int;'),
    fc('#sum := #raw;\n  #Scale := #sum;', 'sum : Int;'),
  ),
  'text-cut': warning(
    'A text is longer than its variable',
    'A text that is assigned to a String or WString is cut to its length. This constant has more characters than the variable takes.',
    fc("#name := 'conveyor';\n  #Scale := LEN(#name);", 'name : String[4];'),
    fc("#name := 'conveyor';\n  #Scale := LEN(#name);", 'name : String[8];'),
  ),
  unreachable: warning(
    'The statement is never reached',
    'It stands behind RETURN, EXIT, CONTINUE, GOTO, BEU or JU, and no label stands between them.',
    fc('#Scale := #raw;\n  RETURN;\n  #Scale := 0;'),
    fc('#Scale := #raw;\n  IF #raw > 0 THEN\n    RETURN;\n  END_IF;\n  #Scale := 0;'),
  ),
  'recursive-call': warning(
    'A block calls itself',
    'The calls of a block lead back to it, directly or through others. That is allowed, but the depth of calls is limited. The message names the way.',
    'FUNCTION "A" : Void\nBEGIN\n  "B"();\nEND_FUNCTION\nFUNCTION "B" : Void\nBEGIN\n  "A"();\nEND_FUNCTION\n',
    'FUNCTION "A" : Void\nBEGIN\n  "B"();\nEND_FUNCTION\nFUNCTION "B" : Void\nBEGIN\n  ;\nEND_FUNCTION\n',
  ),
  'overlapping-outputs': warning(
    'An output is assigned at two places',
    'Two blocks assign the same bits of the outputs, or two coils of one block do: only the last assignment of a cycle counts. Set and reset, blocks of the startup and blocks that no organization block reaches are not meant.',
    'FUNCTION "A" : Void\nBEGIN\n  %Q0.3 := TRUE;\nEND_FUNCTION\nFUNCTION "B" : Void\nBEGIN\n  %QB0 := 16#0F;\nEND_FUNCTION\n',
    'FUNCTION "A" : Void\nBEGIN\n  %Q0.3 := TRUE;\nEND_FUNCTION\nFUNCTION "B" : Void\nBEGIN\n  %QB1 := 16#0F;\nEND_FUNCTION\n',
  ),
} satisfies Readonly<Record<string, DiagnosticCode>>
