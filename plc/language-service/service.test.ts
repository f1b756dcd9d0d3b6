/** Checks what the language service answers, on whole and on half-typed texts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outlineOf } from './outline.ts'
import { LanguageService, type OutlineEntry } from './service.ts'

const motor = `TYPE "Limits"
  STRUCT
    low : Real := 1.0; // lowest speed
    high : Real;
  END_STRUCT;
END_TYPE

FUNCTION_BLOCK "Motor"
VAR_INPUT
  start : Bool; // begins to run
  limits : "Limits";
END_VAR
VAR_OUTPUT
  running : Bool;
END_VAR
VAR
  delay : TON_TIME;
  speeds : Array[0..3] of "Limits";
  state : Struct
    step : Int;
  END_STRUCT;
END_VAR
BEGIN
  #delay(IN := #start, PT := T#5s);
  #running := #delay.Q AND #limits.low < #speeds[1].high;
  #state.step := 1;
END_FUNCTION_BLOCK
`
const line = `DATA_BLOCK "Motor_DB" "Motor"
BEGIN
  state.step := 3;
END_DATA_BLOCK

ORGANIZATION_BLOCK "Main"
BEGIN
  "Motor_DB"(start := TRUE, running => "Motor_DB".start);
  "Motor_DB".state.step := 2;
END_ORGANIZATION_BLOCK
`
const list = `FUNCTION "Old" : Void
VAR_TEMP
  x : Bool;
END_VAR
BEGIN
NETWORK
      CALL "Motor", "Motor_DB" (start := #x);
      A     "Motor_DB".running;
      =     #x;
END_FUNCTION
`
const sd = `FUNCTION_BLOCK Conveyor
    VAR
        drive : _.Motor;
        ton1 : TON_TIME;
    END_VAR
    { S7_Language := "LAD" }
    NETWORK
        RUNG wire#powerrail
            Contact( #drive.running )
            #ton1.TON( PT := T#500ms, ET => )
            Coil( _.Motor_DB.start )
        END_RUNG
    END_NETWORK
END_FUNCTION_BLOCK
`
const texts: Record<string, string> = { 'motor.scl': motor, 'line.scl': line, 'old.awl': list, 'conveyor.s7dcl': sd }

function service(more: Record<string, string> = {}): LanguageService {
  const made = new LanguageService()
  for (const [path, text] of Object.entries({ ...texts, ...more })) made.files.setText(path, text)
  return made
}

/** The offset of `what` in a file, at the mark `|` in it. */
function offset(made: LanguageService, path: string, what: string): number {
  const at = made.files.textOf(path)!.indexOf(what.replace('|', ''))
  assert.ok(at >= 0, what)
  return at + Math.max(0, what.indexOf('|'))
}

function shown(made: LanguageService, ranges: readonly { path: string; start: number; end: number }[]): string[] {
  return ranges.map(({ path, start, end }) => {
    const text = made.files.textOf(path)!
    const begin = text.lastIndexOf('\n', start - 1) + 1
    const stop = text.indexOf('\n', end)
    return `${path}: ${text.slice(begin, start).trimStart()}[${text.slice(start, end)}]${text.slice(end, stop)}`
  })
}

/** Sets the mark `|` of a text as the cursor and asks for proposals. */
function proposals(text: string, path = 'typed.scl'): string[] {
  const made = service({ [path]: text.replace('|', '') })
  return made.complete(path, text.indexOf('|')).items.map((item) => item.text)
}

test('a member is found through types, arrays, instances and calls', () => {
  const made = service()
  const at = (what: string, path = 'motor.scl') => made.definition(path, offset(made, path, what))
  assert.deepEqual(shown(made, at('#limits.|low')), ['motor.scl: [low] : Real := 1.0; // lowest speed'])
  assert.deepEqual(shown(made, at('#speeds[1].|high')), ['motor.scl: [high] : Real;'])
  assert.deepEqual(shown(made, at('"Motor_DB"(|start', 'line.scl')), ['motor.scl: [start] : Bool; // begins to run'])
  assert.deepEqual(shown(made, at('  state.|step := 3', 'line.scl')), ['motor.scl: [step] : Int;'])
  assert.deepEqual(shown(made, at('CALL "Motor", "Motor_DB" (|start', 'old.awl')), [
    'motor.scl: [start] : Bool; // begins to run',
  ])
  assert.deepEqual(shown(made, at('#drive.|running', 'conveyor.s7dcl')), ['motor.scl: [running] : Bool;'])
  assert.deepEqual(shown(made, at('_.Motor_DB.|start', 'conveyor.s7dcl')), [
    'motor.scl: [start] : Bool; // begins to run',
  ])
  assert.deepEqual(shown(made, at('_.|Motor;', 'conveyor.s7dcl')), ['motor.scl: FUNCTION_BLOCK ["Motor"]'])
})

