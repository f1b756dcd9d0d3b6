import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  largeArchive,
  projectFileOf,
  smallArchive,
  withBusSubnet,
  withChanges,
  withInstance,
} from '../../../test/tia-files.ts'
import { FormatError } from '../../model/fault.ts'
import { operandText } from '../../model/operand-text.ts'
import { readSimaticMlText } from '../simaticml/read.ts'
import { dataBlockKind } from './blocks.ts'
import { projectFiles } from './files.ts'
import type { Module, NetworkNode } from './hardware.ts'
import { readMemberFlags } from './member-flags.ts'
import { TiaProjectError } from './problem.ts'
import { readTiaProject } from './project.ts'
import { isSystemType, readRecords } from './records.ts'
import { TiaStore } from './store.ts'

const small = await projectFileOf(smallArchive)
const large = await projectFileOf(largeArchive)
const project = readTiaProject(large)

const object = (controller: string, name: string) =>
  project.programs.find((program) => program.name === controller)?.objects.find((placed) => placed.name === name)

test('products, stations and controllers', () => {
  const { name, author, version, products, stations, saves } = readTiaProject(small)
  assert.deepEqual([name, author, version], ['MacTestenvironmentBaseProject', 'z003sr5a', 'V19'])
  assert.ok(products.includes('STEP 7 Professional V19'))
  assert.deepEqual(saves.length, 1)
  const [station] = stations
  assert.deepEqual([station?.name, station?.subtype], ['S7-1500/ET200MP station_1', 'S71500.Device'])
  const [controller] = station?.controllers ?? []
  assert.deepEqual(
    [controller?.name, controller?.orderNumber, controller?.firmware, controller?.typeName],
    ['TestenvironmentPLC', '6ES7 516-3UN00-0AB0', 'V3.1', 'CPU 1516TF-3 PN/DP'],
  )
  assert.ok(controller?.nodes.some(({ profinetName }) => profinetName === 'plc_1.profinet interface_1'))
})

test('cyclic interrupts have the time and priority of their event, in microseconds as exports have them', () => {
  const { attributes = [], secondaryType } = object('PLC_1', 'OB_CYC_IN_100ms')?.object ?? {}
  assert.equal(secondaryType, 'CyclicInterrupt')
  const of = (wanted: string) => attributes.find(({ name }) => name === wanted)?.value
  assert.deepEqual([of('CyclicTime'), of('PhaseOffset'), of('PriorityNumber')], ['100000', undefined, '13'])
})

test('start values of a type that stand beside its interface', () => {
  const type = project.library.types.find(({ name }) => name === 'CfgTyp_Shimadzu_TMP')
  const [section] = type?.versions[0]?.part?.object?.interface ?? []
  assert.deepEqual(
    section?.members.map(({ name, dataType, startValue }) => [name, dataType, startValue]),
    [
      ['Installed', 'Bool', 'TRUE'],
      ['Deactivate', 'Bool', undefined],
      ['LowSpeedActivate', 'Bool', undefined],
      ['LowSpeedInPercent', 'Int', '25'],
      ['BelowTriggerSpeed', 'Int', '600'],
      ['MaxRampUpTime', 'Time', 'T#10m'],
    ],
  )
})

test('modules have positions, identifiers, interfaces and ports', () => {
  const [station] = readTiaProject(small).stations
  const [rack] = station?.modules ?? []
  assert.deepEqual([rack?.orderNumber, rack?.typeName], ['6ES7 590-1***0-0AA0', 'Rack'])
  const [cpu] = rack?.modules ?? []
  assert.deepEqual([cpu?.position, cpu?.isHead, cpu?.isController], [1, true, true])
  const interfaces = cpu?.modules.filter(({ node }) => node) ?? []
  assert.deepEqual(
    interfaces.map(({ position, hardwareIdentifier, node }) => [position, hardwareIdentifier, node?.label, node?.type]),
    [
      [33280, 60, 'X3', 'Profibus'],
      [32768, 64, 'X1', 'Ethernet'],
      [33024, 72, 'X2', 'Ethernet'],
      [34816, 135, undefined, 'Ethernet'],
    ],
  )
  assert.deepEqual(
    interfaces[1]?.modules.map(({ position, isPort }) => [position, isPort]),
    [
      [32769, true],
      [32770, true],
    ],
  )
})

