/** Each rule finds its failing example, and nothing in its passing one; a fix mends what it is for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importFile } from '../formats/import.ts'
import type { ImportedObject, TagEntry } from '../model/object.ts'
import { linkProgram } from '../program/link-program.ts'
import { reviewed } from '../testing/reviewed.ts'
import { defaultConfig } from './config.ts'
import { db, fb, fc, ladder, ob } from './examples.ts'
import type { Finding, Rule, RuleExample } from './rule.ts'
import { absoluteAddress } from './rules/absolute-address.ts'
import { addressAtRuntime } from './rules/address-at-runtime.ts'
import { commentedOutCode } from './rules/commented-out-code.ts'
import { conditionAssignedByIf } from './rules/condition-assigned-by-if.ts'
import { constantCondition } from './rules/constant-condition.ts'
import { edgeMemoryShared } from './rules/edge-memory-shared.ts'
import { foreignInstanceRead } from './rules/foreign-instance-read.ts'
import { foreignInstanceWritten } from './rules/foreign-instance-written.ts'
import { hmiValueUnchecked } from './rules/hmi-value-unchecked.ts'
import { networkTitleMissing } from './rules/network-title-missing.ts'
import { overlappingTags } from './rules/overlapping-tags.ts'
import { setWithoutReset } from './rules/set-without-reset.ts'
import { unusedBlock } from './rules/unused-block.ts'
import { unusedLabel } from './rules/unused-label.ts'
import { watchdogRetriggered } from './rules/watchdog-retriggered.ts'
import { rules } from './rules.ts'
import { review } from './run-rules.ts'

function tagTable(rows: string): ImportedObject {
  const tags = rows.split('\n').map((row): TagEntry => {
    const [, name = '', dataType = '', logicalAddress = '', comment = ''] =
      /^"([^"]+)" (\S+) (\S+)(?: \/\/ (.*))?$/.exec(row) ?? []
    return { name, dataType, logicalAddress, comment: comment === '' ? {} : { 'en-US': comment } }
  })
  const texts = { title: {}, comment: {}, author: '', family: '', headerName: '', version: '' }
  return {
    ...{ kind: 'TagTable', element: 'SW.Tags.PlcTagTable', format: 'simaticml', name: 'Tags', language: '' },
    ...texts,
    ...{ isKnowHowProtected: false, attributes: [], interface: [], networks: [], tags, constants: [] },
  }
}

async function findingsOf(rule: Rule, example: string | RuleExample): Promise<readonly Finding[]> {
  const { program: text, tags } = typeof example === 'string' ? { program: example, tags: undefined } : example
  const { objects, faults } = await importFile(Buffer.from(text))
  assert.deepEqual(faults, [])
  const table = tags === undefined ? [] : [tagTable(tags)]
  const tables = table.map(({ name, tags: rows = [] }) => ({ name, tags: rows, constants: [] }))
  const program = linkProgram(
    objects.map((object) => ({ object })),
    tables,
  )
  const config = { ...defaultConfig, rules: new Map([[rule.code, { severity: 'warning' as const, options: {} }]]) }
  const { findings } = review(reviewed(program, [...objects, ...table]), [], config)
  return findings.filter(({ code }) => code === rule.code)
}

/** The example with the edits of its fixes. The one network begins after BEGIN. */
function mended(text: string, findings: readonly Finding[], body: string): string {
  const from = text.indexOf(body)
  const edits = findings.flatMap(({ fix }) => fix?.edits ?? []).sort((a, b) => b.start - a.start)
  let changed = text
  for (const { start, end, text: put } of edits)
    changed = changed.slice(0, from + start) + put + changed.slice(from + end)
  return changed
}

