import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FormatError } from '../../model/fault.ts'
import { importSd } from './import.ts'
import { readResources, writeResources } from './resources.ts'

const fault = (text: string) =>
  readResources(text).then(
    () => assert.fail('it was read'),
    (error: unknown) => {
      assert.ok(error instanceof FormatError)
      const [first] = error.faults
      return `${first?.line}:${first?.column} ${first?.message}`
    },
  )

test('texts of all cultures, in the layout of TIA Portal V21', async () => {
  const text = `MultiLingualTexts:
  - id: MLC_1
    de-DE: 'Zustand: läuft'
    en-US: 0- Auto; 2 - Service
  - id: MLC_2
    en-US: |-
      first: one
        indented

      last
  - id: MLC_3
    en-US: |+
      ends with a line

  - id: MLC_4
`
  const resources = await readResources(text)
  assert.deepEqual(Object.fromEntries(resources), {
    MLC_1: { 'de-DE': 'Zustand: läuft', 'en-US': '0- Auto; 2 - Service' },
    MLC_2: { 'en-US': 'first: one\n  indented\n\nlast' },
    MLC_3: { 'en-US': 'ends with a line\n\n' },
    MLC_4: {},
  })
  assert.equal(writeResources(resources), text)
})

test('texts of V20 are XML', async () => {
  const text =
    '<root>\n  <Comment Id="MLC_1">\n    <MultiLanguageText Lang="de-DE"></MultiLanguageText>\n    <MultiLanguageText Lang="en-US">Call &amp; go</MultiLanguageText>\n  </Comment>\n</root>'
  assert.deepEqual(Object.fromEntries(await readResources(text)), { MLC_1: { 'en-US': 'Call & go' } })
  assert.match(await fault('<root><Comment/></root>'), /^1:7 <Comment> needs the attribute Id/)
})

test('values are texts whatever they look like', async () => {
  const resources = await readResources(
    'MultiLingualTexts:\n  - id: 1\n    en-US: 1.0\n    de-DE: true\n    fr-FR: ~\n',
  )
  assert.deepEqual(Object.fromEntries(resources), { 1: { 'en-US': '1.0', 'de-DE': 'true', 'fr-FR': '~' } })
  assert.equal((await readResources('MultiLingualTexts:\n')).size, 0)
  assert.equal((await readResources('')).size, 0)
})

test('faults have their place', async () => {
  assert.match(await fault('MultiLingualTexts:\n  - id: a\n    en-US: b: c\n'), /^3:\d+ .*needs apostrophes around it/)
  assert.match(await fault('MultiLingualTexts:\n  - id: a\n  - id: a\n'), /^3:5 the id a is used twice/)
  assert.match(await fault('MultiLingualTexts:\n  - en-US: a\n'), /^2:5 this text has no id/)
  assert.match(
    await fault('MultiLingualTexts:\n  - id: a\n    the end: b\n'),
    /^3:5 "the end" is no culture such as en-US/,
  )
  assert.match(await fault('Texts:\n  - id: a\n'), /expected "MultiLingualTexts:"/)
  assert.match(await fault('MultiLingualTexts:\n  - id: &x a\n    en-US: *x\n'), /^3:12 expected the text of en-US/)
  await fault('MultiLingualTexts: [[[[[[[[')
  const several = await readResources(
    'MultiLingualTexts:\n  - id: [a]\n  - b\n  - id: c\n    en-US: [d]\n    x: y\n',
  ).catch((error: unknown) =>
    (error as FormatError).faults.map(({ line, column, message }) => `${line}:${column} ${message}`),
  )
  assert.deepEqual(several, [
    '2:9 expected the text of id',
    '2:5 this text has no id',
    '3:5 expected a text: "- id: …" with one line for each culture',
    '5:12 expected the text of en-US',
    '6:5 "x" is no culture such as en-US',
  ])
})

test('every text survives writing and reading', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[ \n\t:#'"\-a|>0]{0,12}$/)), {
        maxLength: 8,
      }),
      async (texts) => {
        const clean = texts.map((text) => text.replace(/[\ud800-\udfff]/g, '?')).filter((text) => text !== '')
        const resources = new Map(clean.map((text, i) => [`MLC_${i}`, { 'en-US': text }]))
        assert.deepEqual(await readResources(writeResources(resources)), resources)
      },
    ),
    { numRuns: 500 },
  )
})

test('a text is written plain, in apostrophes, as a block of lines or with escapes, whichever it needs', () => {
  const written = (text: string) =>
    writeResources(new Map([['a', { 'en-US': text, 'de-DE': '' }]])).replace(
      'MultiLingualTexts:\n  - id: a\n    en-US: ',
      '',
    )
  const cases: readonly (readonly [text: string, scalar: string])[] = [
    ['plain text', 'plain text'],
    ["it's", "it's"],
    ['5', "'5'"],
    ['yes', "'yes'"],
    ['a: b', "'a: b'"],
    ["'a' #b", "'''a'' #b'"],
    ['a\nb', '|-\n      a\n      b'],
    ['a\n\n b', '|-\n      a\n\n       b'],
    ['a\n', '|+\n      a'],
    ['a\nb\n\n', '|+\n      a\n      b\n'],
    ['a\r\nb', String.raw`"a\r\nb"`],
    [' a\nb', String.raw`" a\nb"`],
    ['\na', String.raw`"\na"`],
    ['a\u0001', String.raw`"a\u0001"`],
    ['ä\u007f', String.raw`"ä\u007f"`],
    ['\u2028', String.raw`"\u2028"`],
  ]
  for (const [text, scalar] of cases) assert.equal(written(text), `${scalar}\n`, JSON.stringify(text))
})

test('an XML of texts needs an id for each', async () => {
  const document = (inside: string) => `<MultiLingualTexts>${inside}</MultiLingualTexts>`
  const one =
    '<MultiLanguageText Lang="en-US">x</MultiLanguageText><MultiLanguageText Lang="de-DE"></MultiLanguageText>'
  assert.deepEqual(
    await readResources(
      document(`<Comment Id="a">${one}<Other Lang="fr-FR">y</Other><MultiLanguageText>z</MultiLanguageText></Comment>`),
    ),
    new Map([['a', { 'en-US': 'x' }]]),
  )
  for (const comment of ['<Comment/>', '<Comment Id=""/>'])
    assert.match(await fault(document(comment)), /<Comment> needs the attribute Id/)
  assert.match(await fault(document('<Comment Id="a"/><Comment Id="a"/>')), /^1:37 the id a is used twice/)
})

test('any text is read or refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[-{}[\]:,&*!|>'"%@` a\n]{0,60}$/)),
      async (text) => {
        await readResources(`MultiLingualTexts:\n${text}`).catch((error: unknown) =>
          assert.ok(error instanceof FormatError, String(error)),
        )
      },
    ),
    { numRuns: 500 },
  )
})

test('a fault in the text file of an import is told with its file, and nothing is imported', async () => {
  const resources = Buffer.from('MultiLingualTexts:\n  - id: [\n')
  const { objects, faults } = await importSd('FUNCTION_BLOCK "F"\nEND_FUNCTION_BLOCK\n', { resources })
  assert.deepEqual(objects, [])
  assert.match(faults[0]?.message ?? '', /^in the \.s7res file: /)
})
