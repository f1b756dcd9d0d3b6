/** Operands of SimaticML (`Access`, `Instance`) as text: `"DB".list[3].x`, `#run`, `%M0.0`, `T#5s` (formats.md 1.6, 1.7). */

import { isPlainIdentifier, memberName, quoted } from '../model/names.ts'
import { child, childText, type XmlElement } from './xml.ts'

/** Scopes of `Access` that the schemas know (SW.PlcBlocks.Access_v5.xsd, Scope_TE). */
export const SCOPES: ReadonlySet<string> = new Set(
  (
    'Undef GlobalConstant LocalConstant GlobalVariable LocalVariable Instruction Label TypedConstant AddressConstant ' +
    'LiteralConstant AlarmConstant Address Statusword Expression Unnamed Call CallWithType UserType SystemType ' +
    'Reference PredefinedVariable NamedValueConstant'
  ).split(' '),
)

/** Whether operands of this scope are visible in the whole program. */
export function isGlobalScope(scope: string | undefined): boolean {
  return scope === 'GlobalVariable' || scope === 'GlobalConstant' || scope === 'Address' || scope === 'AddressConstant'
}

/** Text of an `Access`; unknown content gives what can be shown of it. */
export function operandText(access: XmlElement): string {
  const scope = access.attributes.Scope
  for (const element of access.children) {
    switch (element.name) {
      case 'Symbol':
        return symbolText(element, scope)
      case 'Constant':
        return constantText(element, scope)
      case 'Address':
        return addressText(element)
      case 'Label':
      case 'PredefinedVariable':
        return element.attributes.Name ?? ''
      case 'Statusword':
        return element.attributes.Combination ?? ''
      case 'Indirect':
        return indirectText(element)
      case 'CallInfo':
      case 'Instruction':
        return element.attributes.Name ?? ''
      case 'DataType':
        return element.text
      case 'Reference': {
        const inner = child(element, 'Access')
        return inner === undefined ? '' : `REF(${operandText(inner)})`
      }
      default:
        if (element.name === 'Expression') return expressionText(element)
    }
  }
  return ''
}

/** Components of a `Symbol` or `Instance` in the LAD/FBD form (indices are nested Access elements, no tokens). */
export function symbolText(symbol: XmlElement, scope: string | undefined): string {
  let text = ''
  let first = true
  for (const element of symbol.children) {
    if (element.name === 'Component') {
      text += first ? firstComponent(element, scope) : `.${componentText(element)}`
      first = false
    } else if (element.name === 'Address' && first) {
      text += addressText(element)
      first = false
    }
  }
  return text
}

function firstComponent(component: XmlElement, scope: string | undefined): string {
  const name = component.attributes.Name ?? ''
  const suffix = componentSuffix(component)
  if (scope === 'LocalVariable' || scope === 'LocalConstant') return `#${memberName(name)}${suffix}`
  if (scope === 'GlobalVariable' || scope === 'GlobalConstant') return `${quoted(name)}${suffix}`
  return `${isPlainIdentifier(name) ? name : quoted(name)}${suffix}`
}

function componentText(component: XmlElement): string {
  const slice = component.attributes.SliceAccessModifier
  const name = component.attributes.Name ?? ''
  if (name === '' && slice !== undefined && slice !== 'undef') return `%${slice.toUpperCase()}`
  return `${memberName(name)}${componentSuffix(component)}`
}

function componentSuffix(component: XmlElement): string {
  let text = ''
  const indices = component.children.filter((element) => element.name === 'Access').map(operandText)
  if (indices.length > 0) text += `[${indices.join(', ')}]`
  const slice = component.attributes.SliceAccessModifier
  if (slice !== undefined && slice !== 'undef') text += `.%${slice.toUpperCase()}`
  if (component.attributes.SimpleAccessModifier?.includes('Periphery') === true) text += ':P'
  return text
}

function constantText(constant: XmlElement, scope: string | undefined): string {
  const name = constant.attributes.Name ?? childText(constant, 'ConstantValue') ?? ''
  if (scope === 'GlobalConstant') return quoted(name)
  if (scope === 'LocalConstant') return `#${memberName(name)}`
  return name
}

const AREA_LETTERS: Readonly<Record<string, string>> = {
  Input: 'I',
  Output: 'Q',
  Memory: 'M',
  PeripheryInput: 'I',
  PeripheryOutput: 'Q',
  Local: 'L',
  Timer: 'T',
  Counter: 'C',
  FB: 'FB',
  FC: 'FC',
}

/** Letter of the width of an absolute address; a type of one bit has none. */
function widthLetter(type: string): string {
  switch (type) {
    case 'Bool':
      return ''
    case 'Byte':
    case 'Char':
    case 'SInt':
    case 'USInt':
      return 'B'
    case 'Word':
    case 'Int':
    case 'UInt':
    case 'Date':
    case 'S5Time':
    case 'WChar':
      return 'W'
    case 'LReal':
    case 'LInt':
    case 'ULInt':
    case 'LWord':
    case 'LTime':
    case 'LDT':
    case 'LTime_Of_Day':
      return 'L'
    default:
      return 'D'
  }
}

/** `<Address Area="Memory" Type="Word" BitOffset="80"/>` -> `%MW10`. */
export function addressText(address: XmlElement): string {
  const { Area: area = '', Type: type = '', BlockNumber: block, BitOffset: offset } = address.attributes
  const bits = Number(offset ?? 0)
  if (area === 'DB' || area === 'DI') {
    if (type === 'Block_DB' || block === undefined) {
      if (type === 'Block_DB') return `%${area}${offset ?? block ?? ''}`
    }
    const width = widthLetter(type)
    return `%${area}${block ?? ''}.DB${width === '' ? 'X' : width}${byteAddress(bits, width)}`
  }
  const letter = AREA_LETTERS[area] ?? area
  if (area === 'Timer' || area === 'Counter' || area === 'FB' || area === 'FC') return `%${letter}${bits}`
  const width = widthLetter(type)
  const periphery = area.startsWith('Periphery') ? ':P' : ''
  return `%${letter}${width}${byteAddress(bits, width)}${periphery}`
}

function byteAddress(bits: number, width: string): string {
  return width === '' ? `${Math.floor(bits / 8)}.${bits % 8}` : String(Math.floor(bits / 8))
}

/** STL: `DBW[AR1,P#2.0]`, `[AR1,P#0.0]`, `M[MD 20]`. */
function indirectText(indirect: XmlElement): string {
  const { Width: width = '', Area: area = '', Register: register, BitOffset: offset } = indirect.attributes
  const letters: Readonly<Record<string, string>> = { Bit: '', Byte: 'B', Word: 'W', Double: 'D', Long: 'L' }
  const prefix =
    area === 'DB' || area === 'DI'
      ? `${area}${letters[width] === '' ? 'X' : (letters[width] ?? '')}`
      : `${AREA_LETTERS[area] ?? ''}${letters[width] ?? ''}`
  const inner = child(indirect, 'Access')
  if (inner !== undefined) return `${prefix}[${operandText(inner)}]`
  const bits = Number(offset ?? 0)
  return `${prefix}[${register ?? 'AR1'},P#${Math.floor(bits / 8)}.${bits % 8}]`
}

function expressionText(expression: XmlElement): string {
  return expression.children
    .map((element) => (element.name === 'Access' ? operandText(element) : (element.attributes.Text ?? '')))
    .join(' ')
}
