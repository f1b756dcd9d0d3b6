import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { assertRecorded } from '../../../test/recorded.ts'
import { hardwareCatalog } from './catalog.ts'
import type { CatalogEntry } from './entry.ts'
import { drawModule } from './image.ts'
import { channelsOf, switchPorts } from './image-parts.ts'

const find = async (orderNumber: string): Promise<CatalogEntry> => (await hardwareCatalog.find(orderNumber))!.entry
/** One entry of each front. */
const fronts = [
  '6ES7 518-4AP00-0AB0',
  '6ES7 214-1AG40-0XB0',
  '6ES7 315-2EH14-0AB0',
  '6ES7 155-6AU01-0BN0',
  '6ES7 131-6BF01-0BA0',
  '6ES7 521-1BL00-0AB0',
  '6ES7 193-6AR00-0AA0',
  '6AV2 123-2GB03-0AX0',
  '6GK5 208-0BA00-2AC2',
  '6SL3224-0BE13-7UA0',
]
const portLabels = (svg: string) => svg.match(/>P\d+</g)?.length ?? 0

describe('drawings', () => {
  test('of every entry are well-formed, named, inside their frame and the same each time', async () => {
    for (const entry of await hardwareCatalog.entries()) {
      const svg = drawModule(entry)
      assert.equal(XMLValidator.validate(svg), true, entry.orderNumber)
      assert.ok(!/NaN|undefined|Infinity|="-/.test(svg), entry.orderNumber)
      assert.equal(svg, drawModule(entry))
      const root = new XMLParser({ ignoreAttributes: false }).parse(svg).svg as Record<string, unknown>
      assert.equal(root['@_xmlns'], 'http://www.w3.org/2000/svg')
      const texts = [root.text].flat().map((t) => String((t as Record<string, unknown>)['#text']))
      assert.ok(texts.includes(entry.orderNumber) || svg.includes(`>${entry.orderNumber}<`), entry.orderNumber)
      const [, , width, height] = String(root['@_viewBox']).split(' ').map(Number)
      for (const r of [root.rect].flat().filter(Boolean) as Array<Record<string, string>>) {
        assert.ok(Number(r['@_x']) + Number(r['@_width']) <= width! + 0.01, `${entry.orderNumber}: a part sticks out`)
        assert.ok(Number(r['@_y']) + Number(r['@_height']) <= height! + 0.01, `${entry.orderNumber}: a part sticks out`)
      }
    }
  })

  test('of each front are as recorded', async () => {
    // One element on a line: a change of a front shows as the lines that are others.
    const texts: string[] = []
    for (const number of fronts) {
      const svg = drawModule(await find(number)).replaceAll('><', '>\n<')
      texts.push(`=== ${number}\n${svg}`)
    }
    assertRecorded(import.meta.url, 'drawings.txt', `${texts.join('\n')}\n`)
  })

  test('show the ports that are known', async () => {
    for (const [number, count] of [
      ['6ES7 515-2AM02-0AB0', 3],
      ['6ES7 518-4AP00-0AB0', 4],
      ['6ES7 214-1AG40-0XB0', 1],
      ['6ES7 155-6AU01-0BN0', 2],
      ['6GK5 208-0BA00-2AC2', 8],
      ['6GK5 216-4GS00-2AC2', 20],
      ['6SL3224-0BE13-7UA0', 0],
    ] as const) {
      assert.equal(portLabels(drawModule(await find(number))), count, number)
    }
  })

  test('mark failsafe hardware and draw families differently', async () => {
    const svg = async (number: string) => drawModule(await find(number))
    assert.ok((await svg('6ES7 515-2FM02-0AB0')).includes('#f2c500'))
    assert.ok(!(await svg('6ES7 515-2AM02-0AB0')).includes('#f2c500'))
    assert.ok((await svg('6AV2 123-2GB03-0AX0')).includes('>F8<'))
    assert.ok(!(await svg('6AV2 124-0GC01-0AX0')).includes('>F8<'))
    assert.ok((await svg('6ES7 315-2EH14-0AB0')).includes('X1 DP'))
  })

  test('escape what a data file may contain', () => {
    const entry: CatalogEntry = {
      orderNumber: '6ES7 <1>&"2"',
      typeName: `CPU <script>alert('x')</script>`,
      family: 'Unknown "family"',
      kind: 'CPU',
      firmware: [],
      nameSource: 'own',
      source: 'test',
    }
    const svg = drawModule(entry)
    assert.equal(XMLValidator.validate(svg), true)
    assert.ok(!svg.includes('<script>'))
  })

  test('are served by order number', async () => {
    assert.match((await hardwareCatalog.image('6es75152am020ab0')) ?? '', /^<svg .*CPU 1515-2 PN.*<\/svg>$/s)
    assert.equal(await hardwareCatalog.image('6ES7 000-0AA00-0AA0'), undefined)
  })
})

describe('counts from names', () => {
  test('channels', () => {
    for (const [name, inputs, outputs] of [
      ['SM 1223 DI 16x24VDC/DQ 16xRelay', 16, 16],
      ['AI 4xU/I/RTD/TC / AQ 2xU/I ST', 4, 2],
      ['F-DQ 8x24VDC/0.5A PP HF', 0, 8],
      ['RQ 4x120VDC-230VAC/5A NO ST', 0, 4],
      ['ET200ecoPN, 16DO DC24V/1,3A, 8xM12', 0, 16],
      ['ET200ecoPN, 8 DIO, DC24V/1,3A, 8xM12', 8, 0],
      ['SM 1238 Energy Meter 480VAC', 0, 0],
    ] as const) {
      assert.deepEqual(channelsOf(name), { inputs, outputs }, name)
    }
  })

  test('switch ports', async () => {
    for (const [number, count] of [
      ['6GK5 208-0BA00-2AC2', 8],
      ['6GK5 224-4GS00-2AC2', 28],
      ['6GK5 308-2FL00-2AA3', 10],
      ['6GK5 200-4AH00-2BA3', 4],
      ['6GK5 642-2GS00-2AC2', 2],
      ['6GK5 615-0AA00-2AA2', 5],
    ] as const) {
      assert.equal(switchPorts(await find(number)), count, number)
    }
  })
})
