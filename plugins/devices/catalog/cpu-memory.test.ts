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

test('variants of one CPU: redundant as standard, fail-safe with half as much code again, technology as fail-safe', () => {
  const kilobyte = 1024
  /** Code and data in kilobytes. */
  const of = (key: string) => {
    const { code = 0, data = 0 } = cpuMemoryOf(`6ES7 ${key}00-0AB0`) ?? assert.fail(key)
    return [code / kilobyte, data / kilobyte]
  }
  // System manual S7-1500/ET 200MP, technical specifications: work memory of the standard CPUs.
  const standard: Readonly<Record<string, [code: number, data: number]>> = {
    ...{ '511-1AK': [150, 1024], '511-1AL': [300, 1536], '513-1AL': [300, 1536], '513-1AM': [600, 2560] },
    ...{ '515-2AM': [500, 3072], '515-2AN': [1024, 4608], '516-3AN': [1024, 5120], '516-3AP': [2048, 7680] },
    ...{ '517-3AP': [2048, 8192], '518-4AP': [4096, 20_480], '512-1SK': [300, 1024], '512-1SM': [600, 2048] },
    ...{ '510-1SJ': [150, 750], '510-1SK': [300, 1024] },
  }
  for (const [key, sizes] of Object.entries(standard)) assert.deepEqual(of(key), sizes, key)
  const variants = (letter: string, keys: string, factor: number) => {
    for (const key of keys.split(' ')) {
      const [code = 0, data = 0] = of(`${key.slice(0, 5)}A${key.slice(6)}`)
      assert.deepEqual(of(key), [code * factor, data], key)
      assert.equal(key[5], letter)
    }
  }
  variants('F', '511-1FK 511-1FL 513-1FL 513-1FM 515-2FM 515-2FN 516-3FN 516-3FP 517-3FP 518-4FP', 1.5)
  variants('T', '511-1TK 511-1TL 515-2TM 515-2TN 516-3TN 517-3TP', 1.5)
  variants('U', '511-1UK 511-1UL 515-2UM 515-2UN 516-3UN 517-3UP', 1.5)
  variants('R', '513-1RL 513-1RM 515-2RM 515-2RN', 1)
  variants('H', '517-3HP', 1)
  for (const [pro, like] of [
    ['513-2PL', '513-1AL'],
    ['513-2PM', '513-1AM'],
    ['513-2GL', '513-1FL'],
    ['513-2GM', '513-1FM'],
    ['516-2PN', '516-3AN'],
    ['516-2PP', '516-3AP'],
    ['516-2GN', '516-3FN'],
    ['516-2GP', '516-3FP'],
    ['518-4FX', '518-4AX'],
    ['518-4JP', '518-4AX'],
    ['518-4TP', '518-4AX'],
    ['518-4UP', '518-4AX'],
  ] as const)
    assert.deepEqual(of(pro), of(like), pro)
  const small = (number: string) => {
    const { work = 0, load = 0 } = cpuMemoryOf(`6ES7 ${number}-0XB0`) ?? assert.fail(number)
    return [work / kilobyte, load / kilobyte / kilobyte]
  }
  // System manual S7-1200: work memory in kB and load memory in MB, up to V3 and from V4 on.
  assert.deepEqual(
    ['211-1AE', '212-1AE', '214-1AG', '215-1AG', '217-1AG'].map((key) => [...small(`${key}31`), ...small(`${key}40`)]),
    [
      [30, 1, 75, 1],
      [50, 1, 100, 2],
      [75, 4, 150, 4],
      [100, 4, 200, 4],
      [150, 4, 250, 4],
    ],
  )
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
