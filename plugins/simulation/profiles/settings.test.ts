/** Settings of virtual controllers: what requests, profiles and files of PLCSIM Advanced say, and what they may. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGatewayError } from '../../../core/index.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import { pendingAlarmsOf, readCpuType } from '../instances/cpu-type.ts'
import {
  type ConfigInput,
  configView,
  controllerOptions,
  defaultConfig,
  type InstanceConfig,
  readConfig,
  readSystemTime,
  readTime,
} from '../instances/instance-config.ts'
import { readLegacy } from './legacy.ts'
import { checkDefinitions, parseJson, profileFileName } from './profile.ts'

/** What a call ends with: its value, or code, message and faults. */
async function endOf(call: () => unknown): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    if (!isGatewayError(error)) throw error
    const { errors = [], suggestion } = error.details
    return [
      `${error.code} ${error.message}`,
      ...(suggestion ? [suggestion] : []),
      ...errors.map((one) => JSON.stringify(one)),
    ]
  }
}
const refusal = (code: string, path: string, message: string, value: unknown) => [
  `${code} ${path}: ${message}`,
  JSON.stringify({ path, message, value }),
]

test('fields of time keep the others, and name their mode', async () => {
  const [real, stepped] = [{ mode: 'real', factor: 3 } as const, { mode: 'stepped', cycleTimeMs: 7 } as const]
  assert.deepEqual(readTime({}, real, ''), real)
  assert.deepEqual(readTime({}, stepped, ''), stepped)
  assert.deepEqual(readTime({ factor: 2 }, stepped, ''), { mode: 'real', factor: 2 })
  assert.deepEqual(readTime({ cycleTimeMs: 2 }, real, ''), { mode: 'stepped', cycleTimeMs: 2 })
  assert.deepEqual(readTime({ mode: 'real' }, stepped, ''), { mode: 'real', factor: 1 })
  assert.deepEqual(readTime({ mode: 'stepped' }, real, ''), { mode: 'stepped', cycleTimeMs: 1 })
  assert.deepEqual(readTime({ mode: 'stepped' }, stepped, ''), stepped)
  assert.deepEqual(
    await endOf(() => readTime({ mode: 'real', cycleTimeMs: 2 }, stepped, '/time')),
    refusal('invalid_input', '/time/cycleTimeMs', 'belongs to stepped time; the mode is real', 2),
  )
  assert.deepEqual(
    await endOf(() => readTime({ mode: 'stepped', factor: 2 }, real, '/time')),
    refusal('invalid_input', '/time/factor', 'belongs to real time; the mode is stepped', 2),
  )
})

test('system times from 1970 to 2199', async () => {
  assert.equal(readSystemTime('1970-01-01T00:00:00Z', ''), 0)
  assert.equal(readSystemTime('2199-12-31T23:59:59.999Z', ''), Date.UTC(2200, 0, 1) - 1)
  for (const text of ['1969-12-31T23:59:59Z', '2200-01-01T00:00:00Z', 'today'])
    assert.deepEqual(
      await endOf(() => readSystemTime(text, '/t')),
      refusal('invalid_input', '/t', 'must be a time from 1970-01-01 to 2199-12-31', text),
    )
})

