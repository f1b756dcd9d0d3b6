import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lex } from '../languages/scl/lexer.ts'
import type { InterfaceMember } from '../model/object.ts'
import { MemberLookup, type MemberQuery } from './member-lookup.ts'
import { memberSites, withNewName } from './member-sites.ts'
import { nameSites, significantTokens } from './member-sites-text.ts'

const member = (name: string, dataType: string, members: InterfaceMember[] = []): InterfaceMember => ({
  name,
  dataType,
  comment: {},
  attributes: [],
  members,
})

/** `F` with an input, which `G` has as multi-instance; instance data blocks of both. */
const query: MemberQuery = {
  target: { owner: 'F', path: ['old'] },
  objects: [
    {
      kind: 'FB',
      name: 'F',
      interface: [
        { section: 'Input', members: [member('old', 'Bool'), member('x', 'Struct', [member('old', 'Int')])] },
      ],
    },
    { kind: 'FB', name: 'G', interface: [{ section: 'Static', members: [member('f', '"F"'), member('old', 'Int')] }] },
    { kind: 'InstanceDB', name: 'D', instanceOf: 'F', interface: [] },
    { kind: 'InstanceDB', name: 'E', instanceOf: 'G', interface: [] },
  ],
  numbers: { 'FB 5': 'F', 'DB 7': 'D' },
}

/**
 * The text with every `@@` replaced by the old name; the result has the new name there, and a written-out `old` stays.
 */
function check(object: string, template: string) {
  const text = template.replaceAll('@@', 'old')
  const format = text.startsWith('<') ? 'simaticml' : 'source'
  const sites = memberSites({ text, format, kind: 'FB', name: object, culture: 'en-US' }, query, 'new')
  assert.equal(withNewName(text, sites), template.replaceAll('@@', 'new'))
  assert.equal(
    sites.every(({ canReplace }) => canReplace),
    true,
  )
  return sites
}

function block(object: string, source: string, sections = ''): string {
  const kind = object === 'D' || object === 'E' ? 'InstanceDB' : 'FB'
  const unit = `<SW.Blocks.CompileUnit ID="1"><AttributeList><NetworkSource>${source}</NetworkSource></AttributeList></SW.Blocks.CompileUnit>`
  const attributes = `<AttributeList><Interface><Sections>${sections}</Sections></Interface><Name>${object}</Name></AttributeList>`
  return `<SW.Blocks.${kind} ID="0">${attributes}<ObjectList>${unit}</ObjectList></SW.Blocks.${kind}>`
}

test('networks: operands, instances, call parameters with their pins, and no other pins', () => {
  check(
    'G',
    block(
      'G',
      `<FlgNet><Parts>
<Access Scope="LocalVariable" UId="21"><Symbol><Component Name="f" /><Component Name="@@" /></Symbol></Access>
<Access Scope="LocalVariable" UId="22"><Symbol><Component Name="old" /></Symbol></Access>
<Access Scope="GlobalVariable" UId="23"><Symbol><Component Name="E" /><Component Name="f" /><Component Name='@@' /></Symbol></Access>
<Access Scope="GlobalVariable" UId="24"><Symbol><Component Name="D" /><Component Name="x" /><Component Name="old" /></Symbol></Access>
<Call UId="25"><CallInfo Name="F" BlockType="FB"><Instance Scope="LocalVariable" UId="26"><Component Name="f" /></Instance><Parameter Name="@@" Section="Input" Type="Bool" /></CallInfo><Negated Name="@@" /></Call>
<Part Name="Other" UId="27"><Negated Name="old" /></Part>
</Parts><Wires><Wire UId="28"><IdentCon UId="21" /><NameCon UId="25" Name="@@" /></Wire><Wire UId="29"><IdentCon UId="22" /><NameCon UId="27" Name="old" /></Wire></Wires></FlgNet>`,
    ),
  )
})

test('copies of the interface: instance data blocks, multi-instances, not members of the same name', () => {
  const copy =
    '<Sections Datatype="&quot;F&quot;"><Section Name="Input"><Member Name="@@" Datatype="Bool" /><Member Name="x" Datatype="Struct"><Member Name="old" Datatype="Int" /></Member></Section></Sections>'
  const sections = `<Section Name="Static"><Member Name="f" Datatype="&quot;F&quot;">${copy}</Member><Member Name="old" Datatype="Int" /></Section>`
  assert.equal(check('E', block('E', '', sections)).length, 1)
  const sites = check('G', block('G', '', sections))
  assert.deepEqual(
    sites.map(({ isDeclared }) => isDeclared),
    [true],
  )
  check('D', block('D', '', '<Section Name="Input"><Member Name="@@" Datatype="Bool" /></Section>'))
  // The declaration itself is changed by the edit of the interface.
  check('F', block('F', '', '<Section Name="Input"><Member Name="old" Datatype="Bool" /></Section>'))
})

