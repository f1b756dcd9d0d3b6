import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { decodeProgram } from '../../../plc/compiler/program-file.ts'
import { openTestGateway, type TestGateway } from '../../../test/harness.ts'

interface Message {
  path: string
  description: string
  state: string
  errorCount: number
  warningCount: number
  line?: number
  column?: number
  network?: number
  code?: string
  messages: Message[]
}
interface Result {
  state: string
  errorCount: number
  warningCount: number
  messages: Message[]
  compiledBlocks: number
  unchangedBlocks: number
  programHash?: string
}
interface Row {
  name: string
  isConsistent: boolean
  needsCompilation: boolean
  compileStatus: string
}

const device = { deviceName: 'PLC_1' }

async function withPlc(t: TestContext) {
  const at = await openTestGateway(t)
  await at.call('projects.create', { name: 'Line', path: `${at.dir}/workspace` })
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', ...device })
  return at
}

const compile = (at: TestGateway, more: Record<string, unknown> = {}) =>
  at.call<Result>('blocks.compile-device', { ...device, ...more })

const add = (at: TestGateway, content: string) => at.call('blocks.import', { ...device, content })

async function statuses(at: TestGateway): Promise<Record<string, string>> {
  const { blocks } = await at.call<{ blocks: Row[] }>('blocks.list', device)
  const { udts } = await at.call<{ udts: Row[] }>('types.list', device)
  for (const { isConsistent, needsCompilation } of blocks) assert.equal(isConsistent, !needsCompilation)
  return Object.fromEntries([...blocks, ...udts].map(({ name, compileStatus }) => [name, compileStatus]))
}

/** Messages with a code, anywhere below. */
function leaves(messages: Message[]): Message[] {
  return messages.flatMap((message) => (message.code === undefined ? leaves(message.messages) : [message]))
}

const motor = (members: string) => `TYPE "Motor"\nSTRUCT\n${members}\nEND_STRUCT;\nEND_TYPE\n`
const drives = 'DATA_BLOCK "Drives"\nVAR\n  main : "Motor";\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n'
const scale = (body: string) =>
  `FUNCTION "Scale" : Int\nVAR_INPUT\n  raw : Int;\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION\n`
const main = (body: string) => `ORGANIZATION_BLOCK "Main"\nBEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`
const other = 'FUNCTION "Other" : Void\nBEGIN\n  ;\nEND_FUNCTION\n'

