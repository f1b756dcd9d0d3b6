/**
 * Replaces a name of the whole program in the SimaticML of an object: exactly the names, every other character stays.
 */

import { applyEdits, type Edit } from '../formats/simaticml/element-edit.ts'
import { attributeEdit, contentEdit } from '../formats/simaticml/value-edit.ts'
import { child, childrenOf, parseXml, type XmlElement } from '../formats/simaticml/xml.ts'
import { isPlainIdentifier, unquoted } from '../model/names.ts'
import { renameInStatements } from './rename-source.ts'
import { renameInType } from './rename-type.ts'
import { isSupervisionOperand } from './supervision-uses.ts'

/** Scopes whose symbols are names of the whole program. */
const globalScopes: ReadonlySet<string | undefined> = new Set(['GlobalVariable', 'Undef'])

/** Attributes and elements that contain a data type, or the name of a block or type. */
const typeAttributes = ['Datatype', 'Type']
const typeElements: ReadonlySet<string> = new Set([
  'ArrayDataType',
  'ConstantType',
  'DataType',
  'DataTypeName',
  'TemplateValue',
])
const nameElements: ReadonlySet<string> = new Set(['InstanceOfName', 'AssignedProDiagFB'])

/**
 * Returns the root element of an object with `from` (ignoring case) replaced by `to` wherever it is used; the object's
 * own name stays. When it is the function `from` itself, the local name `from` is its result and is renamed too.
 */
