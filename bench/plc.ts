/**
 * Compares one scan of compiled PLC programs with hand-written C of the same logic under gcc -O2, as ratios. Target: <=
 * 2. Both must give the same result. `bench/plc/<name>.scl` contains an FB "Bench" whose member `checksum` is compared,
 * and `<name>.c` is its twin; the ladder program is generated here. Where matiec (`iec2c`) is on the PATH, the programs
 * that it accepts are also compiled by it and gcc -O2.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileBlock } from '../plc/compiler/codegen/function.ts'
import { link } from '../plc/compiler/codegen/link.ts'
import { lowerBlock } from '../plc/compiler/lower/lower-block.ts'
import { readSource } from '../plc/formats/source/read.ts'
import { layoutOf } from '../plc/program/layout.ts'
import { linkProgram } from '../plc/program/link-program.ts'
import { startImage } from '../plc/program/memory-image.ts'
import { VirtualClock } from '../plc/runtime/clock.ts'
import { createHost } from '../plc/runtime/host.ts'
import { compileWithMatiec, findMatiec, type Matiec } from './plc/matiec.ts'
import { report } from './report.ts'

const folder = fileURLToPath(new URL('./plc', import.meta.url))
/** Approximate length of one round, ms. */
const roundTime = 50
const rounds = 7
const turns = 4
const instance = 'DATA_BLOCK "Data"\n"Bench"\nBEGIN\nEND_DATA_BLOCK\n'

/** A program that can be measured repeatedly, always from its start values. */
interface Program {
  /** Approximate number of scans in a round. */
  readonly scans: number
  measure(): Measured
}

/** Nanoseconds of one scan in the best round, and the checksum after all rounds. */
interface Measured {
  readonly time: number
  readonly result: number
}

function sclProgram(source: string): Program {
  const { blocks, faults } = readSource(`${source}\n${instance}`)
  if (faults[0]) throw new Error(`line ${faults[0].line}: ${faults[0].message}`)
  const program = linkProgram(blocks.map(({ object }) => ({ object })))
  const compiled = [...program.blocks.values()]
    .filter(({ kind }) => kind === 'FB' || kind === 'FC')
    .map((block) => {
      const { code, diagnostics } = lowerBlock(program, block)
      if (!code) throw new Error(`${block.name}: ${diagnostics[0]?.line}: ${diagnostics[0]?.message}`)
      return { name: block.name, compiled: compileBlock(code) }
    })
  const data = program.blocks.get('data')
  if (!data) throw new Error('no data block')
  const image = startImage(data, program)
  const linked = link({ blocks: compiled, dataBlocks: [{ name: 'Data', size: image.length }] })
  const host = createHost(linked, {
    clock: new VirtualClock(),
    onFault: (block, site) => fail(`${block}:${site}`),
  })
  const address = linked.dataBlocks.get('data')?.address ?? 0
  new Uint8Array(host.memory.buffer).set(image, address)
  const members = data.type?.kind === 'instance' ? data.type.members : []
  const at = layoutOf(members, 'optimized').offsets[members.findIndex(({ name }) => name === 'checksum')]?.byte ?? 0
  const fresh = () => new Uint8Array(host.memory.buffer).set(image, address)
  const run = (count: number) => {
    const begin = performance.now()
    for (let i = 0; i < count; i++) host.run('Bench', address)
    return performance.now() - begin
  }
  let scans = 100
  run(scans)
  while (run(scans) < roundTime / 2) scans *= 2
  return {
    scans,
    measure: () => {
      fresh()
      let best = Number.POSITIVE_INFINITY
      for (let round = 0; round < rounds; round++) best = Math.min(best, (run(scans) * 1e6) / scans)
      return { time: best, result: host.view.getInt32(address + at, true) }
    },
  }
}

function fail(what: string): never {
  throw new Error(`fault at ${what}`)
}

/** Compiles the C source to an executable; main.c prints nanoseconds and checksum. */
function cProgram(source: string, scratch: string, scans: number, options: readonly string[] = []): Program {
  const program = join(scratch, 'bench')
  execFileSync('gcc', ['-O2', ...options, '-o', program, join(folder, 'main.c'), source, '-lm'])
  return {
    scans,
    measure: () => {
      const [time, result] = execFileSync(program, [String(scans)], { encoding: 'utf8' }).split(' ')
      return { time: Number(time), result: Number(result) }
    },
  }
}

