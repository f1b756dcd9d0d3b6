/** Where the studio leads from a message of the compiler. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findingsOf } from '../../web/studio/model.ts'
import { openPlant } from '../plant.ts'

const plc = { deviceName: 'PLC_1' }
const source = (name: string, statement: string) => `FUNCTION "${name}" : Int
VAR_TEMP
  spare : Int;
END_VAR
BEGIN
  ${statement}
END_FUNCTION
`

test('messages of networks and of the interface lead to their block', async (t) => {
  const { call } = await openPlant(t)
  const findings = async (blockName: string, statement: string) => {
    await call('blocks.import', { ...plc, content: source(blockName, statement), folder: 'Sums' })
    type Compiled = { messages: Parameters<typeof findingsOf>[0] }
    const { messages } = await call<Compiled>('blocks.compile', { ...plc, blockName })
    return findingsOf(messages, 'PLC_1').map(({ code, block, line }) => [code, block, line])
  }
  assert.deepEqual(await findings('Calc', '#Calc := #missing;'), [['undeclared', 'Calc', 6]])
  // The path of this message ends with the member.
  assert.deepEqual(await findings('Sum', '#Sum := 1;'), [['unused-temporary', 'Sum', 3]])
})
