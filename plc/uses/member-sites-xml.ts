/**
 * Finds the places in SimaticML that name a declared member: networks of every language, copies of interfaces, rows of
 * tables.
 */

import { defined } from '../../lib/optional.ts'
import type { StoredDocument } from '../edit/stored-document.ts'
import type { Edit } from '../formats/simaticml/element-edit.ts'
import { structuredTextText } from '../formats/simaticml/structured-text-read.ts'
import { attributeEdit, contentEdit } from '../formats/simaticml/value-edit.ts'
import { child, childrenOf, parseXml, type XmlElement } from '../formats/simaticml/xml.ts'
import { lex } from '../languages/scl/lexer.ts'
import { LineIndex } from '../model/fault.ts'
import { isPlainIdentifier, memberName } from '../model/names.ts'
import { linesOfStatement } from '../model/statement.ts'
import type { Container, MemberLookup, MemberTarget } from './member-lookup.ts'
import type { MemberSite } from './member-site.ts'
import { type NameSite, nameSites, significantTokens } from './member-sites-text.ts'
import type { UsePlace } from './use.ts'

/**
 * Finds the places in the root element of one object.
 * @throws FormatError when it is not XML
 */
export function xmlSites(
  { text, name }: StoredDocument,
  lookup: MemberLookup,
  target: MemberTarget,
  newName?: string,
): MemberSite[] {
  return new XmlSites(text, name, lookup, target, newName).find()
}

class XmlSites {
  readonly #xml: string
  readonly #name: string
  readonly #lookup: MemberLookup
  readonly #target: MemberTarget
  readonly #newName: string
  readonly #sites: MemberSite[] = []
  /** The members that `#` names. */
  readonly #local: Container | undefined
  readonly #isOwner: boolean
  #network = 0
  #element: string | undefined
  #line: number | undefined
  /** Where the next statement of a statement list begins. */
  #nextLine = 1
  #isStatementList = false
  /** The blocks called in the current network, by UId. */
  #calls = new Map<string, Container>()

  /** Places by position are found, too. */
  readonly #withPositional: boolean

  constructor(xml: string, name: string, lookup: MemberLookup, target: MemberTarget, newName: string | undefined) {
    this.#xml = xml
    this.#name = name
    this.#lookup = lookup
    this.#target = target
    this.#newName = newName ?? target.path.at(-1) ?? ''
    this.#withPositional = newName === undefined
    this.#local = lookup.local(name)
    this.#isOwner = name.toUpperCase() === target.owner.toUpperCase()
  }

  find(): MemberSite[] {
    this.#visit(parseXml(this.#xml))
    return this.#sites
  }

  #visit(element: XmlElement): void {
    switch (element.name) {
      case 'Interface': {
        const isInstance = /\.InstanceDB$/.test(element.parent?.parent?.name ?? '')
        const container = isInstance ? this.#lookup.global(this.#name) : this.#local
        for (const sections of childrenOf(element, 'Sections')) this.#sections(sections, container, !isInstance)
        return
      }
      case 'SW.Blocks.CompileUnit':
        this.#network++
        break
      case 'FlgNet':
        this.#calls = new Map()
        break
      case 'Step':
      case 'Transition':
        this.#element = `${element.name} ${element.attributes.Number} "${element.attributes.Name}"`
        break
      case 'PreOperations':
        this.#element = 'before the sequences'
        break
      case 'PostOperations':
        this.#element = 'behind the sequences'
        break
      case 'StructuredText':
        this.#structuredText(element)
        return
      case 'Action':
        this.#tokens(element)
        break
      case 'StatementList':
        this.#nextLine = 1
        this.#isStatementList = true
        break
      case 'StlStatement':
        this.#line = this.#nextLine
        this.#nextLine += statementLinesOf(element)
        break
      case 'NewLine':
        this.#addLines(Number(element.attributes.Num ?? 1) || 1)
        break
      case 'Token':
        this.#addLines(lineBreaks(element.attributes.Text ?? ''))
        break
      case 'Text':
        this.#addLines(lineBreaks(element.text))
        break
      case 'Access':
        this.#access(element)
        break
      case 'Instance':
        this.#components(element, this.#scopeOf(element.attributes.Scope))
        break
      case 'CallInfo':
        this.#call(element)
        break
      case 'NameCon': {
        const { UId: uId = '', Name: pin = '' } = element.attributes
        if (this.#lookup.step(this.#calls.get(uId), pin).isTarget) this.#inAttribute(element, 'Name', this.#newName, [])
        break
      }
      case 'Name':
        if (isRowName(element)) this.#row(element)
        break
    }
    for (const inner of element.children) this.#visit(inner)
    if (element.name === 'StatementList') {
      this.#line = undefined
      this.#isStatementList = false
    }
  }

