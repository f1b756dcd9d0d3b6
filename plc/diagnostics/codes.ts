/**
 * Codes of diagnostics: the meaning of each, with an example that has it and an example that does not. The tests
 * compile the examples.
 */

import { checkCodes } from './check-codes.ts'
import { compileCodes } from './compile-codes.ts'
import type { DiagnosticCode } from './diagnostic-code.ts'
import { instructionCodes } from './instruction-codes.ts'
import { ladderCodes } from './ladder-codes.ts'
import { sclCodes } from './scl-codes.ts'
import { sequenceCodes } from './sequence-codes.ts'
import { statementCodes } from './statement-codes.ts'
import { syntaxCodes } from './syntax-codes.ts'

const fb = (sections: string, more = '') => `${more}FUNCTION_BLOCK "Motor"\n${sections}\nBEGIN\nEND_FUNCTION_BLOCK\n`
const type = (name: string, members: string) => `TYPE "${name}"\nSTRUCT\n${members}\nEND_STRUCT;\nEND_TYPE\n`
const db = (name: string, rest: string) => `DATA_BLOCK "${name}"\n${rest}\nEND_DATA_BLOCK\n`
const access = (isOptimized: boolean) => `{ S7_Optimized_Access := '${isOptimized ? 'TRUE' : 'FALSE'}' }`

