/**
 * A program from a design: what is generated, how it runs on a virtual controller, and how it changes with the design.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openTestGateway, type TestGateway } from '../../../test/harness.ts'
import { type Answer, address, newProject, plc } from '../../../test/online.ts'
import { fails } from '../../../test/plant.ts'
import { designExample } from './schema.ts'

const name = 'Sim'
const generate = (at: TestGateway, design: Answer, more: Answer = {}) =>
  at.call<Answer>('block-generation.generate-from-design', { ...plc, design, ...more })

/** A project with an empty program: the example makes all that it names. */
async function openPlant(t: TestContext): Promise<TestGateway> {
  const at = await openTestGateway(t)
  await newProject(at, 'Plant')
  return at
}

const actions = ({ entries }: Answer, kinds = ['Tag', 'UDT', 'FB', 'FC', 'InstanceDB', 'OB', 'Alarm']) =>
  entries
    .filter((entry: Answer) => entry.action !== 'unchanged' && kinds.includes(entry.kind))
    .map((entry: Answer) => `${entry.action} ${entry.kind} ${entry.name}`)

/** A changed copy of the example. */
function changed(change: (unit: Answer) => void): Answer {
  const design = structuredClone(designExample) as unknown as Answer
  change(design.units[0])
  return design
}

const source = async (at: TestGateway, blockName: string): Promise<string> =>
  (await at.call<Answer>('blocks.source', { ...plc, blockName })).sourceText

test('a design becomes types, blocks, instances, tags, alarms and a call; a dry run only lists them', async (t) => {
  const at = await openPlant(t)
  const dry = await generate(at, designExample, { dryRun: true })
  assert.equal((await at.call<Answer>('blocks.list', plc)).total, 0)
  const made = await generate(at, designExample)
  assert.deepEqual(made.entries, dry.entries)
  assert.deepEqual([made.created, made.changed, made.unchanged], [dry.entries.length, 0, 0])
  assert.deepEqual([made.compileStatus, made.warnings], ['success', []])
  const { blocks } = await at.call<Answer>('blocks.list', plc)
  assert.deepEqual(
    blocks.filter((one: Answer) => !one.name.startsWith('EM_')).map((one: Answer) => [one.name, one.type]),
    [
      ['Call_Mixing', 'FC'],
      ['Main', 'OB'],
      ['Tank_DB', 'InstanceDB'],
      ['Unit_Tank', 'FB'],
    ],
  )
  const { tags } = await at.call<Answer>('tags.list', { ...plc, tableName: 'Mixing' })
  const run = tags.find((one: Answer) => one.name === 'Tank_Agitator_Run')
  assert.deepEqual([run.logicalAddress, run.dataType, run.comment], ['%Q0.0', 'Bool', 'Tank Agitator: run'])
  const { alarms } = await at.call<Answer>('alarms.get-definitions', plc)
  assert.ok(alarms.some((one: Answer) => one.instance === '"Tank_DB".Agitator.alarmTrip'))
  assert.match(await source(at, 'Main'), /"Call_Mixing"\(\);/)
  // The whole device compiles, too.
  const device = await at.call<Answer>('blocks.compile-device', plc)
  assert.equal(device.errorCount, 0)
})

test('names that are neither in the program nor in the design are told with their places', async (t) => {
  const at = await openPlant(t)
  await at.call('tags.add', { ...plc, name: 'Lamp', dataType: 'Bool', logicalAddress: '%Q5.0' })
  const { tags: _tags, ...design } = changed((unit) => {
    unit.interlocks[0].conditions.push({ text: 'By name', when: `"lidclosed" OR "Lamp" OR 'a "text"' = 'b'` })
    unit.valves[1].opened = 'Missing'
  })
  const { warnings, compileStatus } = await generate(at, design)
  assert.equal(compileStatus, 'error')
  const says = (place: string, name: string) =>
    `${place}: "${name}" is no tag, block or constant of "PLC_1": add it, or declare it in /design/tags.`
  assert.deepEqual(warnings, [
    says('/design/units/0/interlocks/0/conditions/1/when (and 1 more)', 'LidClosed'),
    says('/design/units/0/sequences/0/start', 'StartBatch'),
    says('/design/units/0/reversingMotors/0/startReverse', 'Unblock'),
    says('/design/units/0/valves/1/opened', 'Missing'),
  ])
  const twice = [
    { name: 'A', address: '%I9.0' },
    { name: 'a', address: '%I9.1' },
  ]
  await fails(generate(at, { ...design, tags: twice }), 'unacceptable_content', /declared twice/)
})