test('every use of a name is found, in all kinds of texts', () => {
  const made = service()
  const at = offset(made, 'motor.scl', 'start : Bool')
  assert.deepEqual(shown(made, made.references('motor.scl', at)), [
    'conveyor.s7dcl: Coil( _.Motor_DB.[start] )',
    'line.scl: "Motor_DB"([start] := TRUE, running => "Motor_DB".start);',
    'line.scl: "Motor_DB"(start := TRUE, running => "Motor_DB".[start]);',
    'motor.scl: [start] : Bool; // begins to run',
    'motor.scl: #delay(IN := [#start], PT := T#5s);',
    'old.awl: CALL "Motor", "Motor_DB" ([start] := #x);',
  ])
  assert.equal(made.references('motor.scl', at, false).length, 5)
})

test('what a name is, with its comment', () => {
  const made = service()
  const text = (path: string, what: string) => made.hover(path, offset(made, path, what))?.text ?? ''
  assert.match(text('motor.scl', '#limits.|low'), /low : Real := 1\.0[\s\S]*PLC data type "Limits"[\s\S]*lowest speed/)
  assert.match(text('motor.scl', '#delay.|Q'), /Q : Bool[\s\S]*output of TON\\_TIME/)
  assert.match(text('line.scl', '"Motor|_DB".state'), /"Motor_DB" : "Motor"[\s\S]*data block/)
  assert.match(text('old.awl', '"Mo|tor",'), /start : Bool; {2}\/\/ input[\s\S]*function block/)
  assert.equal(made.hover('line.scl', offset(made, 'line.scl', 'T|RUE')), undefined)
})

test('proposals follow the place', () => {
  const code = (body: string) =>
    `FUNCTION "f" : Void\nVAR_INPUT\n  m : "Limits";\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION\n`
  assert.deepEqual(proposals(code('#m.|')), ['low', 'high'])
  assert.deepEqual(proposals(code('#m.h|')), ['high'])
  assert.deepEqual(proposals(code('#|')), ['#m'])
  assert.deepEqual(proposals(code('x := "Motor_DB".st|')), ['start', 'state'])
  assert.deepEqual(proposals(code('"Motor_DB".state.|\n#m.low := 1.0;')), ['step'])
  assert.deepEqual(proposals(code('"Motor_|"')), ['"Motor_DB"'])
  assert.deepEqual(proposals(code('"Motor_DB"(|')).slice(0, 3), ['start := ', 'limits := ', 'running => '])
  assert.ok(proposals(code('I|')).includes('IF'))
  assert.ok(proposals(code('LIM|')).includes('LIMIT'))
  assert.deepEqual(proposals(code('// #m.|')), [])
  assert.deepEqual(proposals(code("#m := 'te|xt'")), [])
  const declared = proposals('FUNCTION_BLOCK "g"\nVAR\n  a : |\nEND_VAR\nEND_FUNCTION_BLOCK')
  for (const type of ['"Limits"', '"Motor"', 'Int', 'TON_TIME']) assert.ok(declared.includes(type), type)
  assert.deepEqual(proposals('DATA_BLOCK "d" "Motor"\nBEGIN\n  state.|\nEND_DATA_BLOCK'), ['step'])
  assert.deepEqual(proposals('FUNCTION f : Void\nNETWORK\nRUNG wire#powerrail\nContact( _.Motor_D| )', 'n.s7dcl'), [
    'Motor_DB',
  ])
  assert.ok(proposals('FUN|').includes('FUNCTION_BLOCK'))
})

test('the place of a name that replaces an automatically closed quotation mark', () => {
  const text = 'FUNCTION "f" : Void\nBEGIN\n  x := ""\nEND_FUNCTION\n'
  const made = service({ 'q.scl': text })
  const { start, end } = made.complete('q.scl', text.indexOf('""') + 1)
  assert.equal(text.slice(start, end), '""')
})

function renamed(made: LanguageService, path: string, what: string, name: string): Record<string, string> {
  const edits = made.rename(path, offset(made, path, what), name)
  assert.ok(!('fault' in edits), JSON.stringify(edits))
  const result: Record<string, string> = {}
  for (const { path: file, start, end, text } of [...edits].reverse()) {
    const before = result[file] ?? made.files.textOf(file)!
    result[file] = before.slice(0, start) + text + before.slice(end)
  }
  return result
}

