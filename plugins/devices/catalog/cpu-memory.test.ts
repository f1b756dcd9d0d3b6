import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hardwareCatalog } from './catalog.ts'
import { cpuMemoryOf, shortagesOf, shortageText } from './cpu-memory.ts'

test('sizes by order number, in any spelling; the generation decides', () => {
  const [kB, MB] = [1024, 1024 * 1024]
  assert.deepEqual(cpuMemoryOf('6ES7 515-2AM02-0AB0'), { code: 500 * kB, data: 3 * MB, load: 32_768 * MB })
  assert.deepEqual(cpuMemoryOf('6ES7515-2AN03-0AB0'), { code: MB, data: 4.5 * MB, load: 32_768 * MB })
  assert.deepEqual(cpuMemoryOf('6ES7 214-1AG40-0XB0'), { work: 150 * kB, load: 4 * MB })
  assert.deepEqual(cpuMemoryOf('6ES7 214-1AE30-0XB0'), { work: 75 * kB, load: 4 * MB })
  for (const other of ['', '6ES7 315-2EH14-0AB0', '6ES7 131-6BF00-0CA0']) assert.equal(cpuMemoryOf(other), undefined)
})

test('nearly every CPU of the catalog that can be simulated has its sizes', async () => {
  const cpus = (await hardwareCatalog.entries()).filter(
    ({ kind, typeName, orderNumber }) => kind === 'CPU' && /CPU 1[25]\d\d/.test(typeName) && /^6ES7/.test(orderNumber),
  )
  const without = cpus.filter(({ orderNumber }) => cpuMemoryOf(orderNumber) === undefined)
  assert.ok(cpus.length > 90)
  // Their data sheets were not at hand.
  assert.deepEqual([...new Set(without.map(({ orderNumber }) => orderNumber.slice(0, 8)))].sort(), [
    '6ES7 514',
    '6ES7 615',
  ])
})

test('what is missing is told with both figures', () => {
  const use = { codeBytes: 600 * 1024 + 10, dataBytes: 100, loadBytes: 700_000 }
  const [only, ...others] = shortagesOf(use, cpuMemoryOf('6ES7 515-2AM02-0AB0'))
  assert.deepEqual(others, [])
  assert.equal(only && shortageText(only), 'code work memory: 600.1 kB are needed, the CPU has 500 kB')
  // Work memory of an S7-1200 is for both.
  const both = { codeBytes: 100 * 1024, dataBytes: 60 * 1024, loadBytes: 0 }
  assert.deepEqual(
    shortagesOf(both, cpuMemoryOf('6ES7 214-1AG40-0XB0')).map(({ memory }) => memory),
    ['work memory'],
  )
  assert.deepEqual(shortagesOf(both, undefined), [])
})
