/**
 * Reads `Access` and `Instance` of SimaticML to operands (SW.PlcBlocks.Access_v5.xsd;
 * docs/formats.md#lad-and-fbd-networks), in the form of LAD, FBD and STL.
 */

import { defined } from '../../../lib/optional.ts'
import { blockAddressSlice } from '../../model/block-address.ts'
import type { Instance } from '../../model/instance.ts'
import type { Kept } from '../../model/kept.ts'
import type { Operand, PathComponent, SymbolScope } from '../../model/operand.ts'
import { operandText } from '../../model/operand-text.ts'
import { elementXml, keptOf, withKept } from './kept.ts'
import { child, type XmlElement, type XmlFaults } from './xml.ts'

/** Scopes of `Access` that the schemas know (Scope_TE). */
const scopes: ReadonlySet<string> = new Set(
  (
    'Undef GlobalConstant LocalConstant GlobalVariable LocalVariable Instruction Label TypedConstant AddressConstant ' +
    'LiteralConstant AlarmConstant Address Statusword Expression Unnamed Call CallWithType UserType SystemType ' +
    'Reference PredefinedVariable NamedValueConstant'
  ).split(' '),
)

const symbolScopes: ReadonlySet<string> = new Set(['GlobalVariable', 'LocalVariable', 'Undef', 'PredefinedVariable'])
const widths: ReadonlySet<string> = new Set(['Bit', 'Byte', 'Word', 'Double', 'Long', 'None'])

/** Adds a fault when the scope of an `Access` does not exist. */
export function checkScope(access: XmlElement, faults: XmlFaults): void {
  const scope = access.attributes.Scope
  if (scope === undefined || !scopes.has(scope))
    faults.add(
      'xml-value',
      access,
      `Access has the unknown scope ${JSON.stringify(scope)}; allowed: ${[...scopes].join(', ')}`,
    )
}

/**
 * Reads the operand of an `Access`; what the model has no place for becomes an `other` operand with the whole element.
 */
export function readOperand(access: XmlElement, faults: XmlFaults): Operand {
  checkScope(access, faults)
  const scope = access.attributes.Scope ?? ''
  for (const inner of access.children) {
    // Indirect operands have no scope in the model: any but the usual one is kept.
    const known = inner.name === 'Indirect' && scope !== 'Address' ? [] : ['Scope']
    const outer = keptOf(access, known, (candidate) => candidate === inner)
    const operand = readContent(inner, scope, outer, faults)
    if (operand !== undefined) return operand
  }
  return { kind: 'other', scope, text: shownText(access, faults), xml: elementXml(withoutUId(access)) }
}

/** The text to show for an access that the model does not interpret. */
function shownText(access: XmlElement, faults: XmlFaults): string {
  const [content] = access.children
  switch (content?.name) {
    case 'CallInfo':
    case 'Instruction':
      return content.attributes.Name ?? ''
    case 'DataType':
      return content.text
    case 'Constant':
      return content.attributes.Name ?? child(content, 'ConstantValue')?.text ?? ''
    case 'Reference':
    case 'Expression': {
      const inner = content.children.map((piece) =>
        piece.name === 'Access' ? operandText(readOperand(piece, faults)) : (piece.attributes.Text ?? ''),
      )
      return content.name === 'Reference' ? `REF(${inner.join('')})` : inner.join(' ')
    }
    default:
      return ''
  }
}

/** The UId is dropped because elements are renumbered when they are written. */
function withoutUId(access: XmlElement): XmlElement {
  const { UId: _uId, ...attributes } = access.attributes
  return { ...access, attributes }
}

function readContent(
  element: XmlElement,
  scope: string,
  outer: Kept | undefined,
  faults: XmlFaults,
): Operand | undefined {
  switch (element.name) {
    case 'Symbol':
      return symbolScopes.has(scope) ? readSymbol(element, scope as SymbolScope, outer, faults) : undefined
    case 'Constant':
      return readConstant(element, scope, outer)
    case 'Address':
      return scope === 'Address' ? readAddress(element, outer, faults) : undefined
    case 'PredefinedVariable': {
      const name = element.attributes.Name
      if (scope !== 'PredefinedVariable' || name === undefined) return undefined
      return { kind: 'symbol', scope, path: [{ name }], ...withKept(keptOf(element, ['Name'], never, outer)) }
    }
    case 'Indirect':
      return readIndirect(element, outer, faults)
    case 'Label':
      if (scope !== 'Label' || element.attributes.Name === undefined) return undefined
      return { kind: 'label', name: element.attributes.Name, ...withKept(keptOf(element, ['Name'], never, outer)) }
    case 'Statusword': {
      const name = element.attributes.Combination
      if (scope !== 'Statusword' || name === undefined) return undefined
      return { kind: 'status', name, ...withKept(keptOf(element, ['Combination'], never, outer)) }
    }
    default:
      return undefined
  }
}

