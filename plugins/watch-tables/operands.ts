/**
 * Operands of watch and force tables: symbols in quotes (`"Start"`, `"DB".speed[2]`), or absolute addresses (`%MW10`).
 * A symbol is in the `Name` of a row, an address in its `Address`; the address of a symbol is only information
 * (docs/formats.md#watch-and-force-tables).
 */

import { defined, problem } from '../../core/index.ts'
import { quoted } from '../../plc/model/names.ts'
import { parseOperand } from '../../plc/model/operand-reader.ts'
import { operandText, pathText } from '../../plc/model/operand-text.ts'
import { nameFault } from '../program-objects/index.ts'
import type { OperandTypes, ProgramSymbols, Step } from './symbols.ts'

/** The operand of a row. */
export interface RowOperand {
  /** For example `"Start"`; empty when the row has only an address. */
  readonly name: string
  /** For example `%M0.0`; empty when the symbol has none, or it is unknown. */
  readonly address: string
  /**
   * Undefined when the program does not define it. For an address without a tag it is the type of its width: `Bool`,
   * `Byte`, `Word`, `DWord`, …
   */
  readonly dataType?: string
  /** True when only the width is known. */
  readonly isWidth?: boolean
  /** A warning about a symbol that the program does not contain. */
  readonly warning?: string
}

type Operand = NonNullable<ReturnType<typeof parseOperand>>

/** Areas of addresses that tables accept. */
const shownAreas = ['Input', 'Output', 'Memory', 'PeripheryInput', 'PeripheryOutput', 'DB', 'Timer', 'Counter']

/** A name without quotes that may be a symbol. */
const bareName = /^[\p{L}_][\p{L}\p{N} _/()+-]*$/u

/**
 * Converts a symbol or an address from a request to the form stored in the table. The address of a tag, and the tag of
 * an address, are added. A plain name (`Start`, `DB.speed`) is put in quotes. German mnemonics, a missing `%`, and
 * `PEW64` of STEP 7 classic are accepted.
 * @throws GatewayError `invalid_input` when the text is neither a symbol nor an address
 */
export async function operandOf(
  text: string,
  field: string,
  symbols: ProgramSymbols,
  types: OperandTypes,
): Promise<RowOperand> {
  if (/[\p{Cc}\p{Surrogate}]/u.test(text)) throw refused(field, text, 'has a character in it that no name can have')
  const operand = meant(text.trim(), symbols)
  if (operand?.kind === 'address' && shownAreas.includes(operand.area) && operand.type !== 'Block_DB')
    return addressRow(operandText(operand), operand.type, symbols)
  if (operand?.kind === 'symbol' && (operand.scope === 'GlobalVariable' || operand.scope === 'Undef')) {
    const faults = operand.path.map(({ name }) => (name === '' ? undefined : nameFault(name)))
    const fault = faults.find((one) => one !== undefined)
    if (fault === undefined) return symbolRow(operand, symbols, types)
    throw refused(field, text, `has a name in it that ${fault}`)
  }
  const isLocal = operand?.kind === 'symbol'
  const message = isLocal
    ? 'is visible in its block only; tables show tags, members of data blocks, and addresses'
    : 'is no operand: a symbol such as "Start" or "DB".speed is, or an address such as %I0.0, %MW10, %DB1.DBX0.0'
  throw refused(field, text, message)
}

function refused(field: string, text: string, message: string) {
  return problem('invalid_input', `${field}: ${JSON.stringify(text)} ${message}.`, {
    errors: [{ path: field, message, value: text }],
  })
}

function meant(text: string, symbols: ProgramSymbols): Operand | undefined {
  if (!text.includes('"') && symbols.find(text)) return parseOperand(quoted(text))
  const operand = parseOperand(text)
  const bare = operand?.kind === 'symbol' && operand.scope === 'Undef' ? operand.path[0]?.name : undefined
  if (operand && (bare === undefined || symbols.find(bare))) return operand
  const classic = /^%?P([IQEA])([BWD])(\d+)$/i.exec(text)
  const address = parseOperand(classic ? `%${classic[1]}${classic[2]}${classic[3]}:P` : `%${text}`)
  return address ?? operand ?? (bareName.test(text) ? parseOperand(quoted(text)) : undefined)
}

function addressRow(address: string, type: string, symbols: ProgramSymbols): RowOperand {
  const direct = address.endsWith(':P') ? ':P' : ''
  const tag = symbols.tagAt(address.replace(/:P$/, ''))
  if (tag) return { name: `${quoted(tag.name)}${direct}`, address, dataType: tag.dataType }
  return { name: '', address, dataType: type, isWidth: true }
}

async function symbolRow(
  { path }: Operand & { kind: 'symbol' },
  symbols: ProgramSymbols,
  types: OperandTypes,
): Promise<RowOperand> {
  const [first, ...rest] = path
  const owner = first && symbols.find(first.name)
  if (!owner) {
    const warning = `There is no tag or data block "${first?.name}".`
    return { name: pathText('GlobalVariable', path), address: '', warning }
  }
  const declared = 'tag' in owner ? owner.tag.name : owner.block.name
  const isWhole = rest.length === 0 && first.indices === undefined && first.slice === undefined
  const direct = first.access === 'Periphery' ? ':P' : ''
  const address = 'tag' in owner && isWhole && owner.tag.logicalAddress !== '' ? owner.tag.logicalAddress + direct : ''
  const steps = path.map((part): Step => {
    const isElement = part.indices !== undefined
    return { name: part.name, isElement, ...defined({ slice: part.slice }) }
  })
  // Written as in the declarations.
  const { dataType, names } = await types.of(owner, steps)
  const members = rest.map((part, i) => ({ ...part, name: names[i]! }))
  const name = pathText('GlobalVariable', [{ ...first, name: declared }, ...members])
  if (dataType !== undefined) return { name, address, dataType }
  const warning =
    isWhole && 'block' in owner ? `"${declared}" is a block: its members can be shown.` : `There is no ${name}.`
  return { name, address, warning }
}
