/** The command `gantry client`; what it does is loaded when it runs. */
import type { CliCommand } from '../../core/index.ts'

const client: CliCommand = {
  name: 'client',
  description: 'write a typed client of a running gateway, for all its operations, those of its plugins included',
  arguments: [{ name: '<language>', description: 'typescript or python' }],
  options: [
    {
      name: 'out',
      value: 'dir',
      description: 'folder that gets the files; files of the same names are replaced',
      defaultText: 'gantry-client in the working directory',
    },
  ],
  help: '\nThe same gateway gives the same bytes: commit the files, and renew them after an update.\n',
  callsGateway: true,
  run: async (args, options, tools) =>
    (await import('./client-command.ts')).runClient(args[0] as string, options, tools),
}

export const commands: readonly CliCommand[] = [client]
