import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkProgram } from '../../program/link-program.ts'
import { systemTypes } from '../../program/system-types.ts'
import { diagnosticsOf } from '../../testing/lower-source.ts'
import { canBeInstance, instructionOf } from './system-instances.ts'

const { typeOf } = linkProgram([])
const timers = 'TON TOF TP TONR TON_TIME TOF_TIME TP_TIME TONR_TIME TON_LTIME TOF_LTIME TP_LTIME TONR_LTIME'.split(' ')
const counters = 'CTU CTD CTUD CTU_INT CTD_DINT CTUD_ULINT'.split(' ')
const edges = ['R_TRIG', 'F_TRIG']
const others = [
  'TSEND',
  'Tsend',
  'TRCV',
  'MB_CLIENT',
  'Modbus_Master',
  'PID_Compact',
  'MC_Power',
  'IEC_TIMER',
  'Nothing',
]

/** The instructions of the lists that data of a type can be an instance of. */
function instructionsOf(type: string): string[] {
  return [...timers, ...counters, ...edges, ...others].filter((name) => canBeInstance(typeOf(type), name))
}

test('instances of timers, counters and edges are for the instructions of their kind', () => {
  for (const type of ['IEC_TIMER', 'IEC_LTIMER', ...timers.slice(4)])
    assert.deepEqual(instructionsOf(type), timers, type)
  for (const type of ['IEC_COUNTER', 'IEC_DCOUNTER', 'IEC_ULCOUNTER', 'CTU_INT', 'CTD_DINT', 'CTUD_ULINT'])
    assert.deepEqual(instructionsOf(type), counters, type)
  assert.deepEqual(edges.map(instructionsOf), [['R_TRIG'], ['F_TRIG']])
  assert.deepEqual(['TSEND', 'MB_CLIENT', 'Modbus_Master'].map(instructionsOf), [
    ['TSEND', 'Tsend'],
    ['MB_CLIENT'],
    ['Modbus_Master'],
  ])
  for (const type of ['Int', 'DTL', 'Array[0..1] of TON_TIME', 'ERROR_STRUCT', 'TCON_Param', 'String', 'Missing'])
    assert.deepEqual(instructionsOf(type), [], type)
})

test('the instruction of a type: the name of its kind alone', () => {
  const found = systemTypes().flatMap(({ name }) => {
    const instruction = instructionOf(typeOf(name))
    return instruction === undefined ? [] : [`${name} ${instruction}`]
  })
  const expected = [
    ...['TON', 'TOF', 'TP', 'TONR'].flatMap((name) => ['TIME', 'LTIME'].map((type) => `${name}_${type} ${name}`)),
    ...['CTU', 'CTD', 'CTUD'].flatMap((name) =>
      ['SINT', 'INT', 'DINT', 'LINT', 'USINT', 'UINT', 'UDINT', 'ULINT'].map((type) => `${name}_${type} ${name}`),
    ),
    ...['TON', 'TOF', 'TP', 'TONR', 'CTU', 'CTD', 'CTUD', ...edges].map((name) => `${name} ${name}`),
  ]
  assert.deepEqual(found.sort(), expected.sort())
  assert.equal(instructionOf(typeOf('IEC_TIMER')), undefined)
})

test('programs use parameters and data of system blocks that exports have', () => {
  const body = `FUNCTION_BLOCK "Uses"
VAR_IN_OUT run : G7_RTDataPlus_V6; END_VAR
VAR pid : PID_Compact; send : TSEND; receive : TRCV; port : Send_Config; to : TADDR_Param; data : Array[0..9] of Byte;
n : Int; b : Bool; t : Time; END_VAR
BEGIN
#pid.PIDSelfTune.SUT.TuneRule := 2; #pid.PIDSelfTune.TIR.RunIn := TRUE; #pid.PIDCtrl.IntegralSum := 0.0;
#b := #pid.WarningInternal = 16#0 AND #pid.InternalDiagnostic = 16#0;
#send(REQ := #b, ID := 1, LEN := 10, DATA := #data, ADDR := #to);
#receive(EN_R := #b, ID := 1, LEN := 10, DATA := #data, ADDR := #to);
#port(REQ := #b, PORT := 269, USR_END := 'ab', APP_END := 'cd');
#n := #run.S_DISPLAY + #run.S_SEL_OLD; #t := #run.TIME_DELTA; #run.MOP.HALT := #run.SQ_FLAGS.FAULT;
#b := #run.MOP_EDGE.AUTO OR #run.EXEC_BITS[249] OR #run.GC_FLAGS.SSKIP_ON OR #run.SQ_FLAGS.SQ_BUSY;
END_FUNCTION_BLOCK
`
  assert.deepEqual(
    diagnosticsOf(body).map(({ code, message }) => `${code} ${message}`),
    [],
  )
})
