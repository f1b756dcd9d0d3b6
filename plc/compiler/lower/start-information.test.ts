/** Organization blocks copy their start information from its area, at their beginning. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../../formats/source/read.ts'
import { linkProgram } from '../../program/link-program.ts'
import { startInformationMembers } from '../../program/organization-blocks.ts'
import type { ProgramBlock } from '../../program/program.ts'
import { runScl } from '../../testing/runtime.ts'

function organizationBlock(source: string, number: number): ProgramBlock {
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const program = linkProgram(blocks.map(({ object }) => ({ object: { ...object, number } })))
  assert.deepEqual(program.diagnostics, [])
  const [block] = program.blocks.values()
  assert.ok(block)
  return block
}

const copies = (names: readonly string[]) => names.map((name, i) => `  %QW${i * 2} := ${name};\n`).join('')

/** Writes into the start information and runs the block. */
function run(block: ProgramBlock, values: Readonly<Record<string, (view: DataView, at: number, bit: number) => void>>) {
  const { host, faults } = runScl({ members: {}, body: '', others: [block] })
  const { startInformation, areas } = host.program
  for (const { member, at } of startInformationMembers(block))
    values[member.name]?.(host.view, startInformation.address + at.byte, at.bit ?? 0)
  host.run(block.name)
  assert.deepEqual(faults, [])
  return (byte: number) => host.view.getUint16(areas.Q.address + byte)
}

test('inputs of an optimized block', () => {
  const block = organizationBlock(
    `ORGANIZATION_BLOCK "Fast"\n{ S7_Optimized_Access := 'TRUE' }\nBEGIN\n  %Q10.3 := #Initial_Call;\n${copies(['INT_TO_WORD(#Event_Count)'])}END_ORGANIZATION_BLOCK\n`,
    35,
  )
  const word = run(block, {
    Initial_Call: (view, at) => view.setUint8(at, 1),
    Event_Count: (view, at) => view.setInt16(at, -2, true),
  })
  assert.equal(word(0), 0xfffe)
  assert.equal(word(10), 0x0800)
})

test('inputs of a standard block lie packed', () => {
  const block = organizationBlock(
    `ORGANIZATION_BLOCK "Begin"\n{ S7_Optimized_Access := 'FALSE' }\nBEGIN\n  %Q0.0 := #LostRetentive;\n  %Q0.1 := #LostRTC;\nEND_ORGANIZATION_BLOCK\n`,
    100,
  )
  const set = (view: DataView, at: number, bit: number) => view.setUint8(at, view.getUint8(at) | (1 << bit))
  assert.equal(run(block, {})(0), 0)
  assert.equal(run(block, { LostRTC: set })(0), 0x0200)
  assert.equal(run(block, { LostRetentive: set, LostRTC: set })(0), 0x0300)
})

test('classic blocks have it in their first 20 bytes, also under an overlay', () => {
  const block = organizationBlock(
    `ORGANIZATION_BLOCK "Cycle"\n{ S7_Optimized_Access := 'FALSE' }\nVAR_TEMP
  OB1_EV_CLASS : Byte;\n  OB1_SCAN_1 : Byte;\n  OB1_PRIORITY : Byte;\n  OB1_OB_NUMBR : Byte;\n  R1 : Byte;\n  R2 : Byte;
  OB1_PREV_CYCLE : Int;\n  OB1_MIN_CYCLE : Int;\n  OB1_MAX_CYCLE : Int;\n  OB1_DATE_TIME : Date_And_Time;
  bytes AT OB1_DATE_TIME : Array[0..7] of Byte;\n  own : Int;\nEND_VAR
BEGIN\n  #own := #OB1_MAX_CYCLE;\n  %QB8 := #OB1_EV_CLASS;\n  %QB9 := #bytes[1];\n${copies(['INT_TO_WORD(#own)'])}END_ORGANIZATION_BLOCK\n`,
    1,
  )
  const word = run(block, {
    OB1_EV_CLASS: (view, at) => view.setUint8(at, 0x11),
    OB1_MAX_CYCLE: (view, at) => view.setInt16(at, 1234),
    OB1_DATE_TIME: (view, at) => view.setUint16(at, 0x2412),
  })
  assert.equal(word(0), 1234)
  assert.equal(word(8), 0x1112)
})

test('a block that declares other temporaries keeps them', () => {
  const block = organizationBlock(
    `ORGANIZATION_BLOCK "Cycle"\n{ S7_Optimized_Access := 'FALSE' }\nVAR_TEMP\n  own : Byte;\nEND_VAR\nBEGIN\n  %QB0 := #own;\nEND_ORGANIZATION_BLOCK\n`,
    1,
  )
  const { host } = runScl({ members: {}, body: '', others: [block] })
  const { startInformation, areas } = host.program
  host.view.setUint8(startInformation.address, 0xff)
  host.run('Cycle')
  assert.equal(host.view.getUint8(areas.Q.address), 0)
})
