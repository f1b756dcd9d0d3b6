/** Mistakes planted in networks in STL, LAD and FBD, and in programs of several blocks (plc/testing/planted.ts). */
import { testPlanted } from '../testing/planted.ts'

const declared: Readonly<Record<string, readonly [section: string, type: string]>> = {
  a: ['_INPUT', 'Bool'],
  b: ['_INPUT', 'Bool'],
  x: ['_INPUT', 'Int'],
  q: ['_OUTPUT', 'Bool'],
  p: ['_OUTPUT', 'Bool'],
  n: ['_OUTPUT', 'Int'],
  d: ['_OUTPUT', 'DInt'],
  latch: ['', 'Bool'],
  delay: ['', 'TON_TIME'],
  step: ['', 'Int'],
  t: ['_TEMP', 'Int'],
  bit: ['_TEMP', 'Bool'],
}

function sections(body: string): string[] {
  return ['_INPUT', '_OUTPUT', '', '_TEMP'].flatMap((section) => {
    const rows = Object.entries(declared).filter(
      ([name, [own]]) => own === section && new RegExp(`#${name}\\b`).test(body),
    )
    const lines = rows.map(([name, [, type]]) => `  ${name} : ${type}; // for the test`)
    return rows.length === 0 ? [] : [`VAR${section}`, ...lines, 'END_VAR']
  })
}

function stl(body: string, kind: 'FB' | 'FC' = 'FB'): string {
  const [begin, end] =
    kind === 'FB' ? ['FUNCTION_BLOCK "Tested"', 'END_FUNCTION_BLOCK'] : ['FUNCTION "Tested" : Void', 'END_FUNCTION']
  const code = body.split('\n').map((line) => `      ${line}`)
  return [begin, 'TITLE = Tested', ...sections(body), 'BEGIN', 'NETWORK', 'TITLE = All', ...code, end, ''].join('\n')
}

/** Rungs, each with its elements, or FBD statements. */
function networks(language: 'LAD' | 'FBD', ...all: readonly string[]): string {
  const body = all.map((one) => `  { S7_Language := "${language}" }\n  NETWORK\n${one}\n  END_NETWORK`).join('\n')
  return `{ S7_Optimized := "TRUE"; S7_PreferredLanguage := "${language}"; S7_Version := "0.1" }
FUNCTION_BLOCK "Tested"
${sections(body).join('\n')}
${body}
END_FUNCTION_BLOCK
`
}

const rung = (...elements: readonly string[]): string =>
  ['    RUNG wire#powerrail', ...elements.map((one) => `      ${one}`), '    END_RUNG'].join('\n')

/** A rung of FBD begins with an operand. */
const fbd = (...rungs: readonly (readonly string[])[]): string =>
  networks(
    'FBD',
    ...rungs.map(([first, ...elements]) =>
      [`    RUNG ${first}`, ...elements.map((one) => `      ${one}`), '    END_RUNG'].join('\n'),
    ),
  )

const lad = (...rungs: readonly (readonly string[])[]): string => networks('LAD', ...rungs.map((one) => rung(...one)))

testPlanted({
  name: 'STL: S without R',
  code: 'set-without-reset',
  wrong: stl('A #a;\nS #latch; (*!*)\nA #latch;\n= #q;'),
  right: stl('A #a;\nS #latch;\nA #b;\nR #latch;\nA #latch;\n= #q;'),
  as: 'awl',
})
testPlanted({
  name: 'LAD: S coil without R',
  code: 'set-without-reset',
  wrong: lad(['Contact( #a )', 'S_Coil( #latch ) (*!*)'], ['Contact( #latch )', 'Coil( #q )']),
  right: lad(
    ['Contact( #a )', 'S_Coil( #latch )'],
    ['Contact( #b )', 'R_Coil( #latch )'],
    ['Contact( #latch )', 'Coil( #q )'],
  ),
  as: 's7dcl',
})
testPlanted({
  name: 'FBD: output that holds itself',
  code: 'set-without-reset',
  wrong: fbd(['#latch', 'O( in2 := #a )', 'Coil( #latch ) (*!*)'], ['#latch', 'Coil( #q )']),
  right: fbd(['#latch', 'O( in2 := #a )', 'A( in2 := NOT #b )', 'Coil( #latch )'], ['#latch', 'Coil( #q )']),
  as: 's7dcl',
})
testPlanted({
  name: 'FBD: S without R',
  code: 'set-without-reset',
  wrong: fbd(['#a', 'S_Coil( #latch ) (*!*)'], ['#latch', 'Coil( #q )']),
  right: fbd(['#a', 'S_Coil( #latch )'], ['#b', 'R_Coil( #latch )'], ['#latch', 'Coil( #q )']),
  as: 's7dcl',
})
testPlanted({
  name: 'FBD: SR whose reset is FALSE',
  code: 'set-without-reset',
  wrong: fbd(['#a', 'S_SR( operand := #latch, r1 := FALSE ) (*!*)', 'Coil( #q )']),
  right: fbd(['#a', 'S_SR( operand := #latch, r1 := #b )', 'Coil( #q )']),
  as: 's7dcl',
})
testPlanted({
  name: 'FBD: temporary read first',
  code: 'uninitialised-temporary',
  wrong: fbd(['#bit', 'Coil( #q ) (*!*)'], ['#a', 'Coil( #bit )'], ['#bit', 'Coil( #p )']),
  right: fbd(['#a', 'Coil( #bit )'], ['#bit', 'Coil( #q )']),
  as: 's7dcl',
})
testPlanted({
  name: 'LAD: timer under a contact that is read elsewhere',
  code: 'instance-not-called',
  wrong: lad(['Contact( #delay.Q ) (*!*)', 'Coil( #q )']),
  right: lad(['Contact( #a )', '#delay.TON( PT := T#1s )', 'Coil( #q )']),
  as: 's7dcl',
})
testPlanted({
  name: 'LAD: temporary read first',
  code: 'uninitialised-temporary',
  wrong: lad(
    ['Contact( #bit ) (*!*)', 'Coil( #q )'],
    ['Contact( #a )', 'Coil( #bit )'],
    ['Contact( #bit )', 'Coil( #p )'],
  ),
  right: lad(['Contact( #a )', 'Coil( #bit )'], ['Contact( #bit )', 'Coil( #q )']),
  as: 's7dcl',
})
testPlanted({
  name: 'STL: temporary read first',
  code: 'uninitialised-temporary',
  wrong: stl('L #t; (*!*)\nT #n;\nL #x;\nT #t;\nL #t;\nT #n;'),
  right: stl('L #x;\nT #t;\nL #t;\nT #n;'),
  as: 'awl',
  beside: ['dead-store'],
})
testPlanted({
  name: 'STL: timer read, not called',
  code: 'instance-not-called',
  wrong: stl('A #delay.Q; (*!*)\n= #q;'),
  right: stl('CALL #delay\n(  IN := #a,\n   PT := T#1s);\nA #delay.Q;\n= #q;'),
  as: 'awl',
})

