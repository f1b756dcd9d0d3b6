/** High-speed counters and pulse generators of an S7-1200: their system constants in a program. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway } from '../../test/harness.ts'
import { type Answer, plc } from '../../test/online.ts'

test('a program names counters and pulse generators of its CPU by their system constants', async (t) => {
  const at = await openTestGateway(t)
  await at.call('projects.create', { name: 'Line' })
  await at.call('devices.add', { name: 'PLC_1', orderNumber: '6ES7 214-1AG40-0XB0', firmware: 'V4.4' })
  const content = `
FUNCTION_BLOCK "Drive"
VAR
  pwm {InstructionName := 'CTRL_PWM'; LibVersion := '1.0'} : CTRL_PWM;
  hsc {InstructionName := 'CTRL_HSC'; LibVersion := '1.0'} : CTRL_HSC;
END_VAR
BEGIN
  #pwm(PWM := "Local~Pulse_1", ENABLE := TRUE);
  #hsc(HSC := "Local~HSC_6", DIR := FALSE, CV := FALSE, RV := FALSE, PERIOD := FALSE, NEW_DIR := 0, NEW_CV := 0,
       NEW_RV := 0, NEW_PERIOD := 0);
END_FUNCTION_BLOCK
`
  const { warnings, compileMessages } = await at.call<Answer>('blocks.import', { ...plc, content, compile: true })
  assert.deepEqual([warnings, compileMessages.filter((one: Answer) => one.state === 'Error')], [[], []])
  const { constants } = await at.call<Answer>('tags.list-system-constants', {
    ...plc,
    tableName: 'Default tag table',
  })
  const own = constants.filter(({ name }: Answer) => /^Local/.test(name))
  assert.deepEqual(
    own.map(({ name, dataType, value }: Answer) => `${name} ${dataType} ${value}`),
    [
      ...['Local HW_SUBMODULE 49', 'Local~AI_2_1 HW_SUBMODULE 258', 'Local~Common HW_SUBMODULE 50'],
      ...['Local~Configuration HW_SUBMODULE 33', 'Local~Device HW_DEVICE 32', 'Local~DI_14_DQ_10_1 HW_SUBMODULE 257'],
      'Local~Exec HW_SUBMODULE 52',
      ...[1, 2, 3, 4, 5, 6].map((n) => `Local~HSC_${n} HW_HSC ${258 + n}`),
      'Local~MC HW_SUBMODULE 51',
      ...['Local~PROFINET_interface_1 HW_INTERFACE 64', 'Local~PROFINET_interface_1~Port_1 HW_INTERFACE 65'],
      ...[1, 2, 3, 4].map((n) => `Local~Pulse_${n} HW_PWM ${264 + n}`),
    ],
  )
})