for (const rule of rules) {
  test(`${rule.code} finds its failing example only`, async () => {
    const found = await findingsOf(rule, rule.fails)
    assert.ok(found.length > 0, 'the failing example has a finding')
    for (const { message, hint = '' } of found) {
      assert.match(message, /[.:?);]$|[^.]$/)
      assert.ok(hint.length > 0)
    }
    assert.deepEqual(await findingsOf(rule, rule.passes), [])
  })
  if (rule.fixes)
    test(`${rule.code}: its fix mends the failing example`, async () => {
      const found = await findingsOf(rule, rule.fails)
      assert.ok(found.every(({ fix }) => fix !== undefined))
      const example = typeof rule.fails === 'string' ? { program: rule.fails } : rule.fails
      const { objects } = await importFile(Buffer.from(example.program))
      const body = objects.at(-1)!.networks[0]!.text!
      const program = mended(example.program, found, body)
      assert.notEqual(program, example.program)
      assert.deepEqual(await findingsOf(rule, { ...example, program }), [])
    })
}

test('condition-assigned-by-if: both branches assign a constant to the same, and not the same one', async () => {
  const passes = async (code: string) => assert.deepEqual(await findingsOf(conditionAssignedByIf, fc(code)), [], code)
  await passes('IF #a THEN #q := TRUE; ELSE #q := #b; END_IF;')
  await passes('IF #a THEN #q := #b; ELSE #q := FALSE; END_IF;')
  await passes('IF #a THEN #q := TRUE; ELSE #q := TRUE; END_IF;')
  await passes('IF #a THEN #q := TRUE; ELSE #b := FALSE; END_IF;')
  await passes('IF #a THEN #q := TRUE; ELSIF #b THEN #q := TRUE; ELSE #q := FALSE; END_IF;')
  await passes('IF #a THEN #q := TRUE; END_IF;')
  await passes('IF #a THEN #q := TRUE; #b := TRUE; ELSE #q := FALSE; END_IF;')
})

test('what several rules say of many places is one finding, and lines that follow each other are one piece', async () => {
  const told = async (rule: Rule, program: string) =>
    (await findingsOf(rule, program)).map(({ message, network, line }) => `${network}/${line}: ${message}`)
  const row = '    RUNG wire#powerrail\n      Contact( #a )\n      Coil( #q )\n    END_RUNG'
  const sections = 'VAR_INPUT\n  a : Bool;\nEND_VAR\nVAR_OUTPUT\n  q : Bool;\nEND_VAR'
  const networks = (count: number) => ladder(sections, ...Array.from({ length: count }, () => row))
  assert.deepEqual(await told(networkTitleMissing, networks(1)), ['1/undefined: Network 1 has no title.'])
  assert.deepEqual(await told(networkTitleMissing, networks(8)), [
    '1/undefined: 8 networks without title: 1, 2, 3, 4, 5, 6, 7, 8.',
  ])
  assert.deepEqual(await told(networkTitleMissing, networks(9)), [
    '1/undefined: 9 networks without title: 1, 2, 3, 4, 5, 6, 7, 8 ….',
  ])
  const code = ['// #a := 1;', '// #b := 2;', '#n := 1;', '// #c := 3;', '// why', '// #d := 4;', '// END_IF;'].join(
    '\n',
  )
  assert.deepEqual(
    (await told(commentedOutCode, fc(code))).map((line) => line.replace(/^.*?: /, '')),
    ['This looks like code: #a := 1;', 'This looks like code: #c := 3;', 'This looks like code: #d := 4;'],
  )
  assert.deepEqual(await told(unusedLabel, fc('GOTO Next;\nnext: ;\nlast: ;')), ['1/3: Nothing jumps to "last".'])
  const labels = ladder(
    sections,
    `    Label( here )\n${row}`,
    `    Label( there )\n${row.replace('Coil( #q )', 'JumpCoil( HERE )')}`,
  )
  assert.deepEqual(await told(unusedLabel, labels), ['2/undefined: Nothing jumps to the label "there".'])
})

