/** Drives the language server as an editor does: a process, and a client library of the protocol. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Diagnostic, TextEdit } from 'vscode-languageserver'
import { createProtocolConnection } from 'vscode-languageserver/node'
import { Document } from 'yaml'
import { compact } from '../../test/answers.ts'
import { commandLine } from '../../test/command-line.ts'
import { assertRecorded } from '../../test/recorded.ts'

const motor = `FUNCTION_BLOCK "Motor"
VAR_INPUT
  start : Bool; // begins to run
END_VAR
VAR_OUTPUT
  running : Bool;
END_VAR
BEGIN
  #running := #start;
END_FUNCTION_BLOCK
`
const line = `DATA_BLOCK "Motor_DB" "Motor"
BEGIN
END_DATA_BLOCK

ORGANIZATION_BLOCK "Main"
BEGIN
  "Motor_DB"(start := TRUE);
END_ORGANIZATION_BLOCK
`

async function editor(t: TestContext) {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-lsp-'))
  await writeFile(join(dir, 'motor.scl'), motor)
  await writeFile(join(dir, 'line.scl'), line)
  const child = spawn(process.execPath, [...commandLine, 'lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const connection = createProtocolConnection(child.stdout, child.stdin)
  const diagnostics = new Map<string, Diagnostic[]>()
  let heard = () => {}
  connection.onNotification('textDocument/publishDiagnostics', (given: { uri: string; diagnostics: Diagnostic[] }) => {
    diagnostics.set(given.uri, given.diagnostics)
    heard()
  })
  connection.listen()
  t.after(async () => {
    child.kill()
    await ended
    connection.dispose()
    await rm(dir, { recursive: true })
  })
  const uriOf = (path: string) => pathToFileURL(join(dir, path)).href
  const initialized = await connection.sendRequest('initialize', {
    processId: null,
    rootUri: uriOf('.'),
    capabilities: {},
  })
  await connection.sendNotification('initialized', {})
  const at = (path: string, l: number, character: number) => ({
    ...{ textDocument: { uri: uriOf(path) }, position: { line: l, character } },
  })
  /** Waits until the diagnostics of a file are as wanted. */
  const until = async (path: string, isSo: (list: Diagnostic[]) => boolean): Promise<Diagnostic[]> => {
    for (;;) {
      const list = diagnostics.get(uriOf(path))
      if (list !== undefined && isSo(list)) return list
      await new Promise<void>((resolve) => {
        heard = resolve
      })
    }
  }
  const open = (path: string, text: string) =>
    connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: uriOf(path), languageId: 'scl', version: 1, text },
    })
  return { dir, connection, ended, uriOf, at, until, open, initialized }
}

test('an editor gets hover, definition, references, completion, rename, outline and formatting', async (t) => {
  const { dir, connection, at, open, ended, initialized } = await editor(t)
  await open('line.scl', line)
  const told: unknown[] = [{ initialize: initialized }]
  const ask = async (request: string, params: object, keep: (answer: never) => unknown = (answer) => answer) => {
    const answer = await connection.sendRequest<never>(`textDocument/${request}`, params).then(keep, String)
    told.push({ [request]: answer })
  }
  const here = at('line.scl', 6, 14)
  await ask('hover', here)
  await ask('hover', at('none.scl', 3, 3))
  await ask('definition', here)
  await ask('definition', at('line.scl', 6, 0))
  await ask('references', { ...at('motor.scl', 2, 3), context: { includeDeclaration: true } })
  await ask('references', { ...at('motor.scl', 2, 3), context: { includeDeclaration: false } })
  // All that begins so; without any letter there is more than a test should list.
  await ask('completion', at('line.scl', 6, 15))
  await ask('prepareRename', here)
  await ask('prepareRename', at('line.scl', 5, 2))
  await ask('rename', { ...here, newName: 'go' })
  await ask('rename', { ...here, newName: 'running' })
  await ask('rename', { ...at('line.scl', 5, 2), newName: 'go' })
  await ask('signatureHelp', at('line.scl', 6, 13))
  await ask('signatureHelp', at('line.scl', 6, 22))
  await ask('signatureHelp', at('line.scl', 6, 3))
  await ask('documentSymbol', at('motor.scl', 0, 0))
  await ask('documentSymbol', at('none.scl', 0, 0))
  for (const options of [
    { tabSize: 4, insertSpaces: true },
    { tabSize: 4, insertSpaces: false },
    { tabSize: 20, insertSpaces: true },
    { tabSize: 0, insertSpaces: true },
  ])
    await ask('formatting', { ...at('motor.scl', 0, 0), options }, (edits: TextEdit[]) =>
      edits.map(({ range, newText }) => ({ range, line: newText.split('\n')[8] })),
    )
  await ask('formatting', { ...at('none.scl', 0, 0), options: { tabSize: 4, insertSpaces: true } })
  for (const query of ['', 'mo', 'strt', 'nothing']) {
    const found = await connection.sendRequest('workspace/symbol', { query })
    told.push({ [`symbol ${query}`]: found })
  }
  const plain = JSON.stringify(told)
    .replaceAll(pathToFileURL(dir).href, '<folder>')
    .replace(/"version":"[^"]*"/, '"version":"<version>"')
  const document = new Document()
  document.contents = compact(document, JSON.parse(plain))
  assertRecorded(import.meta.url, 'lsp.yaml', document.toString({ lineWidth: 180 }))
  await connection.sendRequest('shutdown')
  await connection.sendNotification('exit')
  assert.equal(await ended, 0)
})

test('diagnostics follow what is typed, half-typed too, and files that are deleted', {
  timeout: 120_000,
}, async (t) => {
  const { dir, connection, uriOf, until, open, ended } = await editor(t)
  await open('motor.scl', motor.replace('#start;', '#star;'))
  const faults = await until('motor.scl', (list) => list.some(({ severity }) => severity === 1))
  assert.equal(faults.find(({ severity }) => severity === 1)?.range.start.line, 8)
  const change = (text: string, version: number) =>
    connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: uriOf('motor.scl'), version },
      contentChanges: [{ text }],
    })
  await change('FUNCTION_BLOCK "Mot', 2)
  await until('motor.scl', (list) => list.some(({ range }) => range.start.line === 0))
  await change(motor, 3)
  await until('motor.scl', (list) => !list.some(({ severity }) => severity === 1))
  await connection.sendNotification('textDocument/didClose', { textDocument: { uri: uriOf('motor.scl') } })
  await rm(join(dir, 'motor.scl'))
  await connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: uriOf('motor.scl'), type: 3 }],
  })
  await until('line.scl', (list) => list.some(({ message }) => /Motor/.test(String(message))))
  // Of a file that is gone there is nothing left to say.
  await until('motor.scl', (list) => list.length === 0)
  await connection.sendRequest('shutdown')
  await connection.sendNotification('exit')
  assert.equal(await ended, 0)
})