  /** Lines are counted in SCL; in STL they are those of the statements. */
  #addLines(count: number): void {
    if (this.#line !== undefined && !this.#isStatementList) this.#line += count
  }

  // ── Interface ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** @param isOwnDeclaration the members are declared here, not copied from their type */
  #sections(sections: XmlElement, container: Container | undefined, isOwnDeclaration: boolean): void {
    for (const section of childrenOf(sections, 'Section')) {
      for (const member of childrenOf(section, 'Member')) this.#member(member, container, isOwnDeclaration)
      // Base classes of GRAPH blocks.
      for (const base of childrenOf(section, 'Sections')) this.#sections(base, container, isOwnDeclaration)
    }
  }

  #member(member: XmlElement, container: Container | undefined, isOwnDeclaration: boolean): void {
    const { isTarget, inner } = this.#lookup.step(container, member.attributes.Name ?? '')
    const place = { member: this.#target.path.join('.') }
    if (isTarget && !(this.#isOwner && isOwnDeclaration))
      this.#site([this.#attributeEdit(member, 'Name', this.#newName)], place, true)
    if (this.#isOwner && isOwnDeclaration) this.#namedInDeclaration(member)
    for (const element of member.children) {
      if (element.name === 'Member') this.#member(element, inner, isOwnDeclaration)
      else if (element.name === 'Sections') this.#sections(element, inner, false)
    }
  }

  /** `AT` names another member; limits and values may name a local constant. */
  #namedInDeclaration(member: XmlElement): void {
    if (this.#target.path.length !== 1) return
    const wanted = (this.#target.path[0] as string).toUpperCase()
    const place = { member: member.attributes.Name ?? '' }
    for (const attribute of childrenOf(child(member, 'AttributeList'), 'StringAttribute'))
      if (
        attribute.attributes.Name === 'At' &&
        attribute.text
          .trim()
          .replace(/^"(.*)"$/, '$1')
          .toUpperCase() === wanted
      )
        this.#site(
          [this.#contentEdit(attribute, attribute.text.includes('"') ? `"${this.#newName}"` : this.#newName)],
          place,
        )
    const renamed = (text: string) =>
      text.replace(/#(?:"([^"]+)"|([^\s"#.,;()[\]+*/-]+))/g, (all, quotedName?: string, bare?: string) =>
        (quotedName ?? bare ?? '').toUpperCase() === wanted
          ? `#${quotedName === undefined && isPlainIdentifier(this.#newName) ? this.#newName : `"${this.#newName}"`}`
          : all,
      )
    const inAttribute = (element: XmlElement, name: string) => {
      const text = element.attributes[name]
      const changed = text === undefined ? undefined : renamed(text)
      if (changed !== undefined && changed !== text) this.#site([this.#attributeEdit(element, name, changed)], place)
    }
    inAttribute(member, 'Datatype')
    const value = child(member, 'StartValue')
    if (value === undefined) return
    inAttribute(value, 'ConstantName')
    if (value.text.trim().startsWith('#') && renamed(value.text) !== value.text)
      this.#site([this.#contentEdit(value, renamed(value.text))], place)
  }

  // ── Networks ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #access(access: XmlElement): void {
    const { Scope: scope } = access.attributes
    const symbol = child(access, 'Symbol')
    if (symbol !== undefined) this.#components(symbol, this.#scopeOf(scope))
    const constant = child(access, 'Constant')
    if (scope !== 'LocalConstant' || constant === undefined) return
    const { Name: name } = constant.attributes
    const value = child(constant, 'ConstantValue')
    if (name !== undefined) {
      if (this.#lookup.step(this.#local, name).isTarget) this.#rename(constant)
    } else if (
      value !== undefined &&
      this.#lookup.step(this.#local, value.text.trim().replace(/^#?"?|"$/g, '')).isTarget
    )
      this.#site([
        this.#contentEdit(value, value.text.startsWith('#') ? `#${memberName(this.#newName)}` : this.#newName),
      ])
  }

  /** Where the first name of a symbol is looked up. */
  #scopeOf(scope: string | undefined): 'local' | 'global' | 'either' | undefined {
    if (scope === 'LocalVariable') return 'local'
    if (scope === 'GlobalVariable') return 'global'
    // It was not resolved when the file was written.
    return scope === 'Undef' ? 'either' : undefined
  }

  /**
   * Follows the components of a symbol.
   * @returns the members that can follow them
   */
  #components(symbol: XmlElement, scope: 'local' | 'global' | 'either' | undefined): Container | undefined {
    const [first, ...rest] = childrenOf(symbol, 'Component')
    const name = componentName(first)
    if (first === undefined || scope === undefined) return undefined
    const step = scope === 'global' ? undefined : this.#lookup.step(this.#local, name)
    let container = step?.inner
    if (step?.isTarget === true) this.#rename(first)
    else if (scope === 'global' || (scope === 'either' && container === undefined))
      container = this.#lookup.global(name)
    for (const component of rest) {
      const { isTarget, inner } = this.#lookup.step(container, componentName(component))
      if (isTarget) this.#rename(component)
      container = inner
    }
    return container
  }

  #call(info: XmlElement): void {
    const instance = child(info, 'Instance')
    const { Name: name } = info.attributes
    const before = this.#sites.length
    const byInstance =
      instance === undefined ? undefined : this.#components(instance, this.#scopeOf(instance.attributes.Scope))
    // The instance is visited with the other elements.
    this.#sites.length = before
    const callee = (name === undefined ? undefined : this.#lookup.global(name)) ?? byInstance
    if (callee === undefined) return
    const call = info.parent
    if (call?.name === 'Call' && call.attributes.UId !== undefined) this.#calls.set(call.attributes.UId, callee)
    for (const parameter of childrenOf(info, 'Parameter'))
      if (this.#lookup.step(callee, parameter.attributes.Name ?? '').isTarget) this.#rename(parameter)
    for (const pin of call?.name === 'Call' ? call.children : [])
      if (
        (pin.name === 'Negated' || pin.name === 'Invisible') &&
        this.#lookup.step(callee, pin.attributes.Name ?? '').isTarget
      )
        this.#inAttribute(pin, 'Name', this.#newName, [])
  }

  /** SCL: elements, or (generated files) tokens and bare text. */
  #structuredText(element: XmlElement): void {
    this.#line = 1
    const before = this.#sites.length
    if (element.children.length === 0) {
      const sites = this.#inText(element.text)
      const lines = new LineIndex(element.text.trimStart())
      const skipped = element.text.length - element.text.trimStart().length
      for (const [i, { start }] of sites.entries())
        this.#site(i === 0 ? [this.#contentEdit(element, spliced(element.text, sites))] : [], {
          ...this.#place(),
          line: lines.at(start - skipped).line,
        })
    } else {
      this.#tokens(element)
      for (const inner of element.children) this.#visit(inner)
      const text = structuredTextText(element)
      const all = this.#inText(text)
      const named = all.filter(({ isPositional }) => isPositional !== true)
      // Names that are neither elements nor whole tokens cannot be replaced.
      if (named.length > this.#sites.length - before) this.#fault()
      const lines = new LineIndex(text)
      for (const { start, isPositional } of all)
        if (isPositional === true) this.#site([], { ...this.#place(), line: lines.at(start).line })
    }
    this.#line = undefined
  }

  #inText(text: string): NameSite[] {
    const tokens = lex(text)
    return nameSites(tokens, significantTokens(tokens), {
      lookup: this.#lookup,
      local: this.#local,
      newName: this.#newName,
      withPositional: this.#withPositional,
    })
  }

  /** Finds names that are tokens, as in the actions of GRAPH steps. */
  #tokens(element: XmlElement): void {
    const starts: { readonly at: number; readonly token: XmlElement }[] = []
    let text = ''
    for (const piece of element.children) {
      if (piece.name === 'Token') {
        starts.push({ at: text.length, token: piece })
        text += piece.attributes.Text ?? ''
      } else text += piece.name === 'Blank' || piece.name === 'NewLine' ? ' ' : '0'
    }
    if (!/[#".]/.test(text)) return
    const call = element.name === 'Action' ? /^\s*CALL\b/i.exec(text)?.[0] : undefined
    const code = call === undefined ? text : `${' '.repeat(call.length)}${text.slice(call.length)}`
    const byToken = new Map<XmlElement, NameSite[]>()
    for (const site of this.#inText(code)) {
      // The whole text has been looked through for these.
      if (site.isPositional === true) continue
      const piece = starts.findLast(({ at }) => at <= site.start)
      if (piece === undefined) continue
      const inside = { ...site, start: site.start - piece.at, end: site.end - piece.at }
      byToken.set(piece.token, [...(byToken.get(piece.token) ?? []), inside])
    }
    for (const [token, sites] of byToken) {
      const written = token.attributes.Text ?? ''
      if (sites.some(({ end }) => end > written.length)) this.#fault()
      else
        for (const [i] of sites.entries())
          this.#site(i === 0 ? [this.#attributeEdit(token, 'Text', spliced(written, sites))] : [])
    }
  }

  /** A row of a watch or force table. */
  #row(element: XmlElement): void {
    const sites = this.#inText(element.text)
    if (sites.length > 0)
      this.#site([this.#contentEdit(element, spliced(element.text, sites))], { row: element.text.trim() })
  }

  // ── Sites ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  #place(): UsePlace {
    return {
      ...(this.#network === 0 ? {} : { network: this.#network }),
      ...defined({ element: this.#element, line: this.#line }),
    }
  }

  #site(edits: readonly Edit[], place: UsePlace = this.#place(), isDeclared = false): void {
    this.#sites.push({ edits, canReplace: true, place, isDeclared })
  }

  /** Records a place whose name is split over several pieces. */
  #fault(): void {
    const { line: _line, ...place } = this.#place()
    this.#sites.push({ edits: [], canReplace: false, place, isDeclared: false })
  }

  /** A component, parameter or constant; in SCL the text shows quotes where its name needs them. */
  #rename(element: XmlElement): void {
    const written = element.attributes.Name ?? ''
    const hasOwnQuotes = written.length > 2 && written.startsWith('"') && written.endsWith('"')
    const flags = hasOwnQuotes || !isInStructuredText(element) ? [] : quotesEdits(element, this.#newName)
    this.#inAttribute(element, 'Name', hasOwnQuotes ? `"${this.#newName}"` : this.#newName, flags)
  }

  #inAttribute(element: XmlElement, name: string, value: string, further: readonly Edit[]): void {
    this.#site([this.#attributeEdit(element, name, value), ...further])
  }

  #attributeEdit(element: XmlElement, name: string, value: string): Edit {
    return attributeEdit(this.#xml, element, name, value)
  }

  #contentEdit(element: XmlElement, text: string): Edit {
    return contentEdit(this.#xml, element, text)
  }
}

