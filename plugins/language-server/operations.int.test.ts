/** What editors ask about a text of the open project. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails, fbSource, openPlant } from '../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
const text = `FUNCTION "Calc" : Int
VAR_INPUT
  motor : "M";
  speed : Int; // rpm
END_VAR
BEGIN
  #Calc := #speed + "Start";
END_FUNCTION
`
const at = (what: string, skip = 1) => text.indexOf(what, text.indexOf('BEGIN')) + skip

test('hover, definition and completion see the program as it is now, and the text as it is typed', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.import', { ...on, content: fbSource('M') })
  await call('blocks.import', { ...on, content: text })
  await call('blocks.create', { ...on, name: 'Drawn', type: 'FC', language: 'LAD', networks: [] })
  const ask = (operation: string, more: object) =>
    // biome-ignore lint/suspicious/noExplicitAny: answers of several operations
    call<any>(`language.${operation}`, { ...on, blockName: 'Calc', ...more })

  const hover = await ask('hover', { offset: at('#speed', 2) })
  assert.equal(text.slice(hover.start, hover.end), '#speed')
  assert.match(hover.markdown, /speed : Int[\s\S]*rpm/)
  assert.deepEqual(await ask('hover', { offset: at(';', 1) }), { found: false })

  const [here] = (await ask('definition', { offset: at('#speed', 2) })).definitions
  assert.deepEqual([here.objectName, text.slice(here.start, here.end)], ['Calc', 'speed'])
  const [type] = (await ask('definition', { offset: text.indexOf('"M"') + 1 })).definitions
  assert.equal(type.objectName, 'M')

  // A tag that is added later is known at once; it is declared in no object.
  assert.deepEqual((await ask('definition', { offset: at('"Start"') })).definitions, [])
  await call('tags.add', { ...on, tableName: 'Default tag table', name: 'Start', dataType: 'Int' })
  const [tag] = (await ask('definition', { offset: at('"Start"') })).definitions
  assert.deepEqual([tag.objectName, tag.symbol], [undefined, '"Start"'])

  // The typed text counts for the question only.
  const typed = text.replace('"Start"', 'Dra')
  const offset = typed.indexOf('Dra') + 3
  const proposals = await ask('complete', { text: typed, offset })
  assert.equal(typed.slice(proposals.start, proposals.end), 'Dra')
  assert.ok(proposals.items.some((one: { text: string }) => one.text.includes('Drawn')))
  assert.match((await ask('hover', { offset: at('"Start"', 2) })).markdown, /Start/)
  // So does the text of a block that is drawn, or not made yet.
  assert.equal((await ask('hover', { blockName: 'New', text, offset: at('#speed', 2) })).found, true)
  assert.equal((await ask('hover', { blockName: 'Drawn', text, offset: at('#speed', 2) })).found, true)
  await fails(ask('hover', { blockName: 'New', offset: 1 }), 'not_found')
  await fails(ask('hover', { blockName: 'Drawn', offset: 1 }), 'not_found')
  await fails(ask('hover', { offset: 5000 }), 'invalid_input', /behind the end/)

  // A block that changes is read again.
  await call('blocks.delete', { ...on, blockName: 'M', force: true })
  assert.deepEqual((await ask('definition', { offset: text.indexOf('"M"') + 1 })).definitions, [])
})
