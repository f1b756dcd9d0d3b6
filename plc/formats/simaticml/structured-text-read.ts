/**
 * Converts `StructuredText` to SCL text. Tokens, blanks and line breaks are explicit; `#` before local names and quotes
 * around global names are implied (docs/formats.md#scl-and-stl-networks), unless `HasHash`/`HasQuotes` state otherwise.
 */

import { blockAddressSlice } from '../../model/block-address.ts'
import { isReservedWord } from '../../model/keywords.ts'
import { isPlainIdentifier, memberName, quoted } from '../../model/names.ts'
import { operandText } from '../../model/operand-text.ts'
import { child, type XmlElement } from './xml.ts'

/**
 * Returns the SCL text of a `StructuredText` element; lines end with LF. Generated files contain tokens with a line
 * break (`&#xD;&#xA;`) and bare text instead of tokens; both are taken as they are.
 */
export function structuredTextText(element: XmlElement): string {
  const text = element.children.length === 0 ? element.text.trim() : element.children.map(pieceText).join('')
  return text.replace(/\r\n?/g, '\n')
}

function repeat(unit: string, element: XmlElement): string {
  const count = Number(element.attributes.Num ?? 1)
  return unit.repeat(Number.isInteger(count) && count > 0 ? Math.min(count, 100_000) : 1)
}

/** Returns the text of an element inside `StructuredText`; empty for what has none. */
export function pieceText(element: XmlElement): string {
  switch (element.name) {
    case 'Token':
      return element.attributes.Text ?? ''
    case 'Blank':
      return repeat(' ', element)
    case 'NewLine':
      return repeat('\n', element)
    case 'Text':
      return element.text
    case 'LineComment':
      return lineComment(element)
    case 'Comment':
      return multilingualComment(element)
    case 'Access':
      return accessText(element)
    case 'CallInfo':
    case 'Instruction':
      return callText(element)
    case 'Parameter':
      return parameterName(element) + element.children.map(pieceText).join('')
    case 'NamelessParameter':
      return element.children.map(pieceText).join('')
    default:
      return ''
  }
}

function parameterName(parameter: XmlElement): string {
  const name = parameter.attributes.Name ?? ''
  return flag(parameter, 'HasQuotes') === true || !isPlainIdentifier(name) ? quoted(name) : name
}

function lineComment(element: XmlElement): string {
  const text = element.children.map((part) => (part.name === 'Text' ? part.text : '')).join('')
  if (element.attributes.Inserted !== 'true') return `//${text}`
  return `(*${text}${element.attributes.NoClosingBracket === 'true' ? '' : '*)'}`
}

function multilingualComment(element: XmlElement): string {
  const text = child(element, 'MultiLanguageText')?.text ?? ''
  return element.attributes.Inserted === 'true' ? `(/*${text}*/)` : `/*${text}*/`
}

function accessText(access: XmlElement): string {
  const scope = access.attributes.Scope
  let text = ''
  for (const element of access.children) {
    switch (element.name) {
      case 'Symbol':
        text += symbolPieces(element, scope)
        break
      case 'Constant':
        text += constantText(element, scope)
        break
      case 'Address':
        text += addressText(element)
        break
      case 'Label':
        text += (element.attributes.Name ?? '') + element.children.map(pieceText).join('')
        break
      case 'PredefinedVariable':
        text += element.attributes.Name ?? ''
        break
      case 'DataType':
        text += element.text
        break
      case 'Expression':
      case 'Reference':
        text += element.children.map(pieceText).join('')
        break
      default:
        text += pieceText(element)
    }
  }
  return text
}

/** `<Address Area="Memory" Type="Word" BitOffset="80"/>` -> `%MW10`. */
function addressText({ attributes }: XmlElement): string {
  const { Area: area = '', Type: type = '', BlockNumber: block, BitOffset: offset } = attributes
  return operandText({
    kind: 'address',
    area,
    type,
    ...(block === undefined ? {} : { blockNumber: Number(block) }),
    ...(offset === undefined ? {} : { bitOffset: Number(offset) }),
  })
}

