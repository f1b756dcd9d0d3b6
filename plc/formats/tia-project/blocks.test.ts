import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeObject, storeOf } from '../../../test/tia-store.ts'
import { BlockReader, isSystemElement } from './blocks.ts'
import { folderPath } from './folders.ts'
import type { StoredObject } from './object.ts'

type Made = Parameters<typeof madeObject>[0]

const source = 'IGeneralBlockSourceData'
const details = 'IGeneralDataBlockSourceData'
const interfaceOf = (xml: string) =>
  madeObject({ type: 'InterfaceVersionRootData', values: { 'IInterfacePartData.Payload': `<Root>${xml}</Root>` } })
const staticData = interfaceOf(
  '<Member ID="5" Name="Static"><Member ID="31" Name="a" Type="Int" RID="33554437"/></Member>',
)
const cpu = madeObject({ type: 'S7ControllerTargetData', values: { 'ICoreAttributes.Subtype': 'S71500.CPU' } })

/** A block with its interface, read with what it leads to. */
function read(block: Omit<Made, 'type'> & { readonly type?: string }, others: readonly StoredObject[] = []) {
  const stored = madeObject({
    type: 'CodeBlockData',
    name: 'Block',
    ...block,
    relations: { CurrentInterface: [staticData], BelongsTo: [cpu], ...block.relations },
  })
  const { object, completeness, problems } = new BlockReader(storeOf([stored, staticData, cpu, ...others])).read(stored)
  const attributes = Object.fromEntries(object?.attributes.map(({ name, value }) => [name, value]) ?? [])
  return { object, completeness, problems, attributes }
}
const code = (type: string, more: Made['values'] = {}): NonNullable<Made['values']> => ({
  [`${source}.BlockType`]: type,
  [`${source}.Number`]: 7,
  [`${source}.BlockLanguage`]: 'LAD_IEC',
  ...more,
})
const data = (type: string, more: Made['values'] = {}): NonNullable<Made['values']> => ({
  [`${source}.BlockType`]: 'DB',
  [`${source}.Number`]: 7,
  [`${details}.Type`]: type,
  ...more,
})

test('a code block has its header, texts and attributes', () => {
  const comment = madeObject({ type: 'TextData', texts: { 'ICoreTextRepository.Text': { 1033: 'what it does' } } })
  const { object, completeness, attributes } = read({
    values: code('FB', {
      [`${source}.AutoNumber`]: 0,
      [`${source}.OnlySymbolicAccess`]: 0,
      'IPlcHeaderData.HeaderAuthor': 'me',
      'IPlcHeaderData.HeaderFamily': 'pumps',
      'IPlcHeaderData.HeaderName': 'H',
      'IPlcHeaderData.HeaderVersion': '1.2',
    }),
    texts: { 'ICoreAttributes.Comment': { 1031: 'Titel' } },
    relations: { InterfaceComment: [cpu], BlockComment: [comment] },
  })
  assert.equal(completeness, 'whole')
  const { attributes: _a, interface: sections, ...rest } = object!
  assert.deepEqual(rest, {
    kind: 'FB',
    element: 'SW.Blocks.FB',
    format: 'simaticml',
    name: 'Block',
    number: 7,
    language: 'LAD',
    title: { 'de-DE': 'Titel' },
    comment: { 'en-US': 'what it does' },
    author: 'me',
    family: 'pumps',
    headerName: 'H',
    version: '1.2',
    memoryLayout: 'Standard',
    isKnowHowProtected: false,
    networks: [],
  })
  assert.deepEqual(
    sections.map(({ section, members }) => [section, members.map(({ name, remanence }) => [name, remanence])]),
    [['Static', [['a', 'SetInIDB']]]],
  )
  assert.deepEqual(Object.entries(attributes), [
    ['AutoNumber', 'false'],
    ['HeaderAuthor', 'me'],
    ['HeaderFamily', 'pumps'],
    ['HeaderName', 'H'],
    ['HeaderVersion', '1.2'],
    ['MemoryLayout', 'Standard'],
    ['Name', 'Block'],
    ['Number', '7'],
    ['ProgrammingLanguage', 'LAD'],
  ])
})

