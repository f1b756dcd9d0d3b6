/** What holds for every compare of two folders. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { describeHardware } from '../../../plc/formats/aml/describe.ts'
import { guidOf } from '../../../plc/formats/aml/guid.ts'
import type { AmlHardware, AmlItem } from '../../../plc/formats/aml/hardware.ts'
import { writeAml } from '../../../plc/formats/aml/write.ts'
import { publicDir } from '../../../test/corpus.ts'
import { type FolderContent, readFolderContent } from '../folder/folder.ts'
import { localFiles } from '../folder/local-files.ts'
import { localContext, tiaContent } from '../folder/tia.ts'
import { diffContents } from './diff.ts'
import { diffHtml } from './diff-html.ts'
import { diffText } from './diff-text.ts'

const culture = 'en-US'

/** The same folder, with every fifth file taken away and something changed in every third. */
function otherVersion(content: FolderContent): FolderContent {
  const program = content.program.flatMap((file, i) => {
    if (i % 5 === 4) return []
    if (i % 3 !== 0) return [file]
    const text = Buffer.from(file.bytes).toString('utf8')
    const changed = text
      .replace(/Datatype="Bool"/, 'Datatype="Int"')
      .replace(/<Part Name="Contact" (UId="\d+") \/>/, '<Part Name="Contact" $1><Negated Name="operand" /></Part>')
      .replace(/\bTRUE\b/, 'FALSE')
    return [{ ...file, bytes: Buffer.from(changed) }]
  })
  return { ...content, program }
}

const folders = ['Czarnak+simaticml-decoder', 'psi-func+ikea_vyatka_sorting', 'lopez-dev+Siemens-SCL-Source-Files']

