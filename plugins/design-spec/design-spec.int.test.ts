/** The operations, through a gateway: loading, the copy in the project's folder, restarts, generating. */
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { isGatewayError } from '../../core/index.ts'
import { CASES } from '../../test/design-spec/faulty.ts'
import { SOUND_LINES, specWith } from '../../test/design-spec/specs.ts'
import { actor, openTestGateway, type TestGateway } from '../../test/harness.ts'
import { becomes } from '../../test/until.ts'
import { checked } from './load/copy.ts'
import type { FaultView } from './load/load.ts'
import { FAULTS } from './model/faults.ts'

const sound = { success: true, areas: 1, processCells: 1, unitTypes: 1, cmTypes: 2, phases: 1 }

function upload(text: string | Uint8Array, fileName = 'plant.csv') {
  return {
    file:
      typeof text === 'string'
        ? { fileName, content: text }
        : { fileName, contentBase64: Buffer.from(text).toString('base64') },
  }
}

/** The problem with which an operation ends. */
async function failure(run: Promise<unknown>) {
  try {
    await run
  } catch (error) {
    assert.ok(isGatewayError(error), String(error))
    return error
  }
  throw new Error('it did not fail')
}

const status = (at: TestGateway) =>
  at.call<{
    loaded: boolean
    sourceName?: string
    origin?: string
    copyPath?: string
    copy?: { readAt: string; loaded: boolean; failure?: string; errors: FaultView[] }
  }>('design-spec.status')

const phaseNames = async (at: TestGateway) =>
  (await at.call<{ name: string }[]>('design-spec.phases')).map((p) => p.name)

/** A gateway with an open project; `folder` contains its copies. */
async function withProject(t: TestContext) {
  const at = await openTestGateway(t)
  const { path } = await at.call<{ path: string }>('projects.create', { name: 'Plant' })
  return { at, path, folder: join(path, '.gantry/cdc') }
}

describe('loading', () => {
  test('an upload, the model, the phases: exactly the shapes of docs/design.md#design-specs', async (t) => {
    const at = await openTestGateway(t)
    assert.deepEqual(await at.call('design-spec.load', upload(specWith())), sound)
    assert.deepEqual(await at.call('design-spec.phases'), [{ name: 'Fill', steps: ['Open', 'Wait', 'End'] }])
    const unitType = {
      name: 'plant',
      cmTypes: [
        { name: 'Valve', variables: 2 },
        { name: 'Tank', variables: 2 },
      ],
      phases: [{ name: 'Fill', steps: 3 }],
    }
    assert.deepEqual(await at.call('design-spec.model'), {
      areas: [{ name: 'plant', processCells: [{ name: 'plant', unitTypes: [unitType] }] }],
    })
  })

  test('a file of the workspace; the names that other clients send', async (t) => {
    const at = await openTestGateway(t)
    await writeFile(join(at.dir, 'workspace', 'line.csv'), specWith())
    assert.deepEqual(await at.call('design-spec.load', { filePath: 'line.csv' }), sound)
    assert.deepEqual(await at.call('design-spec.load', { Path: 'line.csv' }), sound)
    assert.equal((await status(at)).sourceName, 'line.csv')
    assert.equal((await failure(at.call('design-spec.load', { filePath: 'nope.csv' }))).code, 'not_found')
    assert.equal(
      (await failure(at.call('design-spec.load', { filePath: '/etc/passwd' }))).code,
      'path_outside_workspace',
    )
    for (const input of [{}, { ...upload(specWith()), filePath: 'line.csv' }])
      assert.equal((await failure(at.call('design-spec.load', input))).code, 'invalid_input')
  })

  test('warnings are told', async (t) => {
    const at = await openTestGateway(t)
    const text = specWith({ 12: 'Fill;3;End;;TRUE;"Valve.Open:=FALSE";"Valve.Opened=FALSE";' })
    const { warnings, ...counts } = await at.call<{ warnings: FaultView[] }>('design-spec.load', upload(text))
    assert.deepEqual(counts, sound)
    assert.deepEqual(
      warnings.map(({ code, section, line, columnName }) => [code, section, line, columnName]),
      [['final_condition_ignored', 'Phases', 12, 'Condition']],
    )
  })

  test('a file over the limit is refused before it is read', async (t) => {
    const at = await openTestGateway(t)
    const big = Buffer.alloc(10 * 1024 * 1024 + 1, 'x').toString()
    assert.equal((await failure(at.call('design-spec.load', upload(big)))).code, 'payload_too_large')
    assert.equal((await failure(at.call('design-spec.load-separate', { logic: big }))).code, 'payload_too_large')
    await writeFile(join(at.dir, 'workspace', 'big.csv'), big)
    assert.equal((await failure(at.call('design-spec.load', { filePath: 'big.csv' }))).code, 'payload_too_large')
  })

  test('dryRun loads nothing and writes nothing', async (t) => {
    const { at, path } = await withProject(t)
    const answer = await at.call<{ result: unknown }>('design-spec.load', { ...upload(specWith()), dryRun: true })
    assert.deepEqual(answer.result, sound)
    assert.equal((await status(at)).loaded, false)
    assert.deepEqual((await readdir(path)).sort(), ['Plant.gantry'])
  })

  test('without a spec: 404 for what is asked of it, 409 for what needs it, and clearing is no fault', async (t) => {
    const at = await openTestGateway(t)
    for (const id of ['design-spec.model', 'design-spec.phases'])
      assert.equal((await failure(at.call(id))).code, 'not_found')
    assert.equal((await failure(at.call('design-spec.generate', { phase: 'Fill' }))).code, 'conflict')
    assert.deepEqual(await at.call('design-spec.delete-model'), { success: true, cleared: false })
  })

  test('a viewer may read and generate, not load', async (t) => {
    const at = await openTestGateway(t)
    await at.call('design-spec.load', upload(specWith()))
    const viewer = { actor: actor('viewer') }
    assert.equal((await failure(at.call('design-spec.load', upload(specWith()), viewer))).code, 'forbidden')
    assert.match(String(await at.call('design-spec.generate', { phase: 'Fill' }, viewer)), /FUNCTION_BLOCK "FB_Fill"/)
  })
})

