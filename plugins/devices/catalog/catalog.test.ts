import assert from 'node:assert/strict'
import { readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { temporaryFolder } from '../../../test/folder.ts'
import { CATALOG_FILE, CatalogError, HardwareCatalog, hardwareCatalog } from './catalog.ts'
import { type CatalogEntry, deviceKind, isFailsafe, isStandalone, newestFirmware, typeIdentifier } from './entry.ts'
import { compareFirmware, keyDistance, normalizeFirmware, parseOrderNumber } from './order-number.ts'

const CPU = '6ES7 515-2AM02-0AB0'

async function entry(orderNumber: string): Promise<CatalogEntry> {
  const match = await hardwareCatalog.find(orderNumber)
  assert.ok(match, `${orderNumber} is not in the catalog`)
  return match.entry
}

describe('find', () => {
  test('does not care how a number is written', async () => {
    for (const text of [
      CPU,
      '6es7 515-2am02-0ab0',
      '6ES7515-2AM02-0AB0',
      '6ES75152AM020AB0',
      '  6ES7  515 - 2AM02 - 0AB0 ',
      '6ES7\u00a0515\u20112AM02\u20130AB0',
      'OrderNumber:6ES7 515-2AM02-0AB0',
      'ordernumber: 6es7515-2am02-0ab0',
    ]) {
      assert.equal((await hardwareCatalog.find(text))?.entry.typeName, 'CPU 1515-2 PN', text)
    }
  })

  test('returns the firmware of a type identifier and whether it was seen', async () => {
    const seen = await hardwareCatalog.find(`OrderNumber:${CPU}/V2.9`)
    assert.deepEqual([seen?.firmware, seen?.firmwareSeen], ['V2.9', true])
    const other = await hardwareCatalog.find(`${CPU}/2.8`)
    assert.deepEqual([other?.firmware, other?.firmwareSeen], ['V2.8', false])
    const none = await hardwareCatalog.find(CPU)
    assert.ok(none && !('firmware' in none))
    assert.equal((await hardwareCatalog.find('OrderNumber:6AV2 124-0GC01-0AX0/17.0.0.0'))?.firmware, '17.0.0.0')
  })

  test('fills open places of the catalog, and finds the catalog spelling itself', async () => {
    assert.equal((await entry('6ES7 590-1AF30-0AA0')).orderNumber, '6ES7 590-1***0-0AA0')
    assert.equal((await entry('6SL3040-1MA01-0AA0')).typeName, 'CU320-2 PN')
    assert.equal((await entry('6SL3040-1MA01-0Axx')).typeName, 'CU320-2 PN')
    assert.equal(await hardwareCatalog.find('6SL3040-1MA01-1AA0'), undefined)
    // The capital X of 0AX0 is a letter, not an open place.
    assert.equal(await hardwareCatalog.find('6AV2 123-2GB03-0AA0'), undefined)
  })

  test('knows nothing of what is no number', async () => {
    for (const text of [
      '',
      '  ',
      'OrderNumber:',
      '-',
      '6ES7',
      '6ES7 515-2AM02',
      'GSD:SIEM8139.GSD/DAP',
      '6ES7 512-1AK02-0AB0',
    ]) {
      assert.equal(await hardwareCatalog.find(text), undefined, text)
    }
  })
})

describe('search', () => {
  const names = async (text: string, limit = 5) =>
    (await hardwareCatalog.search(text, { limit })).map((hit) => hit.entry.typeName)
  const numbers = async (text: string, limit = 50) =>
    (await hardwareCatalog.search(text, { limit })).map((hit) => hit.entry.orderNumber)

  test('finds partial numbers with or without blanks and dashes', async () => {
    for (const text of [
      '6es75152am02',
      '6ES7 515-2AM02',
      '515-2AM02',
      '5152am02',
      '2AM02',
      `OrderNumber:${CPU}/V2.8`,
    ]) {
      assert.deepEqual(await numbers(text, 1), [CPU], text)
    }
    const partial = await numbers('515-2AM')
    assert.deepEqual(partial, ['6ES7 515-2AM02-0AB0', '6ES7 515-2AM01-0AB0', '6ES7 515-2AM00-0AB0'])
    assert.ok((await numbers('6ES7515', 100)).every((number) => number.startsWith('6ES7 515')))
  })

  test('an exact number comes first', async () => {
    assert.equal((await numbers('6ES7 131-6BF00-0BA0'))[0], '6ES7 131-6BF00-0BA0')
  })

  test('begins with the plain product, newest first', async () => {
    for (const text of ['CPU 1515', 'cpu1515', '1515', 'cpu 1515-2']) {
      assert.deepEqual(await names(text, 1), ['CPU 1515-2 PN'], text)
      assert.equal((await numbers(text))[0], '6ES7 515-2AN03-0AB0', text)
    }
    assert.deepEqual(await names('1515f', 1), ['CPU 1515F-2 PN'])
    assert.deepEqual(await names('xc208', 1), ['SCALANCE XC208'])
    assert.match((await names('siplus 1515', 1))[0] ?? '', /^SIPLUS .*1515/)
    // Those for harsh surroundings come behind the plain ones.
    const found = (await names('cpu 1511-1', 40)).filter((name) => name.endsWith('CPU 1511-1 PN'))
    const hardened = found.map((name) => name.startsWith('SIPLUS'))
    assert.ok(hardened.includes(true), found.join())
    assert.deepEqual(hardened, [...hardened].sort(), found.join())
  })

  test('understands families in every spelling', async () => {
    for (const text of ['et200sp di', 'ET 200SP DI', 'ET 200 SP di', 'di et200sp']) {
      const hits = await hardwareCatalog.search(text, { limit: 5 })
      assert.equal(hits.length, 5, text)
      for (const { entry: found } of hits) assert.deepEqual([found.family, found.kind], ['ET 200SP', 'DI'], text)
    }
    assert.ok((await hardwareCatalog.search('s71200 cpu', { limit: 9 })).every((hit) => hit.entry.family === 'S7-1200'))
  })

  test('knows other words for kinds and features', async () => {
    const kinds = async (text: string) =>
      (await hardwareCatalog.search(text, { limit: 8 })).map((hit) => deviceKind(hit.entry))
    assert.ok((await kinds('panel')).every((kind) => kind === 'HMI'))
    assert.ok((await kinds('digital input 16')).every((kind) => kind === 'IO'))
    assert.ok((await kinds('failsafe controller')).every((kind) => kind === 'PLC'))
    for (const hit of await hardwareCatalog.search('failsafe 1515'))
      assert.ok(isFailsafe(hit.entry), hit.entry.typeName)
  })

  test('forgives misspelling only when nothing matches', async () => {
    assert.deepEqual(await names('scalence xc208', 1), ['SCALANCE XC208'])
    assert.equal((await names('comfrt tp700', 1))[0], 'TP700 Comfort')
    assert.deepEqual(await names('zzzzqqqq'), [])
    assert.deepEqual(await names(''), [])
    assert.deepEqual(await names('?!'), [])
  })

  test('honours the limit', async () => {
    assert.equal((await hardwareCatalog.search('cpu')).length, 20)
    assert.equal((await hardwareCatalog.search('cpu', { limit: 3 })).length, 3)
    assert.equal((await hardwareCatalog.search('cpu', { limit: 0 })).length, 0)
  })

  test('never throws and never returns an entry twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.stringMatching(/^[6A-Z0-9 \-/x*]{0,24}$/)), async (text) => {
        const found = await numbers(text, 1000)
        assert.equal(new Set(found).size, found.length)
        await hardwareCatalog.suggest(text)
      }),
      { numRuns: 150 },
    )
  })
})