test('declarations of the block: limits, start values and overlays that name the member', () => {
  const sites = check(
    'F',
    block(
      'F',
      '',
      `<Section Name="Input"><Member Name="old" Datatype="Bool" /></Section><Section Name="Static">
        <Member Name="plain" Datatype="Array[0..9] of Int"><StartValue ConstantName="#other">#other</StartValue></Member>
        <Member Name="list" Datatype="Array[#@@..#&quot;@@&quot;, 0..#older] of Int" />
        <Member Name="number" Datatype="Int"><StartValue ConstantName="#@@">#@@</StartValue></Member>
        <Member Name="text" Datatype="String"><StartValue>'#old'</StartValue></Member>
        <Member Name="over" Datatype="Word"><AttributeList><StringAttribute Name="At">"@@"</StringAttribute></AttributeList></Member>
        <Member Name="bare" Datatype="Word"><AttributeList><StringAttribute Name="At">@@</StringAttribute></AttributeList></Member>
        <Member Name="beside" Datatype="Word"><AttributeList><StringAttribute Name="At">"older"</StringAttribute></AttributeList></Member>
      </Section>`,
    ),
  )
  assert.deepEqual(
    sites.map(({ place }) => place.member),
    ['list', 'number', 'number', 'over', 'bare'],
  )
})

test('SCL as elements says when a name needs quotes, and again when it does not', () => {
  const scl = (name: string, flag: string) =>
    block(
      'F',
      `<StructuredText><Access Scope="LocalVariable" UId="21"><Symbol><Component Name="${name}" UId="22" ${flag}</Symbol></Access><NewLine Num="2" /><Access Scope="GlobalVariable"><Symbol><Component Name="D" /><Token Text="." /><Component Name="x" /><Token Text="." /><Component Name="old" /></Symbol></Access></StructuredText>`,
    )
  const [before, after] = [
    scl('old', '/>'),
    scl('a b', '><BooleanAttribute Name="HasQuotes">true</BooleanAttribute></Component>'),
  ]
  const document = { text: before, format: 'simaticml' as const, kind: 'FB', name: 'F', culture: 'en-US' }
  const sites = memberSites(document, query, 'a b')
  assert.deepEqual(
    sites.map(({ place }) => place),
    [{ network: 1, line: 1 }],
  )
  assert.equal(withNewName(before, sites), after)
  const [first, ...others] = query.objects
  const [section] = first!.interface
  const back: MemberQuery = {
    ...query,
    target: { owner: 'F', path: ['a b'] },
    objects: [
      { ...first!, interface: [{ ...section!, members: [member('a b', 'Bool'), ...section!.members.slice(1)] }] },
      ...others,
    ],
  }
  assert.equal(withNewName(after, memberSites({ ...document, text: after }, back, 'old')), before)
})

test('tokens and bare text of generated files; a name in pieces cannot be replaced', () => {
  check('F', block('F', '<StructuredText>#@@ := "D".@@ AND "D".x.old;\n"D"(@@ := #@@);</StructuredText>'))
  const action =
    '<Graph><Step Number="3" Name="Fill"><Action><Token Text="#@@" /><Token Text=":=" /><Token Text="&quot;D&quot;.@@" /></Action><Action><Token Text="CALL" /><Token Text=" " /><Token Text="&quot;D&quot;" /><Token Text="(" /><Token Text="@@" /><Token Text=":=" /><Token Text="#@@" /><Token Text=")" /></Action></Step></Graph>'
  const sites = check('F', block('F', action))
  assert.deepEqual(new Set(sites.map(({ place }) => place.element)), new Set(['Step 3 "Fill"']))
  const pieces =
    '<StructuredText><Access Scope="GlobalVariable"><Symbol><Component Name="D"/></Symbol></Access><Token Text="."/><Token Text="old"/></StructuredText>'
  const document = { text: block('F', pieces), format: 'simaticml' as const, kind: 'FB', name: 'F', culture: 'en-US' }
  assert.deepEqual(
    memberSites(document, query).map(({ canReplace }) => canReplace),
    [false],
  )
})