test('a renamed name keeps its meaning everywhere, quoted where it has to be', () => {
  const made = service()
  const after = renamed(made, 'line.scl', '"Motor_DB".|start', 'go on')
  assert.match(after['motor.scl']!, /^ {2}"go on" : Bool;/m)
  assert.match(after['motor.scl']!, /IN := #"go on", PT/)
  assert.match(after['line.scl']!, /"Motor_DB"\("go on" := TRUE, running => "Motor_DB"\."go on"\);/)
  assert.match(after['old.awl']!, /\("go on" := #x\)/)
  const again = service(after)
  assert.equal(again.references('motor.scl', offset(again, 'motor.scl', '"go on" : Bool')).length, 6)
  const block = renamed(made, 'conveyor.s7dcl', '_.|Motor;', 'Drive')
  assert.match(block['conveyor.s7dcl']!, /drive : _\.Drive;/)
  assert.match(block['line.scl']!, /DATA_BLOCK "Motor_DB" "Drive"/)
  assert.match(block['old.awl']!, /CALL "Drive", "Motor_DB"/)
})

test('names that cannot be given or taken are refused with the reason', () => {
  const made = service()
  const rename = (path: string, what: string, name: string) => made.rename(path, offset(made, path, what), name)
  assert.match(JSON.stringify(rename('motor.scl', 'start : Bool', 'limits')), /declared already in motor\.scl/)
  assert.match(JSON.stringify(rename('line.scl', '"Motor|_DB".state', 'Old')), /declared already in old\.awl/)
  assert.match(JSON.stringify(rename('motor.scl', '#delay.|Q', 'R')), /belongs to the controller/)
  assert.match(JSON.stringify(rename('motor.scl', 'start : Bool', 'a"b')), /no quotation marks/)
  assert.match(JSON.stringify(rename('motor.scl', 'start : Bool', '')), /at least one character/)
  assert.match(JSON.stringify(rename('line.scl', 'TR|UE', 'x')), /no name of the program/)
})

test('declarations of exports in XML are known, and not renamed', async () => {
  const made = service({ 'use.scl': 'FUNCTION "u" : Void\nBEGIN\n  "Lamp" := TRUE;\nEND_FUNCTION\n' })
  const xml = `<?xml version="1.0" encoding="utf-8"?>
<Document><Engineering version="V18" /><SW.Tags.PlcTagTable ID="0"><AttributeList><Name>Outputs</Name></AttributeList>
<ObjectList><SW.Tags.PlcTag ID="1" CompositionName="Tags"><AttributeList><DataTypeName>Bool</DataTypeName>
<LogicalAddress>%Q0.0</LogicalAddress><Name>Lamp</Name></AttributeList></SW.Tags.PlcTag></ObjectList>
</SW.Tags.PlcTagTable></Document>`
  await made.files.readOther('tags.xml', new TextEncoder().encode(xml))
  const at = offset(made, 'use.scl', '"La|mp"')
  assert.match(made.hover('use.scl', at)?.text ?? '', /"Lamp" : Bool %Q0\.0[\s\S]*tag, tags\.xml/)
  assert.deepEqual(made.definition('use.scl', at), [{ path: 'tags.xml', start: 0, end: 0 }])
  assert.match(JSON.stringify(made.rename('use.scl', at, 'Light')), /declared in tags\.xml, which is no text/)
  made.files.remove('tags.xml')
  assert.deepEqual(made.definition('use.scl', at), [])
})

test('a change of declarations changes what other files mean, a change of code keeps their places right', () => {
  const made = service()
  const where = () => shown(made, made.definition('line.scl', offset(made, 'line.scl', '"Motor_DB".|start')))
  assert.equal(where().length, 1)
  made.files.setText('motor.scl', `// a line before\n${motor}`)
  assert.deepEqual(where(), ['motor.scl: [start] : Bool; // begins to run'])
  made.files.setText('motor.scl', motor.replace('start : Bool', 'begin_ : Bool'))
  assert.deepEqual(where(), [])
  made.files.remove('motor.scl')
  assert.deepEqual(where(), [])
  assert.deepEqual(made.symbols('motor.scl'), [])
})

test('the outline has objects, members and members of structures', () => {
  const entries = service().symbols('motor.scl')
  const flat = (list: readonly OutlineEntry[], level = 0): string[] =>
    list.flatMap(({ name, kind, detail, children }) => [
      `${'-'.repeat(level)}${kind} ${name} ${detail}`.trim(),
      ...flat(children, level + 1),
    ])
  assert.deepEqual(flat(entries), [
    'UDT Limits',
    '-Member low None Real',
    '-Member high None Real',
    'FB Motor',
    '-Member start Input Bool',
    '-Member limits Input "Limits"',
    '-Member running Output Bool',
    '-Member delay Static TON_TIME',
    '-Member speeds Static Array[0..3] of "Limits"',
    '-Member state Static Struct',
    '--Member step Static Int',
  ])
})

test('the type of a data block is found behind whatever its header says before', () => {
  for (const header of [
    '',
    'UNLINKED',
    'NON_RETAIN',
    'READ_ONLY NON_RETAIN',
    'VERSION : 0.1',
    'TITLE = Pumps',
    'TITLE = Pumps\nKNOW_HOW_PROTECT\nAUTHOR : me\nNAME : n\nVERSION : 0.1\nNON_RETAIN',
  ]) {
    const block = (type: string) => `DATA_BLOCK "Data"\n${header}\n${type}\nBEGIN\nEND_DATA_BLOCK\n`
    const object = (type: string) => outlineOf(block(type), 'data.scl').parts[0]?.object
    assert.equal(object('"Motor"')?.dataType, '"Motor"', header)
    const [member] = object('Array[0..1] of Int')?.members ?? []
    assert.deepEqual([member?.name, member?.dataType], ['THIS', 'Array[0..1] of Int'], header)
  }
})

test('texts cut at any place are answered', () => {
  for (const [path, text] of Object.entries(texts))
    for (let end = 0; end <= text.length; end += 3) {
      const made = service({ [path]: text.slice(0, end) })
      made.symbols(path)
      for (const { range, nameRange } of made.symbols(path)) {
        assert.ok(range[0] <= nameRange[0] && nameRange[1] <= range[1], `${path} ${end}`)
        assert.ok(range[1] <= end, `${path} ${end}`)
      }
      made.complete(path, end)
      made.hover(path, end)
      made.references(path, Math.max(0, end - 2))
      made.format(path)
    }
})

test('files that are not there have no answers', () => {
  const made = service()
  assert.equal(made.hover('none.scl', 3), undefined)
  assert.deepEqual(made.complete('none.scl', 3).items, [])
  assert.deepEqual(made.references('none.scl', 3), [])
  assert.equal(made.format('none.scl'), undefined)
})

test('a text is formatted, statement lists are left as they are', () => {
  const made = service({ 'f.scl': 'FUNCTION "f" : Void\nBEGIN\nif a then\nb:=1;\nend_if;\nEND_FUNCTION\n' })
  assert.match(made.format('f.scl') ?? '', /^ {4}IF a THEN\n {8}b := 1;\n {4}END_IF;/m)
  assert.equal(made.format('old.awl'), undefined)
})

test('a name that is a part of a word in an export is not used there, and neither are the words of its format', async () => {
  const names = ['but', 'ton', 'utt', 'list', 'name', 'Button', 'But ton']
  const members = names.map((name) => `  "${name}" : Bool;`).join('\n')
  const made = service({ 'use.scl': `FUNCTION_BLOCK "u"\nVAR\n${members}\nEND_VAR\nEND_FUNCTION_BLOCK\n` })
  const xml = `<Document><SW.Tags.PlcTagTable ID="0"><AttributeList><Name>Inputs</Name></AttributeList><ObjectList>
<SW.Tags.PlcTag ID="1" CompositionName="Tags"><AttributeList><DataTypeName>Bool</DataTypeName><Name>Button</Name>
<LogicalAddress>%I0.0</LogicalAddress></AttributeList></SW.Tags.PlcTag></ObjectList></SW.Tags.PlcTagTable></Document>`
  await made.files.readOther('tags.xml', new TextEncoder().encode(xml))
  const refused = names.filter(
    (name) => 'fault' in made.rename('use.scl', offset(made, 'use.scl', `|"${name}" : Bool`), 'z'),
  )
  assert.deepEqual(refused, ['Button'])
})

test('types of the system are told apart, and an object without a name is shown where it begins', () => {
  const made = service({ 'n.scl': '  FUNCTION_BLOCK \nVAR\n a : TON_TIME; b : CTU_INT; c : TON_TIME;\nEND_VAR\n' })
  const at = offset(made, 'n.scl', 'a : |TON_TIME')
  assert.deepEqual(
    made
      .references('n.scl', at)
      .filter(({ path }) => path === 'n.scl')
      .map(({ start }) => start),
    [at, offset(made, 'n.scl', 'c : |TON_TIME')],
  )
  const [entry] = made.symbols('n.scl')
  assert.deepEqual([entry?.name, entry?.range[0], entry?.nameRange], ['?', 2, [2, 2]])
})

test('exports that may use a name are told: three by name, the others by number', async () => {
  const export_ = (n: number) =>
    new TextEncoder().encode(
      `<Document><SW.Tags.PlcTagTable ID="0"><AttributeList><Name>T${n}</Name></AttributeList><ObjectList>
<SW.Tags.PlcTag ID="1" CompositionName="Tags"><AttributeList><DataTypeName>"Limits"</DataTypeName><Name>Tag${n}</Name>
<LogicalAddress>%I${n}.0</LogicalAddress></AttributeList></SW.Tags.PlcTag></ObjectList></SW.Tags.PlcTagTable></Document>`,
    )
  const made = service()
  const at = offset(made, 'motor.scl', '"Lim|its"')
  const told: unknown[] = []
  for (let n = 1; n <= 5; n++) {
    await made.files.readOther(`${n}.xml`, export_(n))
    told.push(made.renameable('motor.scl', at))
  }
  const why = (files: string) => ({
    fault: `${files} may use "Limits" and cannot be changed here: rename it in the project and export it again.`,
  })
  assert.deepEqual(told, [
    why('1.xml'),
    why('1.xml, 2.xml'),
    why('1.xml, 2.xml, 3.xml'),
    why('1.xml, 2.xml, 3.xml and 1 more files'),
    why('1.xml, 2.xml, 3.xml and 2 more files'),
  ])
  assert.deepEqual(made.rename('motor.scl', at, 'Other'), told[4])
  for (let n = 1; n <= 5; n++) made.files.remove(`${n}.xml`)
  assert.deepEqual(made.renameable('motor.scl', at), {
    start: at - 4,
    end: at + 4,
    name: 'Limits',
  })
  assert.deepEqual(made.renameable('motor.scl', 0), { fault: 'There is no name of the program here.' })
  assert.deepEqual(made.renameable('none.scl', 0), { fault: 'There is no name of the program here.' })
})

test('no more than 500 names are proposed, and then the list is told to be incomplete', () => {
  const tags = (count: number) =>
    Array.from({ length: count }, (_, n) => `FUNCTION "Zz${n}" : Void\nBEGIN\nEND_FUNCTION\n`).join('')
  const asked = (count: number) => {
    const text = `${tags(count)}FUNCTION "f" : Void\nBEGIN\n  "Zz\nEND_FUNCTION\n`
    const made = service({ 'many.scl': text })
    const { items, isIncomplete } = made.complete('many.scl', text.lastIndexOf('"Zz') + 3)
    return [items.length, isIncomplete]
  }
  assert.deepEqual(asked(499), [499, false])
  assert.deepEqual(asked(500), [500, false])
  assert.deepEqual(asked(501), [500, true])
})

test('parameters of a call in a statement list are those of the block, whatever the instance is', () => {
  const text = `FUNCTION "g" : Void
BEGIN
NETWORK
      CALL "Motor", "None_DB" (start := TRUE);
      CALL "Motor_DB" (limits := #a, running := #b);
END_FUNCTION
`
  const made = service({ 'g.awl': text })
  const meant = (what: string) => shown(made, made.definition('g.awl', offset(made, 'g.awl', what)))
  assert.deepEqual(meant('(|start'), ['motor.scl: [start] : Bool; // begins to run'])
  assert.deepEqual(meant('(|limits'), ['motor.scl: [limits] : "Limits";'])
  assert.deepEqual(meant('|running'), ['motor.scl: [running] : Bool;'])
})

test('in a data block its own members are proposed, in declarations the words of sections', () => {
  const block = (code: string) =>
    `DATA_BLOCK "d"\nSTRUCT\n  a : Int;\n  "b c" : Real;\nEND_STRUCT;\nBEGIN\n  ${code}\nEND_DATA_BLOCK`
  assert.deepEqual(proposals(block('|')), ['a', '"b c"'])
  assert.deepEqual(proposals(block('a|')), ['a'])
  assert.deepEqual(proposals(block('#|')), ['a', '"b c"'])
  const sections = proposals('FUNCTION "f" : Void\nVAR|\nBEGIN\nEND_FUNCTION')
  assert.ok(sections.includes('VAR_INPUT') && !sections.includes('"Limits"') && !sections.includes('Int'))
  const types = proposals('FUNCTION "f" : Void\nVAR\n  a : Array[0..1] of |\nEND_VAR\nBEGIN\nEND_FUNCTION')
  assert.ok(types.includes('"Limits"') && !types.includes('VAR_INPUT'))
  const header = proposals('DATA_BLOCK "e"\n"Lim|"\nBEGIN\nEND_DATA_BLOCK')
  assert.ok(header.includes('"Limits"') && !header.includes('VAR'))
})
