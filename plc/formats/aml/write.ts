/** Writes AML documents: the same document gives the same bytes, laid out as TIA Portal does. */
import { escapeAttribute, escapeText } from '../../../lib/xml-text.ts'
import type {
  AmlAttribute,
  AmlDocument,
  AmlElement,
  AmlHierarchy,
  AmlInterface,
  AmlLink,
  KeptAround,
  KeptXml,
} from './document.ts'

/** The text of a file, with the XML declaration and without byte order mark; two blanks a level, lines end with LF. */
export function writeAml(document: AmlDocument): string {
  const out = new Output()
  out.line('<?xml version="1.0" encoding="utf-8"?>')
  const { further, before, after } = document
  const names = Object.keys(further ?? {})
  // Namespaces come first, then the name of the file.
  const spaces = names.filter((name) => /^xmlns\b/.test(name))
  const attributes = {
    ...Object.fromEntries(spaces.map((name) => [name, further?.[name] as string])),
    FileName: document.fileName,
    ...Object.fromEntries(
      names.filter((name) => !spaces.includes(name)).map((name) => [name, further?.[name] as string]),
    ),
  }
  out.element('CAEXFile', attributes, () => {
    for (const one of before ?? []) out.kept(one)
    for (const hierarchy of document.hierarchies) writeHierarchy(out, hierarchy)
    for (const one of after ?? []) out.kept(one)
  })
  return out.text()
}

type Attributes = Readonly<Record<string, string | undefined>>

/** Lines of XML. */
class Output {
  readonly #lines: string[] = []
  #indent = ''

  line(text: string): void {
    this.#lines.push(`${this.#indent}${text}`)
  }

  /** An element with what `content` writes; self-closing when it writes nothing. */
  element(name: string, attributes: Attributes, content: () => void): void {
    const at = this.#lines.length
    const indent = this.#indent
    this.#lines.push('')
    this.#indent += '  '
    content()
    this.#indent = indent
    const isEmpty = this.#lines.length === at + 1
    this.#lines[at] = `${indent}${startTag(name, attributes, isEmpty)}`
    if (!isEmpty) this.line(`</${name}>`)
  }

  /** An element with text. */
  value(name: string, text: string): void {
    this.line(text === '' ? `<${name} />` : `<${name}>${escapeText(text)}</${name}>`)
  }

  kept({ name, attributes, content }: KeptXml): void {
    // Text beside elements: white space would become part of it.
    if (content.some((one) => typeof one === 'string')) this.line(inline({ name, attributes, content }))
    else
      this.element(name, attributes, () => {
        for (const one of content as readonly KeptXml[]) this.kept(one)
      })
  }

  text(): string {
    return this.#lines.join('\n')
  }
}

function startTag(name: string, attributes: Attributes, isEmpty: boolean): string {
  let tag = `<${name}`
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) tag += ` ${key}="${escapeAttribute(value)}"`
  }
  return `${tag}${isEmpty ? ' />' : '>'}`
}

function inline(one: KeptXml | string): string {
  if (typeof one === 'string') return escapeText(one)
  const content = one.content.map(inline).join('')
  return content === ''
    ? startTag(one.name, one.attributes, true)
    : `${startTag(one.name, one.attributes, false)}${content}</${one.name}>`
}

/** An object with what is kept around its content. */
function around(out: Output, name: string, attributes: Attributes, object: KeptAround, content: () => void): void {
  out.element(name, { ...attributes, ...object.further }, () => {
    for (const one of object.before ?? []) out.kept(one)
    content()
    for (const one of object.after ?? []) out.kept(one)
  })
}

function writeHierarchy(out: Output, hierarchy: AmlHierarchy): void {
  around(out, 'InstanceHierarchy', { Name: hierarchy.name }, hierarchy, () => {
    for (const element of hierarchy.elements) writeElement(out, element)
  })
}

function writeElement(out: Output, element: AmlElement): void {
  const { id, name, attributes, interfaces, elements, roles, links } = element
  around(out, 'InternalElement', { ID: id === '' ? undefined : id, Name: name }, element, () => {
    for (const one of attributes) writeAttribute(out, one)
    for (const one of interfaces) writeInterface(out, one)
    for (const one of elements) writeElement(out, one)
    for (const path of roles) out.line(startTag('SupportedRoleClass', { RefRoleClassPath: path }, true))
    for (const one of links) writeLink(out, one)
  })
}

function writeAttribute(out: Output, attribute: AmlAttribute): void {
  const { name, dataType, value, semantic, attributes } = attribute
  around(out, 'Attribute', { Name: name, AttributeDataType: dataType }, attribute, () => {
    if (value !== undefined) out.value('Value', value)
    if (semantic !== undefined) out.line(startTag('RefSemantic', { CorrespondingAttributePath: semantic }, true))
    for (const one of attributes) writeAttribute(out, one)
  })
}

function writeInterface(out: Output, one: AmlInterface): void {
  const attributes = { ID: one.id, Name: one.name, RefBaseClassPath: one.classPath }
  around(out, 'ExternalInterface', attributes, one, () => {
    for (const attribute of one.attributes) writeAttribute(out, attribute)
  })
}

function writeLink(out: Output, link: AmlLink): void {
  const attributes = { Name: link.name, RefPartnerSideA: link.sideA, RefPartnerSideB: link.sideB }
  around(out, 'InternalLink', attributes, link, () => undefined)
}