describe('faults', () => {
  test('every fault code is a 422 with section, line, column, value and what is allowed; nothing is loaded', async (t) => {
    const at = await openTestGateway(t)
    await at.call('design-spec.load', upload(specWith(), 'before.csv'))
    const told = new Set<string>()
    for (const [code, { text, faults }] of Object.entries(CASES)) {
      const error = await failure(at.call('design-spec.load', upload(text)))
      assert.equal(error.code, 'unacceptable_content', code)
      const errors = error.details.errors as unknown as FaultView[]
      assert.ok(
        errors.some((fault) => fault.code === code),
        code,
      )
      if (faults.length > 0)
        assert.deepEqual(
          errors.map((fault) => `${fault.line}:${fault.columnName ?? fault.column ?? 0}:${fault.code}`),
          faults,
        )
      for (const fault of errors) {
        told.add(fault.code)
        for (const field of ['section', 'value', 'message'] as const) assert.equal(typeof fault[field], 'string')
        assert.ok(fault.line >= 1)
        if (fault.code !== 'too_many_faults') assert.ok(fault.allowed !== undefined, `${code} says what is allowed`)
      }
      assert.match(error.message, /^"plant\.csv": (1 fault|\d+ faults; the first): (\[\w+\], )?line \d+/)
    }
    const separate: [string, Record<string, string>][] = [
      ['part_section', { inputs: specWith() }],
      ['part_direction', { inputs: SOUND_LINES.slice(0, 4).join('\n') }],
      ['part_empty', { logic: '' }],
    ]
    for (const [code, parts] of separate) {
      const error = await failure(at.call('design-spec.load-separate', parts))
      assert.equal(error.code, 'unacceptable_content')
      const errors = error.details.errors as unknown as FaultView[]
      assert.ok(
        errors.some((fault) => fault.code === code && fault.path === `/${Object.keys(parts)[0]}`),
        JSON.stringify(errors),
      )
      told.add(code)
    }
    const all = Object.entries(FAULTS).filter(([, { severity }]) => severity === 'fault')
    assert.deepEqual([...told].sort(), all.map(([code]) => code).sort())
    assert.equal((await status(at)).sourceName, 'before.csv')
  })
})