test('a bus address counts in a subnet; without one it is that which the tool gives every interface', () => {
  const nodes = (modules: readonly Module[]): NetworkNode[] =>
    modules.flatMap(({ node, modules: inner }) => [...(node ? [node] : []), ...nodes(inner)])
  const busOf = (file: Buffer) =>
    nodes(readTiaProject(file).stations.flatMap(({ modules }) => modules))
      .filter(({ type }) => type === 'Profibus')
      .map(({ name, subnet, busAddress }) => [name, subnet, busAddress])
  const alone = ['PB1', undefined, undefined]
  assert.deepEqual(busOf(large), [alone, alone, alone, alone])
  assert.deepEqual(busOf(withBusSubnet(large, 'PN/IE_1')), [['PB1', 'PN/IE_1', 2], alone, alone, alone])
})

test('a data block that is made from a type is an instance of it', () => {
  assert.deepEqual(['DBOfType', 'IDBofFB', 'IDBofSDT', 'ArrayDB', 'SharedDB'].map(dataBlockKind), [
    'InstanceDB',
    'InstanceDB',
    'InstanceDB',
    'ArrayDB',
    'GlobalDB',
  ])
})

test('every object is read, with a reason for what is not', () => {
  assert.deepEqual(
    project.programs.map(({ name, objects }) => [name, objects.length]),
    [
      ['PLC_1.1', 6],
      ['PLC_1', 8],
      ['PLC_0', 13],
      ['PLC_1.1.1', 2],
      ['Software PLC_0', 17],
      ['Software PLC_1', 17],
      ['Software PLC_1.1', 17],
      ['Software PLC_1.1.1', 13],
    ],
  )
  const objects = project.programs.flatMap((program) => program.objects)
  assert.deepEqual(
    objects.filter(({ completeness }) => completeness === 'not-read'),
    [],
  )
  for (const { objects } of project.programs)
    for (const { completeness, problems, name } of objects)
      assert.equal(completeness === 'whole', problems.length === 0, `${name}: ${problems}`)
  assert.deepEqual(project.notRead, {
    'HMI screen': 2,
    'HMI tag table': 1,
    'HMI connection': 1,
    'library type version with the number of another one': 1,
  })
})

test('library types have their versions with content, author, state and what they depend on', () => {
  const { types, copies } = project.library
  const versions = types.flatMap((type) => type.versions)
  assert.deepEqual([types.length, versions.length, copies.length], [64, 69, 0])
  for (const type of types)
    assert.equal(new Set(type.versions.map(({ version }) => version)).size, type.versions.length, type.name)
  for (const { part } of versions) assert.ok(part.object && part.object.name === part.name, part.problems.join())
  const button = types.find(({ name }) => name === 'Btn_Typ_2ChSafeLockingSwitch')
  assert.deepEqual(
    [button?.folder.join('/'), button?.author, button?.defaultVersion],
    ['Common/DeviceTypes/PFB/PFB_Typ_2ChSafeLockingSwitch', 'chang', '0.0.1'],
  )
  assert.deepEqual(
    button?.versions.map(({ version, isReleased, dependencies }) => [version, isReleased, dependencies]),
    [['0.0.1', true, [{ type: 'DataTyp_HMI_Button', version: '0.0.1' }]]],
  )
  assert.ok(types.some((type) => type.versions.length > 1 && type.defaultVersion === type.versions.at(-1)?.version))
})

test('an object that is an instance of a library type says of which version', () => {
  const content = readTiaProject(withInstance(large, 'ML_CarrierRegisterShort', 'DataTyp_MKS_925'))
  const [version] = content.library.types.find(({ name }) => name === 'DataTyp_MKS_925')!.versions
  assert.deepEqual(projectFiles(content, 'V20').library.instances, [
    {
      controller: 'PLC_0',
      name: 'ML_CarrierRegisterShort',
      kind: 'UDT',
      type: 'DataTyp_MKS_925',
      version: version!.version,
    },
  ])
  assert.deepEqual(projectFiles(project, 'V20').library.instances, [])
})