export function renameInXml(xml: string, from: string, to: string): string {
  const edits: Edit[] = []
  const wanted = from.toUpperCase()
  const isIt = (name: string | undefined) => name !== undefined && unquoted(name.trim()).toUpperCase() === wanted
  const attribute = (element: XmlElement, name: string, value: string) => {
    if (element.attributes[name] !== undefined) edits.push(attributeEdit(xml, element, name, value))
  }
  const content = (element: XmlElement, text: string) => {
    edits.push(contentEdit(xml, element, text))
  }
  const root = parseXml(xml)
  const isResult = isResultOf(root, isIt)
  /** The new name, quoted if the old one is. */
  const like = (present: string) => (present.trim().startsWith('"') ? `"${to}"` : to)

  const visit = (element: XmlElement, before: XmlElement | undefined): void => {
    const { name, attributes, children } = element
    switch (name) {
      case 'Access':
        access(element)
        break
      case 'CallInfo':
        if (isIt(attributes.Name)) attribute(element, 'Name', to)
        break
      case 'Instance':
        if (globalScopes.has(attributes.Scope)) firstComponent(element)
        break
      case 'StartValue':
        if (isIt(attributes.ConstantName)) attribute(element, 'ConstantName', like(attributes.ConstantName ?? ''))
        if (children.length === 0 && element.text.trim().startsWith('"') && isIt(element.text))
          content(element, `"${to}"`)
        break
      case 'StructuredText':
        // Generated files contain bare text instead of tokens.
        if (children.length === 0 && element.text.trim() !== '') {
          const text = renameInStatements(element.text, from, to, isResult)
          if (text !== element.text) content(element, text)
        }
        break
      case 'Token':
        token(element, before)
        break
      case 'Name':
        if (isRowName(element)) watched(element)
        else if (element.parent?.name === 'DataType') inType(element, element.text, content)
        break
    }
    if (isSupervisionOperand(element)) operandName(element)
    for (const type of typeAttributes)
      inType(element, attributes[type], (_element, text) => attribute(element, type, text))
    if (children.length === 0 && typeElements.has(name)) inType(element, element.text, content)
    if (children.length === 0 && nameElements.has(name) && isIt(element.text)) content(element, like(element.text))
    for (const [i, inner] of children.entries()) visit(inner, children[i - 1])
  }

  const access = (element: XmlElement): void => {
    const scope = element.attributes.Scope
    const symbol = child(element, 'Symbol')
    if (symbol !== undefined && (globalScopes.has(scope) || (isResult && scope === 'LocalVariable')))
      firstComponent(symbol)
    const constant = child(element, 'Constant')
    if (constant === undefined) return
    const value = child(constant, 'ConstantValue')
    if (scope === 'GlobalConstant') {
      // A constant is a Name, or (V18) a value.
      if (isIt(constant.attributes.Name)) attribute(constant, 'Name', like(constant.attributes.Name ?? ''))
      else if (value !== undefined && isIt(value.text)) content(value, like(value.text))
    } else if (scope === 'NamedValueConstant' || scope === 'TypedConstant') {
      if (constant.attributes.Name !== undefined)
        namedValue(constant.attributes.Name, (text) => attribute(constant, 'Name', text))
      if (value !== undefined) namedValue(value.text, (text) => content(value, text))
    }
  }

  /** `"Colour"#RED`, `_.ns.Colour#RED`. */
  const namedValue = (text: string, put: (text: string) => void): void => {
    const match = /^((?:_\.(?:[^.#]+\.)*)?)("?)([^"#.]+)\2#/.exec(text)
    if (match === null || (match[3] as string).toUpperCase() !== wanted) return
    // INT#5: a built-in type is never in quotes, and never follows a namespace.
    if (match[1] === '' && match[2] === '' && !/^[A-Za-z_]\w*#[A-Za-z_]/.test(text)) return
    put(`${match[1]}${match[2]}${to}${match[2]}${text.slice(match[0].length - 1)}`)
  }

  const firstComponent = (element: XmlElement): void => {
    const first = child(element, 'Component')
    if (first === undefined || !isIt(first.attributes.Name)) return
    attribute(first, 'Name', like(first.attributes.Name ?? ''))
  }

  /** A token that is a quoted name, as in generated files. */
  const token = (element: XmlElement, before: XmlElement | undefined): void => {
    const text = element.attributes.Text ?? ''
    if (!text.includes('"') && !(isResult && text.startsWith('#'))) return
    if (before?.name === 'Token' && before.attributes.Text === '.') return
    const renamed = renameInStatements(text, from, to, isResult)
    if (renamed !== text) attribute(element, 'Text', renamed)
  }

  /** An operand of a supervision, written as in a program. */
  const operandName = (element: XmlElement): void => {
    const text = element.attributes.Name ?? ''
    const renamed = renameInStatements(text, from, to)
    if (renamed !== text) attribute(element, 'Name', renamed)
  }

  /** A row of a watch or force table: `"Tag"`, `"DB".member`. */
  const watched = (element: XmlElement): void => {
    const text = renameInStatements(element.text, from, to)
    if (text !== element.text) content(element, text)
    else if (isIt(element.text) && isPlainIdentifier(element.text.trim())) content(element, to)
  }

  const inType = (
    element: XmlElement,
    text: string | undefined,
    put: (element: XmlElement, text: string) => void,
  ): void => {
    if (text === undefined) return
    const renamed = renameInType(text, from, to)
    if (renamed !== text) put(element, renamed)
  }

  visit(root, undefined)
  return edits.length === 0 ? xml : applyEdits(xml, edits)
}

/**
 * Whether a local name is the result of the block: the block is the function that has the name, and none of its members
 * has it.
 */
function isResultOf(root: XmlElement, isIt: (name: string | undefined) => boolean): boolean {
  const list = child(root, 'AttributeList')
  if (root.name !== 'SW.Blocks.FC' || !isIt(child(list, 'Name')?.text)) return false
  const sections = childrenOf(child(child(list, 'Interface'), 'Sections'), 'Section')
  return !sections
    .filter(({ attributes }) => attributes.Name !== 'Return')
    .some((section) => childrenOf(section, 'Member').some(({ attributes }) => isIt(attributes.Name)))
}

/** The name of a row of a watch or force table. */
function isRowName(element: XmlElement): boolean {
  const row = element.parent?.name === 'AttributeList' ? element.parent.parent : undefined
  return row !== undefined && /^SW\.WatchAndForceTables\..*Entry$/.test(row.name)
}
