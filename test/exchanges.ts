/**
 * Requests and their whole answers in a text file beside a test: status, headers and body. A request is written as it
 * is sent, with the key unless `X-API-Key: none`; in its body `\xNN` stands for a byte. `<job>` is the job of the last
 * answer, `<session>` the MCP session of the last one that began. `save {…}` changes settings, `await` waits for the
 * last job. `UPDATE_SNAPSHOTS=1` records the answers: read the difference.
 */
import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import type { Gateway } from '../core/gateway.ts'
import { Mask } from './answers.ts'
import { assertRecorded, fixtureText } from './recorded.ts'

/** A gateway that listens. */
interface Listening {
  readonly gateway: Gateway
  readonly port: number
  readonly key: string
  save?(settings: object): Promise<void>
}

const separator = '\n---\n'

/** Headers that are others each time or say nothing about the gateway. */
const passing = /^(date|keep-alive|connection|content-length|gantry-version|transfer-encoding)$/

interface Answer {
  readonly message: IncomingMessage
  readonly body: Buffer
}

/** Sends `POST /path`, header lines, an empty line and the body. */
function send({ port, key }: Listening, text: string): Promise<Answer> {
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
function written({ message, body }: Answer, { port }: Listening, mask: Mask): string {
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
    .replace(/(?<="endsInSeconds": )\d+/g, '<seconds>')
    .replace(/(?<="status": ")(Pending|Running|Completed)/g, '<not failed>')
    .trimEnd()
}

/**
 * Sends the requests of a file one after the other and compares the answers with those recorded.
 * @param test `import.meta.url` of the test
 * @param least so many steps are in the file at least
 */
export async function compareExchanges(test: string, name: string, at: Listening, least: number): Promise<void> {
  const { gateway, save } = at
  const mask = new Mask(gateway.dataDir)
  const recorded: string[] = []
  let job = ''
  let session = ''
  for (const section of fixtureText(test, name).split(separator)) {
    const [given = ''] = section.split('\n>>>\n')
    const [, about = '', call = ''] = /^((?:#[^\n]*\n)*)(.*)$/s.exec(given.trimEnd())!
    const [, settings] = /^save (.*)$/s.exec(call) ?? []
    let answer = ''
    if (settings !== undefined) await save?.(JSON.parse(settings))
    else if (call === 'await') await gateway.jobs.peek(job)?.settled
    else {
      await gateway.flushRecords()
      const heard = await send(at, call.replaceAll('<job>', job).replaceAll('<session>', session))
      job = String(heard.message.headers['x-job-id'] ?? job)
      session = String(heard.message.headers['mcp-session-id'] ?? session)
      answer = `\n>>>\n${written(heard, at, mask)}`
    }
    recorded.push(`${about}${call}${answer}`)
  }
  assert.ok(recorded.length >= least, `${recorded.length} steps`)
  assertRecorded(test, name, `${recorded.join(separator)}\n`)
}
