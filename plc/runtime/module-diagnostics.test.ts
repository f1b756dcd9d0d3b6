/** GET_DIAG, DeviceStates, LED, IO2MOD and their kin with loaded hardware, against their TIA Portal help. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runSource } from '../testing/lower-source.ts'
import type { Hardware } from './hardware.ts'

/** System 265 of PROFINET with device 270, whose module 272 is pulled; system 266, a bus with device 280. */
const below: Readonly<Record<number, readonly number[]>> = {
  265: [271, 272],
  270: [271, 272],
  266: [281],
  280: [281],
}
const inactive = new Set<number>()
let isBusCut = false
const hardware: Hardware = {
  deviceStates: (system, mode) => (system === 265 || system === 266 ? (mode === 5 ? [3] : []) : undefined),
  moduleStates: (device, mode) => (device === 270 ? (mode === 2 ? [2] : [0, 1, 2]) : undefined),
  addressesOf: () => undefined,
  deviceName: (system, station) => (system === 265 && station === 3 ? 'Valves' : undefined),
  isBus: (system) => system === 266,
  modulesOf: (identifier) => below[identifier],
  moduleWith: (direction, byte) => (byte !== 4 ? undefined : direction === 'inputs' ? 271 : 281),
  isActive: (device) => (device === 270 || device === 280 ? !inactive.has(device) : undefined),
  setActive: (device, isActive) => void (isActive ? inactive.delete(device) : inactive.add(device)),
  isGone: (module) => module === 272 || (module === 281 && isBusCut),
  isKnown: (identifier) => identifier in below || [271, 272, 281].includes(identifier),
}

const variables = `dis : DIS; dnn : DNN; supported : DWord; one : Bool; few : Array[0..120] of Bool;
  some : Array[0..119] of Bool; many : Array[0..1023] of Bool; text : WString; r : Int; n : UInt; ok : Bool;`

/** RET_VAL of a call, and what else is asked for. */
function run(body: string, ...names: readonly string[]) {
  const program = runSource(
    `FUNCTION_BLOCK "Main"\nVAR\n${variables}\nEND_VAR\nBEGIN\n#r := ${body};\nEND_FUNCTION_BLOCK\n`,
    { hardware: () => hardware },
  )
  program.scan()
  return [(program.get('r') as number) & 0xffff, ...names.map((name) => program.get(name))]
}

it('GET_DIAG gives the state of a component, and that of what is below it', () => {
  const dis = ['MaintenanceState', 'ComponentStateDetail', 'OwnState', 'IOState', 'OperatingState']
  const own = (module: number) =>
    run(`GET_DIAG(MODE := 1, LADDR := ${module}, CNT_DIAG => #n, DIAG := #dis)`, ...dis.map((name) => `dis.${name}`))
  const well = [0, 0, 0x8000, 0, 1]
  assert.deepEqual([50, 52, 270, 271].map(own), [
    [...well, 0],
    [...well, 8],
    [...well, 0],
    [...well, 0],
  ])
  assert.deepEqual(own(272), [0, 8, 0x9800, 5, 0x20, 0])
  const dnn = ['SubordinateState', 'SubordinateIOState', 'DNNmode'].map((name) => `dnn.${name}`)
  const others = (module: number) => run(`GET_DIAG(MODE := 2, LADDR := ${module}, DIAG := #dnn)`, ...dnn)
  assert.deepEqual([265, 270, 280, 281].map(others), [
    [0, 5, 0x21, 0],
    [0, 5, 0x21, 0],
    [0, 0, 1, 0],
    [0, 0, 1, 0],
  ])
  assert.deepEqual(run('GET_DIAG(MODE := 0, LADDR := 271, DIAG := #supported)', 'supported'), [0, 7])
  assert.deepEqual(
    ['3, LADDR := 271, DIAG := #dis', '1, LADDR := 271, DIAG := #dnn', '0, LADDR := 271, DIAG := #dis'].map((rest) =>
      run(`GET_DIAG(MODE := ${rest})`),
    ),
    [[0x8080], [0x8081], [0x8081]],
  )
  assert.deepEqual(run('GET_DIAG(MODE := 1, LADDR := 999, DIAG := #dis)'), [0x8090])
})

it('DeviceStates and ModuleStates want a Bool or enough of them, fill bits too', () => {
  for (const [call, wanted] of [
    ['DeviceStates(LADDR := 265, MODE := 5, STATE := #many)', [0, false]],
    ['DeviceStates(LADDR := 265, MODE := 5, STATE := #one)', [0, true]],
    ['DeviceStates(LADDR := 265, MODE := 5, STATE := #few)', [0x8452, false]],
    ['DeviceStates(LADDR := 266, MODE := 5, STATE := #few)', [0, false]],
    ['DeviceStates(LADDR := 266, MODE := 5, STATE := #some)', [0x8452, false]],
    ['DeviceStates(LADDR := 266, MODE := 5, STATE := #n)', [0x8093, false]],
    ['ModuleStates(LADDR := 270, MODE := 2, STATE := #few)', [0, false]],
    ['ModuleStates(LADDR := 270, MODE := 2, STATE := #some)', [0x8452, false]],
    ['ModuleStates(LADDR := 270, MODE := 2, STATE := #one)', [0, true]],
    ['ModuleStates(LADDR := 270, MODE := 2, STATE := #dis)', [0x8093, false]],
  ] as const) {
    const [status, one] = run(call, 'one')
    assert.deepEqual([status, one === 1 || one === true], wanted, call)
  }
})

