/**
 * Names and data types as SIMATIC SD spells them: quotes only where needed, global types after the root namespace `_`
 * (docs/formats.md#simatic-sd).
 */

import { isReservedWord } from '../../model/keywords.ts'
import { isLanguageWord, quoted } from '../../model/names.ts'
import type { Operand, PathComponent, SymbolScope } from '../../model/operand.ts'
import { operandText } from '../../model/operand-text.ts'

const plain = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Letters of memory areas and of literals. TIA Portal quotes `"M"`, `"i"`, `"A"`, `"B"`, but not `S`, `H`, `j`, `n`.
 */
const letters: ReadonlySet<string> = new Set('A B C D E I L M P Q T W X Z'.split(' '))
const sdWords: ReadonlySet<string> = new Set(
  'RUNG END_RUNG END_NETWORK WIRE END_REGION EN ENO VAR_GLOBAL VAR_EXTERNAL'.split(' '),
)
/** Words that begin the name of a block by its number: `DB 5`. */
const blockWords: ReadonlySet<string> = new Set('OB FB FC DB UDT DI'.split(' '))

/**
 * Spells the name of a declaration, a type or a block: quoted unless it is a plain ASCII name without another meaning.
 */
export function sdName(name: string): string {
  return isLanguageWord(name) || blockWords.has(name.toUpperCase()) ? quoted(name) : pathName(name)
}

/** Spells a name after `#` or `.`, where no data type is possible. */
function pathName(name: string): string {
  const upper = name.toUpperCase()
  const isPlain = plain.test(name) && !isReservedWord(name) && !letters.has(upper) && !sdWords.has(upper)
  return isPlain ? name : quoted(name)
}

/** `Array[0.."MAX"] of "UDT_x"` -> `Array[0.._.MAX] of _.UDT_x`. */
export function typeToSd(dataType: string): string {
  return dataType
    .replace(/"([^"]*)"/g, (_, name: string) => `_.${sdName(name)}`)
    .replace(/(^| of )Struct$/i, (_, before: string) => `${before}STRUCT`)
}

/** The inverse of `typeToSd`; names in deeper namespaces stay as they are. */
export function typeFromSd(dataType: string): string {
  return dataType.replace(
    /"[^"]*"|(?<![\p{L}\p{N}_])_((?:\.(?:"[^"]*"|[\p{L}\p{N}_]+))+)/gu,
    (whole: string, path: string | undefined) => {
      if (path === undefined) return whole
      const name = /^\.("[^"]*"|[^.]+)$/.exec(path)?.[1]
      if (name === undefined) return whole
      return name.startsWith('"') ? name : quoted(name)
    },
  )
}

/** Text of an operand: `operandText` with the names of this format. */
export function sdOperand(operand: Operand): string {
  if (operand.kind === 'symbol') return sdPath(operand.scope, operand.path)
  if (operand.kind === 'constant' && operand.scope === 'LocalConstant') return `#${pathName(operand.name)}`
  return operandText(operand)
}

/** Text of a symbol's or instance's path. */
export function sdPath(scope: SymbolScope, path: readonly PathComponent[]): string {
  let text = ''
  for (const [index, { name, indices, slice, access }] of path.entries()) {
    if (index > 0) {
      if (name !== '' || slice === undefined) text += `.${pathName(name)}`
    } else if (scope === 'LocalVariable') text += `#${pathName(name)}`
    else text += scope === 'GlobalVariable' ? quoted(name) : plain.test(name) ? name : quoted(name)
    if (indices !== undefined) text += `[${indices.map(sdOperand).join(', ')}]`
    if (slice !== undefined) text += `.%${slice.toUpperCase()}`
    if (access !== undefined) text += access === 'Periphery' ? ':P' : ':QI'
  }
  return text
}