test('absolute-address: operands with an address only; timers, blocks and names are none', async () => {
  const told = async (body: string) =>
    (await findingsOf(absoluteAddress, { program: ob(body), tags: '"Level" Word %MW4\n"On" Bool %M0.1' })).map(
      ({ message, hint, fix }) => [message, hint, fix?.description].join(' '),
    )
  assert.deepEqual(await told('"On" := %M0.1;'), ['%M0.1 is the tag "On". Write "On". Write "On"'])
  assert.deepEqual(await told('"On" := %M0.2;'), ['%M0.2 is an absolute address. Declare a tag and use its name. '])
  assert.deepEqual(await told('%MB4 := %QW4;'), [
    '%MB4 is an absolute address. Declare a tag and use its name. ',
    '%QW4 is an absolute address. Declare a tag and use its name. ',
  ])
  assert.deepEqual(await told('"On" := %IW4:P > %MW4;'), [
    '%IW4:P is an absolute address. Declare a tag and use its name. ',
    '%MW4 is the tag "Level". Write "Level". Write "Level"',
  ])
  assert.deepEqual(await told('"On" := %DB5.DBX0.0;'), [
    '%DB5.DBX0.0 is an absolute address. Use the name of the member. ',
  ])
  assert.deepEqual(await told('"On" := "Level" > 5; %FC5(); "On" := %T5 > S5T#1s; "On" := %C5 > 1;'), [])
})

test('there are at least forty rules, with codes of their own', () => {
  assert.ok(rules.length >= 40)
  assert.equal(new Set(rules.map(({ code }) => code)).size, rules.length)
})

test('a bit that is set is told once, where nothing can reset it', async () => {
  const sections =
    'VAR_INPUT\n  a : Bool;\nEND_VAR\nVAR_IN_OUT\n  shared : Bool;\nEND_VAR\nVAR\n  m : Bool;\n  n : Bool;\n  list : Array[0..1] of Bool;\n  s : STRUCT\n    m : Bool;\n  END_STRUCT;\nEND_VAR'
  const coil = (name: string, operand: string) =>
    `    RUNG wire#powerrail\n      Contact( #a )\n      ${name}( ${operand} )\n    END_RUNG`
  const told = async (more: string, ...coils: readonly (readonly [name: string, operand: string])[]) => {
    const program = `${ladder(sections, ...coils.map(([name, operand]) => coil(name, operand)))}${more}`
    return (await findingsOf(setWithoutReset, program)).map(
      ({ message, network }) => `${/^\S+/.exec(message)?.[0]} in network ${network}`,
    )
  }
  assert.deepEqual(await told('', ['S_Coil', '#m'], ['S_Coil', '#m'], ['S_Coil', '#n']), [
    '#m in network 1',
    '#n in network 3',
  ])
  // Callers reset in-outs; what is not in the program is another matter.
  for (const operand of ['#shared', '"Data".m']) assert.deepEqual(await told('', ['S_Coil', operand]), [], operand)
  assert.deepEqual(await told('', ['S_Coil', '#list[1]'], ['S_Coil', '#s.m'], ['S_Coil', '%M0.1']), [
    '#list[…] in network 1',
    '#s.m in network 2',
    '%M0.1 in network 3',
  ])
  for (const other of ['R_Coil', 'Coil', 'I_Coil'])
    assert.deepEqual(await told('', ['S_Coil', '#m'], [other, '#m'], ['S_Coil', '#n']), ['#n in network 3'], other)
  // An instance from outside, by the name of the member.
  const block = /FUNCTION_BLOCK "?(\w+)"?/.exec(ladder(sections, ''))?.[1] ?? ''
  const caller = (code: string) =>
    `\nDATA_BLOCK "Own"\n"${block}"\nBEGIN\nEND_DATA_BLOCK\n${fb('VAR\n  x : Bool;\nEND_VAR', code, 'Caller')}`
  const inSource = async (code: string) => {
    const { objects } = await importFile(Buffer.from(ladder(sections, coil('S_Coil', '#m'))))
    const { objects: others, faults } = await importFile(Buffer.from(caller(code)))
    assert.deepEqual(faults, [])
    const all = [...objects, ...others]
    const program = linkProgram(
      all.map((object) => ({ object })),
      [],
    )
    const config = {
      ...defaultConfig,
      rules: new Map([[setWithoutReset.code, { severity: 'warning' as const, options: {} }]]),
    }
    const { findings } = review(reviewed(program, all), [], config)
    return findings.filter(({ code: one }) => one === setWithoutReset.code).length
  }
  assert.deepEqual(
    [await inSource('"Own".M := FALSE;'), await inSource('#x := "Own".m;'), await inSource('"Own".n := FALSE;')],
    [0, 1, 1],
  )
})