test('what a block does not say is what a new block has', () => {
  const { object, attributes } = read({
    values: code('FC', { [`${source}.Number`]: 0, 'IPlcHeaderData.HeaderVersion': '0.1' }),
  })
  assert.equal('number' in object!, false)
  assert.deepEqual(attributes, {
    AutoNumber: 'true',
    MemoryLayout: 'Optimized',
    Name: 'Block',
    Number: '0',
    ProgrammingLanguage: 'LAD',
  })
  for (const [stored, language] of [
    ['FBD_CLASSIC', 'FBD'],
    ['FBD_IEC', 'FBD'],
    ['LAD_CLASSIC', 'LAD'],
    ['SCL', 'SCL'],
    ['STL', 'STL'],
  ])
    assert.equal(read({ values: code('FC', { [`${source}.BlockLanguage`]: stored! }) }).object?.language, language)
})

test('organization blocks have their event class; cyclic ones their time, phase and priority', () => {
  const of = (subtype: string, event?: Readonly<Record<string, number>>, type = 'CyclicInterruptEventData') => {
    const stored = madeObject({
      type: 'CodeBlockData',
      values: code('OB', { 'ICoreAttributes.Subtype': `OB.${subtype}` }),
      relations: { CurrentInterface: [staticData] },
    })
    const handler = madeObject({ type, values: event ?? {}, relations: { Handler: [stored] } })
    const { object, problems } = new BlockReader(storeOf([stored, staticData, handler])).read(stored)
    const found = object!.attributes.filter(({ name }) => /Cyc|Phase|Priority|Secondary/.test(name))
    return [...found.map(({ name, value }) => `${name}=${value}`), ...problems]
  }
  const cyclic = 'SecondaryType=CyclicInterrupt'
  const time = 'ICyclicInterruptEventData.CyclicTime'
  const phase = 'ICyclicInterruptEventData.PhaseShift'
  const priority = 'IOrganizationBlockEventDataAttributes.Priority'
  assert.deepEqual(of('ProgramCycle'), ['SecondaryType=ProgramCycle'])
  assert.deepEqual(of('PullPlug'), ['SecondaryType=PullOrPlugOfModules'])
  assert.deepEqual(of('RackStationFailure'), ['SecondaryType=RackOrStationFailure'])
  assert.deepEqual(of('CyclicInterrupt', { [time]: 100_000 }), ['CyclicTime=100000', cyclic])
  assert.deepEqual(of('CyclicInterrupt', { [time]: 1, [phase]: 0, [priority]: 0 }), ['CyclicTime=1', cyclic])
  assert.deepEqual(of('CyclicInterrupt', { [time]: 100, [phase]: 20, [priority]: 8 }), [
    'CyclicTime=100',
    'PhaseOffset=20',
    'PriorityNumber=8',
    cyclic,
  ])
  const unknown = [cyclic, 'how often it runs is not in the file']
  assert.deepEqual(of('CyclicInterrupt', { [time]: 0 }), unknown)
  assert.deepEqual(of('CyclicInterrupt'), unknown)
  assert.deepEqual(of('CyclicInterrupt', { [time]: 100 }, 'OtherEventData'), unknown)
})

