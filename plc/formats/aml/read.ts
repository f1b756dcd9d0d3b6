/** Reads AML (CAEX) files as typed documents. */
import { defined } from '../../../lib/optional.ts'
import { FormatError, type FormatFault } from '../../model/fault.ts'
import { childOf, childrenOf, readXml, textOf, type XmlNode } from '../xml/tree.ts'
import type {
  AmlAttribute,
  AmlDocument,
  AmlElement,
  AmlHierarchy,
  AmlInterface,
  AmlLink,
  AmlWriter,
  KeptAround,
  KeptXml,
} from './document.ts'

/** Maximum number of reported faults of one file. */
const mostFaults = 1000

/**
 * Reads a document.
 * @throws FormatError with every fault of its structure (up to 1 000): not CAEX, elements without name, links without
 * sides
 */
export function readAml(text: string): AmlDocument {
  if (text.trim() === '')
    throw new FormatError([{ code: 'xml-root', message: 'the file is empty', line: 1, column: 1 }])
  const root = readXml(text)
  if (root.name !== 'CAEXFile')
    throw new FormatError([
      {
        code: 'xml-root',
        message: `the root element is ${root.name}; an AML file has CAEXFile`,
        line: root.line,
        column: 1,
      },
    ])
  const faults: FormatFault[] = []
  const reader = new Reader(faults)
  const document = reader.document(root)
  if (faults.length > 0) throw new FormatError(faults)
  return document
}

/** What a file says of the program that wrote it. */
export function writerOf({ before = [] }: Pick<AmlDocument, 'before'>): AmlWriter {
  const information = before.filter(({ name }) => name === 'AdditionalInformation')
  const header = information.flatMap(({ content }) => content).find((one) => nameOf(one) === 'WriterHeader')
  const value = (name: string) => {
    if (header === undefined || typeof header === 'string') return undefined
    const field = header.content.find((one) => nameOf(one) === name)
    const text = field === undefined || typeof field === 'string' ? '' : field.content.join('')
    return text === '' ? undefined : text
  }
  const [, major] = /^(1[4-9]|2\d)\d\d$/.exec(value('WriterVersion') ?? '') ?? []
  const isTia = value('WriterName') === 'Totally Integrated Automation Portal'
  const writtenAt = value('LastWritingDateTime')
  return {
    name: value('WriterName') ?? '',
    ...(major !== undefined && isTia ? { version: `V${major}` } : {}),
    ...(writtenAt === undefined || Number.isNaN(Date.parse(writtenAt)) ? {} : { writtenAt }),
  }
}

function nameOf(one: KeptXml | string): string | undefined {
  return typeof one === 'string' ? undefined : one.name
}

function keptOf({ name, attributes, content }: XmlNode): KeptXml {
  return { name, attributes, content: content.map((one) => (typeof one === 'string' ? one : keptOf(one))) }
}

/** Children that CAEX puts before the content of an object. */
const header = new Set(['Description', 'Version', 'Revision', 'Copyright', 'AdditionalInformation'])

class Reader {
  readonly #faults: FormatFault[]

  constructor(faults: FormatFault[]) {
    this.#faults = faults
  }

  #fault({ name, attributes, line }: XmlNode, message: string): void {
    const path = attributes.Name === undefined ? name : `${name} "${attributes.Name}"`
    if (this.#faults.length < mostFaults) this.#faults.push({ code: 'xml-structure', message, line, column: 1, path })
  }