/** In generated files, names may include their own quotes. */
function componentName(component: XmlElement | undefined): string {
  return (component?.attributes.Name ?? '').replace(/^"(.+)"$/, '$1')
}

function isInStructuredText(element: XmlElement): boolean {
  for (let above = element.parent; above !== undefined; above = above.parent)
    if (above.name === 'StructuredText') return true
  return false
}

/** Edits that mark the name as quoted when it needs quotes, and remove the mark when only the old name needed them. */
function quotesEdits(element: XmlElement, newName: string): Edit[] {
  const { attributes, children, contentStart, end, name } = element
  const needsQuotes = !isPlainIdentifier(newName)
  const flag = children.find((inner) => inner.name === 'BooleanAttribute' && inner.attributes.Name === 'HasQuotes')
  if (flag === undefined) {
    if (!needsQuotes) return []
    const text = '<BooleanAttribute Name="HasQuotes">true</BooleanAttribute>'
    return contentStart === end
      ? [{ start: end - '/>'.length, end, text: `>${text}</${name}>` }]
      : [{ start: contentStart, end: contentStart, text }]
  }
  const had = attributes.Name ?? ''
  if (needsQuotes || isPlainIdentifier(had) || flag.text.trim() !== 'true') return []
  return children.length > 1
    ? [{ start: flag.start, end: flag.end, text: '' }]
    : [{ start: contentStart - 1, end, text: '/>' }]
}

/** The name of a row of a watch or force table. */
function isRowName(element: XmlElement): boolean {
  const row = element.parent?.name === 'AttributeList' ? element.parent.parent : undefined
  return row !== undefined && /^SW\.WatchAndForceTables\..*Entry$/.test(row.name)
}

function statementLinesOf(statement: XmlElement): number {
  const called = child(child(statement, 'Access'), 'CallInfo') ?? child(child(statement, 'Access'), 'Instruction')
  return linesOfStatement(childrenOf(called, 'Parameter').length, childrenOf(called, 'TemplateValue').length)
}

function lineBreaks(text: string): number {
  return text.split('\n').length - 1
}

function spliced(text: string, sites: readonly NameSite[]): string {
  let result = ''
  let at = 0
  for (const site of sites) {
    result += text.slice(at, site.start) + site.text
    at = site.end
  }
  return result + text.slice(at)
}