describe('suggest', () => {
  const first = async (text: string) => (await hardwareCatalog.suggest(text))[0]?.orderNumber

  test('finds what was meant', async () => {
    assert.equal(await first('6ES7 515-2AM02-OABO'), CPU)
    assert.equal(await first('6ES7 51-2AM02-0AB0'), CPU)
    assert.equal(await first('6EZ7 515-2AM02-0AB0'), CPU)
    assert.equal(await first('6ES7 155-2AM02-0AB0'), CPU)
    assert.equal(await first('6ES7 515-2AM02'), CPU)
    assert.ok((await hardwareCatalog.suggest('6ES7 515-2AM20-0AB0')).some((e) => e.orderNumber === CPU))
  })

  test('is silent about anything else', async () => {
    assert.deepEqual(await hardwareCatalog.suggest('garbage'), [])
    assert.deepEqual(await hardwareCatalog.suggest(''), [])
  })

  test('the distance is a metric on keys', () => {
    const key = fc.stringMatching(/^[A-Z0-9]{0,16}$/)
    fc.assert(
      fc.property(key, key, (a, b) => {
        const d = keyDistance(a, b)
        assert.equal(d, keyDistance(b, a))
        assert.equal(d === 0, a === b)
        assert.ok(d <= Math.max(a.length, b.length))
        assert.ok(d >= Math.abs(a.length - b.length))
      }),
    )
    assert.equal(keyDistance('2AM20', '2AM02'), 1)
    assert.equal(keyDistance('OAB0', '0AB0'), 0.5)
  })
})

