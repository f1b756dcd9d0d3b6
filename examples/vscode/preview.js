/** The networks of an exported block, drawn by `gantry render` in a panel that follows the saved file. */
const { execFile } = require('node:child_process')
const { basename, dirname } = require('node:path')
const { ViewColumn, window, workspace } = require('vscode')

const most = 64 * 1024 * 1024

/** The page of a file, or a page that says why there is none. */
function pageOf(path) {
  const command = workspace.getConfiguration('gantry').get('command')
  return new Promise((resolve) => {
    const options = { cwd: dirname(path), maxBuffer: most, shell: process.platform === 'win32' }
    // A name that begins with - is no option.
    const name = `./${basename(path)}`
    const file = options.shell ? `"${name}"` : name
    execFile(command, ['render', file, '--format', 'html'], options, (error, stdout, stderr) =>
      resolve(error ? faultPage(stderr.trim() || error.message) : withPolicy(stdout)),
    )
  })
}

const escaped = (text) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign])

const faultPage = (text) =>
  withPolicy(`<!doctype html><html><head></head><body><pre>${escaped(text)}</pre></body></html>`)

/** Nothing in an export may run or load anything. */
function withPolicy(page) {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`
  return page.replace('<head>', `<head>${policy}`)
}

/** Opens the panel beside the editor. @param uri of the file; without one that of the active editor */
exports.showAsLadder = async (context, uri) => {
  const file = uri ?? window.activeTextEditor?.document.uri
  if (file?.scheme !== 'file') {
    await window.showErrorMessage('Gantry: open an exported block (.xml or .s7dcl) first.')
    return
  }
  const panel = window.createWebviewPanel('gantry.ladder', basename(file.fsPath), ViewColumn.Beside, {
    enableScripts: false,
    localResourceRoots: [],
  })
  const show = async () => {
    panel.webview.html = await pageOf(file.fsPath)
  }
  const saved = workspace.onDidSaveTextDocument(({ uri: other }) => {
    if (other.fsPath === file.fsPath) return show()
  })
  panel.onDidDispose(() => saved.dispose())
  context.subscriptions.push(panel)
  await show()
}
