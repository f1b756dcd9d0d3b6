/** The commands, their options and their help (commander). Actions load what they need when they run. */
import { Command, CommanderError, Option } from 'commander'
import { expandPaths } from '../../lib/expand-paths.ts'
import { exitCodeHelp, exitCodes } from './exit-codes.ts'
import {
  clientOptions,
  gatewayOptions,
  type OptionSpec,
  packageVersion,
  type RawOptions,
  readServeRun,
  serveOptions,
} from './options.ts'
import { onePath } from './path-arguments.ts'
import { pluginCommands, runPluginCommand } from './plugin-commands.ts'

const only = (...names: string[]) =>
  [...gatewayOptions, ...clientOptions].filter(
    ({ name }, n, all) => names.includes(name) && all.findIndex((o) => o.name === name) === n,
  )

function withOptions(command: Command, specs: readonly OptionSpec[]): Command {
  for (const { name, value, multiple, env, description, defaultText, choices } of specs) {
    const flags = value ? `--${name} <${value}${multiple ? '...' : ''}>` : `--${name}`
    const notes = [choices?.join(', '), env && `env ${env}`, defaultText && `default ${defaultText}`].filter(
      (note) => note,
    )
    const option = new Option(flags, notes.length > 0 ? `${description} (${notes.join('; ')})` : description)
    // Each use takes one value and does not consume the arguments after it.
    if (multiple)
      option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]).variadic = false
    command.addOption(option)
  }
  return command
}