test('settings that are not given keep their values; null takes one away', () => {
  const read = (input: ConfigInput, before: Partial<InstanceConfig> = {}) => {
    const config = readConfig(input, { ...defaultConfig, ...before })
    // What differs from the defaults.
    return Object.fromEntries(
      Object.entries(config).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaultConfig[name as keyof InstanceConfig]),
      ),
    )
  }
  assert.deepEqual(read({}), {})
  const before = { startTime: 5, clockMemoryByte: 1, systemMemoryByte: 2, retentiveFlags: 16, startup: 'Stop' } as const
  assert.deepEqual(read({}, before), before)
  assert.deepEqual(read({ startTime: undefined, clockMemoryByte: undefined, startup: undefined }, before), before)
  assert.deepEqual(read({ startTime: null, clockMemoryByte: null, systemMemoryByte: null }, before), {
    ...{ retentiveFlags: 16, startup: 'Stop' },
  })
  assert.deepEqual(read({ startTime: '1970-01-01T00:00:01Z', clockMemoryByte: 0, systemMemoryByte: 1 }, before), {
    ...before,
    ...{ startTime: 1000, clockMemoryByte: 0, systemMemoryByte: 1 },
  })
  assert.deepEqual(read({ time: { factor: 2 }, minimumCycleTimeMs: 150 }), {
    ...{ time: { mode: 'real', factor: 2 }, minimumCycleTimeMs: 150 },
  })
  assert.deepEqual(read({ cyclicInterrupts: { 30: { cycleTimeMs: 5 } } }), {
    cyclicInterrupts: { 30: { cycleTimeMs: 5 } },
  })
  assert.deepEqual(
    read({ cyclicInterrupts: {}, connections: [] }, { cyclicInterrupts: { 30: { cycleTimeMs: 5 } } }),
    {},
  )
  assert.deepEqual(
    read({
      connections: [
        { id: 1, partnerAddress: '10.0.0.1', partnerPort: undefined },
        { id: ' w#16#ffff ', kind: 'tcp', partnerAddress: '10.0.0.2', partnerPort: 2000, isActive: true },
        { id: '16#A', kind: 'udp', partnerAddress: '10.0.0.3', rack: 0, slot: 1 },
        { id: '7', partnerAddress: '10.0.0.4' },
      ],
    }),
    {
      connections: [
        { id: 1, kind: 's7', partnerAddress: '10.0.0.1' },
        { id: 0xffff, kind: 'tcp', partnerAddress: '10.0.0.2', partnerPort: 2000, isActive: true },
        { id: 10, kind: 'udp', partnerAddress: '10.0.0.3', rack: 0, slot: 1 },
        { id: 7, kind: 's7', partnerAddress: '10.0.0.4' },
      ],
    },
  )
})