describe('loading in parts', () => {
  const header = SOUND_LINES[1]!
  const parts = {
    inputs: `${header}\n${SOUND_LINES[3]}\n${SOUND_LINES[4]}`,
    outputs: `${header}\n${SOUND_LINES[2]}\n${SOUND_LINES[5]}`,
    logic: SOUND_LINES.slice(7).join('\n'),
  }

  test('part by part, with a copy at every stage that can be read again', async (t) => {
    const { at, path } = await withProject(t)
    const load = (more: Record<string, string>) =>
      at.call<typeof sound>('design-spec.load-separate', { ...more, fileName: 'line.csv' })
    assert.deepEqual(await load({ inputs: parts.inputs }), { ...sound, phases: 0 })
    await at.call('projects.close')
    assert.equal((await status(at)).loaded, false)
    await at.call('projects.open', { path })
    assert.equal((await status(at)).origin, 'copy')
    assert.deepEqual(await load({ outputs: parts.outputs }), { ...sound, phases: 0 })
    assert.deepEqual(await load({ logic: parts.logic }), sound)
    const scl = await at.call('design-spec.generate', { phase: 'Fill' })
    await at.call('projects.close')
    await at.call('projects.open', { path })
    assert.equal(await at.call('design-spec.generate', { phase: 'Fill' }), scl)
    const configuration = `[UnitTypes]\nProcessCell;UnitType;Description\n;Mixer;`
    assert.deepEqual(await load({ configuration }), sound)
    assert.match(JSON.stringify(await at.call('design-spec.model')), /"Mixer"/)
  })

  test('a part that breaks what stays is refused, and none at all is a 400', async (t) => {
    const at = await openTestGateway(t)
    await at.call('design-spec.load', upload(specWith()))
    const error = await failure(at.call('design-spec.load-separate', { inputs: `${header}\n${SOUND_LINES[3]}` }))
    const errors = error.details.errors as unknown as FaultView[]
    assert.deepEqual(
      errors.map(({ code, path }) => [code, path]),
      [['variable_unknown', '/model']],
    )
    assert.equal((await failure(at.call('design-spec.load-separate', {}))).code, 'invalid_input')
  })
})

