/**
 * The entry of the command line. `serve` is parsed with Node's own parser, so that a start does not load the one with
 * the help pages (20 ms); every other command, and every `--help`, goes through `program.ts`.
 */
import { parseArgs } from 'node:util'
import { problemOfFileError } from '../contract/file-problem.ts'
import { isGatewayError } from '../contract/problems.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { camelCase, type RawOptions, readServeRun, serveOptions } from './options.ts'

async function main(args: readonly string[]): Promise<void> {
  const [command, ...rest] = args
  const fast = command === 'serve' ? parseServe(rest) : undefined
  if (fast) {
    const run = readServeRun(fast)
    if (fast.watch === true) return (await import('./watch.ts')).watch(rest, run)
    await (await import('./serve.ts')).serve(run)
    return
  }
  const { runProgram } = await import('./program.ts')
  await runProgram(args)
}

/** The options of `serve`; undefined when the arguments ask for help or are wrong: the full parser then answers. */
function parseServe(args: readonly string[]): RawOptions | undefined {
  const options = Object.fromEntries(
    serveOptions.map(({ name, value, multiple }) => [
      name,
      value ? { type: 'string' as const, multiple: multiple === true } : { type: 'boolean' as const },
    ]),
  )
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false })
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [camelCase(name), value])) as RawOptions
  } catch {
    return undefined
  }
}

/** Ends the program with a message and the matching exit code. */
function fail(error: unknown): void {
  if (error instanceof CliError) {
    process.stderr.write(`gantry: ${error.message}\n`)
    process.exitCode = error.exitCode
  } else if (isGatewayError(error)) {
    process.stderr.write(`gantry: ${error.code}: ${error.message}\n`)
    process.exitCode = exitCodes.failed
  } else if ((error as NodeJS.ErrnoException)?.code === 'EPIPE') {
    process.exitCode = exitCodes.ok
  } else if (problemOfFileError(error)) {
    process.stderr.write(`gantry: ${problemOfFileError(error)?.message}\n`)
    process.exitCode = exitCodes.failed
  } else {
    process.stderr.write(`gantry: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exitCode = exitCodes.failed
  }
}

// The reader of the output has gone (`gantry … | head`): there is nothing left to do, and it is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok)
})
main(process.argv.slice(2)).catch(fail)
