/**
 * The hash chain in an exported audit: the last entry of each commit says what its commit is, and that can be checked
 * without the log.
 *
 * ```
 * {"seq":7, …, "commit":{"hash":"…","content":"…"}}                           hash = sha256(content)
 * {"seq":9, …, "commit":{"hash":"…","first":8,"count":2,"previous":"…"}}      the records contain secrets
 * ```
 *
 * A redacted commit (store/redact.ts) has `original` besides: the hash that it had, which the next commit names.
 *
 * `content` is the commit as it is in the log (store/commit.ts): it names the hash of the commit before, and has the
 * records that the entries were made of.
 */
import { defined } from '../../lib/optional.ts'
import { type LogRecord, openCommit, redactedType, type Store, type StoredCommit } from '../../store/index.ts'
import { withoutSecrets } from '../access/secrets.ts'
import { isCallRecord } from '../log/call-records.ts'
import { isEnd, iso } from '../log/job.ts'
import { jobCodec } from '../log/job-codec.ts'
import type { AuditEntry } from './audit.ts'

/** What an entry says of the commit that it is the last entry of. */
export type CommitProof =
  | { readonly hash: string; readonly content: string }
  | {
      readonly hash: string
      readonly first: number
      readonly count: number
      readonly previous: string
      /** Of a redacted commit: its hash before. */
      readonly original?: string
    }

export type ChainedEntry = AuditEntry & { readonly commit?: CommitProof }

/**
 * Adds the commits to entries.
 * @param entries in the order of the log
 */
export async function* chained(
  store: Store,
  entries: AsyncIterable<AuditEntry> | Iterable<AuditEntry>,
): AsyncGenerator<ChainedEntry> {
  let commits: AsyncIterator<StoredCommit> | undefined
  let commit: StoredCommit | undefined
  let waiting: AuditEntry | undefined
  try {
    for await (const entry of entries) {
      commits ??= store.log.commits({ from: entry.seq })[Symbol.asyncIterator]()
      if (waiting !== undefined && commit !== undefined) {
        if (entry.seq <= commit.last) yield waiting
        else yield { ...waiting, commit: proofOf(commit) }
      }
      while (commit === undefined || commit.last < entry.seq) {
        const next: IteratorResult<StoredCommit> = await commits.next()
        if (next.done === true) break
        commit = next.value
      }
      waiting = entry
    }
    if (waiting !== undefined && commit !== undefined) yield { ...waiting, commit: proofOf(commit) }
  } finally {
    await commits?.return?.()
  }
}

function proofOf({ hash, content, records, first, previous, original }: StoredCommit): CommitProof {
  return records.some(({ data }) => withoutSecrets(data) !== data)
    ? { hash, first, count: records.length, previous, ...(original === hash ? {} : { original }) }
    : { hash, content }
}

/** {@link chained} for a page of entries. */
export async function chainedPage(store: Store, entries: readonly AuditEntry[]): Promise<ChainedEntry[]> {
  const page: ChainedEntry[] = []
  for await (const entry of chained(store, entries)) page.push(entry)
  return page
}

/**
 * A record that the check expects to be in one of these commits: `seq` and the hash of its commit, or its beginning.
 */
export interface ExpectedRecord {
  readonly seq: number
  readonly hash: string
}

/** What the check of an exported file has found. */
export interface FileReport {
  readonly ok: boolean
  readonly entries: number
  readonly commits: number
  /** Commits whose records contain secrets: their place in the chain is checked, their entries cannot be. */
  readonly withheld: number
  /** Commits of which texts were taken out; a record `log.redacted` says which, and vouches for what is left. */
  readonly redacted: number
  /** First and last record that the file vouches for. */
  readonly first?: number
  readonly head?: { readonly seq: number; readonly hash: string }
  readonly faults: readonly { readonly line?: number; readonly seq?: number; readonly detail: string }[]
  /** Ranges of seq between the first and the last that are not in the file. */
  readonly missing: readonly { readonly first: number; readonly last: number }[]
  /** Ranges that a recovery has lost. */
  readonly lost: readonly { readonly first: number; readonly last: number }[]
}

const mostFaults = 1000

/**
 * Checks the lines of an exported audit: every commit against its hash, the entries against their commit, and each
 * commit against the one before it.
 * @param isPart the export was filtered: missing records are no fault
 */