test('data blocks have how they are kept; with standard access they are retentive as a whole', () => {
  const flags = { IsWriteProtectedInAS: true, NotLoadable: true, DBAccessibleFromOPCUA: false, NonRetain: false }
  const of = (more: Made['values'], parameters: Made['parameters'] = {}) => {
    const { object, attributes } = read({ type: 'DataBlockData', values: data('SharedDB', more), parameters })
    const { Name, Number: _n, AutoNumber, ...rest } = attributes
    return [rest, object!.interface[0]?.members[0]?.remanence]
  }
  const standard = { [`${source}.OnlySymbolicAccess`]: 0 }
  assert.deepEqual(of({}), [{ MemoryLayout: 'Optimized', ProgrammingLanguage: 'DB' }, undefined])
  assert.deepEqual(of(standard, flags), [
    {
      MemoryLayout: 'Standard',
      ProgrammingLanguage: 'DB',
      IsWriteProtectedInAS: 'true',
      IsOnlyStoredInLoadMemory: 'true',
      DBAccessibleFromOPCUA: 'false',
    },
    'Retain',
  ])
  assert.deepEqual(of({}, flags)[1], undefined)
  assert.deepEqual(of(standard, { NonRetain: true, IsWriteProtectedInAS: false, DBAccessibleFromOPCUA: true }), [
    { MemoryLayout: 'Standard', ProgrammingLanguage: 'DB' },
    undefined,
  ])
})

test('an instance names its block or type, in the data or by what it was made from', () => {
  const motor = madeObject({ type: 'CodeBlockData', name: 'Motor', values: code('FB') })
  const of = (
    values: Made['values'],
    relations: NonNullable<Made['relations']>,
    others: readonly StoredObject[] = [],
  ) => {
    const { object, attributes, problems } = read(
      { type: 'DataBlockData', values: data('IDBofFB', values), relations },
      others,
    )
    const { InstanceOfName, InstanceOfType, OfSystemLibElement, OfSystemLibVersion } = attributes
    return [object?.instanceOf, InstanceOfName, InstanceOfType, OfSystemLibElement, OfSystemLibVersion, ...problems]
  }
  const lost = 'what it is an instance of is not in the file'
  assert.deepEqual(of({ [`${details}.OfName`]: 'Pump' }, {}), ['Pump', 'Pump', 'FB', undefined, undefined])
  assert.deepEqual(of({ [`${details}.OfName`]: 'Set', [`${details}.OfType`]: 'UDT' }, {}).slice(1, 3), ['Set', 'UDT'])
  assert.deepEqual(of({}, { IsGeneratedFrom: [motor] })[0], 'Motor')
  assert.deepEqual(of({}, {}), [undefined, undefined, 'FB', undefined, undefined, lost])
  // The instruction, behind the block of the library that the instance was made from.
  const instruction = madeObject({
    type: 'IECPLInstructionData',
    name: 'TON',
    values: { 'ICoreLibTypeAttributes.MajorVersion': 1, 'ICoreLibTypeAttributes.MinorVersion': 3 },
  })
  const proxy = madeObject({ type: 'ProxyData', relations: { IsDerivedFrom: [instruction] } })
  const block = (relations: NonNullable<Made['relations']>) =>
    madeObject({
      type: 'CodeBlockData',
      name: 'TON_TIME',
      values: code('FB', { 'ICoreAttributes.Protection': 'SystemKnowHowProtection' }),
      relations,
    })
  assert.deepEqual(of({}, { GeneratedFromMaster: [block({ IsDerivedFrom: [proxy] })] }), [
    'TON',
    'TON',
    undefined,
    'TON',
    '1.3',
  ])
  const header = { 'IPlcHeaderData.HeaderVersion': '2.0', 'IPlcHeaderData.HeaderAuthor': 'Siemens' }
  assert.deepEqual(of(header, { GeneratedFromMaster: [block({})] }), [
    'TON_TIME',
    'TON_TIME',
    undefined,
    'TON_TIME',
    '2.0',
  ])
  // Such an instance shows the header of its type, which exports leave out.
  const shown = read({
    type: 'DataBlockData',
    values: data('IDBofSDT', {
      ...header,
      [`${details}.OfType`]: 'SDT',
      [`${details}.OfName`]: 'IEC_TIMER',
      'ICoreAttributes.IsKnowHowProtected': 1,
    }),
  }).object
  assert.deepEqual([shown?.author, shown?.version, shown?.isKnowHowProtected], ['', '', false])
  assert.equal(read({ type: 'DataBlockData', values: data('IDBofFB', header) }).object?.author, 'Siemens')
})