describe('compiling a device', () => {
  test('every fault has block, network, line, column and code; a mended program compiles', async (t) => {
    const at = await withPlc(t)
    await add(at, motor('  speed : Int;') + drives + scale('  #Scale := #raw * 2;') + other)
    await add(
      at,
      main('  "Drives".main.speed := "Scale"("Drives".main.speed);\n  "Drives".main.torque := nothing + 1;'),
    )
    const first = await compile(at)
    assert.deepEqual([first.state, first.errorCount, first.programHash], ['Error', 2, undefined])
    const [root] = first.messages
    assert.deepEqual([root?.path, root?.state, root?.errorCount], ['PLC_1', 'Error', 2])
    assert.deepEqual(
      root?.messages.map(({ path, state }) => [path, state]),
      [
        ['PLC_1/Program blocks', 'Error'],
        ['PLC_1/Hardware configuration', 'Success'],
      ],
    )
    const found = leaves(first.messages)
    assert.deepEqual(
      found.map(({ path, network, line, state }) => [path, network, line, state]),
      Array.from({ length: 2 }, () => ['PLC_1/Program blocks/Main/Network 1', 1, 2, 'Error']),
    )
    assert.deepEqual(found.map(({ column }) => column).sort(), [17, 27])
    for (const { code } of found) assert.match(code ?? '', /^[a-z-]+$/)
    assert.deepEqual(await statuses(at), {
      Drives: 'success',
      Main: 'error',
      Motor: 'success',
      Other: 'success',
      Scale: 'success',
    })
    await add(at, main('  "Drives".main.speed := "Scale"("Drives".main.speed);'))
    assert.equal((await statuses(at)).Main, 'outdated')
    const second = await compile(at)
    assert.deepEqual([second.state, second.compiledBlocks, second.unchangedBlocks], ['Success', 1, 2])
    assert.match(second.programHash ?? '', /^sha256:[0-9a-f]{64}$/)
    assert.equal((await statuses(at)).Main, 'success')
  })

  test('what is wrong at several places is told once, with all places, and errors stand before warnings', async (t) => {
    const at = await withPlc(t)
    const uses = Array.from({ length: 17 }, (_, i) => `  #n${i % 2} := "New_HMI_DB".value;`).join('\n')
    const body = `  #small := #wide;\n${uses}`
    await add(
      at,
      `FUNCTION "Uses" : Void\nVAR_TEMP\n  n0 : Int;\n  n1 : Int;\n  small : Int;\n  wide : DInt;\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION\n`,
    )
    const result = await compile(at)
    const found = leaves(result.messages)
    const missing = found.filter(({ description }) => description.includes('New_HMI_DB'))
    assert.equal(missing.length, 1)
    const [once] = missing as unknown as [Message & { errorCount: number; places: { line: number; path: string }[] }]
    assert.match(once.description, /\(17 places\)$/)
    assert.deepEqual([once.errorCount, once.places.length, once.places.at(-1)?.line], [17, 17, 18])
    assert.equal(
      result.errorCount,
      found.reduce((sum, message) => sum + (message as typeof once).errorCount, 0),
    )
    const states = found.map(({ state }) => state)
    assert.deepEqual(states, [...states].sort())
  })

  test('a changed PLC data type makes its users outdated, and only them; changed back, nothing is to be done', async (t) => {
    const at = await withPlc(t)
    await add(at, motor('  speed : Int;') + drives + scale('  #Scale := #raw;') + other)
    await add(at, main('  "Drives".main.speed := "Scale"(1);'))
    const first = await compile(at)
    await add(at, motor('  speed : Int;\n  torque : Int;'))
    const after = { Drives: 'outdated', Main: 'outdated', Motor: 'outdated', Other: 'success', Scale: 'success' }
    assert.deepEqual(await statuses(at), after)
    const second = await compile(at)
    assert.deepEqual([second.state, second.compiledBlocks, second.unchangedBlocks], ['Success', 1, 2])
    assert.notEqual(second.programHash, first.programHash)
    assert.deepEqual(new Set(Object.values(await statuses(at))), new Set(['success']))
    await add(at, motor('  speed : Int;'))
    assert.equal((await compile(at)).programHash, first.programHash)
  })

  test('a changed body leaves the callers as they are, a changed interface does not', async (t) => {
    const at = await withPlc(t)
    await add(at, scale('  #Scale := #raw;') + other + main('  "Other"();\n  IF "Scale"(1) > 0 THEN\n    ;\n  END_IF;'))
    await compile(at)
    await add(at, scale('  #Scale := #raw + 1;'))
    assert.deepEqual(await statuses(at), { Main: 'success', Other: 'success', Scale: 'outdated' })
    assert.equal((await compile(at)).compiledBlocks, 1)
    await add(at, scale('  #Scale := #raw + 1;').replace('raw : Int;', 'raw : Int;\n  more : Int;'))
    assert.equal((await statuses(at)).Main, 'outdated')
    const { state, compiledBlocks, messages } = await compile(at)
    assert.deepEqual([state, compiledBlocks], ['Error', 2])
    assert.deepEqual(
      leaves(messages).map(({ path }) => path),
      ['PLC_1/Program blocks/Main/Network 1'],
    )
  })

  test('what is missing counts too: the type that arrives, the tag that changes', async (t) => {
    const at = await withPlc(t)
    await add(at, main('  "Level" := "Level" + 1;'))
    assert.equal((await compile(at)).state, 'Error')
    await at.call('tags.add', { ...device, name: 'Level', dataType: 'Int', logicalAddress: '%MW10' })
    assert.equal((await statuses(at)).Main, 'outdated')
    assert.equal((await compile(at)).state, 'Success')
    await at.call('tags.update', {
      ...device,
      tableName: 'Default tag table',
      tagName: 'Level',
      logicalAddress: '%MW20',
    })
    assert.equal((await statuses(at)).Main, 'outdated')
    assert.deepEqual([(await compile(at)).compiledBlocks, (await statuses(at)).Main], [1, 'success'])
  })

  test('a restart keeps results and code; a rebuild gives the same program', async (t) => {
    const before = await withPlc(t)
    await add(
      before,
      motor('  speed : Int;') + drives + scale('  #Scale := #raw;') + main('  "Drives".main.speed := "Scale"(3);'),
    )
    const { programHash } = await compile(before)
    const at = await before.restart()
    assert.deepEqual(new Set(Object.values(await statuses(at))), new Set(['success']))
    const again = await compile(at)
    assert.deepEqual([again.compiledBlocks, again.unchangedBlocks, again.programHash], [0, 2, programHash])
    const anew = await compile(at, { rebuild: true })
    assert.deepEqual([anew.compiledBlocks, anew.programHash], [2, programHash])
  })

  test('a project that is opened again takes the code of its blocks over, after a restart too', async (t) => {
    const before = await withPlc(t)
    await add(before, motor('  speed : Int;') + drives + scale('  #Scale := #raw;'))
    await add(before, main('  "Drives".main.speed := "Scale"(1);'))
    const { programHash } = await compile(before)
    const path = `${before.dir}/workspace/Line`
    await before.call('projects.save', {})
    await before.call('projects.close', {})
    const at = await before.restart()
    await at.call('projects.open', { path })
    const again = await compile(at)
    assert.deepEqual([again.compiledBlocks, again.unchangedBlocks, again.programHash], [0, 2, programHash])
    // A kept block is outdated when the interface of a block that it uses changes.
    await at.call('projects.close', {})
    await at.call('projects.open', { path })
    await at.call('blocks.import', { ...device, content: motor('  more : Bool;\n  speed : Int;'), overwrite: true })
    const other = await compile(at)
    assert.deepEqual([other.compiledBlocks, other.unchangedBlocks, other.state], [1, 1, 'Success'])
  })

  test('the kept program runs', async (t) => {
    const at = await withPlc(t)
    const drivesAt20 = drives.replace('BEGIN', 'BEGIN\n  main.speed := 20;')
    await add(at, motor('  speed : Int;') + drivesAt20 + scale('  #Scale := #raw * 2 + 1;'))
    await add(at, main('  "Drives".main.speed := "Scale"("Drives".main.speed);'))
    const { programHash } = await compile(at)
    const { linked, image } = await decodeProgram(programHash ?? '', (hash) => at.gateway.store.blobs.get(hash))
    const memory = new WebAssembly.Memory({ initial: linked.pages, maximum: linked.pages, shared: true })
    const bytes = new Uint8Array(memory.buffer)
    for (const part of image) bytes.set(part.bytes, part.address)
    const refuse = (name: string) => () => assert.fail(name)
    const host = {
      memory,
      fault: refuse('fault'),
      watchdog: refuse('watchdog'),
      stackOverflow: refuse('stack'),
      periphery: refuse('periphery'),
    }
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.concat(linked.wasm)), { host })
    ;(exports['block main'] as () => void)()
    const speed = new DataView(memory.buffer).getInt16(linked.dataBlocks.get('drives')?.address ?? 0, true)
    assert.equal(speed, 41)
  })

  test('a dry run tells the result and keeps nothing', async (t) => {
    const at = await withPlc(t)
    await add(at, main('  ;'))
    const { result: tried } = await at.call<{ result: Result }>('blocks.compile-device', device, { dryRun: true })
    assert.equal(tried.state, 'Success')
    assert.deepEqual(await statuses(at), { Main: 'notCompiled' })
    assert.deepEqual([(await compile(at)).programHash, await statuses(at)], [tried.programHash, { Main: 'success' }])
  })

  test('a part is chosen; a device without a program has its hardware', async (t) => {
    const at = await withPlc(t)
    await add(at, main('  "Nothing"();'))
    const hardware = await compile(at, { scope: 'hardware' })
    assert.deepEqual([hardware.state, hardware.compiledBlocks], ['Success', 0])
    const software = await compile(at, { scope: 'software' })
    assert.deepEqual(
      software.messages[0]?.messages.map(({ path }) => path),
      ['PLC_1/Program blocks'],
    )
    assert.equal(software.state, 'Error')
  })
})

