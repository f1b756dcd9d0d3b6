import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway, type TestGateway } from '../../../test/harness.ts'
import { dbXml, fails, fbSource, writeWorkspace } from '../../../test/plant.ts'

interface Opened {
  version: string
  cultures: string[]
  warnings: string[]
  files: { path: string; status: string }[]
}

const titled = (name: string, version: string, texts: Readonly<Record<string, string>>) =>
  dbXml(name, 1, { auto: true })
    .replace('version="V19"', `version="${version}"`)
    .replace(
      '</AttributeList>',
      `</AttributeList><ObjectList><MultilingualText ID="1" CompositionName="Title"><ObjectList>${Object.entries(texts)
        .map(
          ([culture, text], i) =>
            `<MultilingualTextItem ID="${i + 2}" CompositionName="Items"><AttributeList><Culture>${culture}</Culture><Text>${text}</Text></AttributeList></MultilingualTextItem>`,
        )
        .join('')}</ObjectList></MultilingualText></ObjectList>`,
    )

async function open(gateway: TestGateway, folder: string, files: Readonly<Record<string, string>>) {
  const placed = Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text])
  await writeWorkspace(gateway, Object.fromEntries(placed))
  const opened = await gateway.call<Opened>('projects.open', { path: folder, continueOnError: true })
  const { projects } = await gateway.call<{ projects: Opened[] }>('projects.list')
  await gateway.call('projects.close', { force: true })
  return { ...opened, version: projects[0]?.version, cultures: projects[0]?.cultures }
}

test('an opened folder takes version and languages of its files', async (t) => {
  const gateway = await openTestGateway(t)
  const german = await open(gateway, 'a', {
    'D.xml': titled('D', 'V17', { 'en-US': '', 'de-DE': 'Motor' }),
    'E.xml': titled('E', 'V17', { 'en-US': 'motor', 'de-DE': 'Pumpe', 'fr-FR': '' }),
  })
  assert.deepEqual([german.version, german.cultures], ['V17', ['de-DE', 'en-US', 'fr-FR']])
  assert.doesNotMatch(german.warnings.join(), /version/)
  const several = await open(gateway, 'b', { 'D.xml': titled('D', 'V16', {}), 'E.xml': titled('E', 'V20', {}) })
  assert.equal(several.version, 'V20')
  assert.match(several.warnings.join('\n'), /several versions: V20 \(1\), V16 \(1\); the project is of V20/)
  const old = await open(gateway, 'c', { 'D.xml': titled('D', 'V14', {}) })
  assert.equal(old.version, 'V16')
  assert.match(old.warnings.join('\n'), /V14 \(1\), which is no version of projects/)
  const silent = await open(gateway, 'd', { 'M.scl': fbSource('M') })
  assert.deepEqual([silent.version, silent.cultures], ['V19', ['en-US']])
})

test('a project file of TIA Portal beside exported files does not refuse the folder', async (t) => {
  const gateway = await openTestGateway(t)
  const tia =
    '<Data xmlns="http://www.siemens.com/2007/07/Automation/CommonServices/DataInfoValueData" Type="Project" Name="Line" ProjectCompatibilityVersion="18.0.0.0" />'
  const beside = await open(gateway, 'line', { 'Line.ap18': tia, 'Export/M.scl': fbSource('M') })
  assert.equal(beside.version, 'V18')
  assert.match(beside.warnings.join('\n'), /Line\.ap18.*exported files beside it were read/)
  await writeWorkspace(gateway, { 'only/Line.ap18': tia, 'only/Vci/settings.xml': '<settings />' })
  await fails(gateway.call('projects.open', { path: 'only' }), 'unacceptable_content', /project of TIA Portal V18/)
})

test('files with faults stand first in what is told of a folder', async (t) => {
  const gateway = await openTestGateway(t)
  const { files } = await open(gateway, 'mixed', { 'A.scl': fbSource('A'), 'B.txt': '', 'Z.xml': '<Document><SW.' })
  assert.deepEqual(
    files.map(({ path, status }) => [path, status]),
    [
      ['Z.xml', 'failed'],
      ['A.scl', 'imported'],
      ['B.txt', 'ignored'],
    ],
  )
})
