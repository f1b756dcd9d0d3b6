/** `StatementList` (STL) to statement text in the international mnemonics (SW.PlcBlocks.STL_v5.xsd, STL_TE). */

import { quoted } from '../model/names.ts'
import { operandText, symbolText } from './operand.ts'
import { child, type XmlElement } from './xml.ts'

/** Names of the schema that are not the spelling on the keyboard. */
const MNEMONICS: Readonly<Record<string, string>> = {
  Assign: '=',
  Rise: 'FP',
  Fall: 'FN',
  Extend: 'SE',
  Free: 'FR',
  OffDelay: 'SF',
  Retentive: 'SS',
  OnDelay: 'SD',
  Pulse: 'SP',
  OPEN_DB: 'OPN',
  OPEN_DI: 'OPN',
  BEC: 'BEC',
  JUN: 'JUO',
  JOS: 'JOS',
  ADD: '+',
  ADDAR1: '+AR1',
  ADDAR2: '+AR2',
  SRSD: 'SSD',
  SRSW: 'SSI',
  INV_I: 'INVI',
  INV_D: 'INVD',
  NEG_I: 'NEGI',
  NEG_D: 'NEGD',
  NEG_R: 'NEGR',
  ABS_R: 'ABS',
  RND_M: 'RND-',
  RND_P: 'RND+',
  MOD_D: 'MOD',
  A_BRACK: 'A(',
  AN_BRACK: 'AN(',
  O_BRACK: 'O(',
  ON_BRACK: 'ON(',
  X_BRACK: 'X(',
  XN_BRACK: 'XN(',
  BRACKET: ')',
  MCR_BRACK: 'MCR(',
  BRACK_MCR: ')MCR',
  NOP_0: 'NOP 0',
  NOP_1: 'NOP 1',
  TAR1_ACCU1: 'TAR1',
  TAR2_ACCU1: 'TAR2',
  LAR1_ACCU1: 'LAR1',
  LAR2_ACCU1: 'LAR2',
  LAR1_AR2: 'LAR1 AR2',
  TAR1_AR2: 'TAR1 AR2',
  L_DBLG: 'L DBLG',
  L_DILG: 'L DILG',
  L_DBNO: 'L DBNO',
  L_DINO: 'L DINO',
  NEG: 'NOT',
}

const ARITHMETIC: Readonly<Record<string, string>> = { ADD: '+', SUB: '-', MUL: '*', DIV: '/' }
const COMPARISON: Readonly<Record<string, string>> = { LT: '<', LE: '<=', EQ: '==', GE: '>=', GT: '>', NE: '<>' }

/** The word typed for a token of the schema: `EQ_I` -> `==I`, `A_BRACK` -> `A(`. */
export function mnemonic(token: string): string {
  const known = MNEMONICS[token]
  if (known !== undefined) return known
  const typed = /^([A-Z]+)_([IDR])$/.exec(token)
  const sign = typed === null ? undefined : (ARITHMETIC[typed[1] as string] ?? COMPARISON[typed[1] as string])
  return sign === undefined ? token : `${sign}${typed?.[2] ?? ''}`
}

/** One line per statement: label, mnemonic, operand, comment. */
export function statementListText(list: XmlElement): string {
  return list.children
    .filter((element) => element.name === 'StlStatement')
    .map((statement) => statementText(statement).trimEnd())
    .join('\n')
}

function statementText(statement: XmlElement): string {
  const token = child(statement, 'StlToken')?.attributes.Text ?? ''
  const label = child(child(statement, 'LabelDeclaration'), 'Label')?.attributes.Name
  const comment = comments(statement)
  if (token === 'EMPTY_LINE' || token === '') return comment
  if (token === 'COMMENT') return comment
  const access = child(statement, 'Access')
  const operand = access === undefined ? '' : accessText(access, token)
  const line = `${label === undefined ? '' : `${label}: `}${mnemonic(token)}${operand === '' ? '' : ` ${operand}`};`
  return comment === '' ? line : `${line} ${comment}`
}

function accessText(access: XmlElement, token: string): string {
  const call = child(access, 'CallInfo') ?? child(access, 'Instruction')
  if (call === undefined) {
    const text = operandText(access)
    return token === 'OPEN_DB' || token === 'OPEN_DI' ? text.replace(/^%/, '') : text
  }
  const instance = child(call, 'Instance')
  const name = call.attributes.Name
  const target = [
    name === undefined ? '' : call.name === 'CallInfo' ? quoted(name) : name,
    instance === undefined ? '' : symbolText(instance, instance.attributes.Scope),
  ].filter((text) => text !== '')
  const parameters = call.children
    .filter((element) => element.name === 'Parameter')
    .map((parameter) => {
      const value = child(parameter, 'Access')
      return `${parameter.attributes.Name ?? ''} := ${value === undefined ? '' : operandText(value)}`
    })
  return target.join(', ') + (parameters.length === 0 ? '' : `\n(  ${parameters.join(',\n   ')}\n)`)
}

function comments(statement: XmlElement): string {
  const texts: string[] = []
  const pending: XmlElement[] = [statement]
  for (let at = pending.shift(); at !== undefined; at = pending.shift()) {
    if (at.name === 'LineComment') texts.push(at.children.map((text) => text.text).join(''))
    else if (at.name === 'Comment') texts.push(child(at, 'MultiLanguageText')?.text ?? '')
    else if (at.name === 'StlStatement' || at.name === 'StlToken') pending.push(...at.children)
  }
  return texts.length === 0 ? '' : `//${texts.join(' ')}`
}
