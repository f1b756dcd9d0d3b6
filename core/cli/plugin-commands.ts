/**
 * Commands of the command line that built-in plugins give: each such plugin has a file `cli.ts` that exports
 * `commands`. The file is loaded whenever a command line is parsed, so it imports what it needs when a command runs.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtInPlugins, importModule, runningModule } from '../boot/running-code.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { type OptionSpec, packageVersion, type RawOptions } from './options.ts'
import { openOutput } from './output.ts'
import { withoutPatterns } from './path-arguments.ts'

/** What a command gets beside its arguments. */
export interface CliTools {
  /** Version of the package. */
  readonly version: string
  /** Ends the command with a message and an exit code. */
  fail(message: string, exitCode: number): never
  /** Writes to standard output, or to a new file. */
  print(text: string, file?: string): Promise<void>
  /** A note on standard error. */
  note(text: string): void
  /** Calls an operation of the gateway that `--url` or the environment names. @throws CliError */
  call(operation: string, input: Readonly<Record<string, unknown>>): Promise<unknown>
  /** Reads a JSON document of that gateway, e.g. `/openapi.json`. @throws CliError */
  read(path: string): Promise<unknown>
}

export interface CliCommand {
  readonly name: string
  readonly description: string
  /** As in help: `<folder>`, `[folder]`, `<files...>`. */
  readonly arguments: readonly {
    readonly name: string
    readonly description: string
    /** A path, or several: `*`, `?` and `**` in it stand for what is there. */
    readonly isPath?: true
  }[]
  readonly options: readonly OptionSpec[]
  /** Text after the options. */
  readonly help?: string
  /** The table of exit codes, where it is not the general one. */
  readonly exitCodes?: string
  /** It has the options that name a gateway. */
  readonly callsGateway?: true
  /** Returns the exit code. */
  run(args: readonly (string | readonly string[] | undefined)[], options: RawOptions, tools: CliTools): Promise<number>
}

/** Lists the commands of plugins. */
export async function pluginCommands(): Promise<readonly CliCommand[]> {
  const found: CliCommand[] = []
  for (const { name } of readdirSync(builtInPlugins, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const url = pathToFileURL(join(builtInPlugins, name, 'cli.ts')).href
    if (!existsSync(new URL(runningModule(url)))) continue
    found.push(...((await importModule(url)) as { commands: readonly CliCommand[] }).commands)
  }
  return found
}

/** Runs a command of a plugin and sets the exit code. @throws CliError */
export async function runPluginCommand(
  command: CliCommand,
  args: readonly (string | readonly string[] | undefined)[],
  raw: RawOptions,
): Promise<void> {
  const tools: CliTools = {
    version: packageVersion(),
    fail: (message, exitCode) => {
      throw new CliError(message, exitCode)
    },
    async print(text, file) {
      const output = openOutput(file)
      await output.write(text)
      await output.close()
    },
    note: (text) => void process.stderr.write(`${text}\n`),
    async call(operation, input) {
      const [{ GatewayClient }, { findConnection }, { callAndFollow }] = await Promise.all([
        import('./client.ts'),
        import('./running-gateway.ts'),
        import('./follow.ts'),
      ])
      const answer = await callAndFollow(new GatewayClient(findConnection(raw)), operation, { ...input })
      return answer.kind === 'result' ? answer.value : answer
    },
    async read(path) {
      const [{ GatewayClient }, { findConnection }] = await Promise.all([
        import('./client.ts'),
        import('./running-gateway.ts'),
      ])
      const connection = findConnection(raw)
      try {
        return await new GatewayClient(connection).json('GET', path)
      } catch (error) {
        if (error instanceof CliError) throw error
        throw new CliError(`${connection.url}${path} is no JSON: is this a Gantry gateway?`, exitCodes.failed, {
          cause: error,
        })
      }
    },
  }
  // Paths of a gateway are in its workspace.
  const isRemote = command.callsGateway && (raw.url !== undefined || Boolean(process.env.GANTRY_URL))
  process.exitCode = await command.run(isRemote ? args : await withoutPatterns(args, command.arguments), raw, tools)
}
