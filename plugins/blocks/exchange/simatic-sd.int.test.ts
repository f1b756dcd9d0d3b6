import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fails, fbSource, openPlant, writeWorkspace } from '../../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
const code = `\uFEFF{
    S7_BlockNumber := "42";
    S7_BlockTitle := "MLC_t";
    S7_Optimized := "TRUE";
    S7_PreferredLanguage := "LAD";
    S7_Version := "0.1"
}
FUNCTION_BLOCK "Conveyor"
    VAR_INPUT
        { S7_MLC := "MLC_c" }
        start : Bool;
        speed : _.Speed;
    END_VAR
    VAR
        delay : TON_TIME;
    END_VAR

    {
        S7_Language := "LAD";
        S7_NetworkTitle := "MLC_n"
    }
    NETWORK
        RUNG wire#powerrail
            Contact( #start )
            { S7_Templates := "time_type := Time" }
            #delay.TON(
                pt := T#5s,
                et =>  
            )
            Coil( "Motor" )
        END_RUNG
    END_NETWORK
END_FUNCTION_BLOCK
`
const texts = `\uFEFFMultiLingualTexts:
  - id: MLC_t
    de-DE: Förderband
    en-US: Conveyor belt
  - id: MLC_c
    de-DE: 'Start: Taster'
  - id: MLC_n
    en-US: |-
      Two
      lines
`
const type =
  '\uFEFFTYPE\n    Speed : STRUCT\n        set : Real := 1.5;\n        actual : Real;\n    END_STRUCT;\nEND_TYPE\n'
const instance =
  '\uFEFF{\n    S7_Optimized := "TRUE";\n    S7_StandardRetain := "FALSE";\n    S7_Version := "0.1"\n}\nDATA_BLOCK Conveyor_1 : Conveyor\nEND_DATA_BLOCK\n'
const main = `\uFEFF{
    S7_PreferredLanguage := "FBD"
}
FUNCTION "Line" : Void
    { S7_Language := "FBD" }
    NETWORK
        RUNG
            "Conveyor_1"(
                start := "Go",
                speed := "Data".speed
            )
        END_RUNG
    END_NETWORK
END_FUNCTION
`

interface Imported {
  created: number
  unchanged: number
  files: { path: string; status: string; message?: string }[]
  objects: { name: string; kind: string; number?: number }[]
  warnings: string[]
}
interface Exported {
  content?: string
  resources?: string
  exportPath?: string
  resourcesPath?: string
  warnings: string[]
}

/** Without ids of texts, which are the writer's choice, and in any order. */
const withoutIds = (text: string) => text.replace(/MLC_\w+/g, 'MLC')

test('a folder of SIMATIC SD becomes types, blocks and data blocks; all cultures of the texts survive', async (t) => {
  const gateway = await openPlant(t)
  const { call, dir } = gateway
  await writeWorkspace(gateway, {
    'sd/Program blocks/Line.s7dcl': main,
    'sd/Program blocks/Belts/Conveyor.s7dcl': code,
    'sd/Program blocks/Belts/Conveyor.s7res': texts,
    'sd/Program blocks/Belts/Conveyor_1.s7dcl': instance,
    'sd/PLC data types/Speed.s7dcl': type,
    'sd/PLC data types/Lost.s7res': texts,
  })
  const result = await call<Imported>('blocks.import', { ...on, filePath: 'sd' })
  assert.equal(result.created, 4)
  const statuses = Object.fromEntries(
    result.files.map(({ path, status, message }) => [path.split('/').at(-1), [status, message]]),
  )
  assert.deepEqual(statuses['Conveyor.s7res'], ['imported', 'texts of Program blocks/Belts/Conveyor.s7dcl'])
  assert.equal(statuses['Lost.s7res']?.[0], 'skipped')
  assert.match(
    statuses['Lost.s7res']?.[1] ?? '',
    /holds the texts of the \.s7dcl file of the same name, which is not beside it/,
  )
  assert.deepEqual(result.warnings, [])

  const { rawXml } = await call<{ rawXml: string }>('blocks.content', { ...on, blockName: 'Conveyor' })
  for (const text of ['Förderband', 'Conveyor belt', 'Start: Taster', 'Two\nlines'])
    assert.ok(rawXml.includes(text), text)
  const line = await call<{ rawXml: string }>('blocks.content', { ...on, blockName: 'Line' })
  // The files of one import explain each other: Conveyor_1 is an instance of Conveyor, whose parameters are known.
  assert.match(line.rawXml, /<CallInfo Name="Conveyor" BlockType="FB">/)
  assert.match(line.rawXml, /<Parameter Name="speed" Section="Input" Type="&quot;Speed&quot;"/)

  const again = await call<Imported>('blocks.import', { ...on, filePath: 'sd' })
  assert.equal(again.unchanged, 4)
  await call('projects.save')
  await call('projects.close')
  await call('projects.open', { path: 'Plant' })
  const { content, resources, warnings } = await call<Exported>('blocks.export', {
    ...on,
    blockName: 'Conveyor',
    format: 'sd',
  })
  assert.equal(withoutIds(`\uFEFF${content}`), withoutIds(code))
  assert.equal(withoutIds(`\uFEFF${resources}`), withoutIds(texts))
  assert.deepEqual(warnings, [])
  const exported = await call<Exported>('types.export', { ...on, udtName: 'Speed', format: 'sd', exportPath: 'out/' })
  assert.equal(await readFile(exported.exportPath ?? '', 'utf8'), type)
  assert.equal(exported.resourcesPath, undefined)
  assert.ok(exported.exportPath?.startsWith(join(dir, 'workspace/out')))
})