export async function checkExport(
  lines: AsyncIterable<string>,
  o: { readonly expect?: readonly ExpectedRecord[]; readonly isPart?: boolean } = {},
): Promise<FileReport> {
  const check = new ExportCheck(o.expect ?? [], o.isPart === true)
  for await (const line of lines) check.take(line)
  return check.end()
}

interface Opened {
  readonly first: number
  readonly last: number
  readonly hash: string
  readonly previous: string
  /** What the next commit names as the previous hash. */
  readonly link: string
  /** Its hash before a redaction. */
  readonly original: string
  readonly records?: readonly LogRecord[]
}

class ExportCheck {
  readonly #expect: readonly ExpectedRecord[]
  readonly #met = new Set<ExpectedRecord>()
  readonly #isPart: boolean
  readonly #faults: { line?: number; seq?: number; detail: string }[] = []
  readonly #missing: { first: number; last: number }[] = []
  readonly #lost: { first: number; last: number }[] = []
  /** Operations of the jobs that have not ended yet. */
  readonly #commands = new Map<string, string>()
  #line = 0
  #entries = 0
  #commits = 0
  #withheld = 0
  /** Redacted commits by their hash, and the hashes that records of redactions name. */
  readonly #redacted = new Map<string, Opened>()
  readonly #vouched = new Set<string>()
  #first: number | undefined
  #before: Opened | undefined
  #group: AuditEntry[] = []

  constructor(expect: readonly ExpectedRecord[], isPart: boolean) {
    this.#expect = expect
    this.#isPart = isPart
  }

  take(line: string): void {
    this.#line++
    if (line.trim() === '') return
    let entry: ChainedEntry
    try {
      entry = JSON.parse(line) as ChainedEntry
      if (!Number.isInteger(entry?.seq)) throw new TypeError('it has no seq')
    } catch (error) {
      this.#fault(`the line is no entry of an audit (${(error as Error).message})`)
      return
    }
    this.#entries++
    const { commit, ...plain } = entry
    this.#group.push(plain)
    if (commit === undefined) return
    this.#commit(commit, this.#group)
    this.#group = []
  }

