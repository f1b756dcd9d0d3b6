/**
 * Compares one scan of compiled PLC programs with hand-written C of the same logic under gcc -O2, as ratios. All must
 * give the same result. `bench/plc/<name>.scl` contains an FB "Bench" whose member `checksum` is compared, and
 * `<name>.c` is its twin; the ladder program is generated here. Then the small programs of `bench/plc/small.ts`: called
 * many times in a scan, and called one by one from JavaScript. Where matiec (`iec2c`) or STruC++ (`strucpp`) are on the
 * PATH, they compile the same sources too. `npx tsx bench/plc.ts sort ladder` measures only what
 * has such names.
 */
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
import { compileWithMatiec, findMatiec, standardText } from './plc/matiec.ts'
import { geometricMean, type Measured, measure, nativeProgram, type Program } from './plc/measure.ts'
import { callsInLoop, loopedSource, smallC, smallPrograms, smallSource } from './plc/small.ts'
import { compileWithStrucpp, findStrucpp } from './plc/strucpp.ts'
import { report } from './report.ts'

const folder = fileURLToPath(new URL('./plc', import.meta.url))
/** Approximate length of a slice, ms. */
const sliceTime = 2
const instance = 'DATA_BLOCK "Data"\n"Bench"\nBEGIN\nEND_DATA_BLOCK\n'

/** A program of ours, and the scans of a slice. */
interface OwnProgram extends Program {
  readonly scans: number
}

function sclProgram(source: string): OwnProgram {
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
  const members = data.type?.kind === 'instance' ? data.type.members : []
  const at = layoutOf(members, 'optimized').offsets[members.findIndex(({ name }) => name === 'checksum')]?.byte ?? 0
  const fresh = () => new Uint8Array(host.memory.buffer).set(image, address)
  const run = (count: number) => {
    const begin = performance.now()
    for (let i = 0; i < count; i++) host.run('Bench', address)
    return performance.now() - begin
  }
  fresh()
  let scans = 10
  while (run(scans) < sliceTime) scans *= 2
  fresh()
  return {
    scans,
    run: async (count) => (run(count) * 1e6) / count,
    result: () => host.view.getInt32(address + at, true),
    close: () => {},
  }
}

function fail(what: string): never {
  throw new Error(`fault at ${what}`)
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

const scratch = await mkdtemp(join(tmpdir(), 'gantry-bench-plc-'))
const matiec = findMatiec()
const strucpp = findStrucpp()

/** What the same source was compiled with, and how. */
const peers: readonly { name: string; compiled: (scl: string) => Program | undefined }[] = [
  ...(matiec === undefined
    ? []
    : [
        {
          name: 'matiec and gcc -O2',
          compiled(scl: string) {
            const sources = join(scratch, 'matiec')
            const unit = compileWithMatiec(matiec, scl, sources)
            const headers = ['-w', '-I', sources, '-I', join(matiec.library, 'C')]
            return unit === undefined ? undefined : nativeProgram(unit, scratch, 'matiec-bench', headers)
          },
        },
      ]),
  ...(strucpp === undefined
    ? []
    : [
        {
          name: 'STruC++ and g++ -O2',
          compiled(scl: string) {
            const sources = join(scratch, 'strucpp')
            const unit = compileWithStrucpp(strucpp, standardText(scl), sources)
            const headers = ['-w', '-std=c++17', '-I', sources, '-I', strucpp.headers]
            return unit === undefined ? undefined : nativeProgram(unit, scratch, 'strucpp-bench', headers)
          },
        },
      ]),
]

/** Ratios of a group of programs, by what they were compared with. */
type Ratios = Map<string, number[]>

/** Measures a program of ours, its C twin and what peers make of its source; prints and keeps the ratios. */
async function compare(name: string, source: { own: string; scl: string; c: string }, calls: number, ratios: Ratios) {
  const own = sclProgram(source.own)
  const others = [
    { name: 'gcc -O2', program: nativeProgram(source.c, scratch, 'c-bench') as Program | undefined },
    ...peers.map((peer) => ({ name: peer.name, program: peer.compiled(source.scl) })),
  ].flatMap(({ name: other, program }) => (program ? [{ name: other, program: repeated(program, calls) }] : []))
  const [ours, ...theirs] = await measure([own, ...others.map(({ program }) => program)], own.scans)
  for (const [i, one] of theirs.entries()) {
    const other = others[i]!.name
    const ratio = ours!.time / one.time
    report(`${name} / ${other}`, ratio, other === 'gcc -O2' ? '<= 1.5' : '< 1')
    ratios.set(other, [...(ratios.get(other) ?? []), ratio])
    if (one.result === ours!.result) continue
    if (other === 'gcc -O2') throw new Error(`${name}: ${ours!.result}, C gives ${one.result}`)
    // Literals of matiec are doubles, and C rounds intermediate results otherwise.
    console.log(`  with results ${ours!.result} and ${one.result}`)
  }
  console.log(`  ${[ours!, ...theirs].map(({ time }: Measured) => (time / calls).toPrecision(3)).join(', ')} ns`)
}

/** A program of which one scan counts as `calls` calls of another. */
function repeated(program: Program, calls: number): Program {
  return calls === 1 ? program : { ...program, run: async (scans) => (await program.run(scans * calls)) * calls }
}

function printMeans(what: string, ratios: Ratios): void {
  for (const [other, all] of ratios)
    report(`${what} / ${other}, geometric mean of ${all.length}`, geometricMean(all), other === 'gcc -O2' ? '' : '< 1')
}

const chosen = process.argv.slice(2)
const isChosen = (name: string) => chosen.length === 0 || chosen.some((one) => name.includes(one))
try {
  const large: Ratios = new Map()
  const rungs = ladder(2000)
  await writeFile(join(scratch, 'ladder.c'), rungs.c)
  const files = (await readdir(folder)).filter((file) => file.endsWith('.scl')).sort()
  const sources = await Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -4),
      scl: await readFile(join(folder, file), 'utf8'),
      c: join(folder, `${file.slice(0, -4)}.c`),
    })),
  )
  sources.push({ name: 'ladder of 2000 rungs', scl: rungs.scl, c: join(scratch, 'ladder.c') })
  for (const { name, scl, c } of sources) if (isChosen(name)) await compare(name, { own: scl, scl, c }, 1, large)
  printMeans('programs', large)
  const inLoop: Ratios = new Map()
  const single: Ratios = new Map()
  for (const program of smallPrograms) {
    if (!isChosen(program.name) && !isChosen('small')) continue
    const c = join(scratch, 'small.c')
    await writeFile(c, smallC(program))
    const scl = smallSource(program, 'Bench')
    await compare(`${program.name}, in a loop`, { own: loopedSource(program), scl, c }, callsInLoop, inLoop)
    await compare(`${program.name}, one by one`, { own: scl, scl, c }, 1, single)
  }
  printMeans('small programs in a loop', inLoop)
  printMeans('small programs one by one', single)
} finally {
  await rm(scratch, { recursive: true, force: true })
}