function symbolPieces(symbol: XmlElement, scope: string | undefined): string {
  let text = ''
  let first = true
  for (const element of symbol.children) {
    if (element.name === 'Component') {
      text += componentPieces(element, first ? scope : undefined)
      first = false
    } else if (element.name === 'Address') {
      // `%DB2.DBW322` is written as two addresses with a dot between; the percent sign precedes the first.
      text += first ? addressText(element) : addressText(element).replace(/^%/, '')
      first = false
    } else if (element.name === 'AbsoluteOffset') text += offsetText(element, text)
    else text += pieceText(element)
  }
  return text
}

/** `.%DBW4` behind a data block or a DB_ANY; the dot may be a token before it. */
function offsetText({ attributes }: XmlElement, before: string): string {
  const slice = blockAddressSlice(attributes.Type ?? '', Number(attributes.BitOffset ?? -1))
  return slice === undefined ? '' : `${before.endsWith('.') ? '' : '.'}%${slice.toUpperCase()}`
}

/** A component with its index; `scope` is given for the first one of a symbol. */
function componentPieces(component: XmlElement, scope: string | undefined): string {
  const name = component.attributes.Name ?? ''
  const hash = flag(component, 'HasHash')
  const quotes = flag(component, 'HasQuotes')
  const local = scope === 'LocalVariable' || scope === 'LocalConstant'
  const global = scope === 'GlobalVariable' || scope === 'GlobalConstant'
  let text = (hash ?? local) ? '#' : ''
  if (!isPlainIdentifier(name) && !isWrittenOut(name)) text += quoted(name)
  else if (quotes ?? global) text += quoted(name)
  else text += scope === undefined || quotes === false ? name : bareName(name, text === '#')
  for (const element of component.children) if (element.name !== 'BooleanAttribute') text += pieceText(element)
  const slice = component.attributes.SliceAccessModifier
  if (slice !== undefined && slice !== 'undef') text += `.%${slice.toUpperCase()}`
  if (component.attributes.SimpleAccessModifier?.includes('Periphery') === true) text += ':P'
  return text
}

/** Components that are not names: a slice `%X0`, or a name that includes its own quotes. */
function isWrittenOut(name: string): boolean {
  return /^%[XBWDxbwd]\d+$/.test(name) || (name.length > 2 && name.startsWith('"') && name.endsWith('"'))
}

/** After `#` every word is a name; elsewhere reserved words need quotes. */
function bareName(name: string, hashed: boolean): string {
  return !hashed && isReservedWord(name) ? quoted(name) : name
}

function flag(component: XmlElement, name: string): boolean | undefined {
  for (const element of component.children)
    if (element.name === 'BooleanAttribute' && element.attributes.Name === name) return element.text.trim() === 'true'
  return undefined
}

function constantText(constant: XmlElement, scope: string | undefined): string {
  const name = constant.attributes.Name
  const value = name ?? child(constant, 'ConstantValue')?.text ?? ''
  // Named constants are Constant/@Name or, in V18 exports, ConstantValue.
  if (scope === 'LocalConstant') {
    if (value.startsWith('#')) return value
    return flag(constant, 'HasHash') === false ? value : `#${memberName(value)}`
  }
  if (scope === 'GlobalConstant')
    return flag(constant, 'HasQuotes') === false || value.startsWith('"') ? value : quoted(value)
  return value
}

/** A call: the name of the block or instruction, an instance before or instead of it, then the argument list. */
function callText(call: XmlElement): string {
  const instance = child(call, 'Instance')
  const name = call.attributes.Name
  let text = instance === undefined ? '' : symbolPieces(instance, instance.attributes.Scope)
  // "IEC_Timer_DB".TON(…) names the instruction after its instance; a block's call shows the instance alone.
  if (call.name === 'Instruction' && name !== undefined) text += instance === undefined ? name : `.${name}`
  else if (instance === undefined && name !== undefined) text = quoted(name)
  for (const element of call.children) {
    if (element.name === 'Instance' || element.name === 'TemplateValue') continue
    text += pieceText(element)
  }
  return text
}