/** All commands, with those of plugins. */
export async function buildProgram(): Promise<Command> {
  const program = new Command('gantry')
    .description(
      'Engineering automation gateway for PLC and HMI projects: REST and MCP over an event-sourced job engine.',
    )
    .version(packageVersion(), '-v, --version')
    .showHelpAfterError('(gantry --help, or gantry <command> --help, shows what is possible)')
    .addHelpText('after', exitCodeHelp)
    .exitOverride()

  withOptions(program.command('serve'), serveOptions)
    .description('run the gateway; GANTRY_API_KEY adds a key of your own to the one in the data directory')
    .addHelpText(
      'after',
      '\nOne SIGINT or SIGTERM (on Windows Ctrl+C, Ctrl+Break or the closing of its window), or "gantry stop", ends it when the running job has ended (10 s at most, then it is cancelled), a second one at once.\nThe exit code is 0 after an orderly end, 128 + signal number after a second signal. Jobs that wait run at the next start.',
    )
    .addHelpText('after', exitCodeHelp)
    .action(async (raw: RawOptions) => (await import('./serve.ts')).serve(readServeRun(raw)))

  withOptions(program.command('stop'), clientOptions)
    .description('end the gateway that runs on the data directory, in order, and wait until it has gone')
    .option('--timeout <seconds>', 'how long to wait', '30')
    .option('--force', 'end its process at once when it has not gone after that time, or cannot be asked')
    .addHelpText(
      'after',
      '\nIt works on every system; on Windows nothing else ends a gateway from outside in order. The running job ends\nwithin 10 s or is cancelled, jobs that wait run at the next start. With --url it waits until nothing answers there.\nThe exit code is 1 when the gateway still runs after the time, 3 when there is none.',
    )
    .addHelpText('after', exitCodeHelp)
    .action(async (raw: RawOptions) => (await import('./stop.ts')).stopGateway(raw))

  addPluginCommands(program)

  withOptions(program.command('mcp'), [...gatewayOptions, ...only('url', 'key')])
    .description(
      'serve MCP on standard input and output: joins the gateway that runs on the data directory, or starts one',
    )
    .option(
      '--toolsets <names>',
      'show exactly these tools: toolset names with commas; default adds the default set, all is everything, dynamic only what finds, describes and calls operations',
    )
    .option('--tools <names>', 'show these single tools, e.g. blocks_list,find_operations; with --toolsets, these too')
    .option('--readonly', 'only tools that change nothing')
    .addHelpText('after', exitCodeHelp)
    .action(async (raw: RawOptions) => (await import('./mcp.ts')).mcp(raw))

  withOptions(program.command('call'), clientOptions)
    .description('call an operation of a running gateway and print its result as JSON')
    .argument('<operation>', 'operation id, e.g. blocks.list (see "gantry operations")')
    .argument('[fields...]', 'name=value, name=@file (its content, or the file where one is uploaded), name:=json')
    .option('--json <object>', "the input as JSON; '@file' reads a file, '-' standard input")
    .option('--async', 'print the job at once instead of waiting for its end')
    .option('--dry-run', 'show the result and the events of a command, change nothing')
    .addHelpText('after', '\nCtrl+C cancels the job.')
    .addHelpText('after', exitCodeHelp)
    .action(async (operation: string, fields: string[], raw: RawOptions) =>
      (await import('./call.ts')).call(operation, fields, raw),
    )

  program
    .command('inspect')
    .description(
      'tell what a project, library or archive of TIA Portal holds, without TIA Portal and without a gateway',
    )
    .argument('<file>', '.zapNN, .zalNN, .apNN, .alNN or PEData.plf')
    .option('--json', 'as JSON')
    .option('--all', 'list every object, not only those that are not read whole')
    .option('--skip-damaged', 'leave damaged records out and go on')
    .option('--as-of-save <number>', 'the state of an earlier save')
    .option('--compare <folder>', 'tell how equal the file and a folder of exports of the same project are')
    .addHelpText('after', exitCodeHelp)
    .action(async (file: string, raw: RawOptions) => (await import('./inspect.ts')).inspect(await onePath(file), raw))

  withOptions(program.command('operations'), clientOptions)
    .description('list the operations of a running gateway, all or those with the given words')
    .argument('[words...]')
    .option('--json', 'as JSON')
    .addHelpText('after', exitCodeHelp)
    .action(async (words: string[], raw: RawOptions) => (await import('./call.ts')).listOperations(words, raw))

  for (const found of await pluginCommands()) {
    const { name, description, arguments: given, options, help = '' } = found
    const command = withOptions(program.command(name), [...options, ...(found.callsGateway ? clientOptions : [])])
    command.description(description).addHelpText('after', `${help}${found.exitCodes ?? exitCodeHelp}`)
    for (const { name: argument, description: text } of given) command.argument(argument, text)
    command.action(async (...values: unknown[]) => {
      // Commander gives the arguments, the options and the command.
      const texts = values.slice(0, -2) as readonly (string | readonly string[] | undefined)[]
      await runPluginCommand(found, texts, values.at(-2) as RawOptions)
    })
  }

  addSettingsCommands(program)

  const audit = program
    .command('audit')
    .description('verify, export and list what the gateway has recorded')
    .addHelpText('after', exitCodeHelp)
  withOptions(audit.command('verify'), [...clientOptions, ...only('plugins-dir')])
    .description('check the hash chain over every record, and everything that hangs on it')
    .argument('[file]', 'an exported audit, checked without a data directory or gateway')
    .option('--whole', 'also compare the bytes of every content with its hash')
    .option('--part', 'the file is a filtered export: missing records are no fault')
    .addOption(
      new Option(
        '--expect <seq:hash>',
        'the record with this number is in the commit with this hash, noted earlier (the head of a report); repeatable',
      ).argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]),
    )
    .addHelpText('after', exitCodeHelp)
    .action(async (file: string | undefined, raw: RawOptions) =>
      (await import('./audit.ts')).verifyAudit(file && (await onePath(file)), raw),
    )
  withOptions(audit.command('redact'), [...clientOptions, ...only('plugins-dir')])
    .description('take secrets in clear text out of old records; the hash chain stays verifiable')
    .option('--reason <text>', 'kept in the record of the redaction')
    .option('--dry-run', 'print the places and change nothing')
    .addHelpText(
      'after',
      '\nWhat "gantry audit verify" tells as clearSecrets is replaced. It cannot be taken back. Backups and exports of before\nstill have the texts.',
    )
    .addHelpText('after', exitCodeHelp)
    .action(async (raw: RawOptions) => (await import('./audit.ts')).redactAudit(raw))
  withOptions(audit.command('export'), clientOptions)
    .description('write the audit, oldest first, one JSON object a line')
    .option('--out <file>', 'a file instead of standard output')
    .option('--from <time>', 'RFC 3339 time, included')
    .option('--to <time>', 'RFC 3339 time, excluded')
    .option('--actor <name>', 'name of the key, with or without the client after a slash')
    .option('--operation <id>', "operation id; '*' stands for any characters")
    .option('--entity <entity>', 'e.g. block/PLC_1/Main')
    .option('--job-id <jobId>', 'records of this job')
    .option('--types <types>', 'record types with commas, e.g. job.*')
    .option('--session <number>', 'records of this session')
    .addHelpText('after', exitCodeHelp)
    .action(async (raw: RawOptions) => (await import('./audit.ts')).exportAudit(raw))
  withOptions(audit.command('sessions'), clientOptions)
    .description('list the runs of the gateway, newest first')
    .option('--limit <n>', 'at most this many', '50')
    .option('--json', 'as JSON')
    .addHelpText('after', exitCodeHelp)
    .action(async (raw: RawOptions) => (await import('./audit.ts')).auditSessions(raw))

  withOptions(program.command('replay'), [...clientOptions, ...only('plugins-dir')])
    .description('run the commands of a past session again in a scratch gateway and print what comes out otherwise')
    .argument('<session>', 'its number (see "gantry audit sessions"), or last')
    .addHelpText('after', exitCodeHelp)
    .action(async (session: string, raw: RawOptions) => (await import('./audit.ts')).replay(session, raw))

  const jobs = program
    .command('jobs')
    .description('what to do about jobs that a gateway left behind')
    .addHelpText('after', exitCodeHelp)
  withOptions(jobs.command('drop'), only('data-dir'))
    .description(
      'end jobs that have not ended, while no gateway runs: waiting ones are Cancelled, interrupted ones Failed',
    )
    .argument('[jobIds...]', 'these jobs; all that have not ended when none is named')
    .option('--dry-run', 'print them and change nothing')
    .addHelpText(
      'after',
      '\nThe way out when a job ends the gateway at every start: "gantry serve --hold-jobs" starts without running the jobs\nof an earlier run, and this command ends them. (A job that has ended the gateway twice is Failed by itself.)',
    )
    .addHelpText('after', exitCodeHelp)
    .action(async (jobIds: string[], raw: RawOptions) => (await import('./jobs.ts')).dropJobs(jobIds, raw))

  withOptions(program.command('backup'), only('data-dir', 'key'))
    .description('write the data directory into one zip file, while its gateway runs or not, and check it')
    .argument('<file>', 'a new file')
    .addHelpText(
      'after',
      '\nThe file contains the API key and the key that seals secrets: keep it as safe as the data directory.',
    )
    .addHelpText('after', exitCodeHelp)
    .action(async (file: string, raw: RawOptions) => (await import('./backup.ts')).backup(file, raw))

  withOptions(program.command('restore'), only('data-dir'))
    .description('check a backup and make a data directory of it')
    .argument('<file>', 'a file that "gantry backup" has written')
    .option('--check', 'only check the file')
    .addHelpText('after', exitCodeHelp)
    .action(async (file: string, raw: RawOptions) => (await import('./backup.ts')).restore(await onePath(file), raw))

  withOptions(program.command('recover'), only('data-dir', 'plugins-dir'))
    .description('say what a damaged data directory still holds and what is lost, and go on with what can be saved')
    .option(
      '--accept-loss',
      'put the saved log in the place of the damaged one, which is kept; the log says what is lost',
    )
    .addHelpText(
      'after',
      '\nWithout --accept-loss nothing is changed. Records keep their numbers; in the place of lost ones come records\nof the type log.lost, and "gantry audit verify" lists them. A backup is better where there is one.',
    )
    .addHelpText('after', exitCodeHelp)
    .action(async (raw: RawOptions) => (await import('./recover.ts')).recover(raw))
  return program
}