test('settings that contradict each other are refused, each with its place', async () => {
  const faultsIn = async (input: ConfigInput) => {
    const end = await endOf(() => readConfig(input, defaultConfig, '/config'))
    if (!Array.isArray(end)) return []
    return (end as string[]).slice(1).map((one) => {
      const { path, message, value } = JSON.parse(one)
      return `${path.replace('/config/', '')}: ${message}${value === undefined ? '' : ` (${JSON.stringify(value)})`}`
    })
  }
  assert.deepEqual(await faultsIn({ minimumCycleTimeMs: 150, maximumCycleTimeMs: 150 }), [])
  assert.deepEqual(await faultsIn({ minimumCycleTimeMs: 151, clockMemoryByte: 3, systemMemoryByte: 3 }), [
    'minimumCycleTimeMs: is above the maximum cycle time (150 ms): every cycle would exceed it (151)',
    'clockMemoryByte: MB3 is the system memory byte already (3)',
  ])
  const numbers = async (of: (number: string) => ConfigInput, ...tried: number[]) => {
    const right: number[] = []
    for (const number of tried) if ((await faultsIn(of(`${number}`))).length === 0) right.push(number)
    return right
  }
  assert.deepEqual(
    await numbers(
      (number) => ({ cyclicInterrupts: { [number]: { cycleTimeMs: 5 } } }),
      ...[0, 1, 29, 30, 38, 39, 60, 61, 64, 65, 100, 122, 123, 129, 130, 199, 200, 999, 1000, 32767, 99999, 100000],
    ),
    [30, 38, 61, 64, 123, 129, 130, 199, 200, 999, 1000, 32767, 99999],
  )
  assert.deepEqual(await faultsIn({ cyclicInterrupts: { 39: { cycleTimeMs: 5, phaseMs: 9 } } }), [
    'cyclicInterrupts/39: is no number of a cyclic interrupt OB: 30 to 38, 61 to 64, or 123 and above',
  ])
  assert.deepEqual(
    await faultsIn({
      cyclicInterrupts: {
        30: { cycleTimeMs: 5, phaseMs: 5 },
        31: { cycleTimeMs: 5, phaseMs: 4.9 },
        32: { cycleTimeMs: 5, phaseMs: 0 },
        33: { cycleTimeMs: 0.25, phaseMs: 1 },
      },
    }),
    [
      'cyclicInterrupts/30/phaseMs: must be less than the cycle time (5 ms) (5)',
      'cyclicInterrupts/33/phaseMs: must be less than the cycle time (0.25 ms) (1)',
    ],
  )
  assert.deepEqual(
    await numbers(
      (number) => ({ hardwareInterrupts: [{ byte: 0, bit: 0, edge: 'rising', organizationBlock: Number(number) }] }),
      ...[39, 40, 47, 48, 122, 123, 32767],
    ),
    [40, 47, 123, 32767],
  )
  assert.deepEqual(await faultsIn({ hardwareInterrupts: [{ byte: 0, bit: 0, edge: 'both', organizationBlock: 48 }] }), [
    'hardwareInterrupts/0/organizationBlock: is no number of a hardware interrupt OB: 40 to 47, or 123 and above (48)',
  ])
  assert.deepEqual(
    await numbers((number) => ({ processImagePartitions: { [number]: {} } }), ...[0, 1, 9, 10, 29, 30, 31, 32, 100]),
    [1, 9, 10, 29, 30, 31],
  )
  const range = (firstByte: number, bytes: number) => ({ firstByte, bytes })
  assert.deepEqual(
    await faultsIn({
      processImagePartitions: {
        1: { organizationBlock: 30, inputs: [range(0, 4), range(8, 2)], outputs: [range(0, 4)] },
        2: { organizationBlock: 30, inputs: [range(4, 4), range(9, 1)], outputs: [range(4, 1)] },
        3: { organizationBlock: 31, outputs: [range(3, 1)] },
        32: { inputs: [range(0, 1)] },
      },
    }),
    [
      'processImagePartitions/2/organizationBlock: OB 30 has partition 1 already (30)',
      'processImagePartitions/32: is no partition of the process image: 1 to 31',
      'processImagePartitions/2/inputs/1: byte 9 is in partition 1 already (9)',
      'processImagePartitions/3/outputs/0: byte 3 is in partition 1 already (3)',
    ],
  )
  const partnerAddress = '10.0.0.1'
  assert.deepEqual(await faultsIn({ connections: [1, 2, '16#1', 2].map((id) => ({ id, partnerAddress })) }), [
    'connections/2/id: is listed twice (1)',
    'connections/3/id: is listed twice (2)',
  ])
  for (const id of [0, -1, 65536, 1.5, 'x', '16#10000', 'W#16#'])
    assert.deepEqual(await faultsIn({ connections: [{ id, partnerAddress }] }), [
      `connections/0/id: must be a number from 1 to 65535, or such as W#16#100 (${JSON.stringify(id)})`,
    ])
  assert.deepEqual(await faultsIn({ connections: [{ id: 65535, partnerAddress: '::1' }] }), [
    'connections/0/partnerAddress: must be an IPv4 address ("::1")',
  ])
})

test('options of the controller, and what clients are shown', () => {
  const config = readConfig({ startTime: '2024-01-31T08:00:00Z', autoStart: true }, defaultConfig)
  const { autoStart: _, ...rest } = config
  assert.deepEqual(controllerOptions({ name: 'a', cpuType: 'CPU 1515-2 PN' }, 'dir', config), {
    ...{ name: 'a', storage: 'dir', pendingAlarms: 800 },
    ...rest,
  })
  assert.deepEqual(configView(config), { ...config, startTime: '2024-01-31T08:00:00.000Z' })
  const { outputsInStop, putGetAccess, protectionLevel, ...older } = defaultConfig
  assert.deepEqual(configView(older as InstanceConfig), { ...older, outputsInStop, putGetAccess, protectionLevel })
  assert.deepEqual([outputsInStop, putGetAccess, protectionLevel], ['Off', true, 1])
  assert.deepEqual(
    [
      'CPU 1511-1 PN',
      'CPU 1515-2 PN',
      'CPU 1516-3 PN/DP',
      'CPU 1500 (unspecified)',
      'CPU 1214C DC/DC/DC',
      '',
      'CPU 1518-4 PN/DP',
    ].map(pendingAlarmsOf),
    [600, 800, 1000, 1000, 600, 1000, 1000],
  )
})