test('folders, types, tags and networks are those of the project', () => {
  assert.deepEqual(object('PLC_0', 'ML_CarrierRegisterShort')?.folder, ['Common', 'CarrierRegister'])
  const type = object('PLC_0', 'ML_CarrierRegisterShort')?.object
  assert.equal(type?.kind, 'UDT')
  assert.ok(
    type.interface[0]?.members.some(({ name, comment }) => name === 'Exist' && comment['de-DE'] === 'Carrier exist'),
  )
  const main = object('PLC_0', 'Main')?.object
  assert.deepEqual([main?.kind, main?.number, main?.secondaryType], ['OB', 1, 'ProgramCycle'])
  const tables = project.programs.flatMap(({ objects }) => objects.filter(({ kind }) => kind === 'TagTable'))
  assert.equal(tables.length, 8)
  assert.equal(object('PLC_0', 'Standard-Variablentabelle')?.object?.tags?.length, 7)
})

test('a statement list has its mnemonics, operands and comments', () => {
  const networks = project.programs.flatMap(({ objects }) => objects.flatMap((placed) => placed.object?.networks ?? []))
  const [list] = networks.flatMap(({ statements }) => (statements ? [statements] : []))
  assert.deepEqual(
    list?.map(({ mnemonic, operand, comment }) => [mnemonic, operand && operandText(operand), comment]),
    [
      ['A', '"Tag_1"', ' Check if M0.0 is set (1)'],
      ['=', '"Tag_2"', ' Set M0.1 if M0.0 is true'],
      ['', undefined, undefined],
    ],
  )
})

test('what is read can be written as exports, which are read back the same', () => {
  const { files, report } = projectFiles(project, 'V20')
  const own = report.filter(({ controller, completeness }) => controller !== 'Library' && completeness !== 'not-read')
  assert.equal(files.length, own.length)
  for (const { name, text } of files) {
    const [again] = readSimaticMlText(text).objects
    assert.equal(again?.name, name)
  }
})

test('bodies of protected blocks are never read, and no secret either', () => {
  const protectedBlocks = [...project.programs, ...readTiaProject(small).programs].flatMap(({ objects }) =>
    objects.filter((placed) => placed.object?.isKnowHowProtected),
  )
  assert.ok(protectedBlocks.length > 0)
  for (const { object: block } of protectedBlocks) assert.deepEqual(block?.networks, [])
  const store = new TiaStore(small)
  let encrypted = 0
  for (const stored of store.objects) {
    if (stored.blob('ICompileUnitData', 'Data')?.includes('EncryptedData')) encrypted++
    assert.equal(stored.text('ICoreAttributes', 'Password'), undefined)
  }
  assert.ok(encrypted > 0)
  assert.ok(
    !JSON.stringify(readTiaProject(small).programs.map(({ objects }) => objects.map(({ object }) => object))).includes(
      'Encrypted',
    ),
  )
})

test('the header of projects that V14 made is read', () => {
  const older = Buffer.from(small)
  older.writeUInt32LE(0, 4)
  createHash('sha256').update(older.subarray(0, 65)).digest().copy(older, 65)
  assert.equal(readTiaProject(older).name, 'MacTestenvironmentBaseProject')
  older.writeUInt32LE(2, 4)
  assert.throws(() => readTiaProject(older), { fault: 'not-a-project' })
})

test('flags of members are attributes of exports; those that are not understood are told', () => {
  const names = (flags: number, isSetPoint?: boolean) =>
    readMemberFlags(flags, isSetPoint).attributes.map(({ name, value }) => `${name}=${value}`)
  const hidden = ['ExternalAccessible=false', 'ExternalVisible=false', 'ExternalWritable=false']
  assert.deepEqual(names(0), [])
  assert.deepEqual(names(39), [])
  for (const flags of [12, 76, 4180, 4188]) assert.deepEqual(names(flags), hidden)
  assert.deepEqual(names(79), ['ExternalWritable=false'])
  assert.deepEqual(names(527, false), ['SetPoint=true'])
  assert.deepEqual(names(527), [])
  // A member of a type is a setpoint by default, and the flag says that it is not.
  assert.deepEqual(names(0, true), ['SetPoint=true'])
  assert.deepEqual(names(12, true), [...hidden, 'SetPoint=true'])
  assert.deepEqual(names(588, true), hidden)
  assert.match(readMemberFlags(77).problem ?? '', /visible or accessible/)
  const unknown = Array.from({ length: 31 }, (_, bit) => bit).filter((bit) => readMemberFlags(2 ** bit).problem)
  assert.deepEqual(unknown, [8, 14, 15, 16, 17, 20, ...Array.from({ length: 9 }, (_, i) => 22 + i)])
  assert.match(readMemberFlags(0x100).problem ?? '', /flags 256/)
})

