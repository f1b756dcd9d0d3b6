/**
 * Requests and their whole answers, in `fixtures/exchanges.txt`: status, headers and body. A request is written as it
 * is sent, with the key unless `X-API-Key: none`; in its body `\xNN` stands for a byte. `save {…}` changes settings, `await` waits for
 * the last job. `UPDATE_SNAPSHOTS=1` records the answers: read the difference.
 */
import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { Mask } from '../../test/answers.ts'
import { key, startServer } from '../../test/http-server.ts'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'

const separator = '\n---\n'

/** Headers that are others each time or say nothing about the gateway. */
const passing = /^(date|keep-alive|connection|content-length|gantry-version|transfer-encoding)$/

interface Answer {
  readonly message: IncomingMessage
  readonly body: Buffer
}

/** Sends `POST /path`, header lines, an empty line and the body. */
function send(port: number, text: string): Promise<Answer> {
  const [head = '', ...parts] = text.split('\n\n')
  const [line = '', ...fields] = head.split('\n')
  const [method = '', path = ''] = line.split(' ')
  const headers: Record<string, string> = { 'x-api-key': key, host: `127.0.0.1:${port}` }
  for (const field of fields) {
    const [name = '', value = ''] = field.split(/: ?(.*)/s)
    if (value === 'none') delete headers[name.toLowerCase()]
    else headers[name.toLowerCase()] = value.replace('<port>', String(port))
  }
  const bytes = Buffer.from(
    parts
      .join('\n\n')
      // Lines of forms end as MIME wants it.
      .replace(/\n/g, /^multipart/.test(headers['content-type'] ?? '') ? '\r\n' : '\n')
      .replace(/\\x([0-9a-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  )
  if (parts.length > 0) headers['content-length'] = String(bytes.length)
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, path, headers, setHost: false, agent: false }, async (message) => {
      const chunks: Buffer[] = []
      for await (const chunk of message) chunks.push(chunk)
      resolve({ message, body: Buffer.concat(chunks) })
    })
    sent.once('error', reject)
    sent.end(bytes)
  })
}

/** An answer as text, without what is another each time. */
function written({ message, body }: Answer, port: number, mask: Mask): string {
  const { statusCode, statusMessage, headers } = message
  const fields = Object.entries(headers)
    .filter(([name]) => !passing.test(name))
    .map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
  const text = body.toString('utf8')
  const isJson = /json/.test(headers['content-type'] ?? '') && text !== ''
  const shown = isJson ? JSON.stringify(JSON.parse(text), null, 1) : text
  const whole = [`${statusCode} ${statusMessage}`, ...fields, '', shown.length > 4000 ? '<a long text>' : shown]
  const given = String(headers['x-correlation-id'])
  return String(mask.of(whole.join('\n')))
    .replaceAll(/^[\w-]{6}-\w+$/.test(given) ? given : '\0', '<correlation id>')
    .replaceAll(String(port), '<port>')
    .replace(/(?<=^etag: (W\/)?"|ETag is \\"|[hH]ash": "|hash is )[\w-]+/gm, '<tag>')
    .replace(/(?<=gantry-<port>=|"csrfToken": ")[\w-]{43}/g, '<secret>')
    .replace(/(?<="status": ")(Pending|Running|Completed)/g, '<not failed>')
    .trimEnd()
}

test('requests get the recorded answers', async (t) => {
  const { port, save, gateway } = await startServer(t)
  const mask = new Mask(gateway.dataDir)
  const recorded: string[] = []
  let last = ''
  for (const section of fixtureText(import.meta.url, 'exchanges.txt').split(separator)) {
    const [given = ''] = section.split('\n>>>\n')
    const text = given.trimEnd()
    const [, about = '', call = ''] = /^((?:#[^\n]*\n)*)(.*)$/s.exec(text)!
    const [, settings] = /^save (.*)$/s.exec(call) ?? []
    if (settings !== undefined) {
      await save(JSON.parse(settings))
      recorded.push(`${about}${call}`)
    } else if (call === 'await') {
      await gateway.jobs.peek(last)?.settled
      recorded.push(`${about}${call}`)
    } else {
      const answer = await send(port, call.replaceAll('<job>', last))
      last = String(answer.message.headers['x-job-id'] ?? last)
      recorded.push(`${about}${call}\n>>>\n${written(answer, port, mask)}`)
    }
  }
  assert.ok(recorded.length > 100)
  assertRecorded(import.meta.url, 'exchanges.txt', `${recorded.join(separator)}\n`)
})
