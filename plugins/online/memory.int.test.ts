/** The memory of the CPU: figures of each block, and programs that do not fit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { type Answer, plc, withController, withProject } from '../../test/online.ts'

const large = (bytes: number, words = '') =>
  `DATA_BLOCK "Large"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\n${words}VAR\n values : Array[0..${bytes - 1}] of Byte;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
const megabyte = 1024 * 1024

test('each block tells what it takes of work and load memory, and the CPU what it has', async (t) => {
  const at = await withProject(t)
  await at.call('blocks.import', { ...plc, content: large(100_000) })
  const memory = () => at.call<Answer>('blocks.list-program-memory', plc)
  await fails(memory(), 'conflict', /is not compiled/)
  const compiled = await at.call<Answer>('blocks.compile-device', plc)
  assert.equal(compiled.state, 'Success')
  const { blocks, total, isCurrent, ...whole } = await memory()
  assert.deepEqual(compiled.memory, {
    codeBytes: whole.codeBytes,
    dataBytes: whole.dataBytes,
    loadBytes: whole.loadBytes,
    available: whole.available,
  })
  assert.deepEqual(whole.available, { codeBytes: 500 * 1024, dataBytes: 3 * megabyte, loadBytes: 32_768 * megabyte })
  assert.deepEqual([blocks[0].name, blocks[0].kind, blocks[0].dataBytes], ['Large', 'GlobalDB', 100_000])
  assert.deepEqual([total, isCurrent], [blocks.length, true])
  const sum = (field: string) => blocks.reduce((all: number, block: Answer) => all + block[field], 0)
  assert.deepEqual(
    ['codeBytes', 'dataBytes', 'loadBytes'].map((field) => [sum(field), sum(field) > 0]),
    ['codeBytes', 'dataBytes', 'loadBytes'].map((field) => [whole[field], true]),
  )
  const main = blocks.find(({ name }: Answer) => name === 'Main')
  assert.ok(main.codeBytes > 0 && main.dataBytes === 0 && main.loadBytes > 4096)
})

test('more than the CPU of the device has is an error of compiling, with figures, and is not downloaded', async (t) => {
  const at = await withProject(t)
  await withController(at)
  await at.call('blocks.import', { ...plc, content: large(4 * megabyte) })
  const compiled = await at.call<Answer>('blocks.compile-device', plc)
  assert.deepEqual([compiled.state, compiled.errorCount], ['Error', 1])
  const [device] = compiled.messages
  const found = device.messages.find(({ path }: Answer) => path === 'PLC_1/Memory').messages[0]
  assert.deepEqual([found.code, found.state], ['memory-exceeded', 'Error'])
  assert.match(found.description, /^CPU 1515-2 PN, data work memory: 4096(\.\d)? kB are needed, the CPU has 3072 kB\.$/)
  const error = await fails(at.call('online.download', plc), 'memory_exceeded', /data work memory: 4096/)
  assert.deepEqual(error.details.errors?.length, 1)
  const { path, value, allowed } = error.details.errors?.[0] ?? {}
  assert.equal(path, 'data work memory')
  assert.ok(Number(value) >= 4 * megabyte && allowed === 3 * megabyte)
  await fails(at.call('online.download', { ...plc, compile: true }), 'memory_exceeded')
  // What is only in load memory takes no work memory.
  await at.call('blocks.import', { ...plc, content: large(4 * megabyte, 'UNLINKED\n'), overwrite: true })
  assert.equal((await at.call<Answer>('blocks.compile-device', plc)).state, 'Success')
  assert.equal((await at.call<Answer>('online.download', plc)).downloaded, true)
})

test('the controller counts, not the device: a smaller one refuses, one of no certain type takes what the device may', async (t) => {
  const at = await withProject(t)
  await withController(at, { cpuType: 'CPU1511' })
  await at.call('blocks.import', { ...plc, content: large(2 * megabyte) })
  const error = await fails(
    at.call('online.download', { ...plc, compile: true }),
    'memory_exceeded',
    /"Sim" \(CPU 1511-1 PN\)/,
  )
  assert.equal(error.details.errors?.[0]?.allowed, 1.5 * megabyte)
  await at.call('simulation.power-off', { name: 'Sim' })
  await at.call('simulation.delete-instance', { name: 'Sim' })
  await withController(at, { cpuType: 'unspecified' })
  assert.equal((await at.call<Answer>('online.download', { ...plc, compile: true })).downloaded, true)
})