test('an array data block has its one member, without the header of the tool', () => {
  const block = object('PLC_0', 'DB_Block_1')?.object
  assert.deepEqual(
    block?.interface.map(({ section, members }) => [section, members.map(({ dataType }) => dataType)]),
    [['None', ['Array[0..100] of Int']]],
  )
})

test('instances and calls have the versions of the library, and every instance its type', () => {
  for (const { objects } of project.programs)
    for (const { object: block, problems } of objects) {
      if (block?.kind === 'InstanceDB') assert.ok(block.instanceOf, block.name)
      assert.ok(!problems.some((text) => /version of the instruction/.test(text)), String(problems))
    }
})

test('an instance has the sections of its type with its own start values; what the library hides is left out', () => {
  const sections = object('Software PLC_0', 'FB32770_IDB_C')?.object?.interface ?? []
  assert.deepEqual(
    sections.map(({ section, members }) => [section, members.length]),
    [
      ['Input', 0],
      ['Output', 0],
      ['InOut', 0],
      ['Static', 9],
    ],
  )
  const values = sections.flatMap(({ members }) => members.map(({ name, startValue }) => [name, startValue]))
  assert.deepEqual(
    values.filter(([, value]) => value !== undefined),
    [
      ['dnMOD_MODE_C', '38599'],
      ['dnP_FOB', '8966'],
      ['wRTG_NO', 'W#16#1'],
    ],
  )
})

test('files of other versions and other files are refused by name', () => {
  assert.throws(() => readTiaProject(Buffer.from('x')), { fault: 'not-a-project' })
  const old = Buffer.from(small)
  old.writeUInt32LE(0x10040, 0)
  assert.throws(() => readTiaProject(old), { fault: 'version', message: /V13 or older/ })
  const header = Buffer.from(small)
  header[20]! ^= 1
  assert.throws(() => readTiaProject(header), { fault: 'hash', message: /header/ })
  const cut = small.subarray(0, small.length - 10)
  assert.throws(() => readTiaProject(cut), {
    fault: 'damaged',
    message: /ends in a record; its last \d+ bytes are lost/,
  })
  const rest = readTiaProject(cut, { skipDamaged: true })
  assert.deepEqual([rest.name, rest.damaged.length], ['MacTestenvironmentBaseProject', 1])
  assert.throws(() => readTiaProject(small, { asOfSave: 2 }), { message: /has 1 saves; there is no save 2/ })
})

test('a damaged record is named with its place; the rest is read when asked', () => {
  const broken = Buffer.from(small)
  const record = [...readRecords(small)].find(({ type }) => !isSystemType(type))!
  broken[record.offset + 60]! ^= 1
  assert.throws(
    () => readTiaProject(broken),
    (error) => error instanceof TiaProjectError && error.fault === 'hash' && error.place?.offset === record.offset,
  )
  const content = readTiaProject(broken, { skipDamaged: true })
  assert.equal(content.damaged.length, 1)
  assert.match(content.damaged[0]!, new RegExp(`byte ${record.offset}`))
})

test('damage behind a right hash ends in a problem or a report, never in anything else', () => {
  const records = [...readRecords(small)]
  const change = fc.record({ record: fc.nat(records.length - 1), at: fc.nat(), value: fc.nat(255) })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
      const bytes = withChanges(
        small,
        changes.map(({ record, at, value }) => ({ record: records[record]!, at, bytes: Buffer.from([value]) })),
      )
      try {
        projectFiles(readTiaProject(bytes, { skipDamaged: true }), 'V19')
      } catch (error) {
        if (!(error instanceof TiaProjectError || error instanceof FormatError)) throw error
      }
    }),
    { numRuns: 40 },
  )
})