  #commit(proof: CommitProof, entries: readonly AuditEntry[]) {
    const opened = this.#open(proof)
    if (opened === undefined) return
    const before = this.#before
    // A page that ends within a commit names it, and so does the next page.
    if (before !== undefined && opened.first === before.first) {
      if (opened.hash !== before.hash) this.#fault('its commit is another one than before', opened.first)
    } else if (before !== undefined && opened.first <= before.last) {
      this.#fault(`the commit of records ${opened.first}..${opened.last} comes out of order`, opened.first)
    } else {
      this.#commits++
      if (opened.records === undefined) this.#withheld++
      this.#first ??= opened.first
      this.#follow(opened, before)
    }
    this.#compare(opened, entries)
    this.#before = opened
  }

  #open(proof: CommitProof): Opened | undefined {
    if (!('content' in proof)) {
      const { hash, first, count, previous, original = hash } = proof
      return { hash, first, last: first + count - 1, previous, link: original, original }
    }
    try {
      return openCommit(proof.hash, proof.content, jobCodec)
    } catch (error) {
      this.#fault((error as Error).message, this.#group[0]?.seq)
      return undefined
    }
  }

  #follow(commit: Opened, before: Opened | undefined) {
    for (const expected of this.#expect) {
      if (expected.seq < commit.first || expected.seq > commit.last) continue
      this.#met.add(expected)
      // One that was noted before a redaction is that of what the commit was.
      if (!commit.hash.startsWith(expected.hash) && !commit.original.startsWith(expected.hash))
        this.#fault(
          `record ${expected.seq} is in a commit with the hash ${commit.hash}, not ${expected.hash}`,
          expected.seq,
        )
    }
    if (commit.original !== commit.hash) this.#redacted.set(commit.hash, commit)
    const [lost] = commit.records ?? []
    if (lost?.type === 'log.lost') {
      const range = lost.data as { first: number; last: number }
      if (this.#lost.at(-1)?.first !== range.first) this.#lost.push({ first: range.first, last: range.last })
    }
    if (before === undefined) return
    if (commit.first > before.last + 1) {
      this.#missing.push({ first: before.last + 1, last: commit.first - 1 })
      if (!this.#isPart) this.#fault(`the records ${before.last + 1}..${commit.first - 1} are missing`, before.last + 1)
    } else if (commit.previous !== before.link)
      this.#fault(`the commit at seq ${commit.first} does not follow the one before it`, commit.first)
  }

  #compare(commit: Opened, entries: readonly AuditEntry[]) {
    const { records } = commit
    const begin = entries[0]?.seq ?? commit.first
    // The file may begin within its first commit, and a page within the commit that ended the page before it.
    if (!this.#isPart && this.#before !== undefined && this.#before.first !== commit.first && begin > commit.first)
      this.#fault(`the entries ${commit.first}..${begin - 1} are missing`, commit.first)
    let at = begin
    for (const entry of entries) {
      if (entry.seq < commit.first || entry.seq > commit.last) {
        this.#fault(`entry ${entry.seq} is not one of its commit (${commit.first}..${commit.last})`, entry.seq)
        continue
      }
      if (entry.seq < at) this.#fault(`entry ${entry.seq} comes out of order`, entry.seq)
      else if (!this.#isPart && entry.seq > at) this.#fault(`the entries ${at}..${entry.seq - 1} are missing`, at)
      at = entry.seq + 1
      if (entry.type === redactedType)
        for (const { hash } of (entry.data as { commits?: readonly { hash: string }[] }).commits ?? [])
          this.#vouched.add(hash)
      const record = records?.[entry.seq - commit.first]
      if (record === undefined) continue
      if (!isEntryOf(entry, record) || !this.#isOperationOf(entry, record))
        this.#fault(`entry ${entry.seq} is not what its record says`, entry.seq)
    }
  }

  /** The operation of an entry comes from the acceptance of its job, which may be before the file. */
  #isOperationOf({ operation }: AuditEntry, { type, jobId, data }: LogRecord): boolean {
    const { command, operation: called } = data as { command?: string; operation?: string }
    if (isCallRecord(type)) return operation === called
    if (jobId === undefined) return operation === undefined
    if (type === 'job.accepted' && command !== undefined) this.#commands.set(jobId, command)
    const known = this.#commands.get(jobId)
    if (isEnd(type)) this.#commands.delete(jobId)
    return known === undefined || known === operation
  }

  end(): FileReport {
    const head = this.#before
    if (this.#group.length > 0)
      this.#fault(
        `the last ${this.#group.length} entries have no commit: the file is cut off, or it was exported without the chain`,
        this.#group[0]?.seq,
      )
    for (const [hash, { first, last }] of this.#redacted)
      if (!this.#isPart && !this.#vouched.has(hash))
        this.#fault(`no redaction names the commit of records ${first}..${last} as it is`, first)
    for (const expected of this.#expect)
      if (!this.#met.has(expected))
        this.#fault(`record ${expected.seq}, which is expected, is not in the file`, expected.seq)
    if (this.#entries === 0) this.#fault('the file has no entries')
    return {
      ok: this.#faults.length === 0,
      entries: this.#entries,
      commits: this.#commits,
      withheld: this.#withheld,
      redacted: this.#redacted.size,
      ...defined({ first: this.#first }),
      ...(head === undefined ? {} : { head: { seq: head.last, hash: head.hash } }),
      faults: this.#faults,
      missing: this.#missing,
      lost: this.#lost,
    }
  }

  #fault(detail: string, seq?: number) {
    if (this.#faults.length < mostFaults) this.#faults.push({ line: this.#line, ...defined({ seq }), detail })
  }
}

/** Compares all that comes from the record itself: not the operation. */
function isEntryOf({ operation: _operation, actor, ...entry }: AuditEntry, record: LogRecord): boolean {
  const { seq, time, type, jobId, correlationId, entity, data } = record
  const same = { seq, time: iso(time), type, jobId, correlationId, entity, data: withoutSecrets(data) }
  // An actor that the record itself does not have is that of its job.
  if (record.actor !== undefined && actor !== record.actor) return false
  return canonical(entry) === canonical(same)
}

/** JSON with the names of each object in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}

/** Reads `SEQ:HASH`. @throws RangeError that says what is wrong */
export function readExpected(text: string): ExpectedRecord {
  const [, seq, hash] = /^([1-9]\d{0,14}):([0-9a-f]{16,64})$/i.exec(text.trim()) ?? []
  if (seq === undefined || hash === undefined)
    throw new RangeError(
      `"${text}" must be SEQ:HASH: the number of a record and the hash of its commit (16 to 64 hex digits)`,
    )
  return { seq: Number(seq), hash: hash.toLowerCase() }
}