/** What a rule says, with line or network. */
async function told(rule: Rule, example: string | RuleExample): Promise<string[]> {
  return (await findingsOf(rule, example)).map(({ message, object, network, line, member }) =>
    [object, ...(member === undefined ? [] : [member]), `${network ?? '-'}/${line ?? '-'}: ${message}`].join(' '),
  )
}

test('hmi-value-unchecked: setpoints of structures too, as the end of a loop or as one of the indices', async () => {
  const data = db(
    "  recipe { S7_SetPoint := 'True' } : Int;\n  off { S7_SetPoint := 'False' } : Int;\n  s : Struct\n    last { S7_SetPoint := 'true' } : Int;\n  END_STRUCT;\n  list : Array[0..9, 0..9] of Int;",
  )
  const code = `FOR #i := "Data".recipe TO "data".S.Last DO ; END_FOR;
  FOR #i := 1 TO "Data".off DO ; END_FOR;
  "Data".list[1, "Data"."recipe"] := "Data".list["Data".recipe + 1, 2];`
  assert.deepEqual(await told(hmiValueUnchecked, data + fb('VAR_TEMP\n  i : Int;\nEND_VAR', code)), [
    'Motor 1/1: The setpoint "data".S.Last is the end of a loop without a check.',
    'Motor 1/3: The setpoint "Data"."recipe" is an index without a check.',
  ])
})

test('overlapping-tags: in the order of memory; parts of a wider tag only when they are asked for', async () => {
  const tags = [
    '"Q" Word %QW10',
    '"Wide" DWord %MD8',
    '"Part" Word %MW10',
    '"Behind" Word %MW11',
    '"Bit" Bool %M8.7',
    '"Same" Real %MD8',
    '"Next" Byte %MB13',
    '"Free" Byte %MB14',
    '"I" Word %IW10',
    '"Ahead" Word %IW9',
  ].join('\n')
  const whole = [
    'Tags I -/-: "I" (%IW10) overlaps "Ahead" (%IW9).',
    'Tags Same -/-: "Same" (%MD8) has the address of "Wide" (%MD8).',
    'Tags Behind -/-: "Behind" (%MW11) overlaps "Wide" (%MD8).',
  ]
  assert.deepEqual(await told(overlappingTags, { program: ob(';'), tags }), whole)
})

test('boxes of LAD that wait, or access memory by a number, and constant contacts', async () => {
  const sections = 'VAR_INPUT\n  a : Bool;\nEND_VAR\nVAR_OUTPUT\n  q : Bool;\nEND_VAR'
  const rung = (...parts: readonly string[]) => `    RUNG wire#powerrail\n      ${parts.join('\n      ')}\n    END_RUNG`
  const program = ladder(
    sections,
    rung('Contact( #a )', 'Coil( #q )'),
    rung('Contact( TRUE )', 'Coil( #q )'),
    rung('Contact( #a )', 'RE_TRIGR( )'),
    rung('Contact( #a )', 'WAIT( WT := 5 )'),
    rung('Contact( #a )', 'POKE( area := 16#83, dbNumber := 0, byteOffset := 10, value := B#16#1 )'),
  )
  assert.deepEqual(await told(constantCondition, program), ['Motor 2/-: The contact is constantly TRUE.'])
  assert.deepEqual(await told(watchdogRetriggered, program), [
    'Motor 3/-: RE_TRIGR makes the cycle longer than it may be.',
    'Motor 4/-: WAIT makes the cycle longer than it may be.',
  ])
  assert.deepEqual(await told(addressAtRuntime, program), ['Motor 5/-: POKE accesses memory by a number.'])
})