it('LED, GEN_DIAG and the module of an address know the hardware', () => {
  for (const [call, wanted] of [
    ['LED(LADDR := 50, LED := 1)', 2],
    ['LED(LADDR := 64, LED := 3)', 1],
    ['LED(LADDR := 64, LED := 6, ENO => #ok)', 9],
    ['LED(LADDR := 999, LED := 1)', 0x8091],
    ['LED(LADDR := 271, LED := 1)', 0x8092],
    ['LED(LADDR := 50, LED := 4)', 0x8093],
    ['GEN_DIAG(LADDR := 271, MODE := 3, DIAGEVENT := #dis)', 0x8091],
    ['GEN_DIAG(LADDR := 271, MODE := 0, DIAGEVENT := #dis)', 0x8080],
    ['GEN_DIAG(LADDR := 999, MODE := 1, DIAGEVENT := #dis)', 0x8090],
    ['WR_DPARM(REQ := TRUE, LADDR := 999, RECNUM := 1, BUSY => #ok)', 0x8090],
    ['WR_DPARM(REQ := TRUE, LADDR := 271, RECNUM := 1, BUSY => #ok)', 0],
  ] as const)
    assert.deepEqual(run(call), [wanted], call)
  for (const [call, status, module] of [
    ['IO2MOD(ADDR := %IW4, LADDR => #n)', 0, 271],
    ['IO2MOD(ADDR := %QB4, LADDR => #n)', 0, 281],
    ['IO2MOD(ADDR := %QB5, LADDR => #n)', 0x8090, 0],
    ['IO2MOD(ADDR := %MB4, LADDR => #n)', 0x8090, 0],
    ['IO2MOD(ADDR := #text, LADDR => #n)', 0x8092, 0],
    ['LOG2MOD(IOID := 16#54, ADDR := 4, HWID => #n)', 0, 271],
    ['LOG2MOD(IOID := 16#55, ADDR := 4, HWID => #n)', 0, 281],
    ['LOG2MOD(IOID := 0, ADDR := 4, HWID => #n)', 0, 271],
    ['LOG2MOD(IOID := 0, ADDR := 16#8004, HWID => #n)', 0, 281],
    ['LOG2MOD(IOID := 0, ADDR := 5, HWID => #n)', 0x8093, 0],
    ['LOG2MOD(IOID := 1, ADDR := 4, HWID => #n)', 0x8093, 0],
  ] as const)
    assert.deepEqual(run(call, 'n'), [status, module], call)
})

it('D_ACT_DP deactivates and activates devices in two calls, and asks for their state', () => {
  const program = runSource(
    `FUNCTION_BLOCK "Main"
VAR
  q : Bool; m : USInt; d : UInt; r : Int; b : Bool;
END_VAR
BEGIN
#r := D_ACT_DP(REQ := #q, MODE := #m, LADDR := #d, BUSY => #b);
END_FUNCTION_BLOCK
`,
    { hardware: () => hardware },
  )
  const call = (q: boolean, m: number, d: number) => {
    for (const [name, value] of Object.entries({ q, m, d })) program.set(name, value)
    program.scan()
    return [(program.get('r') as number) & 0xffff, program.get('b')]
  }
  assert.deepEqual(
    [
      [false, 1, 280],
      [true, 0, 280],
      [true, 2, 280],
      [false, 2, 280],
      [true, 0, 280],
      [true, 1, 280],
      [true, 1, 280],
      [true, 0, 280],
      [true, 3, 280],
      [true, 1, 271],
      [true, 1, 999],
    ].map(([q, m, d]) => call(q as boolean, m as number, d as number)),
    [
      [0x7000, 0],
      [1, 0],
      [0x7001, 1],
      [0, 0],
      [2, 0],
      [0x7001, 1],
      [0, 0],
      [1, 0],
      [0x8093, 0],
      [0x8093, 0],
      [0x8090, 0],
    ],
  )
  isBusCut = true
  assert.deepEqual(
    [call(true, 1, 280), call(true, 1, 280)],
    [
      [0x7001, 1],
      [0x80a7, 0],
    ],
  )
  isBusCut = false
})

it('GET_NAME writes the name of a device, cut to the text', () => {
  for (const [system, station, data, wanted] of [
    [265, 3, '#long', [0, 1, 6, 'Valves']],
    [265, 3, '#wide', [0, 1, 6, 'Valves']],
    [265, 3, '#short', [0x8852, 0, 6, 'Val']],
    [265, 4, '#long', [0x8095, 0, 0, '']],
    [270, 3, '#long', [0x8092, 0, 0, '']],
    [999, 3, '#long', [0x8090, 0, 0, '']],
    [265, 3, '#n', [0x8093, 0, 0, 0]],
  ] as const) {
    const program = runSource(
      `FUNCTION_BLOCK "Main"
VAR
  name : GET_NAME; long : String[20]; wide : WString[20]; short : String[3]; n : Int;
END_VAR
BEGIN
#name(LADDR := ${system}, STATION_NR := ${station}, DATA := ${data});
END_FUNCTION_BLOCK
`,
      { hardware: () => hardware },
    )
    for (let i = 0; i < 3; i++) program.scan()
    const seen = ['STATUS', 'DONE', 'LEN'].map((one) => program.get(`name.${one}`))
    assert.deepEqual([(seen[0] as number) & 0xffff, seen[1], seen[2], program.get(data.slice(1))], wanted, data)
  }
})