test('CALL of an action is a word, not a member of that name', () => {
  const named: MemberQuery = {
    target: { owner: 'F', path: ['call'] },
    objects: [{ kind: 'FB', name: 'F', interface: [{ section: 'Static', members: [member('call', 'Bool')] }] }],
    numbers: {},
  }
  const texts = ['CALL "D"(x:=#call)', ' call "D"(x:=call)', 'call := TRUE', '#call := call']
  const sites = (inside: string) => {
    const document = { text: block('F', inside), format: 'simaticml' as const, kind: 'FB', name: 'F', culture: 'en-US' }
    const changed = withNewName(document.text, memberSites(document, named, 'go'))
    return /Text="([^"]*)"/.exec(changed)?.[1]?.replaceAll('&quot;', '"')
  }
  const token = (text: string) => `<Token Text="${text.replaceAll('"', '&quot;')}" />`
  const steps = (inside: string) => `<Graph><Step Number="3" Name="Fill"><Action>${inside}</Action></Step></Graph>`
  assert.deepEqual(
    texts.map((text) => sites(steps(token(text)))),
    ['CALL "D"(x:=#go)', ' call "D"(x:=go)', 'call := TRUE', '#go := go'],
  )
  // In SCL it is a member.
  assert.equal(sites(`<StructuredText>${token('call := #call;')}</StructuredText>`), 'go := #go;')
})

test('statement lists: calls by name and by number', () => {
  const source = `FUNCTION "A" : Void
BEGIN
NETWORK
TITLE = old
      CALL FB 5, "D" ( @@ := "D".@@ );
      CALL "F", "D"
      (  @@ := TRUE );
old:  A     "D".x.old;
NETWORK
TITLE =
      CALL FB5 , DB7 ( @@ := M0.0);
END_FUNCTION
`
  const sites = check('A', source)
  assert.deepEqual(
    sites.map(({ place: { network, line } }) => `${network}/${line}`),
    ['1/1', '1/1', '1/3', '2/1'],
  )
})

test('whatever the text is, sites are the name and do not overlap', () => {
  const lookup = new MemberLookup(query)
  const pieces = fc.constantFrom(...'#old|"D"|"E"|old|f|#f|.|,|(|)|[|]|:=|=>|;|CALL|FB5|^|1|%X0|//|(*|"|\''.split('|'))
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), fc.boolean(), (words, isStatementList) => {
      const text = words.join(' ')
      const tokens = lex(text)
      let at = 0
      for (const site of nameSites(tokens, significantTokens(tokens), {
        lookup,
        local: lookup.local('F'),
        newName: 'new',
        isStatementList,
      })) {
        assert.ok(site.start >= at)
        at = site.end
        assert.match(text.slice(site.start, site.end), /^#?old$/)
      }
    }),
    { numRuns: 500 },
  )
})

test('declarations of the owner name members in AT, in the limits of arrays and as constants', () => {
  const at = (name: string, text: string) =>
    `<Member Name="${name}" Datatype="Byte"><AttributeList><StringAttribute Name="At">${text}</StringAttribute><StringAttribute Name="Other">old</StringAttribute></AttributeList></Member>`
  const sections = `<Section Name="Input"><Member Name="old" Datatype="Bool" /></Section><Section Name="Temp">${at('u', '@@')}${at('v', '"@@"')}${at('w', 'older')}
    <Member Name="x" Datatype="Array[0..#@@, 0..#&quot;@@&quot;] of Int"><StartValue ConstantName="#@@">#@@</StartValue></Member>
    <Member Name="y" Datatype="Array[0..#older] of Int"><StartValue ConstantName="old">old</StartValue></Member>
    <Member Name="z" Datatype="Int"><StartValue>#older</StartValue></Member></Section>`
  const sites = check('F', block('F', '', sections))
  assert.deepEqual(
    sites.map(({ place, isDeclared }) => [place.member, isDeclared]),
    ['u', 'v', 'x', 'x', 'x'].map((name) => [name, false]),
  )
  // Another block's members of that name are its own.
  assert.deepEqual(check('G', block('G', '', sections.replaceAll('@@', 'old'))), [])
})