describe('compiling a block', () => {
  test('with what it uses, and nothing else', async (t) => {
    const at = await withPlc(t)
    await add(at, motor('  speed : Int;') + drives + scale('  #Scale := #raw;') + other)
    await add(at, main('  "Drives".main.speed := "Scale"(3);'))
    const result = await at.call<Result>('blocks.compile', { ...device, blockName: 'main' })
    assert.deepEqual([result.state, result.compiledBlocks, result.programHash], ['Success', 2, undefined])
    const expected = { Drives: 'success', Main: 'success', Motor: 'success', Other: 'notCompiled', Scale: 'success' }
    assert.deepEqual(await statuses(at), expected)
  })

  test('an import can compile what it brings', async (t) => {
    const at = await withPlc(t)
    const imported = await at.call<{ compiled: boolean; compileStatus: string; compileMessages: Message[] }>(
      'blocks.import',
      { ...device, content: main('  #nothing := 1;'), compile: true },
    )
    assert.deepEqual([imported.compiled, imported.compileStatus], [false, 'error'])
    assert.deepEqual(
      imported.compileMessages.map(({ line, column }) => [line, column]),
      [[1, 3]],
    )
  })

  test('a protected block cannot be compiled and says so', async (t) => {
    const at = await withPlc(t)
    const source = other.replace('BEGIN', 'KNOW_HOW_PROTECT\nBEGIN')
    await add(at, source)
    const { messages } = await compile(at)
    const [found] = leaves(messages)
    assert.equal(found?.code, 'protected-block')
  })
})

