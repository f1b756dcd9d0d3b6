/** What a rung leaves out, and names of parameters that are words of the language. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { programOf } from './import.ts'
import { readSd, type SdOptions } from './read.ts'

function parts(rung: string, declared: string, options: SdOptions = {}) {
  const text = `FUNCTION_BLOCK "F"\nVAR ${declared} END_VAR\n{ S7_Language := "LAD" }\nNETWORK\nRUNG wire#powerrail\n${rung}\nEND_RUNG\nEND_NETWORK\nEND_FUNCTION_BLOCK\n`
  const read = readSd(text, options)
  assert.deepEqual(read.faults, [])
  const nodes = read.blocks[0]?.object.networks[0]?.graph?.nodes ?? []
  return nodes.flatMap((node) => (node.kind === 'operand' ? [] : [node]))
}

test('timers and counters have the type of their instance when the text names none', () => {
  const templates = (instruction: string, type: string, rest: string) =>
    parts(`#t.${instruction}( ${rest} )`, `t : ${type};`).flatMap((node) =>
      node.kind === 'part' ? node.templates.map(({ name, value }) => `${name} ${value}`) : [],
    )
  assert.deepEqual(templates('TON', 'TON_TIME', 'pt := T#5s'), ['time_type Time'])
  assert.deepEqual(templates('TON', 'TON_LTIME', 'pt := LT#5s'), ['time_type LTime'])
  assert.deepEqual(templates('CTU', 'CTU_DINT', 'pv := 5'), ['value_type DInt'])
})

test('a parameter may have the name of a word of the language', () => {
  const program = programOf(['FUNCTION_BLOCK "M" VAR_INPUT on : Bool; "Type" : Bool; END_VAR END_FUNCTION_BLOCK'])
  const [call] = parts('#m( on := #b, Type := TRUE )', 'm : _.M; b : Bool;', { program })
  assert.deepEqual(call?.kind === 'call' ? call.parameters.map(({ name }) => name) : [], ['on', 'Type'])
})