test('an export is two files, which import as they are', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await call('blocks.import', { ...on, content: code.slice(1), resources: texts.slice(1) })
  const written = await call<Exported>('blocks.export', {
    ...on,
    blockName: 'Conveyor',
    format: 'sd',
    exportPath: 'out/Belt.s7dcl',
  })
  assert.equal(withoutIds(await readFile(written.exportPath ?? '', 'utf8')), withoutIds(code))
  assert.equal(withoutIds(await readFile(written.resourcesPath ?? '', 'utf8')), withoutIds(texts))
  const request = { ...on, blockName: 'Conveyor', format: 'sd', exportPath: 'out/Belt.s7dcl' }
  await fails(call('blocks.export', request), 'conflict', /Belt\.s7dcl" exists already/)
  await call('blocks.export', { ...request, overwrite: true })
  const before = await call<{ rawXml: string }>('blocks.content', { ...on, blockName: 'Conveyor' })
  await call('blocks.delete', { ...on, blockName: 'Conveyor' })
  // The .s7res file beside it is found.
  const back = await call<Imported>('blocks.import', { ...on, filePath: 'out/Belt.s7dcl' })
  assert.deepEqual(
    back.objects.map(({ name, kind, number }) => [name, kind, number]),
    [['Conveyor', 'FB', 42]],
  )
  const after = await call<{ rawXml: string }>('blocks.content', { ...on, blockName: 'Conveyor' })
  assert.equal(after.rawXml, before.rawXml)
})

test('a lone file tells which texts are missing; a lone text file is refused', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await writeWorkspace(gateway, { 'Conveyor.s7dcl': code, 'alone/Conveyor.s7res': texts })
  const result = await call<Imported>('blocks.import', { ...on, filePath: 'Conveyor.s7dcl' })
  assert.match(
    result.warnings.join('\n'),
    /Conveyor\.s7dcl: "Conveyor" \(8:1\): texts are missing, there is no \.s7res file beside this one: MLC_t, MLC_c, MLC_n/,
  )
  await fails(
    call('blocks.import', { ...on, filePath: 'alone/Conveyor.s7res' }),
    'unacceptable_content',
    /holds the texts of the \.s7dcl file/,
  )
})

test('faults have line and column, nothing is stored; continueOnError keeps what is right', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  const broken =
    'FUNCTION "Bad" : Void\n{ S7_Language := "LAD" }\nNETWORK\nRUNG wire#powerrail\n    Coil #x\nEND_RUNG\nEND_NETWORK\nEND_FUNCTION\n'
  await writeWorkspace(gateway, {
    'in/two.s7dcl': `${broken}${type.slice(1)}`,
    'in/Texts.s7dcl': code,
    'in/Texts.s7res': 'MultiLingualTexts:\n  - id: a\n    en-US: b: c\n',
  })
  const error = await fails(
    call('blocks.import', { ...on, filePath: 'in' }),
    'unacceptable_content',
    /Nothing was imported/,
  )
  const faults = error.details.errors ?? []
  assert.ok(
    faults.some(
      ({ path, line, column, message }) =>
        path === 'two.s7dcl' && line === 5 && column === 10 && /expected "\(" behind Coil/.test(message),
    ),
  )
  assert.ok(
    faults.some(
      ({ path, line, message }) => path === 'Texts.s7dcl' && line === 3 && /^in the \.s7res file:/.test(message),
    ),
  )
  assert.equal((await call<{ blocks: unknown[] }>('blocks.list', on)).blocks.length, 0)
  const partly = await call<Imported>('blocks.import', { ...on, filePath: 'in', continueOnError: true })
  assert.deepEqual(
    partly.objects.map(({ name }) => name),
    ['Speed'],
  )
  assert.deepEqual(partly.files.map(({ path, status }) => [path, status]).sort(), [
    ['Texts.s7dcl', 'failed'],
    ['Texts.s7res', 'failed'],
    ['two.s7dcl', 'partial'],
  ])
})

test('what this format cannot express is refused by name', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  const stl = 'FUNCTION "Old" : Void\nBEGIN\nNETWORK\nTITLE =\n      A     "a";\n      =     "b";\nEND_FUNCTION\n'
  await call('blocks.import', { ...on, content: stl })
  await fails(
    call('blocks.export', { ...on, blockName: 'Old', format: 'sd' }),
    'unacceptable_content',
    /written in STL; SIMATIC SD has LAD, FBD and SCL/,
  )
})

