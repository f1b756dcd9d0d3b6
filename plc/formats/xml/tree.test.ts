/** The tree of XML that is only read, beside the other parser of this repository. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { publicDir } from '../../../test/corpus.ts'
import { FormatError } from '../../model/fault.ts'
import { parseXml, type XmlElement } from '../simaticml/xml.ts'
import { childOf, childrenOf, readXml, textOf, type XmlNode } from './tree.ts'

const faultOf = (text: string, bounds?: Parameters<typeof readXml>[1]) => {
  try {
    readXml(text, bounds)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    assert.equal(error.faults.length, 1)
    const [{ code, message, line, column }] = error.faults as [FormatError['faults'][number]]
    return { code, message, at: `${line}:${column}` }
  }
  return undefined
}

test('documents of the corpus have the elements, attributes and texts that the other parser finds', () => {
  const shown = (node: XmlNode): unknown => {
    const children = childrenOf(node)
    // The other tree has no text between elements.
    return [node.name, node.attributes, children.length > 0 ? children.map(shown) : textOf(node)]
  }
  const other = ({ name, attributes, children, text }: XmlElement): unknown => [
    name,
    { ...attributes },
    children.length > 0 ? children.map(other) : text,
  ]
  const paths = readdirSync(publicDir, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.xml'))
    .map((path) => join(publicDir, path))
    .filter((path) => statSync(path).size < 40_000)
    .slice(0, 60)
  assert.ok(paths.length > 20)
  for (const path of paths) {
    const text = readFileSync(path, 'utf8')
    assert.deepEqual(shown(readXml(text)), other(parseXml(text.replace(/^\uFEFF/, ''))), path)
  }
})

test('texts, white space, CDATA, entities, and the lines of elements', () => {
  const root = readXml(
    `\uFEFF<?xml version="1.0"?>\n<!-- <!DOCTYPE no> -->\n<a x="1 &lt; &#x41;&#66;" y="&quot;&apos;">\n  <b> one <![CDATA[<!DOCTYPE &amp;>]]></b>\n  text &amp; more\n\n  <p:b n="2"/><c>  </c></a>\n`,
  )
  const b = { name: 'b', attributes: {}, content: [' one ', '<!DOCTYPE &amp;>'], line: 4 }
  const prefixed = { name: 'p:b', attributes: { n: '2' }, content: [], line: 7 }
  assert.deepEqual(root, {
    name: 'a',
    attributes: { x: '1 < AB', y: `"'` },
    content: [b, '\n  text & more\n\n  ', prefixed, { name: 'c', attributes: {}, content: ['  '], line: 7 }],
    line: 3,
  })
  assert.equal(textOf(b), ' one <!DOCTYPE &amp;>')
  assert.deepEqual([childOf(root, 'p:b'), childOf(root, 'x')], [prefixed, undefined])
  assert.deepEqual(childrenOf(root, 'b'), [b])
  assert.equal(childrenOf(root).length, 3)
})

test('what is no document, or could define entities, is a fault with its place', () => {
  const dtd = 'a document type declaration (DTD) is not allowed: it could define entities'
  assert.deepEqual(faultOf('<?xml version="1.0"?>\n <!DOCTYPE a><a/>'), {
    code: 'xml-doctype',
    message: dtd,
    at: '2:2',
  })
  assert.equal(faultOf('<a><!-- x --><![CDATA[y]]></a>\n<!-- <!DOCTYPE a> -->'), undefined)
  assert.equal(faultOf('<!-- a --><!-- b --><!DOCTYPE a><a/>')?.code, 'xml-doctype')
  const broken = faultOf('<a>\n  <b></c>\n</a>')
  assert.deepEqual([broken?.code, broken?.at.split(':')[0]], ['xml-syntax', '2'])
  assert.match(broken?.message ?? '', /^malformed XML: ./)
  assert.equal(faultOf('')?.code, 'xml-syntax')
  assert.equal(faultOf('<a/><b/>')?.code, 'xml-syntax')
})

test('references are those of XML: others are faults at the line of their element', () => {
  for (const reference of [
    '&nbsp;',
    '&lt',
    '&',
    '&;',
    '&#;',
    '&#x;',
    '&#0;',
    '&#x1F;',
    '&#x110000;',
    '&#xD800;',
    '& lt;',
  ])
    for (const text of [`<a>\n<b>${reference}</b></a>`, `<a>\n<b x="${reference}"/></a>`]) {
      const fault = faultOf(text)
      // The check of the syntax, which comes first, sees some of them in texts.
      assert.match(fault?.code ?? '', /^xml-(reference|syntax)$/, text)
      assert.equal(fault?.at.split(':')[0], '2', text)
      if (fault?.code === 'xml-reference')
        assert.ok(fault.message.includes(`"${reference.split(' ')[0]}" is not`), text)
    }
  const text = (inside: string) => textOf(readXml(`<a>${inside}</a>`))
  assert.equal(text('&#x10FFFF;&#9;&#xa;&#38;lt;&amp;gt;'), '\u{10ffff}\t\n&lt;&gt;')
})

test('size and depth are bounded', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
  assert.equal(faultOf(nested(200)), undefined)
  assert.deepEqual(faultOf(nested(400)), {
    code: 'xml-limit',
    message: 'elements are nested deeper than 200 levels',
    at: '1:1',
  })
  const bounds = { maxLength: 20, maxDepth: 5 }
  assert.equal(faultOf(`<a>${'x'.repeat(13)}</a>`, bounds), undefined)
  assert.deepEqual(faultOf(`<a>${'x'.repeat(14)}</a>`, bounds), {
    code: 'xml-limit',
    message: 'the document has 21 characters, at most 20 are read',
    at: '1:1',
  })
})
