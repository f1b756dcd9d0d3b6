/** Starts `gantry lsp` for the folder that is open, and shows blocks drawn. */
const { commands, workspace } = require('vscode')
const { showAsLadder } = require('./preview.js')

let client

exports.activate = (context) => {
  context.subscriptions.push(commands.registerCommand('gantry.showAsLadder', (uri) => showAsLadder(context, uri)))
  const { LanguageClient } = require('vscode-languageclient/node')
  const command = workspace.getConfiguration('gantry').get('command')
  client = new LanguageClient(
    'gantry',
    'Gantry',
    { command, args: ['lsp', '--stdio'] },
    { documentSelector: [{ language: 'scl' }, { language: 'awl' }] },
  )
  return client.start()
}

exports.deactivate = () => client?.stop()