const data = `DATA_BLOCK "Data"
TITLE = Shared
{ S7_Optimized_Access := 'TRUE' }
VAR
  count : Int; // counted
  latch : Bool; // latched
  step : Int; // of the machine
END_VAR
BEGIN
END_DATA_BLOCK
`
const ob = (name: string, body: string): string =>
  `ORGANIZATION_BLOCK "${name}"\nTITLE = Runs\n{ S7_Optimized_Access := 'TRUE' }\nBEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`
const counts = `FUNCTION "Count" : Void
TITLE = Counts
{ S7_Optimized_Access := 'TRUE' }
BEGIN
"Data".count := "Data".count + 1; (*!*)
END_FUNCTION
`
const used = 'IF "Data".count > 1 AND "Data".latch AND "Data".step > 1 THEN\n"Data".count := 0;\nEND_IF;'

testPlanted({
  name: 'two priorities through a call',
  code: 'concurrent-write',
  wrong: `${data}${counts}${ob('Cyclic interrupt', '"Count"();')}${ob('Main', '"Data".latch := "Data".count > 1;\n"Data".step := "Data".count;\n"Data".count := 0;')}`,
  right: `${data}${counts}${ob('Cyclic interrupt', '"Count"();')}${ob('Main', '"Data".latch := "Data".count > 1;\n"Data".step := "Data".count;')}`,
  beside: [],
})
testPlanted({
  name: 'one block at two priorities',
  code: 'concurrent-write',
  wrong: `${data}${counts}${ob('Cyclic interrupt', '"Count"();')}${ob('Main', '"Data".latch := "Data".count > 1;\n"Data".step := "Data".count;\n"Count"();')}`,
  right: `${data}${counts}${ob('Cyclic interrupt', '"Data".step := "Data".count;')}${ob('Main', '"Data".latch := "Data".count > 1;\n"Count"();')}`,
})
testPlanted({
  name: 'latch in a data block',
  code: 'set-without-reset',
  wrong: `${data}${ob('Main', `IF "Data".count > 1 THEN\n"Data".latch := TRUE; (*!*)\nEND_IF;\n${used}\n"Data".step := 1;`)}`,
  right: `${data}${ob('Main', `"Data".latch := "Data".count > 1;\n${used}\n"Data".step := 1;`)}`,
})
testPlanted({
  name: 'state of a machine in a data block',
  code: 'unreachable-state',
  wrong: `${data}${ob('Main', 'CASE "Data".step OF\n0: "Data".step := 1;\n1: "Data".step := 0;\n2: "Data".count := 0; (*!*)\nELSE ;\nEND_CASE;\n"Data".latch := "Data".count > 1;')}`,
  right: `${data}${ob('Main', 'CASE "Data".step OF\n0: "Data".step := 1;\n1: "Data".step := 2;\n2: "Data".count := 0;\nELSE ;\nEND_CASE;\n"Data".latch := "Data".count > 1;')}`,
})

const motor = `FUNCTION_BLOCK "Motor"
TITLE = Motor
{ S7_Optimized_Access := 'TRUE' }
VAR_OUTPUT
  count : Int; // cycles
END_VAR
BEGIN
#count := #count + 1;
END_FUNCTION_BLOCK
DATA_BLOCK "One"
TITLE = One
{ S7_Optimized_Access := 'TRUE' }
"Motor"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Two"
TITLE = Two
{ S7_Optimized_Access := 'TRUE' }
"Motor"
BEGIN
END_DATA_BLOCK
`
const rest = '"Data".latch := "Data".count > 1;\n"Data".step := "Data".count;'
testPlanted({
  name: 'instance data block read, not called',
  code: 'instance-not-called',
  wrong: `${data}${motor}${ob('Main', `"One"();\n"Data".count := "One".count + "Two".count; (*!*)\n${rest}`)}`,
  right: `${data}${motor}${ob('Main', `"One"();\n"Two"();\n"Data".count := "One".count + "Two".count;\n${rest}`)}`,
})