describe('the copy in the folder of the project', () => {
  test('is the file byte for byte, is read again when the project is opened, goes with the model', async (t) => {
    const { at, path, folder } = await withProject(t)
    const bytes = Buffer.from(`\uFEFF${specWith().replaceAll('\n', '\r\n')}`)
    await at.call('design-spec.load', upload(bytes, 'Line 3 50%.csv'))
    assert.deepEqual(await readdir(folder), ['Line 3 50%25.csv'])
    assert.deepEqual(await readFile(join(folder, 'Line 3 50%25.csv')), bytes)
    const scl = await at.call('design-spec.generate', { phase: 'Fill' })
    await at.call('projects.close')
    assert.equal((await failure(at.call('design-spec.model'))).code, 'not_found')
    await at.call('projects.open', { path })
    const after = await status(at)
    assert.deepEqual([after.sourceName, after.origin, after.copy?.loaded], ['Line 3 50%.csv', 'copy', true])
    assert.equal(await at.call('design-spec.generate', { phase: 'Fill' }), scl)
    assert.deepEqual(await at.call('design-spec.delete-model'), { success: true, cleared: true })
    assert.deepEqual(await readdir(folder).catch(() => []), [])
  })

  test('another load replaces it; what someone else put there is kept aside', async (t) => {
    const { at, folder } = await withProject(t)
    await at.call('design-spec.load', upload(specWith(), 'a.csv'))
    await writeFile(join(folder, 'stray.csv'), 'stray')
    await at.call('design-spec.load', upload(specWith(), 'b.csv'))
    assert.deepEqual((await readdir(folder)).sort(), ['b.csv', 'stray.csv.bak'])
  })

  test('a spec loaded before there is a project becomes its spec when it is saved', async (t) => {
    const at = await openTestGateway(t)
    await at.call('design-spec.load', upload(specWith()))
    const { path } = await at.call<{ path: string }>('projects.create', { name: 'Plant' })
    assert.equal((await status(at)).copyPath, undefined)
    await at.call('projects.save')
    assert.equal((await status(at)).copyPath, join(path, '.gantry/cdc/plant.csv'))
    assert.equal(await readFile(join(path, '.gantry/cdc/plant.csv'), 'utf8'), specWith())
    await at.call('projects.close')
    assert.equal((await status(at)).loaded, false)
  })

  test('saving again writes nothing; a restored archive has the spec', async (t) => {
    const { at, path } = await withProject(t)
    await at.call('design-spec.load', upload(specWith()))
    await at.call('projects.save')
    assert.equal((await at.call<{ written: number }>('projects.save')).written, 0)
    await at.call('projects.archive', { archivePath: 'plant.zap19' })
    await at.call('projects.close')
    await rm(path, { recursive: true })
    await at.call('projects.create-from-archive', { archivePath: 'plant.zap19' })
    assert.deepEqual(await phaseNames(at), ['Fill'])
  })

  test('a restart keeps the model; a copy edited meanwhile is loaded at the start', async (t) => {
    const { at, folder } = await withProject(t)
    await at.call('design-spec.load', upload(specWith()))
    const scl = await at.call('design-spec.generate', { phase: 'Fill' })
    const second = await at.restart()
    assert.equal(await second.call('design-spec.generate', { phase: 'Fill' }), scl)
    assert.equal((await status(second)).origin, 'file')

    await second.gateway.close(2000)
    await writeFile(join(folder, 'plant.csv'), specWith().replaceAll('Fill;', 'Refill;'))
    const third = await second.restart()
    // The gateway reads it on its own after the start.
    await becomes(async () => (await status(third)).origin, 'copy')
    assert.deepEqual(await phaseNames(third), ['Refill'])
  })

  test('a faulty copy is reported and does not keep the project from being opened', async (t) => {
    const { at, path, folder } = await withProject(t)
    await at.call('design-spec.load', upload(specWith()))
    await at.call('projects.close')
    await writeFile(join(folder, 'plant.csv'), specWith({ 5: 'Tank;Level;In;Float;' }))
    await at.call('projects.open', { path })
    const { loaded, copy } = await status(at)
    assert.equal(loaded, false)
    assert.deepEqual(
      copy?.errors.map(({ code, line }) => [code, line]),
      [['data_type_unknown', 5]],
    )
    assert.match((await failure(at.call('design-spec.model'))).message, /The copy in the project was not loaded/)

    await writeFile(join(folder, 'plant.csv'), specWith())
    assert.deepEqual(await at.call('design-spec.reload'), {
      success: true,
      status: 'loaded',
      file: '.gantry/cdc/plant.csv',
      counts: { areas: 1, processCells: 1, unitTypes: 1, cmTypes: 2, phases: 1 },
      errors: [],
    })
    assert.equal((await at.call<{ status: string }>('design-spec.reload')).status, 'unchanged')
    assert.equal((await status(at)).copy?.loaded, true)
  })

  test('a faulty copy found at the start leaves the loaded model as it is', async (t) => {
    const { at, folder } = await withProject(t)
    await at.call('design-spec.load', upload(specWith()))
    await at.gateway.close(2000)
    await writeFile(join(folder, 'plant.csv'), 'nonsense')
    const second = await at.restart()
    await becomes(async () => (await status(second)).copy?.loaded, false)
    assert.deepEqual(await phaseNames(second), ['Fill'])
    const told = (await status(second)).copy?.readAt
    // The same copy again is not reported again.
    const third = await second.restart()
    await third.gateway.store.log.durable(third.gateway.sessionSeq)
    await third.call('projects.save')
    await checked(third.gateway)
    assert.equal((await status(third)).copy?.readAt, told)
  })

  test('several files are not chosen from', async (t) => {
    const { at, path, folder } = await withProject(t)
    await at.call('projects.close')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'a.csv'), specWith())
    await writeFile(join(folder, 'b.csv'), specWith())
    await at.call('projects.open', { path })
    assert.match((await status(at)).copy?.failure ?? '', /holds 2 files \(a\.csv, b\.csv\)/)
    await writeFile(join(folder, '.a.csv.swp'), 'x')
    await rm(join(folder, 'b.csv'))
    assert.equal((await at.call<{ status: string }>('design-spec.reload')).status, 'loaded')
  })
})

