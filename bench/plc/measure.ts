/**
 * Times several forms of one program by turns, in slices of a few milliseconds: the best slices of each are those that
 * no other load of the machine has disturbed.
 */
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A program from its start values on, whose scans can be timed. */
export interface Program {
  /** Runs scans; returns nanoseconds of one. */
  run(scans: number): Promise<number>
  /** The checksum after all scans so far. */
  result(): number
  close(): void
}

/** What was measured of one form: nanoseconds of a scan in the best slice, and the checksum at the end. */
export interface Measured {
  readonly time: number
  readonly result: number
}

const folder = fileURLToPath(new URL('.', import.meta.url))
/** Slices of each form. */
const slices = 150

/** Measures all forms by turns, the same number of scans each. They are closed at the end. */
export async function measure(programs: readonly Program[], scans: number): Promise<Measured[]> {
  const best = programs.map(() => Number.POSITIVE_INFINITY)
  try {
    for (let slice = 0; slice < slices; slice++)
      for (const [i, program] of programs.entries()) best[i] = Math.min(best[i]!, await program.run(scans))
    return programs.map((program, i) => ({ time: best[i]!, result: program.result() }))
  } finally {
    for (const program of programs) program.close()
  }
}

/**
 * Compiles a source with functions `scan` and `result` and starts it.
 * @param source a file in C, or in C++ when its name ends with `.cpp`
 * @param scratch the executable is `<scratch>/<name>`
 */
export function nativeProgram(source: string, scratch: string, name: string, options: readonly string[] = []): Program {
  const executable = join(scratch, name)
  const isC = !source.endsWith('.cpp')
  const main = isC ? [join(folder, 'main.c')] : ['-x', 'c++', join(folder, 'main.c')]
  execFileSync(isC ? 'gcc' : 'g++', ['-O2', ...options, '-o', executable, ...main, source, '-lm'], { stdio: 'pipe' })
  const child = spawn(executable, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let last = 0
  return {
    async run(scans) {
      child.stdin.write(`${scans}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error(`${name} has ended`)
      const [time, result] = value.split(' ')
      last = Number(result)
      return Number(time)
    },
    result: () => last,
    close: () => child.stdin.end(),
  }
}

/** The geometric mean of a non-empty list. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}