describe('type identifiers', () => {
  test('are written as the engineering tool writes them', async () => {
    assert.equal(typeIdentifier(await entry(CPU), 'V2.9'), 'OrderNumber:6ES7 515-2AM02-0AB0/V2.9')
    assert.equal(typeIdentifier(await entry(CPU), '2.8'), 'OrderNumber:6ES7 515-2AM02-0AB0/V2.8')
    assert.equal(typeIdentifier(await entry(CPU)), 'OrderNumber:6ES7 515-2AM02-0AB0/V2.9')
    assert.equal(typeIdentifier(await entry('6AV2 124-0GC01-0AX0')), 'OrderNumber:6AV2 124-0GC01-0AX0/17.0.0.0')
    assert.equal(typeIdentifier(await entry('6ES7 515-2FM02-0AB0')), 'OrderNumber:6ES7 515-2FM02-0AB0')
    assert.equal(typeIdentifier(await entry('6SL3120-1TE15-0Axx')), 'OrderNumber:6SL3120-1TE15-0Axx//10002')
  })

  test('read back to the same entry', async () => {
    for (const e of await hardwareCatalog.entries()) {
      const match = await hardwareCatalog.find(typeIdentifier(e))
      assert.equal(match?.entry, e)
      assert.equal(match?.firmware, newestFirmware(e))
    }
  })

  test('firmware versions compare by number', () => {
    assert.deepEqual(['V2.10', 'V3.0', 'V2.9'].sort(compareFirmware), ['V2.9', 'V2.10', 'V3.0'])
    const sorted = ['', 'V1', 'V2.9', 'V2.9.0.1', 'V2.9.1', '17.0.0.0']
    assert.deepEqual([...sorted].reverse().sort(compareFirmware), sorted)
    assert.equal(compareFirmware('V2.9', '2.9.0'), 0)
    assert.equal(normalizeFirmware(' v4.2 '), 'V4.2')
    assert.equal(normalizeFirmware(''), undefined)
    assert.equal(parseOrderNumber('6SL3040-1MA01-0Axx/V5.2/S120')?.firmware, 'V5.2')
  })
})

describe('device kinds', () => {
  test('say what a device is and whether it stands alone', async () => {
    const expected: Array<[string, string, boolean]> = [
      [CPU, 'PLC', true],
      ['6AV2 123-2GB03-0AX0', 'HMI', true],
      ['6ES7 155-6AU01-0BN0', 'HeadModule', true],
      ['6ES7 131-6BF00-0BA0', 'IO', false],
      ['6ES7 141-6BF00-0AB0', 'IO', true],
      ['6GK5 208-0BA00-2AC2', 'Switch', true],
      ['6GK5 615-0AA00-2AA2', 'Security', true],
      ['6SL3244-0BB12-1FA0', 'Drive', true],
      ['6SL3224-0BE13-7UA0', 'Drive', false],
      ['6ES7 505-0KA00-0AB0', 'PowerSupply', false],
      ['6GK7 543-1AX00-0XE0', 'Communication', false],
      ['6ES7 590-1AF30-0AA0', 'Rack', false],
    ]
    for (const [number, kind, alone] of expected) {
      const e = await entry(number)
      assert.deepEqual([deviceKind(e), isStandalone(e)], [kind, alone], number)
    }
  })

  test('failsafe CPUs are told by their names', async () => {
    for (const e of await hardwareCatalog.entries()) {
      if (e.kind !== 'CPU') continue
      const letters = e.typeName.replace(/^SIPLUS .*?(?=CPU|IM)/, '').replaceAll('MFP', '')
      assert.equal(isFailsafe(e), letters.includes('F'), e.typeName)
    }
  })
})

