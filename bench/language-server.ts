/**
 * Measures completion in a source of 5 000 lines as an editor asks for it: a running `gantry lsp`, a character typed,
 * then the request. The 95th percentile is a ratio to the parse of the same text (source to tree) in this process.
 *
 *   node --import tsx bench/language-server.ts
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { CompletionList } from 'vscode-languageserver'
import { createProtocolConnection } from 'vscode-languageserver/node'
import { readSource } from '../plc/formats/source/read.ts'
import { parseScl } from '../plc/languages/scl/parser.ts'
import { median, percentile, report } from './report.ts'

const blocks = 105
const rounds = 60

/** A function block of 50 lines. */
function block(n: number): string {
  const body = Array.from({ length: 38 }, (_, i) =>
    i % 4 === 0
      ? `  IF #level > ${i}.5 AND NOT #stop THEN`
      : i % 4 === 3
        ? '  END_IF;'
        : `    #total := #total + ${i};`,
  )
  return [
    `FUNCTION_BLOCK "Block_${n}"`,
    'VAR_INPUT\n  level : Real;\n  stop : Bool;\nEND_VAR',
    'VAR\n  total : DInt;\nEND_VAR',
    'BEGIN',
    ...body.slice(0, 36),
    `  #total := 0;`,
    'END_FUNCTION_BLOCK',
  ].join('\n')
}

const text = `${Array.from({ length: blocks }, (_, n) => block(n)).join('\n\n')}\n`
const lines = text.split('\n')
/** A line in the last block, where `#` is typed. */
const typedAt = lines.length - 4

const dir = await mkdtemp(join(tmpdir(), 'gantry-bench-'))
const file = join(dir, 'plant.scl')
await writeFile(file, text)
const main = fileURLToPath(new URL('../core/cli/main.ts', import.meta.url))
const server = spawn(process.execPath, ['--import', 'tsx', main, 'lsp', '--stdio'], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const connection = createProtocolConnection(server.stdout, server.stdin)
connection.listen()
const uri = pathToFileURL(file).href
await connection.sendRequest('initialize', {
  processId: null,
  rootUri: pathToFileURL(dir).href,
  capabilities: {},
})
await connection.sendNotification('initialized', {})
const textDocument = { uri, languageId: 'scl', version: 1, text }
await connection.sendNotification('textDocument/didOpen', { textDocument })

const [asked, parsed]: [number[], number[]] = [[], []]
let proposals = 0
for (let round = 0; round < rounds; round++) {
  const changed = [...lines]
  changed.splice(typedAt, 0, `  #x${round} := #`)
  const begin = performance.now()
  await connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: round + 2 },
    contentChanges: [{ text: changed.join('\n') }],
  })
  const list = await connection.sendRequest<CompletionList>('textDocument/completion', {
    textDocument: { uri },
    position: { line: typedAt, character: changed[typedAt]!.length },
  })
  asked.push(performance.now() - begin)
  proposals = list.items.length
  const before = performance.now()
  for (const { object } of readSource(text).blocks)
    for (const { text: code } of object.networks) if (code !== undefined) parseScl(code)
  parsed.push(performance.now() - before)
}
if (proposals < 3) throw new Error(`the server proposes ${proposals} names where #level, #stop and #total are`)
report(`lines of the source`, lines.length, '')
report('parse of it, ms', median(parsed), '')
report('a character and the completion, median, ms', median(asked), '')
report('p95 / parse', percentile(asked, 0.95) / median(parsed), '')
await connection.sendRequest('shutdown')
await connection.sendNotification('exit')
connection.dispose()
await rm(dir, { recursive: true })
