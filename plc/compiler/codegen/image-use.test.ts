import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../../formats/source/read.ts'
import { linkProgram } from '../../program/link-program.ts'
import { defaultAreas } from '../../program/memory-areas.ts'
import { lowerBlock } from '../lower/lower-block.ts'
import { compileBlock } from './function.ts'
import { link } from './link.ts'

/** What a program of one organization block uses; the body may use `Data`, a standard block. */
function useOf(body: string, variables = '') {
  const source = `ORGANIZATION_BLOCK "Main"\n${variables}\nBEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`
  const program = linkProgram(readSource(source).blocks.map(({ object }) => ({ object })))
  const blocks = [...program.blocks.values()].map((block) => {
    const { code, diagnostics } = lowerBlock(program, block)
    return { name: block.name, compiled: compileBlock(code ?? assert.fail(diagnostics[0]?.message)) }
  })
  return link({ blocks, dataBlocks: [] })
}

test('a program uses the bytes of the images that its code names, image and periphery together', () => {
  assert.deepEqual(useOf('%M0.0 := %M0.1;').image, { I: [0, 0], Q: [0, 0] })
  const { I, Q } = useOf('%QW20 := %IW10; %QB4:P := %IB100:P;').image
  // An access counts as wide as the widest scalar.
  assert.deepEqual([I[0], Q[0]], [10, 4])
  assert.ok(I[1] >= 101 && I[1] <= 108 && Q[1] >= 22 && Q[1] <= 28, `${I} ${Q}`)
})

test('an access that finds its area at run time uses everything', () => {
  const all = { I: [0, defaultAreas.I], Q: [0, defaultAreas.Q] }
  assert.deepEqual(useOf('%MB0 := PEEK(area := 16#81, dbNumber := 0, byteOffset := %MW2);').image, all)
  assert.deepEqual(useOf('POKE(area := 16#82, dbNumber := 0, byteOffset := 7, value := %MB0);').image, all)
})

test('only blocks that read start information are listed as its readers', () => {
  assert.deepEqual(useOf('%M0.0 := TRUE;').startInformation.readers, [])
  assert.deepEqual(useOf('%M0.0 := #Initial_Call;').startInformation.readers, ['Main'])
  const declared = 'VAR_INPUT\n  Initial_Call : Bool;\n  Remanence : Bool;\nEND_VAR'
  assert.deepEqual(useOf('%M0.0 := #Remanence;', declared).startInformation.readers, ['Main'])
  assert.deepEqual(useOf('%M0.0 := FALSE;', declared).startInformation.readers, [])
})