test('CPU types by order number, name of the catalog, short name; others are refused with the nearest', async () => {
  const of = async (cpuType?: string, orderNumber?: string) => {
    const end = await endOf(() => readCpuType({ cpuType, orderNumber }))
    return Array.isArray(end) ? end : Object.values(end as object).join(' | ')
  }
  const unspecified = 'CPU 1500 (unspecified) |  |  | S7-1500'
  for (const text of [undefined, '', '  ', 'CPU1500_Unspecified', 'unspecified'])
    assert.equal(await of(text), unspecified)
  assert.equal(await of(undefined, ' '), unspecified)
  const asked = [
    ...['CPU1515', '1515', 'cpu 1515-2 pn', 'CPU 1515-2 PN', 'CPU1512SP', 'CPU1512SPv2', 'CPU1512SPF', 'CPU1518MFP'],
    ...['CPU 1214C DC/DC/DC', 'OrderNumber:6ES7 515-2AM02-0AB0/V2.9', '6es7 515-2am02-0ab0', 'CPU1516v2'],
  ]
  const found = await Promise.all(asked.map((text) => of(text)))
  assert.deepEqual(found, [
    ...Array(4).fill('CPU 1515-2 PN | 6ES7 515-2AN03-0AB0 | V3.1 | S7-1500'),
    'CPU 1512SP-1 PN | 6ES7 512-1DM03-0AB0 | V3.0 | ET 200SP',
    'CPU 1512SP-1 PN | 6ES7 512-1DM03-0AB0 | V3.0 | ET 200SP',
    'CPU 1512SP F-1 PN | 6ES7 512-1SM03-0AB0 | V3.0 | ET 200SP',
    'CPU 1518-4 PN/DP MFP | 6ES7 518-4AX00-1AC0 |  | S7-1500',
    'CPU 1214C DC/DC/DC | 6ES7 214-1AG40-0XB0 | V4.6 | S7-1200',
    'CPU 1515-2 PN | 6ES7 515-2AM02-0AB0 | V2.9 | S7-1500',
    'CPU 1515-2 PN | 6ES7 515-2AM02-0AB0 | V2.9 | S7-1500',
    'CPU 1516-3 PN/DP | 6ES7 516-3AP03-0AB0 |  | S7-1500',
  ])
  assert.deepEqual(await of('CPU 1515-2 PM'), [
    'not_found There is no CPU type "CPU 1515-2 PM". Did you mean "CPU 1515-2 PN"?',
    'CPU 1515-2 PN',
  ])
  assert.deepEqual(await of('zzz'), [
    'not_found There is no CPU type "zzz". Give a name such as "CPU 1515-2 PN" or CPU1515, or an order number.',
    'POST /api/catalog/actions/search-sync { query: "CPU 15" }',
  ])
  const cannot = '6ES7 315-2EH14-0AB0 (CPU 315-2 PN/DP, S7-300) cannot be simulated'
  for (const [cpuType, orderNumber, path] of [
    [undefined, '6ES7 315-2EH14-0AB0', '/orderNumber'],
    ['6ES7315-2EH14-0AB0', undefined, '/cpuType'],
    ['CPU 315-2 PN/DP', ' ', '/cpuType'],
  ] as const)
    assert.deepEqual(await of(cpuType, orderNumber), [
      `unacceptable_content ${path}: ${cannot}: only CPUs of S7-1200 and S7-1500 (also ET 200SP, ET 200pro) can.`,
      JSON.stringify({ path, message: cannot, value: '6ES7 315-2EH14-0AB0' }),
    ])
})

