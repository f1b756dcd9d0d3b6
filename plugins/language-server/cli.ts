/** The command of this plugin; what it does is loaded when it runs. */
import type { CliCommand } from '../../core/index.ts'

const lsp: CliCommand = {
  name: 'lsp',
  description:
    'language server for editors on standard input and output: .scl, .udt, .db, .awl and .s7dcl files of a folder',
  arguments: [],
  options: [
    {
      name: 'stdio',
      description: 'speak over standard input and output, as editors ask for it; there is no other way',
    },
  ],
  help: '\nAn editor starts it and names the folder. examples/vscode is an extension for Visual Studio Code.\n',
  run: async (_args, _options, tools) => (await import('./server.ts')).runServer(tools.version),
}

export const commands: readonly CliCommand[] = [lsp]