function never(): boolean {
  return false
}

function readSymbol(
  symbol: XmlElement,
  scope: SymbolScope,
  outer: Kept | undefined,
  faults: XmlFaults,
): Operand | undefined {
  const path = readPath(symbol, faults)
  if (path.length === 0) return undefined
  return { kind: 'symbol', scope, path, ...withKept(keptOf(symbol, [], isComponent, outer)) }
}

function isComponent({ name }: XmlElement): boolean {
  return name === 'Component' || name === 'AbsoluteOffset'
}

function readPath(element: XmlElement, faults: XmlFaults): PathComponent[] {
  const path: PathComponent[] = []
  for (const one of element.children)
    if (one.name === 'Component') path.push(readComponent(one, faults))
    else if (one.name === 'AbsoluteOffset')
      path.push({ ...(path.pop() ?? { name: '' }), slice: readOffset(one, faults) })
  return path
}

/** `AbsoluteOffset`: an address behind a data block or a DB_ANY. */
function readOffset(offset: XmlElement, faults: XmlFaults): string {
  const { Type: type = '', BitOffset: bits = '' } = offset.attributes
  const slice = blockAddressSlice(type, bits === '' ? -1 : Number(bits))
  if (slice === undefined)
    faults.add('xml-structure', offset, 'an AbsoluteOffset needs BitOffset, and Type Bool, Byte, Word, DWord or LWord')
  return slice ?? 'dbx0.0'
}

function readComponent(component: XmlElement, faults: XmlFaults): PathComponent {
  const {
    Name: name,
    AccessModifier: modifier,
    SliceAccessModifier: slice,
    SimpleAccessModifier: simple,
  } = component.attributes
  if (name === undefined) faults.add('xml-structure', component, 'a Component needs the attribute Name')
  const indices: Operand[] = []
  for (const inner of component.children) if (inner.name === 'Access') indices.push(readOperand(inner, faults))
  const known = ['Name']
  // A component is an array element exactly when it has indices.
  if (modifier === 'None' || (modifier === 'Array') === indices.length > 0) known.push('AccessModifier')
  const isSlice = slice !== undefined && /^[xbwd]\d+$/i.test(slice)
  if (isSlice || slice === 'undef') known.push('SliceAccessModifier')
  const isAccess = simple === 'Periphery' || simple === 'QualityInformation'
  if (isAccess || simple === 'None') known.push('SimpleAccessModifier')
  return {
    name: name ?? '',
    ...(indices.length === 0 ? {} : { indices }),
    ...(isSlice ? { slice: slice.toLowerCase() } : {}),
    ...(isAccess ? { access: simple } : {}),
    ...withKept(keptOf(component, known, (inner) => inner.name === 'Access')),
  }
}

function readConstant(constant: XmlElement, scope: string, outer: Kept | undefined): Operand | undefined {
  const value = child(constant, 'ConstantValue')
  switch (scope) {
    case 'LiteralConstant':
    case 'TypedConstant':
    case 'AddressConstant':
    case 'AlarmConstant': {
      if (value === undefined) return undefined
      const type = child(constant, 'ConstantType')
      // Informative types and values stay as they are.
      const isType = isPlain(type)
      const isValue = isPlain(value)
      const kept = keptOf(constant, [], (inner) => (inner === type && isType) || (inner === value && isValue), outer)
      return {
        kind: 'literal',
        scope,
        value: value.text,
        ...(isType ? { type: type?.text ?? '' } : {}),
        ...withKept(kept),
      }
    }
    case 'GlobalConstant':
    case 'LocalConstant':
    case 'NamedValueConstant': {
      // V18 exports have named constants as ConstantValue; both spellings mean the same.
      const named = constant.attributes.Name
      const written = named === undefined && isPlain(value) ? value : undefined
      if (named === undefined && written === undefined) return undefined
      const name = named ?? unmarked(written?.text ?? '')
      return { kind: 'constant', scope, name, ...withKept(keptOf(constant, ['Name'], (e) => e === written, outer)) }
    }
    default:
      return undefined
  }
}

