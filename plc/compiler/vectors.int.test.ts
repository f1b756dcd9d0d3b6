/**
 * Small programs with expected results (IEC 61131-3 text, from ironplc) through reader, linker, lowering and generator.
 * They are written in IEC text, not that of TIA Portal: `sourceOf` spells it as TIA Portal does.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { vectorsFile } from '../../test/corpus.ts'
import { readSource } from '../formats/source/read.ts'
import { linkProgram } from '../program/link-program.ts'
import { startImage } from '../program/memory-image.ts'
import type { ProgramBlock } from '../program/program.ts'
import { programSymbols } from '../program/program-symbols-of.ts'
import { symbolRows } from '../program/symbol-rows.ts'
import { VirtualClock } from '../runtime/clock.ts'
import { createHost } from '../runtime/host.ts'
import { compileBlock } from './codegen/function.ts'
import { link } from './codegen/link.ts'
import { lowerBlock } from './lower/lower-block.ts'

interface Vector {
  readonly name: string
  readonly src: string
  readonly vars: readonly string[]
  readonly types: readonly string[]
  /** Index of a variable, in the order of declaration, and its value as Rust writes it. */
  readonly expect: readonly (readonly [number, string])[]
  readonly near: boolean
}

/** Reasons to leave a program out: features that TIA Portal does not have, or has in another form. */
const excluded: readonly (readonly [reason: string, pattern: RegExp])[] = [
  [
    'subranges and enumerations are no types of TIA Portal',
    /:\s*\w*INT\s*\(\s*-?\d+\s*\.\.|:\s*\(\s*\w+\s*(?::=\s*\d+\s*)?[,)]|:\s*(?!ARRAY|STRUCT|INT|DINT)\w+\s*;\s*END_TYPE/i,
  ],
  ['VAR_GLOBAL and CONFIGURATION are not part of a source', /\bVAR_GLOBAL\b|\bVAR_EXTERNAL\b|\bCONFIGURATION\b/i],
  ['addresses of variables (AT %I*)', /\bAT\s*%/i],
  [
    'operators as functions: ADD(a, b), GT(a, b), MOVE(a)',
    /\b(?:ADD|SUB|MUL|DIV|MOD|GT|GE|EQ|LE|LT|NE|AND|OR|XOR|NOT|MOVE|EXPT)\s*\((?=[^()]*,|\s*\w+\s*\))(?<!NOT\s*\()/,
  ],
  ['ATAN2 is no instruction of TIA Portal', /\bATAN2\b/i],
  [
    'a number whose literal is Int or DInt in a narrower type, or a Bool as a number',
    /not_parens|sel_real_with_variable/,
  ],
  ['** gives a Real (docs/plc-semantics.md#arithmetic)', /_pow_/],
  ['a reference to Byte that points to a String', /inout_string_ref/],
  ['start values of references', /REF_TO\s+\w+\s*:=\s*REF/i],
  ['pragmas and methods of other systems', /\{attribute|\bMETHOD\b|\bPROPERTY\b|\bEXTENDS\b|\bSUPER\b|\bTHIS\b/i],
  ['MUX with a selector out of range (docs/plc-semantics.md#differences-from-other-compilers)', /\bMUX\b/i],
  ['a name that is a keyword of TIA Portal', /\b(?:LDT|LTOD|REF_TO)\s*:\s*\w+|^\s*(?:REF)\s*:/im],
]

/**
 * The program in the form of TIA Portal: PROGRAM becomes FUNCTION_BLOCK "main", names of the program are in quotes,
 * bits are %X0.
 */
function sourceOf(src: string): string {
  const functions = [...src.matchAll(/^\s*FUNCTION\s+(\w+)/gim)].map(([, name = '']) => name)
  let text = src
    .replace(/\bPROGRAM\s+main\b/i, 'FUNCTION_BLOCK main')
    .replace(/\bEND_PROGRAM\b/i, 'END_FUNCTION_BLOCK')
    .replace(/"((?:[^"$]|\$.)*)"/g, "WSTRING#'$1'")
    .replace(/([A-Za-z_]\w*)\.(\d+)\b/g, '$1.%X$2')
  text = text.replace(/\b(FUNCTION_BLOCK|FUNCTION)(\s+\w+[\s\S]*?)\bEND_\1\b/gi, (all: string, kind: string) => {
    const at = Math.max(...['END_VAR'].map((word) => all.toUpperCase().lastIndexOf(word) + word.length))
    const from = at > 'END_VAR'.length ? at : all.search(/\n/) + 1
    return /\bBEGIN\b/i.test(all) || kind === '' ? all : `${all.slice(0, from)}\nBEGIN\n${all.slice(from)}`
  })
  // Several types in one TYPE become one TYPE each.
  text = text.replace(/\bTYPE\b([\s\S]*?)\bEND_TYPE\b/gi, (_all, inner: string) =>
    [...inner.matchAll(/(\w+)\s*:\s*STRUCT\b([\s\S]*?)\bEND_STRUCT\s*;?/gi)]
      .map(([, name = '', members = '']) => `TYPE "${name}"\nSTRUCT${members}END_STRUCT;\nEND_TYPE\n`)
      .join(''),
  )
  // Counter is a system type too: names of the program are in quotes.
  for (const [, name = ''] of text.matchAll(/^TYPE "(\w+)"/gm))
    text = text.replace(new RegExp(`(:\\s*|\\bOF\\s+)${name}\\b`, 'gi'), `$1"${name}"`)
  for (const name of functions)
    text = text.replace(new RegExp(`\\b${name}\\b(?=\\s*\\((?!\\s*\\*))`, 'gi'), `"${name}"`)
  return text
}

/** `0x0F`, `7_000_i64`, `std::f64::consts::PI`, `true`. */
function expected(text: string): number | bigint {
  const plain = text
    .replace(/\s+as\s+\w+$/, '')
    .replace(/_?[iuf](?:8|16|32|64)$/, '')
    .replaceAll('_', '')
  const constant = /consts::([A-Z0-9]+)$/.exec(text.replaceAll(' ', ''))?.[1] ?? /consts::(\w+)$/.exec(text)?.[1]
  if (constant !== undefined) {
    const [, half] = /(\d+)$/.exec(constant) ?? []
    if (/^FRAC_?PI/.test(constant)) return Math.PI / Number(half ?? 1)
    const values: Record<string, number> = {
      PI: Math.PI,
      E: Math.E,
      SQRT_2: Math.SQRT2,
      SQRT2: Math.SQRT2,
      LN_2: Math.LN2,
      LN_10: Math.LN10,
    }
    return values[constant] ?? Number.NaN
  }
  if (plain === 'true' || plain === 'false') return plain === 'true' ? 1 : 0
  return /^-?(?:\d+|0x[0-9a-f]+)$/i.test(plain)
    ? plain.startsWith('-')
      ? -BigInt(plain.slice(1))
      : BigInt(plain)
    : Number(plain)
}

type Outcome = 'pass' | string

function run(vector: Vector): Outcome {
  const { blocks, faults } = readSource(sourceOf(vector.src))
  if (faults[0]) return `source: ${faults[0].message}`
  const instance = readSource('DATA_BLOCK "main_DB"\n"main"\nBEGIN\nEND_DATA_BLOCK\n').blocks
  const program = linkProgram([...blocks, ...instance].map(({ object }) => ({ object })))
  const [error] = program.diagnostics.filter(({ severity }) => severity === 'error')
  if (error) return `link ${error.code}: ${error.message}`
  const lowered = [...program.blocks.values()]
    .filter(({ kind }) => !kind.endsWith('DB'))
    .map((block) => lowerBlock(program, block))
  const [diagnostic] = lowered.flatMap(({ code, diagnostics }) => (code ? [] : diagnostics))
  if (diagnostic) return `compile ${diagnostic.code}: ${diagnostic.message}`
  const code = lowered.flatMap((one) => (one.code ? [{ name: one.code.name, compiled: compileBlock(one.code) }] : []))
  const data = program.blocks.get('main_db') as ProgramBlock
  const image = startImage(data, program)
  const linked = link({
    blocks: code,
    dataBlocks: [{ name: data.name, size: image.length }],
    areas: { I: 64, Q: 64, M: 64 },
  })
  const host = createHost(linked, { clock: new VirtualClock(), onFault: () => {} })
  const address = linked.dataBlocks.get('main_db')?.address ?? 0
  new Uint8Array(host.memory.buffer).set(image, address)
  host.run('main', address)
  const members = program.blocks.get('main')?.members ?? []
  const symbols = new Map(
    [
      ...symbolRows(
        programSymbols(program, () => undefined),
        { expandsArrays: true },
      ),
    ].map((symbol) => [symbol.name.toLowerCase(), symbol]),
  )
  for (const [index, text] of vector.expect) {
    const name = members[index]?.name ?? ''
    const symbol = symbols.get(`main_db.${name.toLowerCase()}`)
    if (symbol?.type.kind !== 'scalar') return `variable ${index} is no single value`
    const type = symbol.type.scalar
    const at = address + symbol.byte
    const value = expected(text)
    if (type.family === 'real') {
      const got = type.bits === 32 ? host.view.getFloat32(at, true) : host.view.getFloat64(at, true)
      const want = type.bits === 32 ? Math.fround(Number(value)) : Number(value)
      const room = vector.near ? 1e-5 * Math.max(1, Math.abs(want)) : 0
      if (!(Math.abs(got - want) <= room)) return `value: ${name} is ${got}, expected ${want}`
      continue
    }
    const width = type.bits === 1 ? 8 : type.bits
    let got = 0n
    for (let i = width / 8 - 1; i >= 0; i--) got = (got << 8n) | BigInt(host.view.getUint8(at + i))
    const want = BigInt.asUintN(width, BigInt(value))
    if (got !== want) return `value: ${name} is ${got}, expected ${want}`
  }
  return 'pass'
}

/** The least number of programs that must pass. */
const least = 255

test('programs of the vectors give their results', (t) => {
  const vectors = readFileSync(vectorsFile, 'utf8')
    .trim()
    .split('\n')
    .map((line): Vector => JSON.parse(line))
  const tally = new Map<string, string[]>()
  const wrong: string[] = []
  let passed = 0
  let left = 0
  for (const vector of vectors) {
    let outcome: Outcome
    const reason = excluded.find(([, pattern]) => pattern.test(`${vector.name}\n${vector.src}`))?.[0]
    try {
      outcome = run(vector)
    } catch (error) {
      outcome = `crash: ${error instanceof Error ? error.message : error}`
    }
    if (outcome === 'pass') {
      passed++
      continue
    }
    // A wrong result and a crash count as faults in any program.
    if (/^(?:value|crash)/.test(outcome)) wrong.push(`${vector.name}: ${outcome}`)
    const row = reason === undefined ? outcome.replace(/"[^"]*"|#\w+/g, '…') : `(left out) ${reason}`
    if (reason !== undefined) left++
    tally.set(row, [...(tally.get(row) ?? []), vector.name])
  }
  t.diagnostic(`${passed} of ${vectors.length} pass, ${left} are left out`)
  for (const [row, names] of [...tally].sort(([, a], [, b]) => b.length - a.length))
    t.diagnostic(`${names.length} ${row}: ${names.slice(0, 3).join(', ')}`)
  assert.deepEqual(wrong, [])
  assert.ok(passed >= least, `${passed} pass, ${least} did before`)
})
