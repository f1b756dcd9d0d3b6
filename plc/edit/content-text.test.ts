import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicDir } from '../../test/corpus.ts'
import { objectsIn } from '../../test/corpus-objects.ts'
import { readableDeclarations } from '../formats/source/write.ts'
import type { InterfaceMember } from '../model/object.ts'
import { contentText } from './content-text.ts'
import { content } from './document.ts'

test('every block of the corpus is read as text; a graphical one costs a fraction of its whole content', async () => {
  let text = 0
  let whole = 0
  let sequences = 0
  for (const { file, object } of await objectsIn(publicDir)) {
    const shown = contentText(object)
    if (shown.sourceText !== undefined) {
      assert.equal(shown.declarations ?? shown.networks, undefined, `${file}: said twice`)
      continue
    }
    assert.equal(shown.networks?.length, object.networks.length, file)
    for (const network of shown.networks ?? []) {
      const { parts } = object.networks[network.number - 1]!
      if (parts.length > 0) assert.notEqual(network.text, '', `${file}: network ${network.number} has no text`)
      if (network.language === 'GRAPH') {
        sequences++
        assert.match(network.text, /^SEQUENCE 1\nS\d+ "/m, file)
        assert.match(network.text, /^[ST]\d+(\.\d+)? (->|=>) /m, file)
      }
    }
    if (!['LAD', 'FBD', 'GRAPH'].includes(object.language)) continue
    text += JSON.stringify(shown).length
    whole += JSON.stringify(content(object)).length
  }
  assert(sequences > 0 && whole > 1_000_000, `${sequences} sequences, ${whole} characters`)
  assert(text * 10 < whole, `${text} of ${whole} characters`)
})

test('declarations of a block and of a type begin at the margin', () => {
  const member = (name: string, dataType: string, members: readonly InterfaceMember[] = []): InterfaceMember => ({
    ...{ name, dataType, comment: {}, attributes: [], members: [...members] },
  })
  const pair = member('pair', 'Struct', [member('a', 'Int'), member('b', 'Bool')])
  assert.equal(
    readableDeclarations('FB', [
      { section: 'Input', members: [member('go', 'Bool')] },
      { section: 'Static', members: [{ ...pair, remanence: 'Retain' }, member('n', 'Int')] },
    ]),
    `VAR_INPUT
   go : Bool;
END_VAR

VAR RETAIN
   pair : Struct
      a : Int;
      b : Bool;
   END_STRUCT;
END_VAR

VAR
   n : Int;
END_VAR`,
  )
  assert.equal(
    readableDeclarations('UDT', [{ section: 'None', members: [pair] }]),
    `STRUCT
   pair : Struct
      a : Int;
      b : Bool;
   END_STRUCT;
END_STRUCT;`,
  )
})
