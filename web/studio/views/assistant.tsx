/** The assistant: a talk, its calls as jobs, its changes as effects to accept or to reject. */
import { signal } from '@preact/signals'
import { Fragment, type JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Answer, events, get, post } from '../gateway.ts'
import { language, t, word } from '../i18n.ts'
import { link } from '../router.ts'
import { entered } from '../session.tsx'
import { Json } from '../ui/json.tsx'
import { useLoaded } from '../ui/loaded.tsx'
import { Marked } from '../ui/marked-text.tsx'
import { ProblemNote } from '../ui/problem.tsx'
import { type Approval, ApprovalCard } from './jobs/approvals.tsx'

interface Call {
  readonly id: string
  readonly operation: string
  readonly input: unknown
  readonly state?: string
  readonly text?: string
  readonly jobId?: string
}

interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly calls: readonly Call[]
  readonly approval?: Approval | undefined
  readonly error?: unknown
}

/** Markdown as blocks: headings, lists, code; nothing of it is inserted as HTML. */
function Text({ of }: { readonly of: string }): JSX.Element {
  const parts = of.split(/^```\w*\n([\s\S]*?)^```$/m)
  return (
    <>
      {parts.map((part, i) =>
        i % 2 === 1 ? (
          <Json key={i} value={part} />
        ) : (
          part
            .split(/\n{2,}/)
            .filter((block) => block.trim() !== '')
            .map((block) => {
              const heading = /^#{1,6} (.*)/.exec(block)?.[1]
              if (heading !== undefined)
                return (
                  <h3 key={block}>
                    <Marked text={heading} />
                  </h3>
                )
              const [before = '', ...items] = block.split(/^[-*] /m)
              return (
                <Fragment key={block}>
                  {before.trim() !== '' && (
                    <p>
                      <Marked text={before} />
                    </p>
                  )}
                  {items.length > 0 && (
                    <ul>
                      {items.map((item) => (
                        <li key={item}>
                          <Marked text={item} />
                        </li>
                      ))}
                    </ul>
                  )}
                </Fragment>
              )
            })
        ),
      )}
    </>
  )
}

function Calls({ of }: { readonly of: readonly Call[] }): JSX.Element | null {
  if (of.length === 0) return null
  return (
    <ul class="calls">
      {of.map((call) => (
        <li key={call.id}>
          <span
            class={`status ${call.state === 'failed' ? 'failed' : call.state === undefined ? 'running' : 'completed'}`}
          >
            {call.state === undefined ? '…' : word('call', call.state)}
          </span>{' '}
          <code>{call.operation}</code>{' '}
          {call.jobId !== undefined && <a href={link('/jobs', [], { job: call.jobId })}>{t('assistant.job')}</a>}
          <details>
            <summary>{t('assistant.input')}</summary>
            <Json value={call.input} />
            {call.text !== undefined && <Json value={call.text} />}
          </details>
        </li>
      ))}
    </ul>
  )
}

// The talk goes on while another view is shown.
const talk = signal<readonly Message[]>([])
const busy = signal(false)
let end: AbortController | undefined
/** What is typed and not sent. */
const question = signal('')

const change = (edit: (last: Message) => Message) => {
  talk.value = [...talk.value.slice(0, -1), edit(talk.value.at(-1) as Message)]
}

async function send(text: string): Promise<void> {
  busy.value = true
  const own = new AbortController()
  end = own
  talk.value = [
    ...talk.value,
    { role: 'user', content: text, calls: [] },
    { role: 'assistant', content: '', calls: [] },
  ]
  try {
    const body = { message: text, locale: language.value === 'de' ? 'de-DE' : 'en-US' }
    for await (const { event, data } of events('/api/assistant/chat', { body, signal: own.signal })) {
      if (event === 'delta') change((last) => ({ ...last, content: last.content + (data as { text: string }).text }))
      else if (event === 'tool-call') change((last) => ({ ...last, calls: [...last.calls, data as Call] }))
      else if (event === 'tool-result')
        change((last) => ({
          ...last,
          calls: last.calls.map((call) => (call.id === (data as Call).id ? { ...call, ...(data as Call) } : call)),
        }))
      else if (event === 'done') change((last) => ({ ...last, approval: (data as { approval?: Approval }).approval }))
      else if (event === 'error') throw new Error((data as { detail?: string }).detail)
    }
  } catch (error) {
    if (!own.signal.aborted) change((last) => ({ ...last, error }))
  }
  busy.value = false
}

/** Another person may be the next one at this page. */
entered.subscribe(() => {
  end?.abort()
  talk.value = []
  question.value = ''
})

export default function View(): JSX.Element {
  const messages = talk.value
  const isBusy = busy.value
  const list = useRef<HTMLDivElement>(null)
  const settings = useLoaded((until) => get<Answer<'assistant.get-settings'>>('/api/assistant/settings', until), [])
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [messages])
  return (
    <div class="view chat">
      <div class="toolbar">
        <span class="quiet">{settings.value !== undefined && t('assistant.model', settings.value.model)}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard */}
      <div ref={list} class="talk" role="log" aria-label={t('assistant.title')} tabIndex={0}>
        {messages.length === 0 && <p class="quiet">{t('assistant.hint')}</p>}
        {messages.map((message, i) => (
          <section key={i} class={`message ${message.role}`}>
            <h2>{t(message.role === 'user' ? 'assistant.you' : 'assistant.title')}</h2>
            <Calls of={message.calls} />
            <Text of={message.content} />
            {message.approval !== undefined && (
              <ApprovalCard
                approval={message.approval}
                onAnswer={(answer) => {
                  const turn = answer as { content?: string; approval?: Approval } | undefined
                  change((last) => ({
                    ...last,
                    content: `${last.content}\n\n${turn?.content ?? ''}`,
                    approval: turn?.approval,
                  }))
                }}
              />
            )}
            {message.error !== undefined && <ProblemNote error={message.error} />}
          </section>
        ))}
      </div>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault()
          const text = question.value.trim()
          if (text === '' || isBusy) return
          question.value = ''
          void send(text)
        }}
      >
        <label>
          <span class="hidden">{t('assistant.ask')}</span>
          <textarea
            name="message"
            rows={3}
            placeholder={t('assistant.ask')}
            value={question.value}
            onInput={(event) => {
              question.value = event.currentTarget.value
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey) return
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }}
          />
        </label>
        {isBusy ? (
          <button
            type="button"
            onClick={() => {
              end?.abort()
              void post('/api/assistant/stop', {}).catch(() => undefined)
            }}
          >
            {t('assistant.stop')}
          </button>
        ) : (
          <button type="submit" class="primary">
            {t('assistant.send')}
          </button>
        )}
      </form>
    </div>
  )
}
