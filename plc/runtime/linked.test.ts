/** Instances of linked system types, from source to running code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileBlock } from '../compiler/codegen/function.ts'
import { link } from '../compiler/codegen/link.ts'
import { lowerBlock } from '../compiler/lower/lower-block.ts'
import { readSource } from '../formats/source/read.ts'
import { linkProgram } from '../program/link-program.ts'
import { startImage } from '../program/memory-image.ts'
import { VirtualClock } from './clock.ts'
import { createHost, type HostOptions } from './host.ts'

function start(source: string, options: Pick<HostOptions, 'onLook' | 'roundsBetweenLooks'> = {}) {
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const program = linkProgram(
    blocks.map(({ object }) => ({ object })),
    [],
  )
  assert.deepEqual(program.diagnostics, [])
  const code = [...program.blocks.values()].filter(({ kind }) => !kind.endsWith('DB'))
  const compiled = code.map((block) => {
    const lowered = lowerBlock(program, block)
    assert.deepEqual(lowered.diagnostics, [], block.name)
    assert.ok(lowered.code)
    return { name: block.name, compiled: compileBlock(lowered.code) }
  })
  const images = [...program.blocks.values()]
    .filter(({ kind }) => kind.endsWith('DB'))
    .map((block) => ({ name: block.name, bytes: startImage(block, program) }))
  const linked = link({
    blocks: compiled,
    dataBlocks: images.map(({ name, bytes }) => ({ name, size: bytes.length })),
    areas: { I: 64, Q: 64, M: 64 },
  })
  const clock = new VirtualClock()
  const host = createHost(linked, { clock, ...options, onFault: () => assert.fail('a programming error') })
  for (const { name, bytes } of images)
    new Uint8Array(host.memory.buffer).set(bytes, linked.dataBlocks.get(name.toLowerCase())?.address)
  const outputs = () => {
    const { address } = linked.areas.Q
    return Array.from({ length: 8 }, (_one, i) => (host.view.getUint8(address) >> i) & 1)
  }
  return { host, clock, outputs, linked }
}

for (const isOptimized of [true, false])
  test(`timers, counters and edges of a linked program, optimized access ${isOptimized}`, () => {
    const attributes = `{ S7_Optimized_Access := '${isOptimized ? 'TRUE' : 'FALSE'}' }`
    const { host, clock, outputs } = start(`
FUNCTION_BLOCK "Logic"
${attributes}
VAR
  on : TON_TIME; off : TOF_TIME; pulse : TP_TIME; sum : TONR_TIME; long : TON_LTIME;
  up : CTU_DINT; both : CTUD_INT; rise : R_TRIG; any : IEC_TIMER;
END_VAR
BEGIN
  #on(IN := %I0.0, PT := T#1s, Q => %Q0.0);
  #off(IN := %I0.0, PT := T#1s, Q => %Q0.1);
  #pulse(IN := %I0.0, PT := T#500ms, Q => %Q0.2);
  #sum(IN := %I0.0, R := FALSE, PT := T#2s, Q => %Q0.3);
  #long(IN := %I0.0, PT := LT#1s, Q => %Q0.4);
  #rise(CLK := %I0.0);
  #up(CU := #rise.Q, R := FALSE, PV := 2, Q => %Q0.5);
  #both(CU := %I0.0, CD := FALSE, R := FALSE, LD := FALSE, PV := 1, QU => %Q0.6);
  #any.TON(IN := %I0.0, PT := T#1500ms);
  "Delay".TP(IN := %I0.0, PT := T#3s);
  %Q0.7 := "Delay".Q;
END_FUNCTION_BLOCK
DATA_BLOCK "Delay"
${attributes}
IEC_TIMER
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Logic_DB"
"Logic"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Logic_DB"();
END_ORGANIZATION_BLOCK
`)
    const input = host.program.areas.I.address
    const step = (milliseconds: number, isOn: boolean) => {
      clock.advanceMilliseconds(milliseconds)
      host.view.setUint8(input, isOn ? 1 : 0)
      host.run('Main')
      return outputs().join('')
    }
    assert.equal(step(0, false), '00000000')
    assert.equal(step(10, true), '01100011')
    assert.equal(step(999, true), '01000011')
    assert.equal(step(1, true), '11001011')
    assert.equal(step(0, false), '01000011')
    assert.equal(step(999, false), '01000011')
    assert.equal(step(1, false), '00000011')
    assert.equal(step(0, true), '01100111')
    assert.equal(step(1000, true), '11011110')
  })

/** Instances with edge memory: type, inputs that are edges or start something, further parameters, output. */
const withEdges: readonly (readonly [type: string, inputs: readonly string[], more: string, output: string])[] = [
  ...['', 'L'].flatMap((width) =>
    ['TON', 'TOF', 'TP', 'TONR'].map((name) => [`${name}_${width}TIME`, ['IN'], `PT := ${width}T#30ms`, 'Q'] as const),
  ),
  ...['SINT', 'INT', 'DINT', 'LINT', 'USINT', 'UINT', 'UDINT', 'ULINT'].flatMap((width) => [
    [`CTU_${width}`, ['CU'], 'R := FALSE, PV := 3', 'Q'] as const,
    [`CTD_${width}`, ['CD', 'LD'], 'PV := 3', 'Q'] as const,
    [`CTUD_${width}`, ['CU', 'CD'], 'R := FALSE, LD := FALSE, PV := 2', 'QU'] as const,
  ]),
  ...['R_TRIG', 'F_TRIG'].map((name) => [name, ['CLK'], '', 'Q'] as const),
]