test('the generated program runs on a virtual controller', async (t) => {
  const at = await openPlant(t)
  await generate(at, designExample)
  const config = { time: { mode: 'stepped', cycleTimeMs: 100 }, startup: 'Stop' }
  await at.call('simulation.create-instance', { name, cpuType: 'CPU1515', ipAddress: address, config })
  await at.call('simulation.power-on', { name })
  await at.call('online.download', { ...plc, compile: true, startAfter: true })
  const write = async (values: Answer) => {
    for (const [tagName, value] of Object.entries(values))
      await at.call('simulation.write-tag', { name, tagName, value })
  }
  const run = async (seconds: number) => at.call('simulation.advance', { name, cycles: Math.round(seconds * 10) })
  const read = async (...tags: string[]) =>
    Promise.all(tags.map(async (tagName) => (await at.call<Answer>('simulation.read-tag', { name, tagName })).value))
  const percent = (value: number) => Math.round((value / 100) * 27648)

  // Parameters are set at the first cycle; by hand nothing runs.
  await write({ LidClosed: true, Tank_Level_Input: percent(50), Tank_Temperature_Input: 0, Tank_Inlet_Closed: true })
  await run(0.2)
  assert.deepEqual(await read('Tank_DB.Level.limits.highHigh', 'Tank_DB.Heating.setpoint'), [95, 60])
  assert.deepEqual(await read('Tank_DB.AgitatorReleased.ok', 'Tank_Agitator_Run'), [true, false])
  // By hand: start and stop of the operator.
  await write({ 'Tank_DB.Agitator.operator.start': true })
  await run(0.2)
  assert.deepEqual(await read('Tank_Agitator_Run', 'Tank_DB.Agitator.operator.start'), [true, false])
  await write({ Tank_Agitator_Running: true })
  await run(5)
  assert.deepEqual(await read('Tank_DB.Agitator.running', 'Tank_DB.Agitator.fault'), [true, false])
  // The controller heats while the agitator runs: proportional part 2 * 60, at its limit.
  assert.deepEqual(await read('Tank_DB.Heating.output', 'Tank_Steam_Output'), [100, 0])
  await write({ 'Tank_DB.Agitator.operator.stop': true })
  await run(0.2)
  await write({ Tank_Agitator_Running: false })
  await run(0.2)
  assert.deepEqual(await read('Tank_Agitator_Run'), [false])

  // The batch: fill, mix, empty.
  await write({ Tank_Mode_Automatic: true, Tank_Level_Input: percent(10) })
  await run(0.2)
  assert.deepEqual(await read('Tank_DB.Mode.automatic', 'Tank_Inlet_Open'), [true, false])
  await write({ StartBatch: true })
  await run(0.2)
  assert.deepEqual(await read('Tank_DB.Batch.step', 'Tank_Inlet_Open', 'Tank_DB.Batch.running'), [1, true, true])
  await write({ Tank_Inlet_Closed: false, Tank_Inlet_Opened: true, StartBatch: false })
  await run(6)
  assert.deepEqual(await read('Tank_DB.Inlet.fault', 'Tank_DB.Inlet.isOpen'), [false, true])
  await write({ Tank_Level_Input: percent(85) })
  await run(0.2)
  assert.deepEqual(await read('Tank_DB.Batch.step', 'Tank_Inlet_Open', 'Tank_Agitator_Run'), [2, false, true])
  await write({ Tank_Inlet_Closed: true, Tank_Inlet_Opened: false, Tank_Agitator_Running: true })
  await run(10)
  assert.deepEqual(await read('Tank_DB.Batch.step', 'Tank_Steam_Output'), [2, 27648])
  await run(11)
  assert.deepEqual(await read('Tank_DB.Batch.step', 'Tank_Outlet_Open', 'Tank_Discharge_Forward'), [3, true, true])
  await write({ Tank_Agitator_Running: false })
  // Both directions at once are none; then reverse after the pause.
  await write({ Unblock: true })
  await run(0.3)
  assert.deepEqual(await read('Tank_Discharge_Forward', 'Tank_Discharge_Reverse'), [false, false])
  await write({ Unblock: false, Tank_Level_Input: percent(5.5) })
  await run(0.3)
  assert.deepEqual(await read('Tank_DB.Batch.step', 'Tank_DB.Batch.done', 'Tank_Outlet_Open'), [0, true, false])
  await write({ Unblock: true })
  await run(1)
  assert.deepEqual(await read('Tank_Discharge_Reverse'), [false])
  await run(2)
  assert.deepEqual(await read('Tank_Discharge_Reverse'), [true])
  await write({ Unblock: false })

  // A trip is an alarm with its text; the horn is off when it is acknowledged, the fault when it is gone.
  await write({ Tank_Agitator_Trip: true })
  await run(0.2)
  assert.deepEqual(await read('Tank_DB.Agitator.fault', 'Tank_Alarms_Horn', 'Tank_DB.Alarms.count'), [true, true, 1])
  const { alarms } = await at.call<Answer>('alarms.list-pending', { name })
  assert.ok(alarms.some((one: Answer) => one.text === 'Tank, Agitator: motor protection has tripped'))
  const lamps = new Set<unknown>()
  for (let i = 0; i < 15; i++) {
    await run(0.1)
    lamps.add((await read('Tank_Alarms_Lamp'))[0])
  }
  assert.equal(lamps.size, 2)
  await write({ Tank_Alarms_Acknowledge: true })
  await run(0.2)
  assert.deepEqual(await read('Tank_Alarms_Horn', 'Tank_Alarms_Lamp', 'Tank_DB.Agitator.fault'), [false, true, true])
  await write({ Tank_Agitator_Trip: false })
  await run(0.2)
  assert.deepEqual(await read('Tank_Alarms_Lamp', 'Tank_DB.Agitator.fault'), [false, false])
  await write({ Tank_Alarms_Acknowledge: false })

  // Limits have a hysteresis; a broken wire is a fault, and the value stays.
  await write({ Tank_Level_Input: percent(96) })
  await run(0.2)
  assert.deepEqual(await read('Tank_DB.Level.aboveHighHigh'), [true])
  await write({ Tank_Level_Input: percent(94.5) })
  await run(0.2)
  assert.deepEqual(await read('Tank_DB.Level.aboveHighHigh'), [true])
  await write({ Tank_Level_Input: percent(93) })
  await run(0.2)
  assert.deepEqual(await read('Tank_DB.Level.aboveHighHigh'), [false])
  await write({ Tank_Level_Input: 32767 })
  await run(0.2)
  const [fault, value] = await read('Tank_DB.Level.fault', 'Tank_DB.Level.value')
  assert.deepEqual([fault, Math.round(value)], [true, 93])
  // The interlock says which condition failed first.
  await write({ LidClosed: false })
  await run(0.2)
  assert.deepEqual(await read('Tank_DB.AgitatorReleased.ok', 'Tank_DB.AgitatorReleased.first'), [false, 2])
})

