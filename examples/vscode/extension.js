/** Starts `gantry lsp` for the folder that is open. */
const { workspace } = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

let client

exports.activate = () => {
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
