import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { processArguments } from '../../../core/boot/running-code.ts'
import { packageOf, testController } from '../../../test/controller.ts'

const source =
  'DATA_BLOCK "Data"\nVAR RETAIN\n  kept : DInt;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\nORGANIZATION_BLOCK "Main"\nBEGIN\n  "Data".kept := "Data".kept + 1;\nEND_ORGANIZATION_BLOCK\n'

test('the memory card gives back what was loaded, also when the controller is off, and holds nothing else', async (t) => {
  const { controller, storage } = await testController(t)
  assert.equal(await controller.memoryCard(), undefined)
  await controller.load(packageOf('ORGANIZATION_BLOCK "Main"\nBEGIN\n;\nEND_ORGANIZATION_BLOCK\n'), {
    inRun: false,
    reinitialize: false,
  })
  const next = packageOf(source)
  await controller.load(next, { inRun: false, reinitialize: false })
  const same = async () => {
    const { blobs, ...head } = (await controller.memoryCard()) ?? assert.fail()
    const { blobs: expected, ...expectedHead } = next
    assert.deepEqual(head, expectedHead)
    assert.deepEqual(
      new Map([...blobs].map(([hash, bytes]) => [hash, Buffer.from(bytes)])),
      new Map([...expected].map(([hash, bytes]) => [hash, Buffer.from(bytes)])),
    )
  }
  await same()
  await controller.change('powerOff')
  await same()
  assert.equal((await readdir(join(storage, 'blobs'))).length, next.blobs.size + 1)
  await controller.change('powerOn')
  assert.equal(controller.program?.hash, next.program)
})

test('a damaged card is told, and the controller stands in Stop without a program', async (t) => {
  const { controller, load, storage } = await testController(t, { startup: 'Run' })
  await load(source)
  const files = ['card.json', ...(await readdir(join(storage, 'blobs'))).map((name) => join('blobs', name))]
  for (const name of files) {
    const path = join(storage, name)
    const whole = await readFile(path)
    await controller.change('powerOff')
    const damaged = [
      Buffer.alloc(0),
      Buffer.from('{}'),
      whole.subarray(0, whole.length - 1),
      Buffer.concat([whole, whole]),
    ]
    for (const bytes of damaged) {
      if (bytes.equals(whole)) continue
      await writeFile(path, bytes)
      assert.equal(await controller.change('powerOn'), 'Stop')
      assert.equal(controller.program, undefined)
      assert.ok(controller.diagnostics.slice(0, 2).some(({ code }) => code === 'memory-card-damaged'))
      await assert.rejects(controller.memoryCard(), { code: 'conflict' })
      await controller.change('powerOff')
    }
    await rm(path)
    assert.equal(await controller.change('powerOn'), 'Stop')
    await controller.change('powerOff')
    await writeFile(path, whole)
    assert.equal(await controller.change('powerOn'), 'Run')
  }
})

test('a package that is not whole is refused, and nothing changes', async (t) => {
  const { controller, load } = await testController(t)
  await load(source)
  const { program } = controller
  const next = packageOf(source.replace('+ 1', '+ 2'))
  const options = { inRun: false, reinitialize: false }
  for (const name of next.blobs.keys()) {
    const without = new Map(next.blobs)
    without.delete(name)
    await assert.rejects(controller.load({ ...next, blobs: without }, options), { code: 'unacceptable_content' })
    const wrong = new Map(next.blobs).set(name, Uint8Array.of(1, 2, 3))
    await assert.rejects(controller.load({ ...next, blobs: wrong }, options), { code: 'unacceptable_content' })
  }
  assert.equal(controller.program, program)
})

test('damaged retentive data are told and left out', async (t) => {
  const { controller, load, get, storage } = await testController(t)
  await load(source)
  await controller.change('run')
  await controller.advance({ cycles: 7 })
  await controller.change('powerOff')
  const path = join(storage, 'retentive.bin')
  const whole = await readFile(path)
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('\n'),
    Buffer.from('null\n'),
    whole.subarray(0, -1),
    Buffer.from('{"format":1,"blocks":[],"flags":1e9}\n'),
  ]) {
    await writeFile(path, bytes)
    await controller.change('powerOn')
    assert.equal(await get('Data.kept'), 0)
    assert.ok(controller.diagnostics.some(({ code }) => code === 'retentive-data-lost'))
    await controller.change('powerOff')
  }
  await writeFile(path, whole)
  await controller.change('powerOn')
  assert.equal(await get('Data.kept'), 7)
})

test('startup blocks are told when retentive data were lost, once', async (t) => {
  const { controller, load, get, storage } = await testController(t)
  await load(`${source}DATA_BLOCK "Told"\nVAR RETAIN\n  lost : Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK
ORGANIZATION_BLOCK "OB100"\nBEGIN\n  "Told".lost := "Told".lost * 10 + BOOL_TO_INT(#LostRetentive) + 1;\nEND_ORGANIZATION_BLOCK\n`)
  await controller.change('run')
  assert.equal(await get('Told.lost'), 1)
  await controller.change('powerOff')
  await writeFile(join(storage, 'retentive.bin'), 'damaged')
  await controller.change('powerOn')
  for (const expected of [2, 21]) {
    await controller.change('run')
    assert.equal(await get('Told.lost'), expected)
    await controller.change('stop')
  }
  await controller.change('memoryReset')
  await controller.change('run')
  assert.equal(await get('Told.lost'), 2)
})

test('what a memory reset or a reinitializing download has cleared does not come back from the card', async (t) => {
  const { controller, load, storage } = await testController(t)
  await load(source)
  const onCard = async () => {
    const file = await readFile(join(storage, 'retentive.bin'))
    return file.readInt32LE(file.indexOf(10) + 1)
  }
  const runAndSave = async () => {
    await controller.change('run')
    await controller.advance({ cycles: 7 })
    await controller.change('stop')
    await controller.change('powerOff')
    await controller.change('powerOn')
    assert.notEqual(await onCard(), 0)
  }
  await runAndSave()
  await controller.change('memoryReset')
  assert.equal(await onCard(), 0)
  await runAndSave()
  await controller.load(packageOf(source), { inRun: false, reinitialize: true })
  assert.equal(await onCard(), 0)
})

test('retentive data survive that the whole process is killed', async (t) => {
  // `testController` deletes it, after the controller has ended: before, a running one still writes there.
  const storage = await mkdtemp(join(tmpdir(), 'gantry-controller-'))
  const child = spawn(
    process.execPath,
    [...processArguments(new URL('../../../test/controller-crash.ts', import.meta.url)), storage, source],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (output.includes('\n')) break
  }
  child.kill('SIGKILL')
  await once(child, 'exit').catch(() => undefined)
  const saved = Number(output.split('\n')[0])
  const { controller, get } = await testController(t, {
    storage,
    startup: 'Last',
    time: { mode: 'stepped', cycleTimeMs: 1 },
  })
  assert.equal(controller.state, 'Run', 'it ran before')
  const kept = await get('Data.kept')
  // Reported values had been saved; later ones may have been saved too.
  assert.ok(saved > 0 && kept >= saved, `${kept} after ${saved}`)
})
