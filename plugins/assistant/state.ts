/** The assistant's part of the state: settings, history and changes that wait for a yes. Texts of talks are sealed. */
import { type CollectionWriter, collection, domainEvent, on, type Slice } from '../../core/index.ts'

/** The protocols that providers of language models speak. */
export const providerKinds = ['openai-compatible', 'anthropic', 'google'] as const

/** A provider of language models. */
export interface Provider {
  readonly name: string
  readonly kind: (typeof providerKinds)[number]
  /** Where its API begins, e.g. `http://127.0.0.1:11434/v1`; absent: the public one of the kind. */
  readonly baseUrl?: string
  /** Sealed. */
  readonly apiKey?: string
}

/** What is done with a change that the model wants: asked for, made at once, or refused. Each is tried out first. */
export const writeRules = ['ask', 'at-once', 'never'] as const

export interface AssistantSettings {
  /** `<provider>/<model>` of chats that name none. */
  readonly model: string
  readonly writes: (typeof writeRules)[number]
  readonly providers: readonly Provider[]
  /** Answers of the model in one turn; each may call tools. */
  readonly mostSteps: number
  /** A provider that sends nothing for so long has cut its answer. */
  readonly silenceSeconds: number
  /** Entries of the history that are kept for each project key. */
  readonly historyEntries: number
}

/** The model that needs no provider. */
export const builtInModel = 'gantry/docs'

export const defaultSettings: AssistantSettings = {
  model: builtInModel,
  writes: 'ask',
  providers: [],
  mostSteps: 20,
  silenceSeconds: 120,
  historyEntries: 100,
}

/** What became of a call of an operation in a turn. `tried`: a dry run. */
export const callStates = ['read', 'done', 'failed', 'tried', 'waiting', 'refused'] as const

/** A call of an operation in a turn. */
export interface CallNote {
  readonly operation: string
  readonly state: (typeof callStates)[number]
  /** Of a command, or of its dry run. */
  readonly jobId?: string
}

/** One message of a talk. */
export interface HistoryEntry {
  readonly id: string
  readonly role: 'user' | 'assistant'
  /** Sealed. */
  readonly content: string
  /** Milliseconds since the epoch. */
  readonly time: number
  /** The job of the chat that the turn began with; the same for what follows a yes or a no. */
  readonly turnId: string
  /** Who talked. */
  readonly actor: string
  readonly model?: string
  readonly finishReason?: string
  readonly calls?: readonly CallNote[]
}

/** The talk under one project key; `''` for talks without one. */
export interface Talk {
  readonly projectKey: string
  readonly entries: readonly HistoryEntry[]
}

/** A change that the model wants and that waits for a person's yes. */
export interface Approval {
  readonly approvalId: string
  readonly turnId: string
  readonly projectKey: string
  readonly actor: string
  readonly operation: string
  /** The job of the dry run; absent for an operation that has none. */
  readonly dryRunJobId?: string
  /** Blob with the sealed rest of the turn (`Suspended`). */
  readonly turn: string
  readonly askedAt: number
}

/** So many changes wait at most; the oldest go. */
const mostApprovals = 100
/** Characters (sealed) of one message, of one talk and of all talks that are kept; the oldest go. */
const mostMessageCharacters = 6_000_000
const mostTalkCharacters = 8_000_000
const mostHistoryCharacters = 32_000_000
/** Talks of so many project keys are kept; the one that was quiet the longest goes. */
const mostTalks = 100

export const settingsCollection = collection<AssistantSettings>('assistant.settings')
export const settingsKey = 'settings'
export const talks = collection<Talk>('assistant.talks')
export const approvals = collection<Approval>('assistant.approvals')

export const settingsSaved = domainEvent<AssistantSettings>(
  'assistant.settings-saved',
  'The settings of the assistant were saved',
)
export const turnKept = domainEvent<{ projectKey: string; entries: readonly HistoryEntry[]; limit: number }>(
  'assistant.turn-kept',
  'A turn of a talk with the assistant was kept (its texts are sealed)',
)
export const historyCleared = domainEvent<{ projectKey?: string }>(
  'assistant.history-cleared',
  'The history of talks with the assistant was cleared',
)
export const approvalAsked = domainEvent<Approval>(
  'assistant.approval-asked',
  'The assistant asks for a yes to a change',
)
export const approvalDecided = domainEvent<{ approvalId: string; approved: boolean }>(
  'assistant.approval-decided',
  'A person said yes or no to a change of the assistant',
)

export const assistantSlice: Slice = {
  version: 1,
  collections: [settingsCollection, talks, approvals],
  reductions: [
    on(settingsSaved, (write, settings) => write(settingsCollection).set(settingsKey, settings)),
    on(turnKept, (write, { projectKey, entries, limit }) => {
      const kept = write(talks).get(projectKey)?.entries ?? []
      write(talks).set(projectKey, { projectKey, entries: newest([...kept, ...entries].slice(-limit)) })
      removeOldest(write(talks), mostTalks, lastTime)
      keepWithinRoom(write(talks))
    }),
    on(historyCleared, (write, { projectKey }) => {
      if (projectKey === undefined) write(talks).clear()
      else write(talks).delete(projectKey)
    }),
    on(approvalAsked, (write, approval) => {
      write(approvals).set(approval.approvalId, approval)
      removeOldest(write(approvals), mostApprovals, ({ askedAt }) => askedAt)
    }),
    on(approvalDecided, (write, { approvalId }) => void write(approvals).delete(approvalId)),
  ],
}

const lastTime = ({ entries }: Talk) => entries.at(-1)?.time ?? 0
const charactersOf = (entries: readonly HistoryEntry[]) => entries.reduce((sum, { content }) => sum + content.length, 0)

/** The newest messages that fit into a talk, without such that are too long for any. */
function newest(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const fitting = entries.filter(({ content }) => content.length <= mostMessageCharacters)
  let room = mostTalkCharacters
  const from = fitting.findLastIndex(({ content }) => {
    room -= content.length
    return room < 0
  })
  return fitting.slice(from + 1)
}

/** Removes the talks that were quiet the longest until all fit. */
function keepWithinRoom(kept: CollectionWriter<Talk>) {
  let room = mostHistoryCharacters
  for (const [key, { entries }] of [...kept.entries()].sort(([, a], [, b]) => lastTime(b) - lastTime(a))) {
    room -= charactersOf(entries)
    if (room < 0) kept.delete(key)
  }
}

/** Keeps at most so many. @param timeOf ms since the epoch */
function removeOldest<T>(kept: CollectionWriter<T>, most: number, timeOf: (one: T) => number) {
  if (kept.size <= most) return
  const byAge = [...kept.entries()].sort(([, a], [, b]) => timeOf(a) - timeOf(b))
  for (const [key] of byAge.slice(0, kept.size - most)) kept.delete(key)
}