test('generated again nothing changes; after a change of the design only what it concerns does', async (t) => {
  const at = await openPlant(t)
  await generate(at, designExample)
  const again = await generate(at, designExample)
  assert.deepEqual([again.created, again.changed], [0, 0])
  const more = changed((unit) => {
    unit.motors.push({ name: 'Pump', run: '%Q1.0', start: 'Level.value > 50.0' })
    unit.analogInputs[0].highHigh = 97
  })
  const planned = await generate(at, more, { dryRun: true })
  assert.deepEqual(actions(planned), ['create Tag Tank_Pump_Run', 'change FB Unit_Tank'])
  const hashes = async () =>
    new Map(
      await Promise.all(
        ['EM_Motor', 'Call_Mixing', 'Main', 'Tank_DB'].map(async (one) => [one, await source(at, one)] as const),
      ),
    )
  const before = await hashes()
  assert.deepEqual(actions(await generate(at, more)), actions(planned))
  assert.deepEqual(await hashes(), before)
  assert.match(await source(at, 'Unit_Tank'), /#Pump\(automatic := #Mode\.automatic,/)
})

test('what a person wrote between the marks is kept; what has no place any more is told', async (t) => {
  const at = await openPlant(t)
  await generate(at, designExample)
  const edit = async (blockName: string, edits: readonly (readonly [string, string])[]) => {
    let text = await source(at, blockName)
    for (const [mark, own] of edits) {
      assert.ok(text.includes(mark), mark)
      text = text.replace(mark, `${mark}\n${own}`)
    }
    await at.call('blocks.update-content', { ...plc, blockName, sourceText: text })
  }
  await edit('Unit_Tank', [
    ['// <user declarations>', '      hours : DInt;   // Of a person'],
    ['// <user after>', '   #hours := #hours + 1;'],
    ['// <user Batch.Mix>', '               ;  // by hand'],
  ])
  await edit('EM_Motor', [['// <user before>', '   // site rule 7']])
  const other = changed((unit) => {
    unit.comment = 'Another comment'
    unit.sequences[0].steps[1].name = 'Stir'
    unit.sequences[0].steps[0].next[0].to = 'Stir'
  })
  const result = await generate(at, other)
  assert.equal(result.compiled, true, JSON.stringify(result.compileMessages))
  const unit = result.entries.find((entry: Answer) => entry.name === 'Unit_Tank')
  assert.deepEqual(unit.kept, ['declarations', 'after'])
  assert.equal(result.warnings.length, 1)
  assert.match(result.warnings[0], /<user batch\.mix>.*by hand/)
  const text = await source(at, 'Unit_Tank')
  assert.match(text, /hours : DInt; {3}\/\/ Of a person/)
  assert.match(text, /#hours := #hours \+ 1;/)
  assert.match(text, /TITLE = Another comment/)
  assert.match(await source(at, 'EM_Motor'), /site rule 7/)
  const again = await generate(at, other)
  assert.deepEqual([again.created, again.changed, again.warnings], [0, 0, []])
})

/** The example with a second unit that has a motor with an alarm. */
function withSilo(): Answer {
  const two = structuredClone(designExample) as unknown as Answer
  two.units.push({ name: 'Silo', motors: [{ name: 'Screw', run: '%Q2.0', trip: '%I2.0', running: '%I2.1' }] })
  return two
}
const screwAlarms = ['"Silo_DB".Screw.alarmTrip', '"Silo_DB".Screw.alarmFeedback']

test('what the design no longer has is listed, and deleted when that is asked for', async (t) => {
  const at = await openPlant(t)
  await generate(at, withSilo())
  const tagNames = ['Running', 'Trip', 'Run'].map((end) => `Tag Silo_Screw_${end}`)
  const gone = ['FB Unit_Silo', 'InstanceDB Silo_DB', ...tagNames]
  const all = [...gone, ...screwAlarms.map((instance) => `Alarm ${instance}`)]
  const listed = await generate(at, designExample)
  assert.deepEqual(actions(listed), ['change FC Call_Mixing', ...all.map((one) => `obsolete ${one}`)])
  // It is still known after another application, and in the files of the project.
  await at.call('projects.save')
  await at.call('projects.close')
  await at.call('projects.open', { path: 'Plant' })
  assert.deepEqual(
    actions(await generate(at, designExample)),
    all.map((one) => `obsolete ${one}`),
  )
  // What is used stays.
  const code = '"Silo_Screw_Run" := TRUE;'
  await at.call('blocks.create', { ...plc, name: 'Own', type: 'FC', language: 'SCL', code })
  const planned = await generate(at, designExample, { prune: true, dryRun: true })
  const pruned = await generate(at, designExample, { prune: true })
  assert.deepEqual(planned.entries, pruned.entries)
  assert.deepEqual([planned.deleted, pruned.deleted], [6, 6])
  assert.deepEqual(
    actions(pruned),
    all.map((one) => `${one === 'Tag Silo_Screw_Run' ? 'obsolete' : 'delete'} ${one}`),
  )
  const { blocks } = await at.call<Answer>('blocks.list', plc)
  assert.ok(!blocks.some((one: Answer) => /Silo/.test(one.name)))
  const { tags } = await at.call<Answer>('tags.list', { ...plc, tableName: 'Mixing' })
  assert.deepEqual(
    tags.map((one: Answer) => one.name).filter((one: string) => /Silo/.test(one)),
    ['Silo_Screw_Run'],
  )
  const { alarms } = await at.call<Answer>('alarms.get-definitions', plc)
  assert.deepEqual(
    alarms.filter((one: Answer) => /Silo/.test(one.instance)),
    [],
  )
  assert.ok(alarms.length > 0)
  assert.equal((await at.call<Answer>('blocks.compile-device', plc)).errorCount, 0)
  // The tag that stayed is deleted when nothing uses it any more.
  await at.call('blocks.delete', { ...plc, blockName: 'Own' })
  assert.deepEqual(actions(await generate(at, designExample, { prune: true })), ['delete Tag Silo_Screw_Run'])
  // Taken back, it is there and known again.
  await at.call('history.undo')
  assert.deepEqual(actions(await generate(at, designExample)), ['obsolete Tag Silo_Screw_Run'])
})

test('prune deletes nothing that a person made or changed, whatever its name', async (t) => {
  const at = await openPlant(t)
  // A tag of the design that a person had in its table before is that of the person.
  const own = { ...plc, tableName: 'Mixing', dataType: 'Bool' }
  await at.call('tags.create-table', { ...plc, name: 'Mixing' })
  await at.call('tags.add', { ...own, name: 'Silo_Screw_Trip', logicalAddress: '%I2.0' })
  await generate(at, withSilo())
  for (const [tag, logicalAddress] of [
    ['Mine', '%M5.0'],
    ['Spare_Lamp', '%M5.1'],
    ['Tank_Old_Run', '%M5.2'],
  ])
    await at.call('tags.add', { ...own, name: tag, logicalAddress })
  // A copy of a block has its marks.
  const content = (await source(at, 'Unit_Silo')).replace('Unit_Silo', 'Unit_Hopper')
  await at.call('blocks.import', { ...plc, content, folder: 'Mixing' })
  await at.call('tags.update', { ...plc, tableName: 'Mixing', tagName: 'Silo_Screw_Run', logicalAddress: '%Q3.0' })
  const { alarms, ...others } = await at.call<Answer>('alarms.get-definitions', plc)
  const changedAlarms = alarms.map((one: Answer) =>
    one.instance === screwAlarms[0] ? { ...one, text: { 'en-US': 'Screw jammed' } } : one,
  )
  const mine = { instance: '"Tank_DB".mine', text: { 'en-US': 'Mine' } }
  await at.call('alarms.set-definitions', { ...plc, ...others, alarms: [...changedAlarms, mine] })

  const pruned = await generate(at, designExample, { prune: true })
  const old = pruned.entries.filter(({ action }: Answer) => action === 'delete' || action === 'obsolete')
  assert.deepEqual(
    old.map(({ action, name, detail }: Answer) => [action, name, detail]),
    [
      ['delete', 'Unit_Silo', 'no longer in the design'],
      ['delete', 'Silo_DB', 'no longer in the design'],
      ['obsolete', 'Silo_Screw_Running', 'no longer in the design; it is used'],
      ['obsolete', 'Silo_Screw_Run', 'no longer in the design; a person has changed it'],
      ['obsolete', screwAlarms[0], 'no longer in the design; it has text of a person'],
      ['delete', screwAlarms[1], 'no longer in the design'],
    ],
  )
  const { tags } = await at.call<Answer>('tags.list', { ...plc, tableName: 'Mixing' })
  const left = tags.map((one: Answer) => one.name)
  for (const tag of ['Mine', 'Spare_Lamp', 'Tank_Old_Run', 'Silo_Screw_Trip', 'Silo_Screw_Run'])
    assert.ok(left.includes(tag), tag)
  assert.match(await source(at, 'Unit_Hopper'), /FAMILY : Mixing/)
  const after = (await at.call<Answer>('alarms.get-definitions', plc)).alarms.map((one: Answer) => one.instance)
  assert.ok(after.includes(mine.instance) && after.includes(screwAlarms[0]))
})

test('a program that is there gets the call in its own language, once', async (t) => {
  for (const language of ['LAD', 'STL', 'SCL']) {
    const at = await openPlant(t)
    const main = { ...plc, name: 'Main', type: 'OB', number: 1, language }
    await at.call('blocks.create', language === 'SCL' ? { ...main, code: '// first\n;' } : main)
    const result = await generate(at, designExample)
    assert.equal(result.compileStatus, 'success', `${language} ${JSON.stringify(result.compileMessages)}`)
    assert.deepEqual(actions(result, ['OB']), ['change OB Main'])
    assert.deepEqual(actions(await generate(at, designExample), ['OB']), [])
  }
})

test('faults of a design are told with their pointers, and nothing is changed', async (t) => {
  const at = await openPlant(t)
  const faults = async (change: (unit: Answer) => void, code = 'unacceptable_content') => {
    const error = await fails(generate(at, changed(change)), code)
    return (error.details.errors ?? []).map(({ path }) => path)
  }
  const u = '/design/units/0'
  assert.deepEqual(await faults((unit) => Object.assign(unit, { pumps: [] }), 'invalid_input'), [`${u}/pumps`])
  assert.deepEqual(await faults((unit) => Object.assign(unit.motors[0], { name: 'a b' }), 'invalid_input'), [
    `${u}/motors/0/name`,
  ])
  assert.deepEqual(await faults((unit) => Object.assign(unit.motors[0], { name: 'Inlet' })), [
    `${u}/valves/0/name`,
    `${u}/sequences/0/steps/1/on/0`,
    `${u}/pidLoops/0/enable`,
  ])
  assert.deepEqual(await faults((unit) => Object.assign(unit.motors[0], { start: 'Levl.value > 1.0' })), [
    `${u}/motors/0/start`,
  ])
  assert.deepEqual(await faults((unit) => Object.assign(unit.motors[0], { start: 'Level.val > 1.0' })), [
    `${u}/motors/0/start`,
  ])
  assert.deepEqual(await faults((unit) => Object.assign(unit.motors[0], { start: 'Level' })), [`${u}/motors/0/start`])
  assert.deepEqual(await faults((unit) => Object.assign(unit.motors[0], { start: 'Level.value >' })), [
    `${u}/motors/0/start`,
  ])
  assert.deepEqual(await faults((unit) => Object.assign(unit.motors[0], { start: 'TRUE; "x" := FALSE' })), [
    `${u}/motors/0/start`,
  ])
  assert.deepEqual(await faults((unit) => Object.assign(unit.motors[0], { run: '%I0.0' })), [`${u}/motors/0/run`])
  assert.deepEqual(await faults((unit) => Object.assign(unit.motors[0], { run: '%QW0' })), [`${u}/motors/0/run`])
  assert.deepEqual(await faults((unit) => Object.assign(unit.motors[0], { run: '%Q0.9' })), [`${u}/motors/0/run`])
  assert.deepEqual(await faults((unit) => Object.assign(unit.motors[0], { run: '%Q0.3' })), [`${u}/valves/0/open`])
  assert.deepEqual(await faults((unit) => Object.assign(unit.motors[0], { run: '%q0.3' })), [`${u}/valves/0/open`])
  assert.deepEqual(await faults((unit) => Object.assign(unit.analogInputs[0], { highHigh: 50 })), [
    `${u}/analogInputs/0`,
  ])
  assert.deepEqual(await faults((unit) => Object.assign(unit.sequences[0].steps[0].next[0], { to: 'Mixx' })), [
    `${u}/sequences/0/steps/0/next/0/to`,
  ])
  assert.deepEqual(await faults((unit) => unit.sequences[0].steps[0].on.push('Level')), [
    `${u}/sequences/0/steps/0/on/1`,
  ])
  assert.deepEqual(await faults((unit) => Object.assign(unit.alarmGroups[0], { modules: ['Mode'] })), [
    `${u}/alarmGroups/0/modules/0`,
  ])
  assert.equal((await at.call<Answer>('blocks.list', plc)).total, 0)
  await at.call('blocks.create', { ...plc, name: 'EM_Motor', type: 'FB', language: 'SCL', code: ';' })
  await fails(generate(at, designExample), 'conflict', /"EM_Motor" is there and was not generated/)
  const replaced = await generate(at, designExample, { overwrite: true })
  assert.equal(replaced.compileStatus, 'success')
})