for (const name of folders)
  test(`${name}: empty against itself, and the same from either side with added and removed exchanged`, async (t) => {
    const path = join(publicDir, name)
    if ((await localFiles.stat(path)) === undefined) return t.skip('not in this copy of the corpus')
    const content = await readFolderContent(localFiles, path)
    const { diff: none } = await diffContents(content, content, culture)
    assert.deepEqual(none.objects, [])
    assert.ok(none.same > 0)

    const other = otherVersion(content)
    const compared = await diffContents(content, other, culture)
    const { diff: back } = await diffContents(other, content, culture)
    const { diff } = compared
    assert.ok(diff.objects.length > 0)
    assert.equal(back.same, diff.same)
    const turned = {
      added: 'removed',
      removed: 'added',
      changed: 'changed',
      moved: 'moved',
      written: 'written',
    } as const
    const summary = (one: (typeof diff.objects)[number], isTurned: boolean) => {
      const of = (change: keyof typeof turned) => (isTurned ? turned[change] : change)
      const counts = new Map<string, number>()
      for (const { aspect, change } of one.differences) {
        const key = `${aspect} ${of(change)}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
      return [one.kind, one.name, of(one.change), [...counts].sort()]
    }
    assert.deepEqual(
      back.objects.map((one) => summary(one, true)),
      diff.objects.map((one) => summary(one, false)),
    )
    const page = diffHtml(compared, { left: 'a', right: 'b', culture })
    assert.equal(page.match(/<section /g)?.length, diff.objects.length)
    assert.equal(
      page.match(/<(table|figure|section|div|tr)[ >]/g)?.length,
      page.match(/<\/(table|figure|section|div|tr)>/g)?.length,
    )
  })

test('hardware of AML files: what differs is named with its file, what cannot be read is told', async () => {
  const hardware = (start: number): AmlHardware => {
    const items = { builtIn: false, items: [] }
    const module: AmlItem = {
      ...{ ...items, id: guidOf('di'), name: 'DI 16', kind: 'module', position: 2 },
      ...{ typeIdentifier: 'OrderNumber:6ES7 131-6BH01-0BA0', addresses: [{ ioType: 'Input', start, length: 16 }] },
    }
    const rack: AmlItem = {
      ...{ ...items, id: guidOf('rack'), name: 'Rail_0', kind: 'rack', position: 0, items: [module] },
      typeIdentifier: 'System:Rack.ET200SP',
    }
    const station = { id: guidOf('s'), name: 'Motor', typeIdentifier: 'System:Device.ET200SP', groups: [] }
    const project = { id: guidOf('p'), name: 'Plant' }
    return { project, subnets: [], links: [], stations: [{ ...station, racks: [rack] }] }
  }
  const options = { version: 'V19', fileName: 'plant.aml', writtenAt: '2024-01-01T00:00:00.000Z' } as const
  const side = (text: string): FolderContent => {
    // A block with the name of the station is another thing.
    const scl = 'FUNCTION "Motor" : Void\nBEGIN\nEND_FUNCTION\n'
    return {
      program: [{ path: 'Motor.scl', bytes: Buffer.from(scl) }],
      sheets: [],
      hardware: [{ path: 'hw/plant.aml', bytes: Buffer.from(text) }],
    }
  }
  const aml = (start: number) => side(writeAml(describeHardware(hardware(start), options).document))
  const { diff: none } = await diffContents(aml(0), aml(0), culture)
  assert.deepEqual([none.objects, none.same, none.unread], [[], 2, []])
  const compared = await diffContents(aml(0), aml(8), culture)
  assert.equal(
    diffText(compared.diff),
    `~ Device "Motor" (hw/plant.aml)
    input address of Rail_0/DI 16: addresses changed
      - 0 (16 bits)
      + 8 (16 bits)

0 added, 0 removed, 1 changed, 1 the same
`,
  )
  assert.match(
    diffHtml(compared, { left: 'a', right: 'b', culture }),
    /<section id="o1" data-object="Motor">.*input address of Rail_0\/DI 16/s,
  )
  const { diff: faulty } = await diffContents(aml(0), side('<CAEXFile'), culture)
  assert.deepEqual(
    faulty.unread.map((one) => [one.side, one.file]),
    [['right', 'hw/plant.aml']],
  )
  assert.deepEqual(
    faulty.objects.map(({ kind, name, change }) => [kind, name, change]),
    [['Device', 'Motor', 'removed']],
  )
})

test('a project of TIA Portal has its hardware, and blocks of one name in several controllers are not one', async () => {
  const path = join(publicDir, 'heilingbrunner+tiaportal-mcp/tests/TiaMcpServer.Test/assets/TestProject1.zap20')
  const content = await tiaContent(localContext, path)
  const [aml] = content.hardware
  const { diff: none } = await diffContents(content, content, culture)
  // Each file of the program is an object; five subnets and eight stations.
  assert.deepEqual([none.objects, none.same, none.unread], [[], content.program.length + 13, []])
  const text = Buffer.from(aml!.bytes).toString()
  const readdressed = text.replace('192.168.0.1<', '192.168.0.77<')
  const hardware = [{ path: aml!.path, bytes: Buffer.from(readdressed) }]
  const { diff } = await diffContents(content, { ...content, hardware }, culture)
  assert.deepEqual(diff.objects, [
    {
      ...{
        kind: 'Device',
        name: 'S7-1500/ET200MP-Station_3',
        change: 'changed',
        leftFile: aml!.path,
        rightFile: aml!.path,
      },
      differences: [
        {
          ...{ aspect: 'addresses', path: 'ipAddress of Profilschiene_0/PLC_0/PROFINET-Schnittstelle_1' },
          ...{ change: 'changed', left: '192.168.0.1', right: '192.168.0.77' },
        },
      ],
    },
  ])
  const main = content.program.filter(({ path: file }) => /\/Main\.xml$/.test(file))
  assert.ok(main.length > 1)
  const program = content.program.filter((file) => file !== main[1])
  const { diff: less } = await diffContents(content, { ...content, program }, culture)
  assert.deepEqual(
    less.objects.map(({ name, change, device }) => [name, change, device]),
    [['Main', 'removed', main[1]!.path.split('/')[0]]],
  )
})

test('networks that look the same tell what differs: types of constants, tag or constant, versions, what is not drawn', async () => {
  const network = (parts: string, language = 'LAD') =>
    `<?xml version="1.0" encoding="utf-8"?><Document><Engineering version="V19" /><SW.Blocks.FC ID="0"><AttributeList><Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5"><Section Name="Temp"><Member Name="x" Datatype="LReal" /></Section></Sections></Interface><Name>Scale</Name><ProgrammingLanguage>LAD</ProgrammingLanguage></AttributeList><ObjectList><SW.Blocks.CompileUnit ID="3" CompositionName="CompileUnits"><AttributeList><NetworkSource>${parts}</NetworkSource><ProgrammingLanguage>${language}</ProgrammingLanguage></AttributeList></SW.Blocks.CompileUnit></ObjectList></SW.Blocks.FC></Document>`
  const moved = ({ type = 'LReal', scope = 'GlobalVariable', version = '1.0' }) => {
    const symbol = '<Symbol><Component Name="Limit" /></Symbol>'
    const limit = scope === 'GlobalConstant' ? '<Constant Name="Limit" />' : symbol
    return network(
      `<FlgNet xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/FlgNet/v4"><Parts><Access Scope="LiteralConstant" UId="21"><Constant><ConstantType>${type}</ConstantType><ConstantValue>5.0</ConstantValue></Constant></Access><Access Scope="${scope}" UId="22">${limit}</Access><Access Scope="LocalVariable" UId="23"><Symbol><Component Name="x" /></Symbol></Access><Part Name="LIMIT" Version="${version}" UId="24"><TemplateValue Name="value_type" Type="Type">LReal</TemplateValue></Part></Parts><Wires><Wire UId="25"><Powerrail /><NameCon UId="24" Name="en" /></Wire><Wire UId="26"><IdentCon UId="21" /><NameCon UId="24" Name="MN" /></Wire><Wire UId="27"><IdentCon UId="22" /><NameCon UId="24" Name="IN" /></Wire><Wire UId="28"><IdentCon UId="22" /><NameCon UId="24" Name="MX" /></Wire><Wire UId="29"><NameCon UId="24" Name="OUT" /><IdentCon UId="23" /></Wire></Wires></FlgNet>`,
    )
  }
  const side = (text: string): FolderContent => ({
    program: [{ path: 'Scale.xml', bytes: Buffer.from(text) }],
    sheets: [],
    hardware: [],
  })
  const told = async (a: string, b: string) => {
    const { diff } = await diffContents(side(a), side(b), culture)
    return diff.objects.flatMap(({ differences }) =>
      differences.map(({ path, left = '', right = '' }) => {
        const [from, to] = [left.split('\n'), right.split('\n')]
        return [path, from.filter((line) => !to.includes(line)), to.filter((line) => !from.includes(line))]
      }),
    )
  }
  const limit = (version: string) =>
    `LIMIT{Version := ${version}, value_type := LReal}(IN := "Limit", MX := "Limit", MN := 5.0, OUT => #x);`
  assert.deepEqual(await told(moved({}), moved({ type: 'Real' })), [
    ['network 1', ['// 5.0: type LReal'], ['// 5.0: type Real']],
  ])
  assert.deepEqual(await told(moved({}), moved({ version: '1.2' })), [['network 1', [limit('1.0')], [limit('1.2')]]])
  assert.deepEqual(await told(moved({}), moved({ scope: 'GlobalConstant' })), [
    ['network 1', ['// "Limit": kind symbol'], ['// "Limit": kind constant']],
  ])
})

test('an object with very many differences tells how many are not listed', async () => {
  const side = (value: number): FolderContent => {
    const members = Array.from({ length: 1002 }, (_, i) => `m${i} : Int := ${value};`)
    const text = `DATA_BLOCK "Data"\nVAR\n${members.join('\n')}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
    return { program: [{ path: 'Data.db', bytes: Buffer.from(text) }], sheets: [], hardware: [] }
  }
  const compared = await diffContents(side(1), side(2), culture)
  const [object] = compared.diff.objects
  assert.deepEqual([object?.differences.length, object?.more], [1000, 2])
  assert.match(diffText(compared.diff), /m999: startValues changed\n.*\n.*\n {4}and 2 more differences\n/)
  assert.match(diffHtml(compared, { left: 'a', right: 'b', culture }), /<p class="note">and 2 more differences<\/p>/)
})