/** Descriptions of PLCSIM Advanced, right and wrong. */
const descriptions: readonly unknown[] = [
  { InstanceName: ' PLC_1 ' },
  [
    { name: 'a', cpuType: 'CPU1515' },
    { Name: 'b', CPUType: 1512, ArticleNumber: '6ES7 512-1CK01-0AB0' },
  ],
  { RegisteredInstances: [{ InstanceName: 'a', ID: 5, OperatingState: 'Run', StoragePath: 'c:/x' }] },
  { Instances: [{ InstanceName: 'a', CommunicationInterface: 'Softbus', IsAutoStart: true }] },
  ...[1500, 1501, 1515, 1599, 1600, 0x205e8, 0x10005ec, 0x10205e8, 0x405e8, 1511.5, -1, '1516 ', true].map(
    (CPUType) => ({
      ...{ InstanceName: 'a', CPUType },
    }),
  ),
  {
    InstanceName: 'a',
    IPSuites: [
      { IPAddress: '10.0.0.1', SubnetMask: '255.0.0.0', DefaultGateway: '10.0.0.9' },
      { IPAddress: '0.0.0.0' },
    ],
  },
  { InstanceName: 'a', IPSuite: { ip: '10.0.0.1', subnetMask: '0.0.0.0', gateway: '0.0.0.0' } },
  { InstanceName: 'a', ControllerIPSuite4: { ipAddress: ' 10.0.0.2 ', subnetMask: ' ', defaultGateway: '' } },
  { InstanceName: 'a', ControllerIP: ['10.0.0.1', '', '0.0.0.0', '10.0.1.1'] },
  { InstanceName: 'a', ControllerIP: ['10.0.0.1', 5] },
  { InstanceName: 'a', ControllerIP: '10.0.0.3', SubnetMask: '255.255.0.0' },
  { InstanceName: 'a', IP: '10.0.0.4', Gateway: '10.0.0.1' },
  { InstanceName: 'a', IPSuites: [5, { SubnetMask: '255.0.0.0' }, { IPAddress: 7 }] },
  { InstanceName: 'a', IPSuite: 'x' },
  ...[0.01, 100, 2, 0.009, 100.1, '2', null].map((ScaleFactor) => ({ InstanceName: 'a', ScaleFactor })),
  ...[0, 1, 1_000_000, 150e6, 151e6, 4e9, 6e9, 6e9 + 1, -1].map((OverwrittenMinimalCycleTime_ns) => ({
    ...{ InstanceName: 'a', OverwrittenMinimalCycleTime_ns },
  })),
  ...['Default', 'default', '', 0, 1, 'SingleStep_C', 'TIMESPANSYNCHRONIZED_P', 'Sync', 'xSingleStep'].map(
    (OperatingMode) => ({
      ...{ InstanceName: 'a', OperatingMode },
    }),
  ),
  { InstanceName: 'a', OperatingMode: 'SingleStep_P', ScaleFactor: 2, SystemTime: '2024-01-31T08:00:00Z' },
  { InstanceName: 'a', SystemTime: 'yesterday' },
  { InstanceName: 'a', SystemTime: 5 },
  { InstanceName: 'a', CPUTyp: 1515, Nothing: 1 },
  { InstanceName: '' },
  [{ cpuType: 'CPU1515' }, 5, { InstanceName: {} }],
  { Instances: 5 },
  { instances: [] },
  ...[5, null, {}, [], 'text', '{"InstanceName":"a"}', '\uFEFF[{"Name":"b"}]', '{"a":\n 1,}', '[1'],
  Array.from({ length: 101 }, (_, i) => ({ InstanceName: `i${i}` })),
]