/** Makes rungs that latch themselves, every third one depending on the one before. */
function ladder(count: number): { scl: string; c: string } {
  const [declared, rungs, cRungs]: string[][] = [[], [], []]
  for (let i = 0; i < count; i++) {
    declared?.push(`      start${i} : Bool;\n      stop${i} : Bool;\n      run${i} : Bool;`)
    const before = i % 3 === 2 ? ` AND run${i - 1}` : ''
    rungs?.push(`\t#run${i} := (#start${i} OR #run${i}) AND NOT #stop${i}${before.replace('run', '#run')};`)
    cRungs?.push(`  run[${i}] = (start[${i}] | run[${i}]) & !stop[${i}]${i % 3 === 2 ? ` & run[${i - 1}]` : ''};`)
  }
  // Starts and stops change at different paces; the checksum has the states of rungs over all scans.
  const watched = [17, count >> 1, count - 1]
  const change = [
    '\t#scan := #scan + 1;',
    ...watched.flatMap((i) => [
      `\t#start${i} := #scan MOD ${(i % 7) + 3} = 0;`,
      `\t#stop${i} := #scan MOD ${(i % 5) + 2} = 1;`,
      `\t#checksum := #checksum * 3 + BOOL_TO_DINT(#run${i});`,
    ]),
  ].join('\n')
  const cChange = [
    '  scanned++;',
    ...watched.flatMap((i) => [
      `  start[${i}] = scanned % ${(i % 7) + 3} == 0;`,
      `  stop[${i}] = scanned % ${(i % 5) + 2} == 1;`,
      `  checksum = (int32_t)((uint32_t)checksum * 3u + run[${i}]);`,
    ]),
  ].join('\n')
  return {
    scl: `FUNCTION_BLOCK "Bench"\nVERSION : 0.1\n   VAR\n${declared?.join('\n')}\n      scan : DInt;\n      checksum : DInt;\n   END_VAR\n\nBEGIN\n${rungs?.join('\n')}\n${change}\nEND_FUNCTION_BLOCK\n`,
    c: `#include <stdint.h>\nstatic volatile uint8_t start[${count}], stop[${count}];\nstatic uint8_t run[${count}];\nstatic int32_t checksum, scanned;\nvoid scan(void) {\n${cRungs?.join('\n')}\n${cChange}\n}\nlong long result(void) { return checksum; }\n`,
  }
}

/** Measures both in turn, so that other load on the machine affects both, and takes the best round of each. */
function compare(ours: Program, theirs: Program) {
  const best = { ours: Number.POSITIVE_INFINITY, theirs: Number.POSITIVE_INFINITY, results: [0, 0] }
  for (let turn = 0; turn < turns; turn++) {
    const [a, b] = [ours.measure(), theirs.measure()]
    best.ours = Math.min(best.ours, a.time)
    best.theirs = Math.min(best.theirs, b.time)
    best.results = [a.result, b.result]
  }
  return { ...best, isSame: best.results[0] === best.results[1] }
}

/**
 * Measures the program compiled with matiec. Its arithmetic is that of C: literals are doubles, and intermediate
 * results are not rounded to Real.
 */
function throughMatiec(matiec: Matiec, name: string, scl: string, ours: Program): void {
  const sources = join(scratch, 'matiec')
  const unit = compileWithMatiec(matiec, scl, sources)
  if (unit === undefined) {
    console.log('  matiec does not take it')
    return
  }
  const headers = ['-w', '-I', sources, '-I', join(matiec.library, 'C')]
  const found = compare(ours, cProgram(unit, scratch, ours.scans, headers))
  report(`${name}: one scan / matiec and gcc -O2`, found.ours / found.theirs, '< 1')
  if (!found.isSame) console.log(`  with results ${found.results.join(' and ')}`)
}

const matiec = findMatiec()
const scratch = await mkdtemp(join(tmpdir(), 'gantry-bench-plc-'))
try {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.scl')).map((file) => file.slice(0, -4))
  const sources = new Map<string, { scl: string; c: string }>()
  for (const name of names.sort())
    sources.set(name, { scl: await readFile(join(folder, `${name}.scl`), 'utf8'), c: join(folder, `${name}.c`) })
  const rungs = ladder(2000)
  await writeFile(join(scratch, 'ladder.c'), rungs.c)
  sources.set('ladder of 2000 rungs', { scl: rungs.scl, c: join(scratch, 'ladder.c') })
  for (const [name, { scl, c }] of sources) {
    const ours = sclProgram(scl)
    const theirs = cProgram(c, scratch, ours.scans)
    const found = compare(ours, theirs)
    if (!found.isSame) throw new Error(`${name}: ${found.results[0]}, C gives ${found.results[1]}`)
    report(`${name}: one scan / gcc -O2`, found.ours / found.theirs, '<= 2')
    console.log(`  ${found.ours.toFixed(0)} against ${found.theirs.toFixed(0)} ns`)
    if (matiec) throughMatiec(matiec, name, scl, ours)
  }
} finally {
  await rm(scratch, { recursive: true, force: true })
}
