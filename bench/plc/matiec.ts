/** Compiles the programs of this folder with matiec (`iec2c`) and gcc -O2, where they are installed. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** An installed matiec compiler. */
export interface Matiec {
  readonly program: string
  /** Folder of matiec's library: standard functions as text, and `C` with the headers. */
  readonly library: string
}

/** Finds the compiler on the PATH, with its library next to it or in the folder of an installation. */
export function findMatiec(): Matiec | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const program = join(folder, 'iec2c')
    if (!existsSync(program)) continue
    const home = dirname(realpathSync(program))
    const library = ['lib', '../lib', '../lib/matiec', '../share/matiec/lib']
      .map((one) => join(home, one))
      .find((one) => existsSync(join(one, 'C', 'iec_std_lib.h')))
    if (library !== undefined) return { program, library }
  }
  return undefined
}

/**
 * Rewrites an SCL program in the syntax of IEC 61131-3: names without quotes and `#`, no versions, types with a colon.
 * S7 constructs beyond the standard are kept, and iec2c refuses them.
 */
export function standardText(scl: string): string {
  const text = scl
    .replace(/\/\/.*$/gm, '')
    .replace(/^\{.*\}$/gm, '')
    .replace(/^VERSION : .*$/gm, '')
    .replace(/^BEGIN$/gm, '')
    .replace(/^TYPE "(\w+)"/gm, 'TYPE $1 :')
    .replace(/(^|[^\w'])#(?=[A-Za-z_])/gm, '$1')
    .replace(/"(\w+)"/g, '$1')
    // Functions of the standard have no VAR_TEMP, and iec2c generates wrong C for a structure in it.
    .replaceAll('VAR_TEMP', 'VAR')
  return `${text}
PROGRAM bench_program
  VAR it : Bench; END_VAR
  it();
END_PROGRAM
CONFIGURATION bench_configuration
  RESOURCE bench_resource ON PLC
    TASK cyclic(INTERVAL := T#10ms, PRIORITY := 0);
    PROGRAM run WITH cyclic : bench_program;
  END_RESOURCE
END_CONFIGURATION
`
}

/**
 * Compiles the program to the C file that `main.c` includes. Returns `undefined` when iec2c does not accept it. The
 * sources are written to `folder`.
 */
export function compileWithMatiec({ program, library }: Matiec, scl: string, folder: string): string | undefined {
  mkdirSync(folder, { recursive: true })
  const source = join(folder, 'bench.st')
  writeFileSync(source, standardText(scl))
  try {
    execFileSync(program, ['-I', library, '-T', folder, source], {
      stdio: process.env.MATIEC_LOG ? 'inherit' : 'ignore',
    })
  } catch {
    return undefined
  }
  const unit = join(folder, 'unit.c')
  writeFileSync(
    unit,
    `#include "POUS.h"
TIME __CURRENT_TIME;
BOOL __DEBUG;
#include "POUS.c"
static BENCH bench;
__attribute__((constructor)) static void begin(void) { BENCH_init__(&bench, 0); }
void scan(void) { BENCH_body__(&bench); }
long long result(void) { return bench.CHECKSUM.value; }
`,
  )
  return unit
}