for (const isOptimized of [true, false])
  for (const [type, inputs, more, output] of withEdges)
    test(`${type}: an input written as a member is as one of the call, optimized access ${isOptimized}`, () => {
      const given = inputs.map((name, i) => `${name} := %I0.${i}`)
      const { host, clock, outputs } = start(`
FUNCTION_BLOCK "Logic"
{ S7_Optimized_Access := '${isOptimized ? 'TRUE' : 'FALSE'}' }
VAR
  called : ${type}; written : ${type};
END_VAR
BEGIN
  #called(${[...given, more].filter((part) => part !== '').join(', ')});
  ${given.map((one) => `#written.${one};`).join(' ')}
  #written(${more});
  %Q0.0 := #called.${output};
  %Q0.1 := #written.${output};
END_FUNCTION_BLOCK
DATA_BLOCK "Logic_DB"
"Logic"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Logic_DB"();
END_ORGANIZATION_BLOCK
`)
      const seen = new Set<number>()
      const input = host.program.areas.I.address
      for (const bits of [0, 1, 1, 1, 1, 0, 2, 0, 0, 0, 0, 1, 0, 1, 0, 1, 3, 1, 2, 0, 2, 0, 2, 0, 2, 1, 1, 0, 0]) {
        clock.advanceMilliseconds(10)
        host.view.setUint8(input, bits)
        host.run('Main')
        const [called, written] = outputs()
        assert.equal(written, called)
        seen.add(called as number)
      }
      assert.deepEqual([...seen].sort(), [0, 1], 'the output changes')
    })

for (const isOptimized of [true, false])
  test(`PID_Compact controls a lag, optimized access ${isOptimized}`, () => {
    const { host, linked } = start(`
DATA_BLOCK "Plant"
{ S7_Optimized_Access := 'FALSE' }
STRUCT
  value : Real; setpoint : Real := 50.0; output : Real; state : Int; manual : Bool;
END_STRUCT;
BEGIN
END_DATA_BLOCK
FUNCTION_BLOCK "Control"
{ S7_Optimized_Access := '${isOptimized ? 'TRUE' : 'FALSE'}' }
VAR pid : PID_Compact; mode : Int := 3; END_VAR
BEGIN
  #pid.Config.InputPerOn := FALSE;
  #pid.Retain.CtrlParams.Ti := 2.0;
  #pid(Setpoint := "Plant".setpoint, Input := "Plant".value, ManualEnable := "Plant".manual, ManualValue := 12.5,
       Output => "Plant".output, State => "Plant".state, Mode := #mode);
  "Plant".value := "Plant".value + ("Plant".output - "Plant".value) * 0.1;
END_FUNCTION_BLOCK
DATA_BLOCK "Control_DB"
"Control"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Control_DB"();
END_ORGANIZATION_BLOCK
`)
    const address = linked.dataBlocks.get('plant')?.address ?? 0
    for (let i = 0; i < 2000; i++) host.run('Main')
    assert.equal(host.view.getInt16(address + 12), 3)
    assert.ok(Math.abs(host.view.getFloat32(address) - 50) < 0.01, String(host.view.getFloat32(address)))
    host.view.setUint8(address + 14, 1)
    host.run('Main')
    assert.deepEqual([host.view.getFloat32(address + 8), host.view.getInt16(address + 12)], [12.5, 4])
  })

test('blocks that interrupt each other have stacks of their own, on every level and again', () => {
  const block = (name: string, value: number, done: string) => `
ORGANIZATION_BLOCK "${name}"
BEGIN
  "Work"(${value});
  "State".${done} := "State".${done} + 1;
END_ORGANIZATION_BLOCK
`
  const running = ['Main']
  const next: Readonly<Record<string, string>> = { Main: 'Cyclic', Cyclic: 'Alarm' }
  const { host, linked } = start(
    `
DATA_BLOCK "State"
{ S7_Optimized_Access := 'TRUE' }
VAR
  wrong : Int; main : Int; cyclic : Int; alarm : Int;
END_VAR
BEGIN
END_DATA_BLOCK

FUNCTION "Work" : Void
VAR_INPUT
  value : Int;
END_VAR
VAR_TEMP
  i : Int; data : Array[0..99] of Int;
END_VAR
BEGIN
  FOR #i := 0 TO 99 DO #data[#i] := #value; END_FOR;
  FOR #i := 0 TO 99 DO
    IF #data[#i] <> #value THEN "State".wrong := "State".wrong + 1; END_IF;
  END_FOR;
END_FUNCTION
${block('Main', 1, 'main')}${block('Cyclic', 2, 'cyclic')}${block('Alarm', 3, 'alarm')}`,
    {
      // Each block is interrupted when its data is filled and not yet checked.
      roundsBetweenLooks: () => 150,
      onLook: () => {
        const name = next[running.at(-1)!]
        if (name === undefined) return
        running.push(name)
        host.interrupt(name)
        running.pop()
      },
    },
  )
  host.run('Main')
  const { address } = linked.dataBlocks.get('state')!
  const [wrong, main, cyclic, alarm] = [0, 1, 2, 3].map((at) => host.view.getInt16(address + 2 * at, true))
  assert.deepEqual({ wrong, main, cyclic, alarm }, { wrong: 0, main: 1, cyclic: 1, alarm: 1 })
})
