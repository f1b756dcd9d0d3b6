/** What clients read, change and put back whole. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails, openPlant } from '../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
type Fields = Record<string, unknown>
/** As a client has it. */
const sent = <T>(answer: T): T => JSON.parse(JSON.stringify(answer)) as T

test('a block and a type that are put back whole are changed where they differ', async (t) => {
  const { call } = await openPlant(t)
  const code = '#Sum := #a + #b;'
  const members = (...names: string[]) => names.map((name) => ({ section: 'Input', name, dataType: 'Int' }))
  await call('blocks.create', {
    ...on,
    name: 'Sum',
    type: 'FC',
    interface: [...members('a', 'b'), { section: 'Return', name: 'Ret_Val', dataType: 'Int' }],
    code,
  })
  const read = async () =>
    sent(await call<Fields & { sourceText: string }>('blocks.content', { ...on, blockName: 'Sum' }))
  const put = (body: Fields) => call<Fields>('blocks.update-content', { ...on, blockName: 'Sum', ...body })
  const shown = await read()
  assert.equal((await put(shown)).changed, false)
  await put({ ...shown, sourceText: shown.sourceText.replace('+', '-') })
  assert.match((await read()).sourceText, /#a - #b/)
  const now = await read()
  await put({ ...now, interface: [...(now.interface as Fields[]), ...members('c')] })
  const after = await read()
  assert.match(after.sourceText, /c : Int;/)
  assert.match(after.sourceText, /#a - #b/)
  await fails(
    put({ ...after, number: 77, sourceText: code }),
    'invalid_input',
    /^\/number: is \d+ and cannot be changed/,
  )
  await fails(put({ ...after, colour: 'red' }), 'invalid_input', /^\/colour: unknown property/)
  await fails(put({ colour: 'red' }), 'invalid_input', /^\/colour: unknown property/)

  await call('types.create', { ...on, name: 'UDT_A', members: [{ name: 'a', dataType: 'Int' }] })
  const type = sent(await call<Fields>('types.get', { ...on, udtName: 'UDT_A' }))
  const putType = (body: Fields) => call<Fields>('types.update', { ...on, udtName: 'UDT_A', ...body })
  assert.equal((await putType(type)).changed, false)
  assert.equal((await putType({ ...type, members: [{ name: 'b', dataType: 'Real' }] })).changed, true)
})
