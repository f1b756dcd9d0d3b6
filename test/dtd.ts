/**
 * Checks XML against a document type definition: the root, elements in their order and nesting, where text may stand,
 * attributes. Enough for reports.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser'

interface Element {
  /** Names of children, each with a comma behind it. */
  readonly content: RegExp
  /** Text may be in it (#PCDATA). */
  readonly isText: boolean
  readonly required: readonly string[]
  readonly known: readonly string[]
}

function elementsOf(dtd: string): Map<string, Element> {
  const elements = new Map<string, Element>()
  for (const [, name = '', content = ''] of dtd.matchAll(/<!ELEMENT\s+(\S+)\s+([^>]*)>/g)) {
    const attributes = [...dtd.matchAll(new RegExp(`<!ATTLIST\\s+${name}\\s+([^>]*)>`, 'g'))].flatMap(
      ([, list = '']) => [...list.matchAll(/(\S+)\s+CDATA\s+(#REQUIRED|#IMPLIED|"[^"]*")/g)],
    )
    const pattern = content
      .replace(/\s/g, '')
      .replace(/EMPTY|#PCDATA\|?/g, '')
      .replace(/[\w-]+/g, (child) => `(?:${child},)`)
      // A comma between two names is the order of both.
      .replace(/\),(?=\()/g, ')')
      .replace(/([)?*+]),(?=\()/g, '$1')
    elements.set(name, {
      content: new RegExp(`^(?:${pattern})$`),
      isText: content.includes('#PCDATA'),
      required: attributes.filter(([, , rule]) => rule === '#REQUIRED').map(([, one = '']) => one),
      known: attributes.map(([, one = '']) => one),
    })
  }
  return elements
}

/** Returns what is wrong, with the element. The first element of the definition is the root. */
export function dtdFaults(xml: string, dtd: string): string[] {
  const valid = XMLValidator.validate(xml)
  if (valid !== true) return [`${valid.err.line}: ${valid.err.msg}`]
  const elements = elementsOf(dtd)
  const faults: string[] = []
  type Node = Record<string, unknown>
  const visit = (name: string, children: readonly Node[], attributes: Readonly<Record<string, unknown>>) => {
    const known = elements.get(name)
    if (!known) {
      faults.push(`there is no element ${name}`)
      return
    }
    const inner = children.flatMap((one) => Object.keys(one).filter((key) => key !== ':@' && key !== '#text'))
    const order = inner.map((one) => `${one},`).join('')
    if (!known.content.test(order)) faults.push(`${name} has ${order === '' ? 'nothing' : order}`)
    if (!known.isText && children.some((one) => String(one['#text'] ?? '').trim() !== ''))
      faults.push(`${name} has text`)
    const given = Object.keys(attributes).map((one) => one.replace(/^@_/, ''))
    for (const one of known.required) if (!given.includes(one)) faults.push(`${name} has no ${one}`)
    for (const one of given) if (!known.known.includes(one)) faults.push(`${name} has no attribute ${one}`)
    for (const child of children)
      for (const key of Object.keys(child))
        if (key !== ':@' && key !== '#text') visit(key, child[key] as Node[], (child[':@'] ?? {}) as Node)
  }
  const parsed = new XMLParser({ ignoreAttributes: false, preserveOrder: true, trimValues: true }).parse(xml) as Node[]
  const [first] = elements.keys()
  for (const root of parsed)
    for (const key of Object.keys(root)) {
      if (key === ':@' || key === '#text' || key.startsWith('?')) continue
      if (key !== first) faults.push(`the root is ${key}`)
      visit(key, root[key] as Node[], (root[':@'] ?? {}) as Node)
    }
  return faults
}

/** The elements and attributes of Cobertura's coverage-04.dtd. */
export const coberturaDtd = `
<!ELEMENT coverage (sources?,packages)>
<!ATTLIST coverage line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED lines-covered CDATA #REQUIRED
  lines-valid CDATA #REQUIRED branches-covered CDATA #REQUIRED branches-valid CDATA #REQUIRED
  complexity CDATA #REQUIRED version CDATA #REQUIRED timestamp CDATA #REQUIRED>
<!ELEMENT sources (source*)>
<!ELEMENT source (#PCDATA)>
<!ELEMENT packages (package*)>
<!ELEMENT package (classes)>
<!ATTLIST package name CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED complexity CDATA #REQUIRED>
<!ELEMENT classes (class*)>
<!ELEMENT class (methods,lines)>
<!ATTLIST class name CDATA #REQUIRED filename CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED
  complexity CDATA #REQUIRED>
<!ELEMENT methods (method*)>
<!ELEMENT method (lines)>
<!ATTLIST method name CDATA #REQUIRED signature CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED
  complexity CDATA #REQUIRED>
<!ELEMENT lines (line*)>
<!ELEMENT line (conditions*)>
<!ATTLIST line number CDATA #REQUIRED hits CDATA #REQUIRED branch CDATA "false" condition-coverage CDATA "100%">
<!ELEMENT conditions (condition*)>
<!ELEMENT condition EMPTY>
<!ATTLIST condition number CDATA #REQUIRED type CDATA #REQUIRED coverage CDATA #REQUIRED>
`

/** The JUnit schema of Jenkins (junit-10.xsd of its xUnit plugin), but for elements of runs that are repeated. */
export const junitDtd = `
<!ELEMENT testsuites (testsuite*)>
<!ATTLIST testsuites name CDATA #IMPLIED time CDATA #IMPLIED tests CDATA #IMPLIED failures CDATA #IMPLIED
  errors CDATA #IMPLIED>
<!ELEMENT testsuite (testsuite|properties|testcase|system-out|system-err)*>
<!ATTLIST testsuite name CDATA #REQUIRED tests CDATA #REQUIRED failures CDATA #REQUIRED errors CDATA #REQUIRED
  group CDATA #IMPLIED time CDATA #IMPLIED skipped CDATA #IMPLIED timestamp CDATA #IMPLIED hostname CDATA #IMPLIED
  id CDATA #IMPLIED package CDATA #IMPLIED file CDATA #IMPLIED log CDATA #IMPLIED url CDATA #IMPLIED>
<!ELEMENT properties (property*)>
<!ELEMENT property EMPTY>
<!ATTLIST property name CDATA #REQUIRED value CDATA #REQUIRED>
<!ELEMENT testcase (skipped|error|failure|system-out|system-err)*>
<!ATTLIST testcase name CDATA #REQUIRED time CDATA #IMPLIED classname CDATA #IMPLIED group CDATA #IMPLIED>
<!ELEMENT skipped (#PCDATA)>
<!ATTLIST skipped type CDATA #IMPLIED message CDATA #IMPLIED>
<!ELEMENT failure (#PCDATA)>
<!ATTLIST failure type CDATA #IMPLIED message CDATA #IMPLIED>
<!ELEMENT error (#PCDATA)>
<!ATTLIST error type CDATA #IMPLIED message CDATA #IMPLIED>
<!ELEMENT system-out (#PCDATA)>
<!ELEMENT system-err (#PCDATA)>
`