test('constants in networks are local ones, with # and quotes as they were written', () => {
  const constant = (inside: string, scope = 'LocalConstant') =>
    `<Access Scope="${scope}" UId="21"><Constant${inside}</Access>`
  const sites = check(
    'F',
    block(
      'F',
      `<FlgNet><Parts>${constant(' Name="@@" />')}${constant('><ConstantValue>#@@</ConstantValue></Constant>')}
       ${constant('><ConstantValue>@@</ConstantValue></Constant>')}${constant('><ConstantValue>older</ConstantValue></Constant>')}
       ${constant(' Name="old" />', 'GlobalConstant')}${constant('><ConstantValue>old</ConstantValue></Constant>', 'LiteralConstant')}</Parts></FlgNet>`,
    ),
  )
  assert.deepEqual(
    sites.map(({ place }) => place),
    [{ network: 1 }, { network: 1 }, { network: 1 }],
  )
})

test('symbols that were not resolved are members, else of the program; other scopes name neither', () => {
  const symbol = (scope: string, ...names: readonly string[]) =>
    `<Access Scope="${scope}" UId="21"><Symbol>${names.map((name) => `<Component Name="${name}" />`).join('')}</Symbol></Access>`
  check(
    'F',
    block(
      'F',
      `<FlgNet><Parts>${symbol('Undef', '@@')}${symbol('Undef', 'D', '@@')}${symbol('Undef', 'x', 'old')}${symbol('GlobalVariable', 'old')}
       ${symbol('TypedConstant', 'old')}${symbol('LocalVariable', 'D', 'old')}${symbol('GlobalVariable', '&quot;D&quot;', '@@')}</Parts></FlgNet>`,
    ),
  )
})

test('places in a sequence, in statements and in lines of SCL', () => {
  const local = '<Access Scope="LocalVariable" UId="21"><Symbol><Component Name="@@" /></Symbol></Access>'
  const parts = `<FlgNet><Parts>${local}</Parts></FlgNet>`
  const graph = `<Graph><PreOperations><PermanentOperation>${parts}</PermanentOperation></PreOperations><Sequence><Steps>
    <Step Number="3" Name="Fill"><Actions>${parts}</Actions></Step></Steps><Transitions><Transition Number="4" Name="Full">${parts}</Transition>
    </Transitions></Sequence><PostOperations><PermanentOperation>${parts}</PermanentOperation></PostOperations></Graph>`
  assert.deepEqual(
    check('F', block('F', graph)).map(({ place }) => place.element),
    ['before the sequences', 'Step 3 "Fill"', 'Transition 4 "Full"', 'behind the sequences'],
  )
  const list = `<StatementList><StlStatement><StlToken Text="A" />${local}</StlStatement><StlStatement><NewLine Num="3" /></StlStatement>
    <StlStatement>${local}</StlStatement><StlStatement><StlToken Text="CALL" /><Access Scope="Call"><Instruction Name="MOVE">
    <TemplateValue Name="t" Type="Type">Int</TemplateValue><Parameter Name="a" /><Parameter Name="b" /></Instruction></Access></StlStatement>
    <StlStatement>${local}</StlStatement></StatementList>`
  assert.deepEqual(
    check('F', block('F', list)).map(({ place }) => place),
    [
      { network: 1, line: 1 },
      { network: 1, line: 3 },
      // A call takes a line for its name, its types, each parameter and the bracket.
      { network: 1, line: 9 },
    ],
  )
  const scl = `<StructuredText><NewLine />${local}<NewLine Num="2" /><Token Text="//a&#10;b" />${local}<LineComment><Text>c\nd</Text></LineComment>${local}</StructuredText>`
  assert.deepEqual(
    check('F', block('F', scl)).map(({ place }) => place.line),
    [2, 5, 6],
  )
  const second = `${block('F', parts).replace('</ObjectList>', '')}`
  const unit = /<SW\.Blocks\.CompileUnit[\s\S]*<\/SW\.Blocks\.CompileUnit>/.exec(second)![0]
  assert.deepEqual(
    check('F', second.replace(unit, `${unit}${unit}</ObjectList>`)).map(({ place }) => place.network),
    [1, 2],
  )
})

test('rows of watch tables name members of data blocks', () => {
  const row = (name: string, element = 'SW.WatchAndForceTables.PlcWatchTableEntry') =>
    `<${element} ID="1"><AttributeList><Name>${name}</Name></AttributeList></${element}>`
  const table = `<SW.WatchAndForceTables.PlcWatchTable ID="0"><AttributeList><Name>"D".old</Name></AttributeList><ObjectList>${row('"D".@@')}${row('"D".x.old')}${row('"E".f.@@', 'SW.WatchAndForceTables.PlcForceTableEntry')}</ObjectList></SW.WatchAndForceTables.PlcWatchTable>`
  assert.deepEqual(
    check('W', table).map(({ place }) => place),
    [{ row: '"D".old' }, { row: '"E".f.old' }],
  )
})

