/** Checks XML against a document type definition: elements in their order, and attributes. Enough for reports. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'

interface Element {
  /** Names of children, each with a comma behind it. */
  readonly content: RegExp
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
      .replace(/EMPTY|#PCDATA/g, '')
      .replace(/[\w-]+/g, (child) => `(?:${child},)`)
      // A comma between two names is the order of both.
      .replace(/\),(?=\()/g, ')')
      .replace(/([)?*+]),(?=\()/g, '$1')
    elements.set(name, {
      content: new RegExp(`^${pattern}$`),
      required: attributes.filter(([, , rule]) => rule === '#REQUIRED').map(([, one = '']) => one),
      known: attributes.map(([, one = '']) => one),
    })
  }
  return elements
}

/** Returns what is wrong, with the element. */
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
    const given = Object.keys(attributes).map((one) => one.replace(/^@_/, ''))
    for (const one of known.required) if (!given.includes(one)) faults.push(`${name} has no ${one}`)
    for (const one of given) if (!known.known.includes(one)) faults.push(`${name} has no attribute ${one}`)
    for (const child of children)
      for (const key of Object.keys(child))
        if (key !== ':@' && key !== '#text') visit(key, child[key] as Node[], (child[':@'] ?? {}) as Node)
  }
  const parsed = new XMLParser({ ignoreAttributes: false, preserveOrder: true, trimValues: true }).parse(xml) as Node[]
  for (const root of parsed)
    for (const key of Object.keys(root))
      if (key !== ':@' && !key.startsWith('?')) visit(key, root[key] as Node[], (root[':@'] ?? {}) as Node)
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
<!ELEMENT lines (line*)>
<!ELEMENT line (conditions*)>
<!ATTLIST line number CDATA #REQUIRED hits CDATA #REQUIRED branch CDATA "false" condition-coverage CDATA "100%">
`

/** What the JUnit schema of Jenkins (jenkins-junit.xsd) allows of the elements that reports use. */
export const junitDtd = `
<!ELEMENT testsuites (testsuite*)>
<!ATTLIST testsuites name CDATA #IMPLIED time CDATA #IMPLIED tests CDATA #IMPLIED failures CDATA #IMPLIED
  disabled CDATA #IMPLIED errors CDATA #IMPLIED>
<!ELEMENT testsuite (testcase*)>
<!ATTLIST testsuite name CDATA #REQUIRED tests CDATA #REQUIRED failures CDATA #IMPLIED errors CDATA #IMPLIED
  time CDATA #IMPLIED disabled CDATA #IMPLIED skipped CDATA #IMPLIED timestamp CDATA #IMPLIED>
<!ELEMENT testcase (skipped?,error*,failure*)>
<!ATTLIST testcase name CDATA #REQUIRED assertions CDATA #IMPLIED time CDATA #IMPLIED classname CDATA #IMPLIED
  status CDATA #IMPLIED>
<!ELEMENT failure (#PCDATA)>
<!ATTLIST failure type CDATA #IMPLIED message CDATA #IMPLIED>
<!ELEMENT error (#PCDATA)>
<!ATTLIST error type CDATA #IMPLIED message CDATA #IMPLIED>
`