  /** The name that CAEX demands of every object. */
  #name(node: XmlNode): string {
    const name = node.attributes.Name
    if (name === undefined) this.#fault(node, `${node.name} has no attribute Name`)
    return name ?? ''
  }

  /** What has no field, around the children that `taken` names. */
  #around(node: XmlNode, fields: ReadonlySet<string>, taken: ReadonlySet<string>): KeptAround {
    const further = Object.entries(node.attributes).filter(([name]) => !fields.has(name))
    const before: KeptXml[] = []
    const after: KeptXml[] = []
    for (const one of node.content) {
      if (typeof one === 'string') {
        if (one.trim() !== '')
          this.#fault(node, `${node.name} has text, ${JSON.stringify(one.trim().slice(0, 40))}, beside elements`)
      } else if (!taken.has(one.name)) (header.has(one.name) ? before : after).push(keptOf(one))
    }
    return {
      ...(further.length > 0 ? { further: Object.fromEntries(further) } : {}),
      ...(before.length > 0 ? { before } : {}),
      ...(after.length > 0 ? { after } : {}),
    }
  }

  document(root: XmlNode): AmlDocument {
    const { further, before = [], after = [] } = this.#around(root, documentFields, documentChildren)
    // References to other files are between the header and the hierarchies.
    const references = after.filter(({ name }) => headOfFile.has(name))
    const libraries = after.filter(({ name }) => !headOfFile.has(name))
    return {
      fileName: root.attributes.FileName ?? '',
      hierarchies: childrenOf(root, 'InstanceHierarchy').map((one) => this.#hierarchy(one)),
      ...(further ? { further } : {}),
      ...(before.length + references.length > 0 ? { before: [...before, ...references] } : {}),
      ...(libraries.length > 0 ? { after: libraries } : {}),
    }
  }

  #hierarchy(node: XmlNode): AmlHierarchy {
    return {
      name: this.#name(node),
      elements: childrenOf(node, 'InternalElement').map((one) => this.#element(one)),
      ...this.#around(node, nameField, hierarchyChildren),
    }
  }

  #element(node: XmlNode): AmlElement {
    return {
      id: node.attributes.ID ?? '',
      name: this.#name(node),
      attributes: this.#attributes(node),
      interfaces: childrenOf(node, 'ExternalInterface').map((one) => this.#interface(one)),
      elements: childrenOf(node, 'InternalElement').map((one) => this.#element(one)),
      roles: childrenOf(node, 'SupportedRoleClass').filter(isPlainRole).map(pathOfRole),
      links: childrenOf(node, 'InternalLink').map((one) => this.#link(one)),
      line: node.line,
      ...this.#elementAround(node),
    }
  }

  /** A role with content of its own (MappingObject) is kept as XML; its path counts too. */
  #elementAround(node: XmlNode): KeptAround {
    const mapped = childrenOf(node, 'SupportedRoleClass').filter((one) => !isPlainRole(one))
    const around = this.#around(node, identityFields, elementChildren)
    return mapped.length === 0 ? around : { ...around, after: [...mapped.map(keptOf), ...(around.after ?? [])] }
  }

  #attributes(node: XmlNode): AmlAttribute[] {
    return childrenOf(node, 'Attribute').map((one) => {
      const value = childOf(one, 'Value')
      const semantics = childrenOf(one, 'RefSemantic')
      const semantic = semantics[0]?.attributes.CorrespondingAttributePath
      if (semantics.length > 1) this.#fault(one, 'the attribute has several RefSemantic; one is read')
      return {
        name: this.#name(one),
        ...defined({ dataType: one.attributes.AttributeDataType }),
        ...(value === undefined ? {} : { value: textOf(value) }),
        ...defined({ semantic }),
        attributes: this.#attributes(one),
        line: one.line,
        ...this.#around(one, attributeFields, attributeChildren),
      }
    })
  }

  #interface(node: XmlNode): AmlInterface {
    return {
      ...defined({ id: node.attributes.ID }),
      name: this.#name(node),
      ...defined({ classPath: node.attributes.RefBaseClassPath }),
      attributes: this.#attributes(node),
      line: node.line,
      ...this.#around(node, interfaceFields, interfaceChildren),
    }
  }

  #link(node: XmlNode): AmlLink {
    const { RefPartnerSideA: sideA, RefPartnerSideB: sideB } = node.attributes
    if (sideA === undefined || sideB === undefined)
      this.#fault(node, `${node.name} needs RefPartnerSideA and RefPartnerSideB`)
    return {
      name: this.#name(node),
      sideA: sideA ?? '',
      sideB: sideB ?? '',
      line: node.line,
      ...this.#around(node, linkFields, none),
    }
  }
}

function isPlainRole({ attributes, content }: XmlNode): boolean {
  return content.length === 0 && Object.keys(attributes).every((name) => name === 'RefRoleClassPath')
}

function pathOfRole({ attributes }: XmlNode): string {
  return attributes.RefRoleClassPath ?? ''
}

const none: ReadonlySet<string> = new Set()
const nameField = new Set(['Name'])
const documentFields = new Set(['FileName'])
const documentChildren = new Set(['InstanceHierarchy'])
const headOfFile = new Set(['ExternalReference', 'SuperiorStandardVersion', 'SourceDocumentInformation'])
const hierarchyChildren = new Set(['InternalElement'])
const identityFields = new Set(['ID', 'Name'])
const elementChildren = new Set([
  'Attribute',
  'ExternalInterface',
  'InternalElement',
  'SupportedRoleClass',
  'InternalLink',
])
const attributeFields = new Set(['Name', 'AttributeDataType'])
const attributeChildren = new Set(['Attribute', 'Value', 'RefSemantic'])
const interfaceFields = new Set(['ID', 'Name', 'RefBaseClassPath'])
const interfaceChildren = new Set(['Attribute'])
const linkFields = new Set(['Name', 'RefPartnerSideA', 'RefPartnerSideB'])