test('descriptions of PLCSIM Advanced are read or refused as recorded', async () => {
  const lines: string[] = []
  for (const one of descriptions) {
    const text = JSON.stringify(one)
    const end = await endOf(() => readLegacy(one, 'file.json'))
    const told = JSON.stringify(end, (name, value) =>
      name === 'definitions' && value.length > 10 ? value.length : value,
    )
    lines.push(text.length > 300 ? `${text.slice(0, 80)}…` : text, `  ${told}`)
  }
  assertRecorded(import.meta.url, 'legacy.txt', `${lines.join('\n')}\n`)
})

test('names of profiles are names of files in their folder', async () => {
  assert.equal(profileFileName('Line 1'), 'Line 1')
  assert.equal(profileFileName('Line.JSON'), 'Line')
  assert.equal(profileFileName('Line.json.json'), 'Line.json')
  for (const text of ['', '..', 'a/b', 'a\\b', '.a', 'a.', 'CON', 'con.json', 'nul.txt', 'x'.repeat(300)]) {
    const end = (await endOf(() => profileFileName(text))) as string[]
    const { path, message, value } = JSON.parse(end[1] ?? '{}')
    assert.deepEqual([path, value], ['/fileName', text.slice(0, 200)])
    assert.equal(end[0], `invalid_input /fileName: "${text.slice(0, 200)}" is not a name of a profile: it ${message}.`)
  }
})

test('a fault in JSON is told with line and column', async () => {
  assert.deepEqual(parseJson('\uFEFF{"a": [1]}', 'x'), { a: [1] })
  for (const [text, line, column, message] of [
    ['{"a": 1,\n  "b": x}', 2, 8, 'expected a value, found "x"'],
    ['{"a": 1', 1, 8, 'the text ends before "}"'],
    ['', 1, 1, 'the text is empty'],
    ['[1,\n2]]', 2, 3, '"]" after the end of the value'],
    ['\n\n}', 3, 1, 'expected a value, found "}"'],
  ] as const)
    assert.deepEqual(
      await endOf(() => parseJson(text, 'file')),
      [
        `unacceptable_content file: line ${line}, column ${column}: it is not JSON: ${message}`,
        JSON.stringify({ path: 'file', line, column, message }),
      ],
      text,
    )
})

test('definitions of a profile are checked together', async () => {
  const network = (ipAddress: string) => [{ ipAddress }]
  assert.equal(
    await endOf(() =>
      checkDefinitions([
        { name: 'a', network: network('10.0.0.1'), communicationPort: 2000 },
        { name: 'b', network: network('10.0.1.1'), communicationPort: 2001, config: { retentiveFlags: 8 } },
        { name: 'c' },
      ]),
    ),
    undefined,
  )
  const of = async (...more: object[]) => {
    const [message = ''] = (await endOf(() =>
      checkDefinitions([{ name: 'a', network: network('10.0.0.1'), communicationPort: 2000 }, ...(more as [])]),
    )) as string[]
    return message
  }
  assert.equal(await of({ name: 'A' }), 'invalid_input /instances/1/name: "A": is listed twice')
  assert.match(await of({ name: 'a/b' }), /^invalid_input \/instances\/1\/name: "a\/b": /)
  assert.match(await of({ name: 'b' }, { name: 'c', cpuType: 'zzz' }), /^not_found There is no CPU type "zzz"/)
  assert.equal(
    await of({ name: 'b', network: network('10.0.0.1') }),
    'conflict /instances/1/network/0/ipAddress: "10.0.0.1": instance "a" has this address',
  )
  assert.equal(
    await of({ name: 'b', communicationPort: 2000 }),
    'conflict /instances/1/communicationPort: port 2000 is listed twice',
  )
  assert.match(
    await of({ name: 'b', config: { clockMemoryByte: 1, systemMemoryByte: 1 } }),
    /^invalid_input \/instances\/1\/config\/clockMemoryByte: MB1 is the system memory byte already/,
  )
})
