/** Compiles the programs of this folder with STruC++ (`strucpp`) and g++ -O2, where they are installed. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** An installed STruC++. */
export interface Strucpp {
  readonly program: string
  /** Folder of its headers. */
  readonly headers: string
}

/** Finds `strucpp` on the PATH, with the headers of its package. */
export function findStrucpp(): Strucpp | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const program = join(folder, 'strucpp')
    if (!existsSync(program)) continue
    const home = dirname(realpathSync(program))
    const headers = ['../../src/runtime/include', '../runtime/include', '../../runtime/include']
      .map((one) => join(home, one))
      .find((one) => existsSync(join(one, 'iec_std_lib.hpp')))
    if (headers !== undefined) return { program, headers }
  }
  return undefined
}

/**
 * Compiles a program in standard text to the C++ file that `main.c` is linked with. Returns `undefined` when STruC++
 * does not accept it. The sources are written to `folder`.
 */
export function compileWithStrucpp({ program }: Strucpp, text: string, folder: string): string | undefined {
  mkdirSync(folder, { recursive: true })
  const source = join(folder, 'bench.st')
  writeFileSync(source, text)
  try {
    execFileSync(program, [source, '-o', join(folder, 'program.cpp'), '--no-line-mapping'], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  const unit = join(folder, 'unit.cpp')
  writeFileSync(
    unit,
    `#include "program.cpp"
static strucpp::BENCH bench;
extern "C" void scan(void) { bench(); }
extern "C" long long result(void) { return (long long)(int32_t)bench.CHECKSUM; }
`,
  )
  return unit
}