const linkCodes = {
  'unknown-type': {
    severity: 'error',
    title: 'The data type does not exist',
    explanation:
      'A declaration names a PLC data type, function block or system type that is not in the program. Names of the program stand in quotes, those of the system do not.',
    fails: fb('VAR\n  limits : "Limits";\nEND_VAR'),
    passes: fb('VAR\n  limits : "Limits";\nEND_VAR', type('Limits', '  low : Real;')),
  },
  'type-syntax': {
    severity: 'error',
    title: 'The data type cannot be read',
    explanation: 'Types are written Int, "UDT_Motor", Array[0..9, 1..4] of Real, String[20], Struct or REF_TO Int.',
    fails: fb('VAR\n  list : Array[0..9, 1] of Int;\nEND_VAR'),
    passes: fb('VAR\n  list : Array[0..9, 1..2] of Int;\nEND_VAR'),
  },
  'type-not-allowed': {
    severity: 'error',
    title: 'The data type cannot stand here',
    explanation:
      'Instances of function blocks stand in Static or in parameters, not in Temp or PLC data types. Array[*] is for parameters of functions and in-outs of function blocks. Variant and Any are for parameters and Temp, since nothing stores them. Void is for the return value of a function alone. A reference points to no reference.',
    fails: fb('VAR\n  list : Array[*] of Int;\nEND_VAR'),
    passes: fb('VAR_IN_OUT\n  list : Array[*] of Int;\nEND_VAR'),
  },
  'type-too-deep': {
    severity: 'error',
    title: 'Types are nested too deep',
    explanation: 'A type holds a type that holds a type, more than 100 levels down.',
    fails: Array.from({ length: 103 }, (_, i) => type(`T${i}`, `  inner : ${i === 102 ? 'Int' : `"T${i + 1}"`};`)).join(
      '',
    ),
    passes: type('T0', '  inner : "T1";') + type('T1', '  inner : Int;'),
  },
  'recursive-type': {
    severity: 'error',
    title: 'A type contains itself',
    explanation:
      'A structure that holds itself, directly or through others, would be endless. A reference or an in-out parameter may be of the own type.',
    fails: type('Node', '  next : "Item";') + type('Item', '  owner : "Node";'),
    passes: type('Node', '  next : REF_TO "Item";') + type('Item', '  owner : "Node";'),
  },
  'array-limits': {
    severity: 'error',
    title: 'The limits are not possible',
    explanation:
      'The lower limit of an array is not above the upper one, and both are values of DInt. A String has room for 0 to 254 characters, a WString for 0 to 16382.',
    fails: fb('VAR\n  list : Array[9..0] of Int;\nEND_VAR'),
    passes: fb('VAR\n  list : Array[0..9] of Int;\nEND_VAR'),
  },
  'unknown-constant': {
    severity: 'error',
    title: 'The constant of a limit does not exist',
    explanation:
      'Limits of arrays and lengths of strings are whole numbers, user constants, or constants of the block.',
    fails: fb('VAR\n  list : Array[0..#LAST] of Int;\nEND_VAR'),
    passes: fb('VAR\n  list : Array[0..#LAST] of Int;\nEND_VAR\nVAR CONSTANT\n  LAST : Int := 9;\nEND_VAR'),
  },
  'duplicate-member': {
    severity: 'error',
    title: 'A member is declared twice',
    explanation:
      'Members of a block or structure have different names; case does not count. In a function with a value its own name is the value, and no member has it.',
    fails: fb('VAR\n  speed : Int;\n  Speed : Real;\nEND_VAR'),
    passes: fb('VAR\n  speed : Int;\n  speedReal : Real;\nEND_VAR'),
  },
  'duplicate-name': {
    severity: 'error',
    title: 'A name is used twice',
    explanation:
      'Blocks, PLC data types, tags and user constants of a controller share their names; case does not count.',
    fails: fb('') + type('Motor', '  speed : Int;'),
    passes: fb('') + type('MotorData', '  speed : Int;'),
  },
  'duplicate-number': {
    severity: 'error',
    title: 'A number is used twice',
    explanation: 'Two blocks of one kind have the same number. Data blocks of all kinds count together.',
    fails: 'FUNCTION_BLOCK FB7\nBEGIN\nEND_FUNCTION_BLOCK\nFUNCTION_BLOCK FB07\nBEGIN\nEND_FUNCTION_BLOCK\n',
    passes: 'FUNCTION_BLOCK FB7\nBEGIN\nEND_FUNCTION_BLOCK\nFUNCTION_BLOCK FB8\nBEGIN\nEND_FUNCTION_BLOCK\n',
  },
  'overlay-unknown': {
    severity: 'error',
    title: 'What is overlaid is not there',
    explanation: 'An overlay (AT) shares the memory of a member that is declared before it in the same section.',
    fails: fb('VAR\n  bits AT word : Array[0..15] of Bool;\n  word : Word;\nEND_VAR'),
    passes: fb('VAR\n  word : Word;\n  bits AT word : Array[0..15] of Bool;\nEND_VAR', '').replace(
      '"Motor"\n',
      `"Motor"\n${access(false)}\n`,
    ),
  },
  'overlay-too-large': {
    severity: 'error',
    title: 'The overlay is too large',
    explanation: 'An overlay (AT) is not larger than the member whose memory it shares.',
    fails: fb('VAR\n  word : Word;\n  bytes AT word : Array[0..3] of Byte;\nEND_VAR'),
    passes: fb('VAR\n  word : Word;\n  bytes AT word : Array[0..1] of Byte;\nEND_VAR'),
  },
  'start-value': {
    severity: 'error',
    title: 'The start value does not fit its type',
    explanation:
      'A start value is a constant of the type, in its range; a list for an array, with at most as many values as it has elements.',
    fails: fb('VAR\n  count : Int := 40000;\nEND_VAR'),
    passes: fb('VAR\n  count : DInt := 40000;\nEND_VAR'),
  },
  'start-value-path': {
    severity: 'error',
    title: 'The start value is of a part that is not there',
    explanation: 'An assignment in a data block names a member or an element that its type does not have.',
    fails: db('Data', 'STRUCT\n  list : Array[0..3] of Int;\nEND_STRUCT;\nBEGIN\n  list[4] := 1;'),
    passes: db('Data', 'STRUCT\n  list : Array[0..3] of Int;\nEND_STRUCT;\nBEGIN\n  list[3] := 1;'),
  },
  'temporary-start-value': {
    severity: 'warning',
    title: 'A temporary member has a start value',
    explanation:
      'TIA Portal knows no start values of Temp; here the value is assigned at the beginning of every call, as IEC 61131-3 has it. VAR means Temp in functions and organization blocks.',
    fails: fb('VAR_TEMP\n  sum : Int := 10;\nEND_VAR'),
    passes: fb('VAR_TEMP\n  sum : Int;\nEND_VAR'),
  },
  'instance-of-unknown': {
    severity: 'error',
    title: 'The block of an instance does not exist',
    explanation:
      'An instance data block belongs to a function block, PLC data type or system type that is not in the program.',
    fails: db('Motor_1', '"Motor"\nBEGIN'),
    passes: fb('') + db('Motor_1', '"Motor"\nBEGIN'),
  },
  'block-too-large': {
    severity: 'error',
    title: 'The data of a block are too large',
    explanation: 'Data of a block with standard access take at most 64 KiB, with optimized access 16 MiB.',
    fails: db('Data', 'STRUCT\n  list : Array[0..20000000] of LReal;\nEND_STRUCT;\nBEGIN'),
    passes: db('Data', 'STRUCT\n  list : Array[0..20000] of LReal;\nEND_STRUCT;\nBEGIN'),
  },
  'tag-address': {
    severity: 'error',
    title: 'The address of a tag cannot be read, or does not exist',
    explanation:
      'No CPU has more than 32768 bytes of inputs, 32768 of outputs, 16384 of bit memory. Addresses of tags are written %I0.0, %QB4, %MW10, %MD20, %ML8, %T1, %C1. The example is the text of a row: name, type, address.',
    fails: '"Start" Bool %I0.8',
    passes: '"Start" Bool %I0.7',
  },
} satisfies Readonly<Record<string, DiagnosticCode>>

const allCodes = {
  ...linkCodes,
  ...instructionCodes,
  ...ladderCodes,
  ...statementCodes,
  ...sequenceCodes,
  ...sclCodes,
  ...syntaxCodes,
  ...compileCodes,
  ...checkCodes,
}

/** A code of the tables; another one does not compile. */
export type KnownCode = keyof typeof allCodes

/** All codes, from the tables of this folder. */
export const diagnosticCodes: ReadonlyMap<string, DiagnosticCode> = new Map(Object.entries<DiagnosticCode>(allCodes))

/** Returns the description of a diagnostic code. */
export function codeOf(code: KnownCode): DiagnosticCode {
  return allCodes[code]
}
