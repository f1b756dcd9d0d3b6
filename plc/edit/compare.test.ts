/** The compare of objects: each change of meaning is told under its aspect, a change of writing is none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareDocuments, comparisonText } from './compare.ts'
import type { StoredDocument } from './stored-document.ts'

const source = (text: string): StoredDocument => ({ text, format: 'source', kind: 'FB', name: 'B', culture: 'en-US' })
const plain = `FUNCTION_BLOCK "B"
VERSION : 0.1
   VAR_INPUT
      start : Bool;   // begins
      limits : Array[0..2] of Int := [1, 2, 3];
   END_VAR
   VAR
      a : Int := 4;
      b : Struct
         c : Real;
      END_STRUCT;
   END_VAR
BEGIN
	// counts
	#a := #a + 1;
	IF #start THEN
	  #b.c := 1.0;
	END_IF;
	#a := LEN('x;y');
END_FUNCTION_BLOCK
`
const differences = (from: string | RegExp, to: string) => {
  const changed = plain.replace(from, to)
  assert.notEqual(changed, plain)
  const { isSameMeaning, isSameText, differences: all, aspects } = compareDocuments(source(plain), source(changed))
  assert.equal(isSameMeaning, all.length === 0)
  assert.equal(isSameText, false)
  return { aspects, told: all.map(({ path, change, left, right }) => `${path} ${change} ${left ?? ''}|${right ?? ''}`) }
}

test('each change is told where it is', () => {
  const cases: readonly (readonly [string | RegExp, string, string, readonly string[]])[] = [
    ['#a + 1', '#a + 2', 'code', ['network 1, statement 1 changed #a := #a + 1;|#a := #a + 2;']],
    ['c : Real;', 'c : LReal;', 'interface', ['Static.b.c changed Real|LReal']],
    ['start : Bool;', 'go : Bool;', 'interface', ['Input.start removed Bool|', 'Input.go added |Bool']],
    ['a : Int := 4', 'a : Int := 5', 'startValues', ['a changed 4|5']],
    ['[1, 2, 3]', '[1, 2, 4]', 'startValues', ['limits changed [1, 2, 3]|[1, 2, 4]']],
    ['VERSION : 0.1', 'VERSION : 0.2', 'properties', ['version changed 0.1|0.2']],
    ["LEN('x;y')", "LEN('x; y')", 'code', []],
  ]
  for (const [from, to, aspect, told] of cases) {
    const found = differences(from, to)
    assert.ok(found.aspects.includes(aspect as never), `${from}: ${found.aspects}`)
    if (told.length > 0)
      for (const one of told) assert.ok(found.told.includes(one), `${from}: ${found.told.join(' / ')}`)
  }
})

test('blanks and line ends are no change of meaning; comments are one by themselves', () => {
  assert.deepEqual(differences('#a := #a + 1;', '#a  :=\n#a + 1;').aspects, ['text'])
  assert.deepEqual(differences('// counts', '// adds').aspects, ['comments'])
  assert.deepEqual(differences('// begins', '// starts').aspects, ['comments'])
})

test('members in another order are told as moved', () => {
  const two = (members: string) => `TYPE "T"\nVERSION : 0.1\n   STRUCT\n${members}   END_STRUCT;\nEND_TYPE\n`
  const type = (members: string): StoredDocument => ({ ...source(two(members)), kind: 'UDT', name: 'T' })
  const [a, b] = ['      a : Int;\n', '      b : Int;\n']
  const found = compareDocuments(type(a + b), type(b + a))
  assert.deepEqual(found.differences, [{ aspect: 'interface', path: 'None.a', change: 'moved', left: '1', right: '2' }])
  assert.match(comparisonText('x', 'y', found), /~ None\.a: place 1 -> 2/)
})

/** A LAD function of networks, each of one coil. */
const ladder = (coils: readonly string[]): StoredDocument => {
  const unit = (
    coil: string,
    i: number,
  ) => `<SW.Blocks.CompileUnit ID="${10 + i * 5}" CompositionName="CompileUnits"><AttributeList>
<NetworkSource><FlgNet xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/FlgNet/v4"><Parts>
<Access Scope="GlobalVariable" UId="21"><Symbol><Component Name="${coil}" /></Symbol></Access><Part Name="Coil" UId="22" /></Parts>
<Wires><Wire UId="23"><Powerrail /><NameCon UId="22" Name="in" /></Wire><Wire UId="24"><IdentCon UId="21" /><NameCon UId="22" Name="operand" /></Wire></Wires></FlgNet></NetworkSource>
<ProgrammingLanguage>LAD</ProgrammingLanguage></AttributeList></SW.Blocks.CompileUnit>`
  const text = `<SW.Blocks.FC ID="0"><AttributeList><Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5"><Section Name="Return"><Member Name="Ret_Val" Datatype="Void" /></Section></Sections></Interface>
<MemoryLayout>Optimized</MemoryLayout><Name>L</Name><Number>1</Number><ProgrammingLanguage>LAD</ProgrammingLanguage></AttributeList>
<ObjectList>${coils.map(unit).join('')}</ObjectList></SW.Blocks.FC>`
  return { text, format: 'simaticml', kind: 'FC', name: 'L', engineeringVersion: 'V19', culture: 'en-US' }
}

test('a network that was put in, taken out or changed is told alone', () => {
  const told = (from: readonly string[], to: readonly string[]) =>
    compareDocuments(ladder(from), ladder(to)).differences.map(
      ({ aspect, path, change }) => `${aspect} ${path} ${change}`,
    )
  assert.deepEqual(told(['a', 'b', 'c'], ['a', 'x', 'b', 'c']), ['code network 2 added'])
  assert.deepEqual(told(['a', 'b', 'c'], ['b', 'c']), ['code network 1 removed'])
  assert.deepEqual(told(['a', 'b', 'c'], ['a', 'y', 'c']), ['code network 2 changed'])
  assert.deepEqual(told(['a', 'b'], ['a', 'b']), [])
})

test('statements that differ side by side are pairs when they are alike', () => {
  const { told } = differences(
    /#a := #a \+ 1;[\s\S]*END_IF;/,
    '#a := #a + 10;\n\tIF #start THEN\n\t  #b.c := 2.0;\n\tEND_IF;\n\tRESET_ALL();',
  )
  assert.deepEqual(told, [
    'network 1, statement 1 changed #a := #a + 1;|#a := #a + 10;',
    'network 1, statement 2 changed IF #start THEN #b.c := 1.0;|IF #start THEN #b.c := 2.0;',
    'network 1, statement 4 added |RESET_ALL();',
  ])
  assert.deepEqual(differences("#a := LEN('x;y');", 'Other(1, 2);').told, [
    "network 1, statement 4 removed #a := LEN('x;y');|",
    'network 1, statement 4 added |Other(1, 2);',
  ])
})