test('members of the base of a GRAPH block are its own, wherever their type is', () => {
  const base = (name: string) => ({
    section: 'Base' as const,
    members: [],
    base: [
      { section: 'Input' as const, members: [member(name, 'Bool'), member('x', 'Struct', [member('old', 'Int')])] },
    ],
  })
  const graph: MemberQuery = {
    target: { owner: 'F', path: ['old'] },
    objects: [
      { kind: 'FB', name: 'F', interface: [base('old'), { section: 'Static', members: [member('f', '"F"')] }] },
      { kind: 'InstanceDB', name: 'D', instanceOf: 'F', interface: [] },
    ],
    numbers: {},
  }
  const sections =
    '<Section Name="Base"><Sections><Section Name="Input"><Member Name="@@" Datatype="Bool" /><Member Name="x" Datatype="Struct"><Member Name="old" Datatype="Int" /></Member></Section></Sections></Section><Section Name="Static"><Member Name="old" Datatype="Bool" /></Section>'
  const written = (object: string, code: string, inside = '') => {
    const text = block(object, code, inside).replaceAll('@@', 'old')
    const document = { text, format: 'simaticml' as const, kind: 'FB', name: object, culture: 'en-US' }
    assert.equal(
      withNewName(text, memberSites(document, graph, 'new')),
      block(object, code, inside).replaceAll('@@', 'new'),
    )
  }
  written('F', '<StructuredText>#@@ := #x.old AND "D".@@; #f(@@ := #f.@@);</StructuredText>')
  written('D', '', sections.replace('<Member Name="old" Datatype="Bool" /></Section>', '</Section>'))
})

test('a call by position is a place of the parameter and of those before it, where no new name is to be written', () => {
  const inputs = [member('a', 'Int'), member('b', 'Int')]
  const sections = [
    { section: 'Input' as const, members: inputs },
    { section: 'Output' as const, members: [member('out', 'Int')] },
    { section: 'InOut' as const, members: [member('c', 'Int')] },
  ]
  const linesOf = (path: string, code: string, newName?: string) => {
    const asked = { target: { owner: 'S', path: [path] }, objects: [{ kind: 'FC', name: 'S', interface: sections }] }
    const text = `FUNCTION "Caller" : Void\nBEGIN\n${code}\nEND_FUNCTION\n`
    const document = { text, format: 'source', kind: 'FC', name: 'Caller', culture: 'en-US' } as const
    return memberSites(document, { ...asked, numbers: {} }, newName).map(({ place }) => place.line)
  }
  const code = [
    '"S"(#x);',
    '"S"(#x, (#y + 1) * 2);',
    '#r := "S"("S"(1), #y[1, 2], #z);',
    '"S"(a := 1, c := #z);',
    '"Other"(#x, #y, #z);',
    '"S"();',
  ].join('\n')
  assert.deepEqual(linesOf('a', code), [1, 2, 3, 3, 4])
  assert.deepEqual(linesOf('b', code), [2, 3])
  assert.deepEqual(linesOf('c', code), [3, 4])
  assert.deepEqual(linesOf('out', code), [])
  assert.deepEqual(linesOf('a', code, 'new'), [4])
})

test('a call by position in SCL elements of SimaticML is a place of its parameter', () => {
  const call =
    '<Access Scope="Call" UId="21"><CallInfo UId="22" Name="F" BlockType="FC"><Token Text="(" UId="23"/><NamelessParameter UId="24"><Access Scope="LiteralConstant" UId="25"><Constant UId="26"><ConstantValue UId="27">5</ConstantValue></Constant></Access></NamelessParameter><Token Text=")" UId="28"/></CallInfo></Access><Token Text=";" UId="29"/>'
  const text = block('G', `<StructuredText>${call}</StructuredText>`)
  const document = { text, format: 'simaticml', kind: 'FB', name: 'G', culture: 'en-US' } as const
  assert.deepEqual(
    memberSites(document, query).map(({ place, canReplace }) => [place.network, place.line, canReplace]),
    [[1, 1, true]],
  )
  assert.deepEqual(memberSites(document, query, 'new'), [])
})