test('a file is read with the program around it: what data blocks are instances of, parameters of blocks, types', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  await call('blocks.import', {
    ...on,
    content: `TYPE "Speed"\n   STRUCT\n      set : Real;\n   END_STRUCT;\nEND_TYPE\n${fbSource('Belt')}DATA_BLOCK "Left"\n"Belt"\nBEGIN\nEND_DATA_BLOCK\n`,
  })
  const line =
    'FUNCTION "Line" : Void\n{ S7_Language := "LAD" }\nNETWORK\nRUNG wire#powerrail\n"Left"( in := 5, out => "Count" )\nEND_RUNG\nEND_NETWORK\nEND_FUNCTION\n'
  const { warnings } = await call<Imported>('blocks.import', { ...on, content: line })
  assert.deepEqual(warnings, [])
  const { rawXml } = await call<{ rawXml: string }>('blocks.content', { ...on, blockName: 'Line' })
  assert.match(
    rawXml,
    /<CallInfo Name="Belt" BlockType="FB">\s*<Instance Scope="GlobalVariable"[^>]*>\s*<Component Name="Left" \/>/,
  )
  assert.match(
    rawXml,
    /<Parameter Name="in" Section="Input" Type="Int" \/>\s*<Parameter Name="out" Section="Output" Type="Int" \/>/,
  )
  await writeWorkspace(gateway, {
    'Setup.s7dcl': '{ S7_Optimized := "TRUE" }\nDATA_BLOCK Setup : Speed\nEND_DATA_BLOCK\n',
  })
  await call('blocks.import', { ...on, filePath: 'Setup.s7dcl' })
  const setup = await call<{ rawXml: string }>('blocks.content', { ...on, blockName: 'Setup' })
  assert.match(setup.rawXml, /<InstanceOfName>Speed<\/InstanceOfName>\s*<InstanceOfType>UDT</)
})

test('calls through data blocks are what the program says, from every text; unknown ones are told', async (t) => {
  const { call } = await openPlant(t)
  const code = '"dbX"(p := TRUE);\n"dbTrig"(CLK := TRUE);\n"Scale"();\n"Gone"(a := 1);'
  const fb = 'FUNCTION_BLOCK "Valve"\nVAR_INPUT\np : Bool;\nEND_VAR\nBEGIN\n;\nEND_FUNCTION_BLOCK\n'
  const dbs = 'DATA_BLOCK "dbX"\n"Valve"\nBEGIN\nEND_DATA_BLOCK\nDATA_BLOCK "dbTrig"\nR_TRIG\nBEGIN\nEND_DATA_BLOCK\n'
  const fc = 'FUNCTION "Scale" : Void\nBEGIN\n;\nEND_FUNCTION\n'
  await call('blocks.import', { ...on, content: `${fb}${dbs}${fc}` })
  const sd = `FUNCTION "Sd" : Void\n{ S7_Language := "SCL" }\nNETWORK\n${code}\nEND_NETWORK\nEND_FUNCTION\n`
  const { warnings } = await call<{ warnings: string[] }>('blocks.import', { ...on, content: sd })
  assert.deepEqual(
    warnings.filter((warning) => /not at hand/.test(warning)).map((warning) => /"(\w+)"\(…\)/.exec(warning)?.[1]),
    ['Gone'],
  )
  await call('blocks.import', { ...on, content: `FUNCTION "Scl" : Void\nBEGIN\n${code}\nEND_FUNCTION\n` })
  // A ladder block, which is stored as XML, gets a network in SCL.
  await call('blocks.create', { ...on, name: 'Lad', type: 'FC', language: 'LAD' })
  await call('blocks.add-networks', { ...on, blockName: 'Lad', networks: [{ language: 'SCL', code }] })
  for (const blockName of ['Sd', 'Scl', 'Lad']) {
    const xml = await call<string>('blocks.export-xml', { ...on, blockName })
    const compact = xml.replace(/ UId="\d+"/g, '').replace(/>\s+</g, '><')
    assert.match(
      compact,
      /<CallInfo Name="Valve" BlockType="FB"><Instance Scope="GlobalVariable"><Component Name="dbX"/,
    )
    assert.match(compact, /<Component Name="dbTrig">.*?<Access Scope="Call"><Instruction>/)
    assert.match(compact, /<CallInfo Name="Scale" BlockType="FC"><Token/)
    // As TIA Portal writes a call that it cannot resolve.
    assert.match(compact, /<CallInfo BlockType="FC"><Instance Scope="GlobalVariable"><Component Name="Gone"/)
    assert.doesNotMatch(xml, /<!--/)
    await call('blocks.delete', { ...on, blockName })
    await call('blocks.import', { ...on, content: xml })
    assert.equal(await call<string>('blocks.export-xml', { ...on, blockName }), xml)
  }
})