describe('codes of diagnostics', () => {
  test('each one in the list has its page; an unknown one names the nearest', async (t) => {
    const at = await openTestGateway(t)
    const { codes } = await at.call<{ codes: { code: string }[] }>('blocks.list-diagnostic-codes')
    assert.ok(codes.some(({ code }) => code === 'protected-block'))
    for (const { code } of codes) {
      const page = await at.call<{ explanation: string; failingExample: string }>('blocks.get-diagnostic-code', {
        code,
      })
      assert.notEqual(page.explanation, '')
    }
    await assert.rejects(at.call('blocks.get-diagnostic-code', { code: 'unknown-typ' }), /unknown-typ/)
  })
})

test('the whole program is kept after a compilation that was only tried', async (t) => {
  const at = await withPlc(t)
  await add(at, 'ORGANIZATION_BLOCK "Main"\nBEGIN\n  %QB0 := 1;\nEND_ORGANIZATION_BLOCK\n')
  await at.call('blocks.compile-device', device, { dryRun: true })
  // The engine has sent its blobs, and the gateway has dropped them.
  const { programHash } = await compile(at)
  const { linked } = await decodeProgram(programHash ?? '', (hash) => at.gateway.store.blobs.get(hash))
  assert.ok(Buffer.concat(linked.wasm).length > 0)
})

test('what a compilation after one changed body stores does not grow with the program', async (t) => {
  const at = await withPlc(t)
  const functionOf = (i: number, factor: number) =>
    `FUNCTION "F_${i}" : Int\nVAR_INPUT\n  raw : Int;\nEND_VAR\nBEGIN\n  #F_${i} := #raw * ${factor};\nEND_FUNCTION\n`
  const functions = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => functionOf(from + i, 3)).join('')
  const stored = async (factor: number) => {
    await add(at, functionOf(7, factor))
    const before = await at.gateway.store.blobs.stats()
    const { compiledBlocks, programHash } = await compile(at)
    assert.deepEqual([compiledBlocks, programHash === undefined], [1, false])
    const after = await at.gateway.store.blobs.stats()
    return { count: after.count - before.count, bytes: after.bytes - before.bytes }
  }
  await add(at, main('  ;') + functions(0, 99))
  await compile(at)
  const few = await stored(4)
  await add(at, functions(99, 499))
  await compile(at)
  const many = await stored(5)
  // The unit, parts of the module and of the symbols, the contents, which name every block; the module's length.
  assert.equal(many.count, few.count)
  assert.ok(many.bytes < 2 * few.bytes, `${many.bytes} bytes, and ${few.bytes} of a fifth of the program`)
})

test('a data type that the CPU does not have is an error of an S7-1200 and none of an S7-1500', async (t) => {
  const at = await withPlc(t)
  const small = { deviceName: 'Small' }
  await at.call('devices.add', { orderNumber: '6ES7 214-1AG40-0XB0', ...small })
  const content = 'DATA_BLOCK "Meter"\nVAR\n  total : LInt; level : LReal;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n'
  for (const where of [device, small]) await at.call('blocks.import', { ...where, content })
  const compiled = async (where: typeof device) => {
    const { state, programHash, messages } = await at.call<Result>('blocks.compile-device', where)
    const told = leaves(messages).map(({ code, description }) => [code, description])
    return [state, programHash !== undefined, told]
  }
  const told = [['type-of-cpu', 'total is of type LInt, which CPU 1214C DC/DC/DC does not have.']]
  assert.deepEqual(await compiled(device), ['Success', true, []])
  assert.deepEqual(await compiled(small), ['Error', false, told])
  await at.call('blocks.import', { ...small, content: content.replace('LInt', 'DInt'), overwrite: true })
  assert.deepEqual(await compiled(small), ['Success', true, []])
  // Code too: the types of results and the instructions are those of the family.
  const code =
    'FUNCTION "Between" : Void\nVAR_INPUT\n  a : Date; b : Date;\nEND_VAR\nVAR_OUTPUT\n  t : Time;\nEND_VAR\nBEGIN\n  #t := #a - #b;\n  WAIT(5);\nEND_FUNCTION\n'
  for (const where of [device, small]) await at.call('blocks.import', { ...where, content: code })
  const message = 'S7-1200 does not have the instruction WAIT.'
  assert.deepEqual(await compiled(small), ['Error', false, [['instruction-of-cpu', message]]])
  const [state, , [first]] = (await compiled(device)) as [string, boolean, string[][]]
  assert.deepEqual([state, first?.[0]], ['Error', 'type-mismatch'])
})
