/** Profiles as files, and the import of PLCSIM Advanced's configurations. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGatewayError } from '../../../core/index.ts'
import { fails } from '../../../test/fails.ts'
import { openTestGateway, type TestGateway } from '../../../test/harness.ts'
import type { Answer } from '../../../test/simulation.ts'
import { readLegacy } from './legacy.ts'

const folderOf = async ({ dir }: TestGateway) => {
  const folder = join(dir, 'workspace/simulation/profiles')
  await mkdir(folder, { recursive: true })
  return folder
}
const definitions = [
  { name: 'PLC_1', cpuType: 'CPU1515', network: [{ ipAddress: '10.0.0.1' }], config: { maximumCycleTimeMs: 200 } },
  { name: 'PLC_2', network: [{ ipAddress: '10.0.0.2', gateway: '10.0.0.254' }] },
]

test('a profile is a readable file; it is listed, shown, changed and deleted', async (t) => {
  const opened = await openTestGateway(t)
  const { call } = opened
  const made = await call<Answer>('simulation.create-profile', { name: 'Line 1', instances: definitions })
  assert.deepEqual([made.fileName, made.instanceCount], ['Line 1', 2])
  const text = await readFile(join(await folderOf(opened), 'Line 1.json'), 'utf8')
  assert.deepEqual(JSON.parse(text), { version: 1, name: 'Line 1', description: '', instances: definitions })
  await fails(call('simulation.create-profile', { name: 'line 1' }), 'name_taken', /overwrite/)
  await call('simulation.update-profile', { fileName: 'Line 1.json', description: 'two' })
  const { profiles, total } = await call<Answer>('simulation.list-profiles')
  assert.deepEqual([total, profiles[0].description, profiles[0].instanceCount], [1, 'two', 2])
  assert.deepEqual((await call<Answer>('simulation.get-profile', { fileName: 'line 1' })).instances, definitions)
  await fails(call('simulation.get-profile', { fileName: 'Lin 1' }), 'not_found', /Did you mean "Line 1"/)
  await call('simulation.delete-profile', { fileName: 'Line 1' })
  await fails(call('simulation.delete-profile', { fileName: 'Line 1' }), 'not_found')
})

test('loading creates all instances or none', async (t) => {
  const { call } = await openTestGateway(t)
  await call('simulation.create-profile', { name: 'p', instances: definitions })
  await call('simulation.create-instance', { name: 'PLC_2' })
  await fails(call('simulation.load-profile', { fileName: 'p' }), 'name_taken', /"PLC_2"/)
  assert.equal((await call<Answer>('simulation.list-instances')).total, 1)
  const loaded = await call<Answer>('simulation.load-profile', { fileName: 'p', existing: 'skip' })
  assert.deepEqual([loaded.total, loaded.skipped, loaded.instances[0].cpuType], [1, ['PLC_2'], 'CPU 1515-2 PN'])
})

test('registered instances are saved and come back the same', async (t) => {
  const { call } = await openTestGateway(t)
  const config = { time: { mode: 'stepped', cycleTimeMs: 2 }, startTime: '2026-01-01T00:00:00.000Z' }
  await call('simulation.create-instance', { name: 'A', cpuType: 'CPU1516', ipAddress: '10.0.0.1', config })
  await call('simulation.create-instance', { name: 'B', storagePath: 'cards/b' })
  const before = await call<Answer>('simulation.list-instances')
  const configs = [await call('simulation.get-instance-config', { name: 'A' })]
  await call('simulation.create-profile', { name: 'all' })
  for (const name of ['A', 'B']) await call('simulation.delete-instance', { name })
  await call('simulation.load-profile', { fileName: 'all' })
  const after = await call<Answer>('simulation.list-instances')
  const timeless = ({ instances }: Answer) =>
    instances.map(({ createdAt: _c, modifiedAt: _m, ...rest }: Answer) => rest)
  assert.deepEqual(timeless(after), timeless(before))
  assert.deepEqual([await call('simulation.get-instance-config', { name: 'A' })], configs)
})

test('names that would leave the folder are refused, and definitions are checked before anything is written', async (t) => {
  const { call } = await openTestGateway(t)
  for (const fileName of ['../x', 'a/b', 'a\\b', '..', '.x', 'con', 'x\0', `${'x'.repeat(70)}`])
    await fails(
      call('simulation.create-profile', { name: 'p', fileName, instances: [] }),
      'invalid_input',
      /not a name of a profile/,
    )
  const create = (instances: object[]) => call('simulation.create-profile', { name: 'p', instances })
  await fails(create([{ name: 'A' }, { name: 'a' }]), 'invalid_input', /\/instances\/1\/name.*twice/)
  await fails(create([{ name: 'A', cpuType: 'CPU9' }]), 'not_found', /CPU9/)
  const same = { network: [{ ipAddress: '10.0.0.1' }] }
  await fails(
    create([
      { name: 'A', ...same },
      { name: 'B', ...same },
    ]),
    'conflict',
    /"A" has this address/,
  )
  await fails(create([{ name: 'A', config: { startup: 'Fast' } }]), 'invalid_input', /Run, Last, Stop/)
  assert.equal((await call<Answer>('simulation.list-profiles')).total, 0)
})

test('a file that is no profile is told with its place, and does not hide the others', async (t) => {
  const opened = await openTestGateway(t)
  const { call } = opened
  const folder = await folderOf(opened)
  await writeFile(join(folder, 'broken.json'), '{\n  "instances": [,]\n}')
  await writeFile(join(folder, 'wrong.json'), '{"instances":[{"name":"A","cpu":"x"}]}')
  await writeFile(join(folder, 'good.json'), '{"instances":[{"name":"A"}]}')
  const broken = await fails(call('simulation.get-profile', { fileName: 'broken' }), 'unacceptable_content', /line 2/)
  assert.equal(broken.details.errors?.[0]?.line, 2)
  await fails(
    call('simulation.load-profile', { fileName: 'wrong' }),
    'unacceptable_content',
    /\/instances\/0\/cpu: unknown property/,
  )
  const { profiles } = await call<Answer>('simulation.list-profiles')
  assert.deepEqual(
    profiles.map((each: Answer) => [each.fileName, each.fault === undefined]),
    [
      ['broken', false],
      ['good', true],
      ['wrong', false],
    ],
  )
})

const legacy = {
  Instances: [
    {
      ID: 0,
      InstanceName: 'PLC_1',
      CPUType: 'CPU1515',
      OperatingState: 'Off',
      StoragePath: 'C:\\Users\\x\\PLC_1',
      CommunicationInterface: 'TCPIP',
      IPSuites: [
        { IPAddress: '192.168.0.1', SubnetMask: '255.255.255.0', DefaultGateway: '0.0.0.0' },
        { IPAddress: '0.0.0.0', SubnetMask: '0.0.0.0', DefaultGateway: '0.0.0.0' },
      ],
      ScaleFactor: 2,
      OverwrittenMinimalCycleTime_ns: 200_000_000,
    },
    { name: 'PLC_2', cputype: 1516, ControllerIP: ['192.168.0.2'], OperatingMode: 'SingleStep_C' },
  ],
}

test('a configuration of PLCSIM Advanced is imported, from a file or the body', async (t) => {
  const opened = await openTestGateway(t)
  const { call } = opened
  const { instances, warnings } = await call<Answer>('simulation.import-legacy', { content: legacy })
  assert.deepEqual(
    instances.map((each: Answer) => [each.name, each.cpuType, each.ipAddresses]),
    [
      ['PLC_1', 'CPU 1515-2 PN', ['192.168.0.1']],
      ['PLC_2', 'CPU 1516-3 PN/DP', ['192.168.0.2']],
    ],
  )
  assert.equal(warnings.length, 3)
  const config = await call<Answer>('simulation.get-instance-config', { name: 'PLC_1' })
  assert.deepEqual([config.time.factor, config.minimumCycleTimeMs], [2, 200])
  await mkdir(join(opened.dir, 'workspace'), { recursive: true })
  await writeFile(join(opened.dir, 'workspace/old.json'), `\uFEFF${JSON.stringify([{ InstanceName: 'PLC_3' }])}`)
  assert.equal((await call<Answer>('simulation.import-legacy', { path: 'old.json' })).total, 1)
})

test('archives and what is no such configuration are refused with the reason and the place', async (t) => {
  const opened = await openTestGateway(t)
  const { call } = opened
  const folder = join(opened.dir, 'workspace')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'PLC_1.zip'), Buffer.from('504b0304', 'hex'))
  await writeFile(join(folder, 'card.bin'), Buffer.alloc(100))
  await writeFile(join(folder, 'text.json'), '{"Instances":[\n{"InstanceName":"A"},]}')
  const file = (filePath: string) => call('simulation.import-legacy', { filePath })
  await fails(file('PLC_1.zip'), 'unacceptable_content', /zip archive.*form of Siemens/)
  await fails(file('card.bin'), 'unacceptable_content', /binary file \(\.bin\)/)
  await fails(file('.'), 'unacceptable_content', /is a folder/)
  await fails(file('text.json'), 'unacceptable_content', /text\.json: line 2, column \d+/)
  await fails(file('absent.json'), 'not_found')
  const content = (value: unknown) => call('simulation.import-legacy', { content: value })
  await fails(
    content({ Instances: [{ CPUType: 'CPU1515' }] }),
    'unacceptable_content',
    /\/Instances\/0\/InstanceName: is missing/,
  )
  await fails(
    content([{ InstanceName: 'A', CPUTyp: 'x' }]),
    'unacceptable_content',
    /\/0\/CPUTyp.*did you mean "CPUType"/,
  )
  await fails(content([{ InstanceName: 'A', CPUType: 7 }]), 'unacceptable_content', /\/0\/CPUType/)
  await fails(
    content([{ InstanceName: 'A', IPSuites: [{ SubnetMask: 'x' }] }]),
    'unacceptable_content',
    /IPSuites\/0\/IPAddress/,
  )
  await fails(content([{ InstanceName: 'A', IPSuites: [{ IPAddress: '1.2.3' }] }]), 'invalid_input', /ipAddress/)
  await fails(content({ Something: 1 }), 'unacceptable_content', /array of instances/)
  await fails(call('simulation.import-legacy', {}), 'invalid_input', /filePath or content/)
  assert.equal((await call<Answer>('simulation.list-instances')).total, 0)
})

test('whatever JSON is given, a description is read or refused', () => {
  const names = fc.constantFrom(
    'InstanceName',
    'CPUType',
    'IPSuites',
    'IPAddress',
    'ScaleFactor',
    'Instances',
    'SystemTime',
    'x',
  )
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(names, tie('any'), { maxKeys: 4 }),
    ),
  })).any
  fc.assert(
    fc.property(value, (content) => {
      try {
        readLegacy(content, 'content')
      } catch (error) {
        assert(isGatewayError(error), String(error))
      }
    }),
    { numRuns: 500 },
  )
})