describe('the data', () => {
  test('is complete and clean', async () => {
    const entries = await hardwareCatalog.entries()
    assert.equal(entries.length, 620)
    for (const e of entries) {
      assert.match(e.orderNumber, /^[0-9A-Z]{4} ?\d{3,4}[-0-9A-Zx* ]+$|^6SL3\d{3}-[0-9A-Zx-]+$/, e.orderNumber)
      assert.ok(e.family !== '' && e.nameSource !== '' && e.source !== '', e.orderNumber)
      for (const version of e.firmware) assert.match(version, /^V?\d+(\.\d+)+$/, e.orderNumber)
      assert.ok(e.pnPorts === undefined || e.pnPorts <= 4, e.orderNumber)
    }
  })
})

describe('cache', () => {
  test('is empty, loaded, built, stale; a failed build keeps the old state', async (t) => {
    const dir = await temporaryFolder(t, 'catalog-')
    const file = join(dir, 'own.tsv')
    const header = (await readFile(CATALOG_FILE, 'utf8')).split('\n')[0]
    const row = (number: string, kind = 'CPU') =>
      `${number}\tMy own CPU\tS7-1500\t${kind}\tV9.1, V10.0\t\t2\town\tmine\n`
    await writeFile(file, `\uFEFF${header}\r\n${row('6ES7 999-9AA00-0AB0')}${row(CPU)}`)
    const catalog = new HardwareCatalog({ files: [CATALOG_FILE, file] })
    assert.equal((await catalog.cacheStatus()).state, 'empty')
    const loaded = await catalog.load()
    assert.deepEqual([loaded.state, loaded.entries, loaded.indexed, loaded.stale], ['loaded', 621, false, false])
    assert.equal((await catalog.find(CPU))?.entry.typeName, 'My own CPU')
    assert.equal(newestFirmware((await catalog.find(CPU))!.entry), 'V10.0')

    await writeFile(file, `${header}\n${row('6ES7 999-9AA00-0AB0')}`)
    await utimes(file, new Date(), new Date(Date.now() + 5000))
    assert.equal((await catalog.cacheStatus()).stale, true)
    const built = await catalog.build()
    assert.deepEqual([built.indexed, built.stale], [true, false])
    assert.equal((await catalog.find(CPU))?.entry.typeName, 'CPU 1515-2 PN')
    assert.equal((await catalog.search('my own cpu'))[0]?.entry.orderNumber, '6ES7 999-9AA00-0AB0')

    const broken: Array<[string, RegExp]> = [
      [`${header}\n${row(CPU, 'Toaster')}`, /own\.tsv:2: kind is "Toaster"; allowed are CPU/],
      [`${header}\n${row('6ES7')}`, /own\.tsv:2: orderNumber is "6ES7"/],
      [`${header}\n${row(CPU)}${row(CPU.toLowerCase())}`, /stands there twice/],
      ['orderNumber\ttypeName\nx\ty\n', /header lacks family, kind/],
      [`${header}\nonly one field\n`, /own\.tsv/],
    ]
    for (const [content, message] of broken) {
      await writeFile(file, content)
      await assert.rejects(catalog.build(), (error) => error instanceof CatalogError && message.test(error.message))
    }
    await rm(file)
    await assert.rejects(catalog.build(), CatalogError)
    assert.equal((await catalog.find('6ES7 999-9AA00-0AB0'))?.entry.typeName, 'My own CPU')
    await assert.rejects(new HardwareCatalog({ files: [file] }).load(), CatalogError)
  })
})