test('edge-memory-shared: of one block, or of the whole program; elements that are chosen at runtime are none', async () => {
  const sections =
    'VAR_INPUT\n  a : Bool;\nEND_VAR\nVAR_OUTPUT\n  q : Bool;\nEND_VAR\nVAR\n  m : Bool;\n  list : Array[0..3] of Bool;\n  i : Int;\nEND_VAR'
  const edge = (memory: string, name = 'PContact') =>
    `    RUNG wire#powerrail\n      ${name}( operand := #a, bit := ${memory} )\n      Coil( #q )\n    END_RUNG`
  const block = (name: string, ...memories: readonly string[]) =>
    ladder(sections, ...memories.map((one) => edge(one))).replace('"Motor"', `"${name}"`)
  const memories = ['#m', '%M5.0', '#list[1]', '#list[2]', '#list[#i]', '#list[#i]', '#list[1]', '#M', '%M5.0']
  assert.deepEqual(await told(edgeMemoryShared, block('A', ...memories)), [
    'A 7/-: #list[1] is already the memory of the edge in network 3.',
    'A 8/-: #M is already the memory of the edge in network 1.',
    'A 9/-: %M5.0 is already the memory of the edge in network 2 of "A".',
  ])
})

test('static data of instances: one finding for each block that uses them, which tells how many there are', async () => {
  const motor = fb('VAR\n  statLast : Int;\n  statFirst : Int;\nEND_VAR', '#statLast := #statFirst;')
  const instance = 'DATA_BLOCK "Motor_1"\n"Motor"\nBEGIN\nEND_DATA_BLOCK\n'
  const body = `"Motor_1"();
  #n := "Motor_1".statLast;
  #n := "Motor_1".statLast + "Motor_1".statFirst;
  "Motor_1".statLast := 1;
  "Motor_1".statFirst := 2;`
  const program = motor + instance + ob(body, 'VAR_TEMP\n  n : Int;\nEND_VAR')
  assert.deepEqual(await told(foreignInstanceRead, program), [
    'Main 1/2: "Motor_1".statLast (and 2 more): static data of "Motor".',
  ])
  assert.deepEqual(await told(foreignInstanceWritten, program), [
    'Main 1/4: "Motor_1".statLast (and 1 more): static data of "Motor".',
  ])
})

test('unused-block: a block that calls only itself, and one whose instance nobody uses', async () => {
  const self = 'FUNCTION "Self" : Void\nBEGIN\n  "Self"();\nEND_FUNCTION\n'
  const instance = (type: string) => `DATA_BLOCK "${type}_DB"\n"${type}"\nBEGIN\nEND_DATA_BLOCK\n`
  const program = [
    self,
    fb('', ';', 'Idle') + instance('Idle'),
    fb('', ';', 'Busy') + instance('Busy'),
    fb('', ';', 'Inner') + fb('VAR\n  i : "Inner";\nEND_VAR', '#i();', 'Outer'),
    self.replaceAll('Self', 'Test_It'),
    ob('"Busy_DB"();'),
  ].join('')
  assert.deepEqual(
    await told(unusedBlock, program),
    ['Self', 'Idle', 'Outer'].map((name) => `${name} -/-: "${name}" is called nowhere in the program.`),
  )
  // Without an organization block it is a library.
  assert.deepEqual(await told(unusedBlock, self), [])
})