/** `"MAX"`, `#MAX` -> `MAX`. */
function unmarked(text: string): string {
  return text.replace(/^#/, '').replace(/^"(.*)"$/s, '$1')
}

function isPlain(element: XmlElement | undefined): boolean {
  if (element === undefined) return false
  for (const name in element.attributes) if (name !== 'UId') return false
  return element.children.length === 0
}

function readAddress(address: XmlElement, outer: Kept | undefined, faults: XmlFaults): Operand {
  const { Area: area, Type: type } = address.attributes
  if (area === undefined) faults.add('xml-structure', address, 'an Address needs the attribute Area')
  const number = integer(address, 'BlockNumber', faults)
  const offset = integer(address, 'BitOffset', faults)
  // The number of a data block as a whole is in BitOffset (documentation of BitOffset in the schema).
  const isBlock = type === 'Block_DB' && number === undefined
  const blockNumber = isBlock ? offset : number
  const bitOffset = isBlock ? undefined : offset
  return {
    kind: 'address',
    area: area ?? '',
    type: type ?? '',
    ...defined({ blockNumber, bitOffset }),
    ...withKept(keptOf(address, ['Area', 'Type', 'BlockNumber', 'BitOffset'], never, outer)),
  }
}

function readIndirect(indirect: XmlElement, outer: Kept | undefined, faults: XmlFaults): Operand | undefined {
  const { Width: width = '', Area: area, Register: register } = indirect.attributes
  if (!widths.has(width)) return undefined
  if (register !== undefined && register !== 'AR1' && register !== 'AR2') return undefined
  const inner = child(indirect, 'Access')
  const bitOffset = integer(indirect, 'BitOffset', faults)
  const known = ['Width', 'Area', 'Register', 'BitOffset']
  return {
    kind: 'indirect',
    width: width as 'Bit',
    ...defined({ area, register, bitOffset }),
    ...(inner === undefined ? {} : { pointer: readOperand(inner, faults) }),
    ...withKept(keptOf(indirect, known, (candidate) => candidate === inner, outer)),
  }
}

/** Reads the instance data of a call or instruction, but not its UId. */
export function readInstance(element: XmlElement, faults: XmlFaults): Omit<Instance, 'uId'> {
  const { Scope: scope } = element.attributes
  if (scope === undefined || !symbolScopes.has(scope))
    faults.add(
      'xml-value',
      element,
      `Instance has the scope ${JSON.stringify(scope)}; allowed: ${[...symbolScopes].join(', ')}`,
    )
  const path = readPath(element, faults)
  return {
    scope: scope as SymbolScope,
    path,
    ...withKept(keptOf(element, ['Scope'], isComponent)),
  }
}

/** `BlockType_TE` of the schemas, and what names calls of system blocks. */
const blockTypes: ReadonlySet<string> = new Set('FB FC SFB SFC FBT FCT DB OB UDT'.split(' '))

/** Adds a fault when a call does not say what kind of block it calls. */
export function checkBlockType(info: XmlElement, faults: XmlFaults): void {
  const { BlockType: type } = info.attributes
  if (type === undefined) faults.add('xml-structure', info, 'a CallInfo needs the attribute BlockType, FB or FC')
  else if (!blockTypes.has(type))
    faults.add('xml-value', info, `CallInfo has the unknown BlockType ${JSON.stringify(type)}; FB or FC is wanted`)
}

/** Reads a whole number from an attribute; anything else is a fault. */
export function integer(element: XmlElement, name: string, faults: XmlFaults): number | undefined {
  const text = element.attributes[name]
  if (text === undefined) return undefined
  if (/^\s*[-+]?\d{1,10}\s*$/.test(text)) return Number(text)
  faults.add('xml-value', element, `${name} is ${JSON.stringify(text)}, expected a whole number`)
  return undefined
}
