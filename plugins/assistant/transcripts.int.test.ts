/**
 * Talks with a scripted model, word by word (fixtures/transcripts.yaml): what is said to the model each time (but the
 * tools, which are others with each new operation), what a client hears, and what is left of it in the end.
 */
import { test } from 'node:test'
import { Document } from 'yaml'
import { compact, Mask } from '../../test/answers.ts'
import { assertRecorded } from '../../test/recorded.ts'
import { type ProviderServer, type Reply, startProviders } from './fixtures/provider-server.ts'
import { type Answer, openTalk, result, type Talk } from './fixtures/talk.ts'

const plc = { deviceName: 'PLC_1' }
const call = (operation: string, input: object, more: object = {}) => ({
  name: 'call_operation',
  input: { operation, input, ...more },
})
const add = (name: string, more: object = {}) => call('tags.add', { ...plc, name, dataType: 'Bool', ...more })

/** What the model is told in a request. Each turn has a mark of its own. */
function requestOf({ body }: ProviderServer['asked'][number]) {
  const [system, ...messages] = body.messages
  const shown: Answer[] = messages.map(({ role, content, tool_calls: calls, tool_call_id: id }: Answer) => ({
    [role]: content,
    ...(id === undefined ? {} : { answers: id }),
    ...(calls === undefined ? {} : { calls: calls.map((one: Answer) => one.function) }),
  }))
  const lines: string[] = system.content.replaceAll(/data-[0-9a-f]{12}/g, 'data-<mark>').split('\n')
  return { system: lines.filter((line) => line !== ''), messages: shown }
}

test('talks are as recorded', async (t) => {
  const [at, provider] = await Promise.all([openTalk(t), startProviders(t)])
  await at.call('projects.create', { name: 'Line', path: `${at.dir}/workspace` })
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  await at.call('tags.add', { ...plc, name: 'Motor', dataType: 'Bool', logicalAddress: '%Q0.0' })
  const providers = [{ name: 'p', kind: 'openai-compatible', baseUrl: `${provider.url}/v1` }]
  await at.call('assistant.save-settings', { model: 'p/x', providers, mostSteps: 3, silenceSeconds: 3 })
  const mask = new Mask(at.dir)
  const told: Answer[] = []
  let usual: string[] | undefined
  const heardOf = async (what: string, path: string, body: object, ...replies: Reply[]) => {
    provider.replies.push(...replies)
    const before = provider.asked.length
    const heard = await at.stream(path, body)
    let known = 0
    const asked = provider.asked.slice(before).map((one) => {
      const { system, messages } = requestOf(one)
      const first = usual ?? []
      usual ??= system
      const [also, without] = [
        system.filter((line) => !first.includes(line)),
        first.filter((line) => !system.includes(line)),
      ]
      const fresh = messages.slice(known)
      known = messages.length
      return { system: { also, without }, messages: fresh }
    })
    const events = heard.map(({ event, data }) => ({ [event]: data }))
    told.push({ talk: what, input: body, asked, events })
    return result(heard)
  }
  const chat = (message: string, more: object, ...replies: Reply[]) =>
    heardOf(message, '/api/assistant/chat', { message, ...more }, ...replies)
  const decide = (approval: Answer, what: 'approve' | 'reject', body: object, ...replies: Reply[]) =>
    heardOf(what, `/api/assistant/approvals/${approval.approvalId}/${what}`, body, ...replies)
  const settings = (more: Record<string, unknown>) => at.call('assistant.save-settings', more)

  await chat('Say hello', { projectKey: 'A', locale: 'de_DE' }, { text: ['Hel', 'lo.'] })
  // Short questions are read with the one before; the history is that of the project.
  await chat('And now?', { projectKey: 'A' }, { text: ['Now.'] })
  await chat('Elsewhere?', { projectKey: 'B', history: [{ role: 'user', content: 'x' }] }, { text: ['y'] })
  // Reading, searching, wrong calls and a try.
  const list = call('tags.list', { ...plc, tableName: 'Default tag table' })
  await chat(
    'Look',
    {},
    { text: ['I look.'], calls: [list, { name: 'tags_lisst', input: {} }, call('tags.none', {})] },
    { text: ['I try.'], calls: [add('Lamp', { dryRun: true }), add('Motor'), add('Lamp', { dataType: 'Bol' })] },
    { text: ['That is all.'] },
  )
  // A change waits; a second one of the same answer does not.
  const first = await chat(
    'Add Lamp',
    { projectKey: 'A' },
    { text: ['Now: '], calls: [list, add('Lamp'), add('Horn')] },
  )
  const second = await decide(first.approval, 'approve', {}, { text: ['One. '], calls: [add('Horn')] })
  await decide(second.approval, 'reject', { reason: 'Too loud.' }, { text: ['As you wish.'] })
  const third = await chat('Add Horn', {}, { calls: [add('Horn')] })
  // It cannot be made any more.
  await at.call('tags.add', { ...plc, name: 'Horn', dataType: 'Int' })
  await decide(third.approval, 'approve', {}, { text: ['It is there.'] })
  // More steps than it may take.
  await chat('On and on', {}, ...Array.from({ length: 3 }, () => ({ text: ['Again.'], calls: [list] })))
  // What fails after something was said, and before.
  await chat('Fail late', { projectKey: 'A' }, { text: ['I '], calls: [list] }, { status: 400, body: { error: 'no' } })
  await chat('Fail at once', {}, { status: 401, body: {} })
  await chat('Cut', {}, { text: ['a', 'b', 'c'], cutAfter: 2, cut: 'end' })
  await settings({ writes: 'at-once' })
  await chat('Do it', {}, { calls: [add('Light'), call('tags.delete-table', { ...plc, tableName: 'None' })] })
  await settings({ writes: 'never', historyEntries: 2 })
  await chat('Do not', { projectKey: 'A' }, { calls: [add('Late'), add('Late', { dryRun: true })] })
  const left = async (of: Talk) => ({
    history: await of.call('assistant.list-history', {}),
    approvals: await of.call('assistant.list-approvals', {}),
    tags: (await of.call<Answer>('tags.list-all', plc)).tags.map(({ name }: Answer) => name),
  })
  told.push({ talk: 'in the end', ...(await left(at)) })
  const plain = JSON.parse(
    JSON.stringify(mask.of(told))
      .replaceAll(/data-[0-9a-f]{12}/g, 'data-<mark>')
      .replaceAll(/(?<=hash\\":\\")[\w-]{22}/g, '<hash>')
      .replaceAll(/Available tools: [^.]*\./g, 'Available tools: <tools>.')
      .replaceAll(/"correlationId":"[^"]*"/g, '"correlationId":"<id>"'),
  )
  const document = new Document()
  document.contents = compact(document, plain)
  assertRecorded(import.meta.url, 'transcripts.yaml', document.toString({ lineWidth: 200 }))
})