describe('generating', () => {
  test('the same bytes twice, also after loading again and in another gateway', async (t) => {
    const [one, two] = [await openTestGateway(t), await openTestGateway(t)]
    await one.call('design-spec.load', upload(specWith()))
    const first = await one.call('design-spec.generate', { phase: 'Fill' })
    assert.equal(await one.call('design-spec.generate', { phase: 'fill' }), first)
    await one.call('design-spec.load', upload(specWith()))
    assert.equal(await one.call('design-spec.generate', { phase: 'Fill' }), first)
    await two.call('design-spec.load', upload(specWith()))
    assert.equal(await two.call('design-spec.generate', { phaseName: 'Fill' }), first)
  })

  test('one function block; with the types when they are asked for', async (t) => {
    const at = await openTestGateway(t)
    await at.call('design-spec.load', upload(specWith()))
    const scl = String(await at.call('design-spec.generate', { phase: 'Fill' }))
    assert.match(scl, /^FUNCTION_BLOCK "FB_Fill"\n/)
    assert.equal(scl.match(/^(FUNCTION_BLOCK|TYPE) /gm)?.length, 1)
    const all = String(await at.call('design-spec.generate', { phase: 'Fill', includeTypes: true }))
    assert.deepEqual(all.match(/^(?:FUNCTION_BLOCK|TYPE) "\w+"/gm), [
      'TYPE "UDT_Valve"',
      'TYPE "UDT_Tank"',
      'FUNCTION_BLOCK "FB_Fill"',
    ])
    assert.ok(all.endsWith(scl))
  })

  test('an unknown phase: 404 with the nearest', async (t) => {
    const at = await openTestGateway(t)
    await at.call('design-spec.load', upload(specWith()))
    const error = await failure(at.call('design-spec.generate', { phase: 'Flil' }))
    assert.deepEqual([error.code, error.details.suggestion], ['not_found', 'Fill'])
  })
})

describe('importing', () => {
  interface Imported {
    phase: string
    blockName: string
    imported: boolean
    compiled: boolean
    compileStatus: string
    errors: unknown[]
    warnings: number
    action: string
    types: { name: string; action: string }[]
  }

  /** A gateway with a project, a PLC and the valid spec. */
  async function withPlc(t: TestContext) {
    const { at, path } = await withProject(t)
    await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', deviceName: 'PLC_1' })
    await at.call('design-spec.load', upload(specWith()))
    return { at, path }
  }

  test('the block and its types are in the device; again nothing changes; another spec replaces', async (t) => {
    const { at, path } = await withPlc(t)
    const run = () => at.call<Imported>('design-spec.generate-and-import', { phase: 'fill', device: 'PLC_1' })
    const first = await run()
    const { action, types, compileStatus, phase, blockName, imported, compiled, errors, warnings } = first
    assert.deepEqual(
      { phase, blockName, imported, compiled, errors, warnings },
      { phase: 'Fill', blockName: 'FB_Fill', imported: true, compiled: true, errors: [], warnings: 0 },
    )
    assert.deepEqual([action, compileStatus], ['created', 'success'])
    assert.deepEqual(types, [
      { name: 'UDT_Valve', action: 'created' },
      { name: 'UDT_Tank', action: 'created' },
    ])
    const again = await run()
    assert.deepEqual([again.action, ...again.types.map((type) => type.action)], ['unchanged', 'unchanged', 'unchanged'])

    const content = await at.call<{ rawXml: string; sourceText: string; programmingLanguage: string }>(
      'blocks.content',
      { deviceName: 'PLC_1', blockName: 'FB_Fill' },
    )
    assert.match(content.rawXml, /<SW\.Blocks\.FB /)
    assert.equal(content.programmingLanguage, 'SCL')
    assert.match(content.sourceText, /REGION ABORT/)

    await at.call(
      'design-spec.load',
      upload(specWith({ 10: 'Fill;1;OpenIt;TRUE;;"Valve.Open:=TRUE";"Valve.Opened=TRUE";2' })),
    )
    const changed = await run()
    assert.deepEqual([changed.action, changed.types[0]?.action], ['replaced', 'unchanged'])

    await at.call('projects.save')
    await at.call('projects.close')
    await at.call('projects.open', { path })
    assert.equal((await run()).action, 'unchanged')
  })

  test('what is missing is named', async (t) => {
    const { at } = await withPlc(t)
    const run = (phase: string, device: string) =>
      failure(at.call('design-spec.generate-and-import', { phase, device }))
    assert.deepEqual((await run('Fil', 'PLC_1')).details.suggestion, 'Fill')
    assert.deepEqual((await run('Fill', 'PCL_1')).details.suggestion, 'PLC_1')
    await at.call('design-spec.delete-model')
    assert.equal((await run('Fill', 'PLC_1')).code, 'conflict')
    await at.call('projects.save')
    await at.call('projects.close')
    await at.call('design-spec.load', upload(specWith()))
    assert.equal((await run('Fill', 'PLC_1')).code, 'no_project')
  })
})
