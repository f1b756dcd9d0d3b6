/** Edits of an element: what is changed, what is inserted where, and that all the rest stays as it was. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyEdits, type ElementChange, elementEdits } from './element-edit.ts'
import { child, parseXml } from './xml.ts'

/** The document after a change of its `Tag`. */
function edited(text: string, change: ElementChange): string {
  const document = `<Document>${text}</Document>`
  const tag = child(parseXml(document), 'Tag')
  assert.ok(tag)
  return applyEdits(document, elementEdits(tag, change)).slice('<Document>'.length, -'</Document>'.length)
}

const texts = (xml: string) =>
  [...xml.matchAll(/<Culture>(.*?)<\/Culture>\s*<Text>(.*?)<\/Text>/g)].map((one) => one.slice(1))

test('an element without contents gets those that are not empty', () => {
  assert.equal(edited('<Tag ID="1" />', {}), '<Tag ID="1" />')
  assert.equal(edited('<Tag ID="1" />', { attributes: { Name: '' }, comment: { 'en-US': '' } }), '<Tag ID="1" />')
  assert.equal(
    edited('<Tag ID="1" />', { attributes: { Name: 'a<b', Address: '%M0.0', Type: undefined } }),
    '<Tag ID="1" ><AttributeList><Address>%M0.0</Address><Name>a&lt;b</Name></AttributeList></Tag>',
  )
  const commented = edited('<Tag ID="1" />', { comment: { 'en-US': 'here' } })
  assert.match(commented, /^<Tag ID="1" ><ObjectList>\s*<MultilingualText .*<\/ObjectList><\/Tag>$/s)
  assert.deepEqual(texts(commented), [['en-US', 'here']])
  const both = edited('<Tag ID="1" />', { attributes: { Name: 'a' }, comment: { 'en-US': 'here' } })
  assert.match(both, /^<Tag ID="1" ><AttributeList><Name>a<\/Name><\/AttributeList><ObjectList>/)
})

test('attributes are changed in their place; new ones stand in alphabetical order; an empty one is not added', () => {
  const tag = '<Tag>\n <AttributeList>\n  <Bit>1</Bit>\n  <Name>old</Name>\n </AttributeList>\n</Tag>'
  assert.equal(edited(tag, { attributes: { Name: 'old', Bit: undefined, Extra: '' } }), tag)
  assert.equal(edited(tag, { attributes: { Name: 'new' } }), tag.replace('>old<', '>new<'))
  assert.equal(edited(tag, { attributes: { Name: '' } }), tag.replace('<Name>old</Name>', '<Name />'))
  assert.equal(edited(tag, { attributes: { Comment: 'c' } }), tag.replace('<Name>', '<Comment>c</Comment><Name>'))
  assert.equal(edited(tag, { attributes: { Zone: 'z' } }), tag.replace('\n </Attr', '\n <Zone>z</Zone></Attr'))
  for (const empty of ['<Tag><AttributeList /></Tag>', '<Tag><AttributeList></AttributeList></Tag>', '<Tag></Tag>']) {
    assert.equal(
      edited(empty, { attributes: { Name: 'n' } }),
      '<Tag><AttributeList><Name>n</Name></AttributeList></Tag>',
    )
    assert.equal(edited(empty, { attributes: { Name: '' } }), empty)
  }
})

test('a comment takes the place of the old one, or the first place among the objects', () => {
  const other = '<MultilingualText ID="9" CompositionName="Title"><ObjectList /></MultilingualText>'
  const added = edited(`<Tag><ObjectList>${other}</ObjectList></Tag>`, { comment: { 'de-DE': 'neu' } })
  assert.deepEqual(texts(added), [['de-DE', 'neu']])
  assert.ok(added.endsWith(`</MultilingualText>${other}</ObjectList></Tag>`), added)
  const replaced = edited(added, { comment: { 'de-DE': 'anders', 'en-US': 'other' } })
  assert.deepEqual(texts(replaced), [
    ['de-DE', 'anders'],
    ['en-US', 'other'],
  ])
  assert.ok(replaced.endsWith(`${other}</ObjectList></Tag>`))
  // The same comment is left as it is: cultures without a text and their order are no difference.
  assert.equal(edited(replaced, { comment: { 'en-US': 'other', 'fr-FR': '', 'de-DE': 'anders' } }), replaced)
  for (const empty of ['<Tag></Tag>', '<Tag><ObjectList /></Tag>', '<Tag><ObjectList></ObjectList></Tag>'])
    assert.deepEqual(texts(edited(empty, { comment: { 'en-US': 'here' } })), [['en-US', 'here']])
  assert.equal(edited('<Tag></Tag>', { comment: {} }), '<Tag></Tag>')
})

test('edits keep the line ends of the text, and the order of insertions at one place', () => {
  const edits = (at: number) => [
    { start: at, end: at, text: 'b\n' },
    { start: at, end: at, text: 'c\n' },
    { start: 10, end: 11, text: 'A\nA' },
  ]
  assert.equal(applyEdits('a\n--', edits(12), 10), 'A\nA\nb\nc\n--')
  assert.equal(applyEdits('a\r\n--', edits(13), 10), 'A\r\nA\r\nb\r\nc\r\n--')
})