function addSettingsCommands(program: Command): void {
  const settings = program
    .command('settings')
    .description('read and change the settings of a running gateway')
    .addHelpText('after', exitCodeHelp)
  withOptions(settings.command('get'), clientOptions)
    .description('print all settings, or those of a path')
    .argument('[path]', 'e.g. limits, or limits.bodyBytes')
    .addHelpText('after', exitCodeHelp)
    .action(async (path: string | undefined, raw: RawOptions) =>
      (await import('./settings.ts')).showSettings(path, raw),
    )
  withOptions(settings.command('set'), clientOptions)
    .description('give a setting another value; it applies at once')
    .argument('<path>', 'e.g. limits.bodyBytes')
    .argument('<value>', 'the entries of a list are separated by commas')
    .addHelpText(
      'after',
      '\nA variable of the environment of "gantry serve" gives a setting for one run: limits.bodyBytes is\nGANTRY_LIMITS_BODY_BYTES. It wins over the saved value and cannot be changed by a call.',
    )
    .addHelpText('after', exitCodeHelp)
    .action(async (path: string, value: string, raw: RawOptions) =>
      (await import('./settings.ts')).setSetting(path, value, raw),
    )
  for (const how of ['add', 'remove'] as const)
    withOptions(settings.command(how), clientOptions)
      .description(how === 'add' ? 'add entries to a list' : 'take entries out of a list; keys by their names')
      .argument('<path>', how === 'add' ? 'e.g. security.allowedHosts' : 'e.g. security.apiKeys')
      .argument('<entry...>')
      .addHelpText('after', exitCodeHelp)
      .action(async (path: string, entries: string[], raw: RawOptions) =>
        (await import('./settings.ts')).changeList(how, path, entries, raw),
      )
  withOptions(settings.command('add-key'), clientOptions)
    .description('make a named API key and print it, the only time that it can be read')
    .argument('<name>', 'shown in the audit')
    .requiredOption('--access <level>', 'viewer, engineer, operator or admin')
    .addHelpText('after', exitCodeHelp)
    .action(async (name: string, raw: RawOptions) => (await import('./settings.ts')).addKey(name, raw))
}

