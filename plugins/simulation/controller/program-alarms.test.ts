/** All alarms of a program with what its manifest says of them, and supervisions as they are watched. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded } from '../../../test/recorded.ts'
import { loadedProgram } from '../../../test/tag-memory.ts'
import { knownAlarms } from '../reports/known-alarms.ts'
import { resolveTag } from '../tags/resolve.ts'
import type { LoadedProgram } from './contract.ts'
import { programAlarms } from './program-alarms.ts'
import { SupervisionWatch } from './supervision-watch.ts'

const source = `
TYPE "Valve"
STRUCT
  open : Bool;
  late : Bool;
END_STRUCT;
END_TYPE
FUNCTION_BLOCK "Drive"
VAR_INPUT
  on : Bool;
  locked : Bool;
  delay : Time := T#2s;
  speed : Int;
  name : String[8] := 'pump';
END_VAR
VAR
  jam : Program_Alarm; // the drive is jammed
  valves : Array[1..2] of "Valve";
END_VAR
BEGIN
  #jam(SIG := #on);
END_FUNCTION_BLOCK
FUNCTION_BLOCK "Station"
VAR
  left : "Drive";
  many : Array[1..2] of "Drive";
  "odd.name" : "Drive";
  own : Array[0..1] of Program_Alarm;
  inside : Struct
    hot : Program_Alarm; // too hot
  END_STRUCT;
END_VAR
BEGIN
  #own[0](SIG := FALSE);
END_FUNCTION_BLOCK
DATA_BLOCK "Line"
VAR
  first : "Station";
  level : Int;
  high : Bool;
  bits : Struct
    bit : Bool;
  END_STRUCT;
END_VAR
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Drive_DB"
"Drive"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Alarm_DB"
"Program_Alarm"
BEGIN
END_DATA_BLOCK
`
const en = (text: string) => ({ 'en-US': text })
const supervision = (number: string, of: object) => ({
  ...{
    number,
    type: 'Operand',
    status: true,
    delay: '',
    conditions: [],
    category: 'Error',
    values: [],
    text: en(number),
  },
  ...of,
})
const alarms = {
  classes: [{ name: 'Urgent', needsAcknowledgement: true, priority: 9 }],
  textLists: [],
  alarms: [
    { block: 'Drive', member: 'jam', alarmClass: 'Urgent', text: en('jammed') },
    { block: 'Station', member: 'inside.hot', text: en('hot') },
    { block: 'Station', member: 'own[1]', alarmClass: 'No Acknowledgement' },
    { instance: '"line".FIRST.left.jam', alarmClass: 'Unknown', infoText: en('see left') },
    { instance: '"Alarm_DB"', text: en('alone') },
    { block: 'Drive', member: '#2', text: en('own text'), alarmClass: 'Urgent' },
    { instance: '"Drive_DB".#2', alarmClass: 'No Acknowledgement' },
  ],
  supervisions: [
    supervision('1', { block: 'Drive', operand: '#on', name: 'On', alarmClass: 'No Acknowledgement' }),
    supervision('2', {
      ...{ block: 'drive', operand: '#on', status: false, delay: '#delay', values: ['#speed', '#name'] },
      conditions: [
        { operand: '#locked', status: true },
        { operand: '"Line".high', status: false },
      ],
    }),
    supervision('3', { dataType: 'Valve', operand: '#late', delay: 'T#500ms', type: 'Reaction' }),
    supervision('4', { operand: 'Line.high', delay: ' time#1s ' }),
    supervision('5', { operand: '%M0.0', delay: '' }),
    supervision('6', { operand: '"Flag"' }),
    supervision('7', { operand: 'Line.level' }),
    supervision('8', { operand: 'Line.nothing' }),
    supervision('9', { operand: 'Line.high', delay: 'Line.level' }),
    supervision('10', { operand: 'Line.high', values: ['Line.bits'] }),
    supervision('11', { operand: 'Line.high', conditions: [{ operand: 'Line.level', status: true }] }),
    supervision('12', { block: 'Nobody', operand: '#on' }),
    supervision('13', { operand: '"Line".high', text: en('of the document') }),
  ],
  ownSupervisions: [supervision('13', { operand: 'line.HIGH', text: en('set by an operation'), type: 'Position' })],
}

const program: LoadedProgram = await loadedProgram(source, { Flag: ['Bool', '%M0.1'], Entry: ['"Valve"', '%I4.0'] })
const withManifest = (manifest: unknown): LoadedProgram => ({
  ...program,
  package: { hash: '', manifest: typeof manifest === 'string' ? manifest : JSON.stringify(manifest) },
})

function placeText(address: number): string {
  const { areas, dataBlocks } = program.compiled.linked
  const places = [...Object.entries(areas), ...dataBlocks]
  const found = places.find(([, place]) => address >= place.address && address < place.address + place.size)
  return found ? `${found[0]}+${address - found[1].address}` : `${address}`
}

test('the alarms of a program with their definitions, its supervisions, and those that cannot be watched, as recorded', () => {
  const all = programAlarms(withManifest({ alarms }))
  const lines = all.alarms.map(
    ({ id, name, address, alarmClass, needsAcknowledgement, block, member, definition, comment }) => {
      const { text, infoText } = definition
      const parts = [
        `${id} ${name}`,
        address === undefined ? 'supervision' : placeText(address),
        `${alarmClass}${needsAcknowledgement ? ', acknowledged' : ''}`,
        `${block ?? '-'} ${member ?? '-'}`,
        ...(text ? [JSON.stringify(text)] : []),
        ...(infoText ? [JSON.stringify(infoText)] : []),
        ...(comment === '' ? [] : [`"${comment}"`]),
      ]
      return parts.join(' | ')
    },
  )
  const bitText = ({ address, bit, status }: { address: number; bit?: number; status: boolean }) =>
    `${status ? '' : 'not '}${placeText(address)}${bit === undefined ? '' : `.${bit}`}`
  const plans = all.plans.map(({ name, bits, delay, values }) => {
    const after = typeof delay === 'number' ? `${delay} ms` : placeText(delay.address)
    const told = values.map(({ address, isStandard }) => `${placeText(address)}${isStandard ? ' standard' : ''}`)
    return `${name} | ${bits.map(bitText).join(' and ')} | ${after}${told.length > 0 ? ` | ${told.join(', ')}` : ''}`
  })
  assertRecorded(import.meta.url, 'program-alarms.txt', `${[...lines, '', ...plans, '', ...all.faults].join('\n')}\n`)

  const known = knownAlarms({ program: withManifest({ alarms }) })
  assert.deepEqual(known.alarms, all.alarms)
  assert.deepEqual(known.unwatched, all.faults)
  assert.deepEqual(known.classOf('URGENT'), { name: 'Urgent', needsAcknowledgement: true, priority: 9 })
  const none = knownAlarms({ program: undefined })
  assert.deepEqual([none.alarms, none.unwatched, none.definitions.alarms], [[], [], []])
  const plain = programAlarms(withManifest('no JSON'))
  assert.deepEqual([plain.alarms.length, plain.plans, plain.faults], [9, [], []])
})

test('a supervision is present while all its states hold for longer than its delay', () => {
  const { plans } = programAlarms(withManifest({ alarms }))
  const wanted = ['"Drive_DB".#2', '"Line".high.#4', '%M0.0.#5']
  const memory = new Uint8Array(program.compiled.linked.pages * 65_536)
  for (const { address, bytes } of program.compiled.image) memory.set(bytes, address)
  const view = new DataView(memory.buffer)
  const put = (name: string, value: number) => {
    const { address, bit } = resolveTag(program, name)
    memory[address] = bit === undefined ? value : value << bit
  }
  let answer = 0
  let raised: string[] = []
  const watch = new SupervisionWatch((name, isPresent, values) => {
    const text = values.map(({ type, value }) => `${type} ${value}`).join(', ')
    raised.push(
      `${name} ${isPresent ? 'comes' : 'goes'}${text === '' ? '' : ` (${text})`}${answer === 0 ? '' : ' refused'}`,
    )
    return answer
  })
  watch.load(plans.filter(({ name }) => wanted.includes(name)))
  const at = (ms: number) => {
    raised = []
    watch.endOfCycle({ view, bytes: memory }, ms * 1e6)
    return raised
  }
  put('Drive_DB.speed', 7)
  put('Drive_DB.on', 1)
  assert.deepEqual(at(0), [])
  // The other bits of its byte do not count.
  memory[resolveTag(program, '%M0.0').address] = 0xfe
  assert.deepEqual(at(0.5), [])
  put('%M0.0', 1)
  put('Drive_DB.on', 0)
  assert.deepEqual(at(1), ['%M0.0.#5 comes'])
  put('Drive_DB.locked', 1)
  assert.deepEqual(at(1000), [])
  assert.deepEqual(at(2999), [])
  answer = 1
  const comes = '"Drive_DB".#2 comes (Int 7, String pump)'
  assert.deepEqual(at(3000), [`${comes} refused`])
  answer = 0
  put('Drive_DB.speed', 8)
  assert.deepEqual(at(3001), [comes.replace('7', '8')], 'it is tried again')
  assert.deepEqual(at(3002), [])
  // A condition that no longer holds ends it; it begins anew.
  put('Line.high', 1)
  assert.deepEqual(at(3003), ['"Drive_DB".#2 goes (Int 8, String pump)'])
  put('Line.high', 0)
  assert.deepEqual(at(3004), [])
  put('Line.high', 1)
  assert.deepEqual(at(4000), [])
  assert.deepEqual(at(4999), [])
  assert.deepEqual(at(5000), ['"Line".high.#4 comes'])
  // Another program with some of them: what was present goes on.
  watch.load(plans.filter(({ name }) => name.endsWith('#4')))
  assert.deepEqual(at(5001), [])
  put('Line.high', 0)
  assert.deepEqual(at(5002), ['"Line".high.#4 goes'])
  put('Line.high', 1)
  at(6000)
  watch.clear()
  assert.deepEqual(at(7000), [], 'the time counts from the restart')
  assert.deepEqual(at(8000), ['"Line".high.#4 comes'])
  watch.clear()
  assert.deepEqual([...at(8001), ...at(9001)], ['"Line".high.#4 comes'])
})