test('technology objects are instances of their own element, and not whole', () => {
  const { object, problems } = read({
    type: 'TechnologicalDataBlockData',
    values: data('IDBofSDT', {
      [`${details}.OfType`]: 'SDT',
      [`${details}.OfName`]: 'TO_SpeedAxis',
      [`${source}.BlockLanguage`]: 'MC_DB',
      'IPlcHeaderData.HeaderAuthor': 'me',
    }),
  })
  assert.deepEqual(
    [object?.element, object?.language, object?.instanceOf, object?.author],
    ['SW.TechnologicalObjects.TechnologicalInstanceDB', 'MC_DB', 'TO_SpeedAxis', 'me'],
  )
  assert.deepEqual(problems, ['what the technology object is connected to (drive, encoder, switches) is not read'])
})

test('data types have no number, no header and no memory layout', () => {
  const { object, attributes } = read({
    values: { [`${source}.BlockType`]: 'UDT', [`${source}.Number`]: 5, 'IPlcHeaderData.HeaderAuthor': 'me' },
  })
  assert.deepEqual(attributes, { Name: 'Block' })
  assert.deepEqual(
    [object?.element, object?.number, object?.language, object?.author, object?.memoryLayout],
    ['SW.Types.PlcStruct', undefined, '', '', undefined],
  )
})

test('bodies are read by what they are; protected, encrypted and unknown ones are told', () => {
  const unit = (xml: string, language = 'LAD_IEC') =>
    madeObject({
      type: 'CompileUnitData',
      values: { 'ICompileUnitData.Data': xml, 'ICompileUnitData.ProgrammingLanguage': language },
      texts: { 'ICoreAttributes.Comment': { 1033: 'title' } },
    })
  const units = [
    unit('<FlgNet><Parts><Part UId="21" Gate="Coil"/><New UId="22"/></Parts></FlgNet>'),
    unit('<FlgNet><Wires><Wire UId="23"><Powerrail/><Openbranch/></Wire></Wires></FlgNet>'),
    unit('<SCLSource><RootStatements><FiSt/><New/></RootStatements></SCLSource>', 'SCL'),
    unit('<Statements><Statement><Token DispName="SET"/><New/></Statement></Statements>', 'STL'),
    unit('<EncryptedData/>'),
    unit('<New/>', 'CEM'),
    unit(''),
  ]
  const other = madeObject({ type: 'OtherData' })
  const relations = { Sources: [other, ...units.slice(0, 4)], listed: units.slice(4) }
  const { object, problems, completeness } = read({ values: code('FC'), relations })
  const common = { title: { 'en-US': 'title' }, comment: {}, parts: [] }
  const part = { kind: 'part', uId: 21, name: 'Coil', negated: [], invisible: [], templates: [], automaticTyped: [] }
  assert.deepEqual(object?.networks, [
    { ...common, number: 1, language: 'LAD', graph: { labels: [], nodes: [part], wires: [] } },
    { ...common, number: 2, language: 'LAD' },
    { ...common, number: 3, language: 'SCL', text: ';' },
    { ...common, number: 4, language: 'STL', statements: [{ mnemonic: 'SET' }] },
    { ...common, number: 5, language: 'LAD' },
    { ...common, number: 6, language: 'CEM' },
    { ...common, number: 7, language: 'LAD' },
  ])
  assert.deepEqual(problems, [
    'network 1: New 22: an element that is not understood',
    'network 3: the token New is not understood',
    'network 4: statement 1: New is not understood',
    'network 5: encrypted, never read',
    'network 6: code of the kind New (CEM) is not read',
  ])
  assert.equal(completeness, 'partly')
  const secret = read({ values: code('FC', { 'ICoreAttributes.IsKnowHowProtected': 1 }), relations })
  assert.deepEqual(secret.object?.networks, [])
  assert.deepEqual(secret.problems, ['know-how protected: only what its interface shows is read'])
  assert.deepEqual([secret.completeness, secret.object?.isKnowHowProtected], ['partly', true])
})