function addPluginCommands(program: Command): void {
  const plugin = program
    .command('plugin')
    .description('begin a plugin, or check one')
    .addHelpText('after', exitCodeHelp)
  plugin
    .command('new')
    .description('make a folder with a plugin that works, and its test')
    .argument('<name>', 'lower-case words with hyphens; also the name of the folder')
    .option('--dir <dir>', 'where the folder is made', 'plugins')
    .option('--js', 'JavaScript instead of TypeScript')
    .option(
      '--kind <kind>',
      'what it adds: rule (of the review), format (of files), view (of the studio), driver (of devices)',
    )
    .addHelpText('after', exitCodeHelp)
    .action(async (name: string, raw: RawOptions) => (await import('./plugin.ts')).newPlugin(name, raw))
  plugin
    .command('check')
    .description('load plugins in a scratch gateway and print what they add, or what is wrong with them')
    .argument('<folder...>')
    .addHelpText('after', exitCodeHelp)
    .action(async (folders: string[]) => (await import('./plugin.ts')).checkPlugins(await expandPaths(folders)))
}

/** Reads the command line and runs the command. @throws CliError */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = await buildProgram()
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)]
  for (const command of all(program)) command.exitOverride()
  try {
    if (args.length === 0) {
      program.outputHelp()
      process.exitCode = exitCodes.usage
      return
    }
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Commander has written its message already.
    process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  }
}
