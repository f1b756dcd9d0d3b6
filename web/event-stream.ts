/** What the server sent, one event after the other. `data` is JSON. */
export interface ServerEvent {
  readonly event: string
  readonly id: string
  readonly data: unknown
}

/** Server-sent events of an answer, until it ends or is aborted (HTML standard, 9.2.6). */
export async function* serverEvents({ body }: Response): AsyncGenerator<ServerEvent> {
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      let event = 'message'
      let id = ''
      const data: string[] = []
      for (const line of block.split(/\r?\n/)) {
        if (line.startsWith('event:')) event = line.slice(6).trim()
        else if (line.startsWith('id:')) id = line.slice(3).trim()
        else if (line.startsWith('data:')) data.push(line.slice(5).trimStart())
      }
      if (data.length > 0) yield { event, id, data: JSON.parse(data.join('\n')) }
    }
  }
}