test('a GRAPH block has its sequence in one network, and the version of its data', () => {
  const unit = (context: string, xml: string) =>
    madeObject({
      type: 'CompileUnitData',
      values: {
        'ICompileUnitData.Data': xml,
        'ICompileUnitData.ProgrammingContext': context,
        'ICompileUnitData.ProgrammingLanguage': 'LAD_CLASSIC',
      },
    })
  const declared = interfaceOf(
    '<Member ID="5" Name="Static"><Member ID="31" Name="RT_DATA" Type="&quot;G7_RTDataPlus_V6&quot;" RID="1"/></Member>',
  )
  const graph = (units: readonly StoredObject[]) =>
    read(
      {
        values: code('FB', { [`${source}.BlockLanguage`]: 'GRAPH_PLUS' }),
        relations: { CurrentInterface: [declared], Sources: units },
      },
      [declared],
    )
  const { object, attributes } = graph([
    unit('GraphSequence', '<GraphStructure/>'),
    unit('PreOperation', '<FlgNet><Parts><Part UId="21" Gate="Coil"/></Parts></FlgNet>'),
  ])
  assert.deepEqual([object?.language, attributes.GraphVersion], ['GRAPH', '6.0'])
  const [network] = object!.networks
  assert.deepEqual([network?.number, network?.language, network?.parts], [1, 'GRAPH', []])
  assert.deepEqual([network?.chart?.sequences, network?.chart?.before.map(({ language }) => language)], [[], ['LAD']])
  assert.deepEqual(graph([unit('GraphSequence', '<EncryptedData/>')]).problems, ['encrypted, never read'])
  assert.deepEqual(graph([]).completeness, 'not-read')
})

test('blocks that cannot be read are told; elements of the instruction library are known', () => {
  const { completeness, problems } = read({ values: code('SFB') })
  assert.deepEqual([completeness, problems], ['not-read', ['a block of type SFB is not read']])
  const isSystem = (values: Made['values']) => isSystemElement(madeObject({ type: 'CodeBlockData', values: values! }))
  const system = { 'ICoreAttributes.Protection': 'SystemKnowHowProtection' }
  assert.deepEqual([code('SDT'), code('FBT'), code('FB', system), code('DB', system), code('FB')].map(isSystem), [
    true,
    true,
    true,
    false,
    false,
  ])
})

test('an array data block has its one member', () => {
  const declared = interfaceOf(
    `<Member ID="5" Name="Static"><Member ID="31" Name="head" Type="ArrayDBHeader" RID="1"/>
     <Member ID="32" Name="THIS" Type="Array[0..3] of Int" RID="1"/></Member>`,
  )
  const { object } = read(
    { type: 'DataBlockData', values: data('ArrayDB'), relations: { CurrentInterface: [declared] } },
    [declared],
  )
  assert.equal(object?.element, 'SW.Blocks.ArrayDB')
  assert.deepEqual(
    object?.interface.map(({ section, members }) => [section, members.map(({ name }) => name)]),
    [['Static', ['THIS']]],
  )
})

test('folders of the tool are not shown, but for that of the instances which it made, as exports show it', () => {
  const folder = (name: string, above?: StoredObject) =>
    madeObject({ type: 'FolderData', name, relations: above ? { AggregatingFolder: [above] } : {} })
  const root = folder('ProgramBlocksFolder')
  const system = folder('SystemBlocksFolder', root)
  const paths = [
    folder('Inner', folder('Pumps', root)),
    folder('ProgramResourcesFolder', system),
    folder('SafetyResourcesFolder', system),
    root,
  ].map((one) => {
    const block = madeObject({ type: 'DataBlockData', relations: { AggregatingFolder: [one] } })
    return folderPath(storeOf([block]), block)
  })
  assert.deepEqual(paths, [['Pumps', 'Inner'], ['System blocks', 'Program resources'], [], []])
})
