/** What models and scripts send: code fences, a whole block for its statements, numbers for names, text for values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails, openPlant } from '../../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
const source = (body: string) => `FUNCTION_BLOCK "Pump"
   VAR_INPUT
      start : Bool;
   END_VAR
   VAR
      count : Int;
   END_VAR

BEGIN
${body}
END_FUNCTION_BLOCK
`

test('fences, whole blocks, blocks by number, sections by keyword', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.import-and-generate', { ...on, content: `\`\`\`scl\n${source('#count := 1;')}\`\`\`` })
  const text = async (blockName: string) =>
    (await call<{ sourceText: string }>('blocks.content', { ...on, blockName })).sourceText
  const { number } = await call<{ number: number }>('blocks.content', { ...on, blockName: 'Pump' })
  assert.match(await text(`FB${number}`), /#count := 1;/)
  assert.match(await text(`fb ${number}`), /#count := 1;/)
  await fails(call('blocks.content', { ...on, blockName: 'FB9999' }), 'not_found')
  await call('blocks.update-content', { ...on, blockName: 'Pump', code: '```\n#count := 2;\n```' })
  assert.match(await text('Pump'), /#count := 2;/)
  await call('blocks.update-content', { ...on, blockName: 'Pump', code: source('#count := 3;') })
  assert.match(await text('Pump'), /#count := 3;/)
  const whole = { ...on, name: 'Other', type: 'FB', code: source('#count := 4;') }
  await fails(call('blocks.create', whole), 'unacceptable_content', /text of "Pump", expected "Other"/)
  await fails(
    call('blocks.create', { ...whole, code: whole.code.replace('Pump', 'Other'), title: 'x' }),
    'invalid_input',
    /contains title itself/,
  )
  const own = {
    ...on,
    name: 'Valve',
    type: 'FB',
    code: `\`\`\`scl\n${source('#count := 5;').replace('Pump', 'Valve')}\`\`\``,
  }
  await fails(call('blocks.create', { ...own, language: 'STL' }), 'invalid_input', /in SCL/)
  await fails(call('blocks.create', { ...own, type: 'FC' }), 'unacceptable_content', /FB/)
  const valve = await call<{ name: string; number: number }>('blocks.create', { ...own, number: 78, language: 'SCL' })
  assert.equal(valve.number, 78)
  assert.match(await text('Valve'), /VAR_INPUT\s+start : Bool;[\s\S]*#count := 5;/)
  const made = await call<{ name: string; number: number }>('blocks.create', {
    ...on,
    name: 'Other',
    type: 'fb',
    number: '77',
    interface: [{ section: 'VAR_INPUT', name: 'go', dataType: 'Bool' }],
    code: '#go := #go;',
  })
  assert.equal(made.number, 77)
  assert.match(await text('Other'), /VAR_INPUT\s+go : Bool;/)
})

test('an error for a device that is not there names those that are', async (t) => {
  const { call } = await openPlant(t)
  await fails(call('blocks.list', { deviceName: 'Robot' }), 'not_found', /There is: "PLC_1"/)
})
