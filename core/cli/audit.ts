/**
 * `gantry audit` and `replay`. They read a data directory that no gateway has open directly, without
 * changing it; for one that is in use they ask its gateway.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { userInfo } from 'node:os'
import { createInterface } from 'node:readline'
import { defined } from '../../lib/optional.ts'
import type { Store, VerifyReport } from '../../store/index.ts'
import type { AuditFilter } from '../audit/audit.ts'
import type { ChainedEntry, ExpectedRecord } from '../audit/audit-chain.ts'
import type { Session } from '../audit/audit-sessions.ts'
import { systemActor } from '../contract/access.ts'
import type { ReplayReport } from '../recovery/replay.ts'
import { GatewayClient } from './client.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { callAndFollow, progressBar } from './follow.ts'
import { withStore } from './offline-store.ts'
import { dataDirectoryError } from './open-gateway.ts'
import { packageVersion, type RawOptions, readDataDir, readGatewayRun } from './options.ts'
import { openOutput, printResult, table, write } from './output.ts'
import { findConnection, readRunning } from './running-gateway.ts'

/** A client of the running gateway; undefined when the directory is read directly. */
function liveClient(raw: RawOptions): GatewayClient | undefined {
  const asked = raw.url !== undefined || Boolean(process.env.GANTRY_URL)
  return asked || readRunning(readDataDir(raw)) ? new GatewayClient(findConnection(raw)) : undefined
}

/**
 * Checks the hash chain and all that depends on it, or an exported file, and prints the report. Faults end with exit
 * code `dataDirectory`.
 */
export async function verifyAudit(file: string | undefined, raw: RawOptions): Promise<void> {
  const expect = await expectedOf(raw)
  const report = file === undefined ? await verifyLog(raw, expect) : await verifyFile(file, raw, expect)
  await printResult(report)
  const { count = 0 } = ('clearSecrets' in report ? report.clearSecrets : undefined) ?? {}
  if (count > 0)
    process.stderr.write(
      `${count} places of old records hold secrets in clear text; "gantry audit redact" takes them out.\n`,
    )
  if (report.ok) return
  throw new CliError(`The ${file ?? 'log'} has faults (${report.faults.length}).`, exitCodes.dataDirectory)
}

async function expectedOf({ expect = [] }: RawOptions): Promise<readonly ExpectedRecord[]> {
  const { readExpected } = await import('../audit/audit-chain.ts')
  try {
    return (expect as readonly string[]).map(readExpected)
  } catch (error) {
    throw new CliError(`--expect: ${(error as Error).message}`, exitCodes.usage)
  }
}

async function verifyFile(file: string, raw: RawOptions, expect: readonly ExpectedRecord[]) {
  const { checkExport } = await import('../audit/audit-chain.ts')
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
  try {
    return await checkExport(lines, { expect, isPart: raw.part === true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new CliError(`${file} cannot be read: ${(error as Error).message}`, exitCodes.usage)
  }
}

async function verifyLog(raw: RawOptions, expect: readonly ExpectedRecord[]): Promise<VerifyResult> {
  const blobs = raw.whole === true ? 'whole' : 'present'
  const client = liveClient(raw)
  if (client) return verifyRunning(client, blobs, expect)
  return withStore(raw, { readOnly: true }, async (store) => {
    const bar = await progressBar('verify')
    try {
      const report = await store.log.verify({
        blobs,
        expect,
        onProgress: (done, total) => bar.update(total === 0 ? 100 : (100 * done) / total),
      })
      // What an open finds strange, and is no damage: a missing witness.
      const { detail } = store.health
      const clearSecrets = await clearPlacesOf(store, raw, report)
      return { ...report, clearSecrets, notes: detail === undefined ? [] : [detail] }
    } finally {
      bar.stop()
    }
  })
}

type VerifyResult = {
  readonly ok: boolean
  readonly faults: readonly unknown[]
  readonly clearSecrets?: { readonly count: number }
}

/** Secrets in clear text; not searched in a log that cannot be read whole. */
async function clearPlacesOf(store: Store, raw: RawOptions, { ok, absent }: VerifyReport) {
  if (!ok || absent.length > 0) return { count: 0, places: [] }
  const [{ clearPlaces }, { loadOperations }] = await Promise.all([
    import('../audit/clear-secrets.ts'),
    import('./offline-operations.ts'),
  ])
  return clearPlaces(store, await loadOperations(raw))
}

/**
 * Takes secrets in clear text out of old records, in a running gateway or in a data directory that none has open, and
 * prints the places.
 */
export async function redactAudit(raw: RawOptions): Promise<void> {
  const isTrial = raw.dryRun === true
  const reason = raw.reason as string | undefined
  const client = liveClient(raw)
  if (client) {
    const answer = await callAndFollow(client, 'audit.redact', defined({ reason }), { dryRun: isTrial })
    return printResult(answer.kind === 'result' ? answer.value : undefined)
  }
  const [{ clearPlaces, redactClearSecrets }, { loadOperations }] = await Promise.all([
    import('../audit/clear-secrets.ts'),
    import('./offline-operations.ts'),
  ])
  const operations = await loadOperations(raw)
  await withStore(raw, { readOnly: isTrial }, async (store) => {
    const report = await store.log.verify()
    if (!report.ok || report.lost.length > 0)
      throw new CliError(
        report.ok
          ? 'Records are lost: the state is in checkpoints alone, which a redaction drops.'
          : 'The log has faults (gantry audit verify); a redaction would hide them.',
        exitCodes.failed,
      )
    const found = await clearPlaces(store, operations)
    if (isTrial || found.count === 0) return printResult(found)
    const data = defined({ reason, user: userInfo().username })
    const by = { actor: systemActor.name, correlationId: randomUUID(), data }
    const { seq } = await redactClearSecrets(store, operations, by)
    await printResult({ ...found, ...defined({ seq }) })
  })
}

/** As a job, with progress; a gateway that knows of damage accepts no job, and answers at once. */
async function verifyRunning(
  client: GatewayClient,
  blobs: string,
  expected: readonly ExpectedRecord[],
): Promise<VerifyResult> {
  const expect = expected.map(({ seq, hash }) => `${seq}:${hash}`)
  const { store } = await client.json<{ store: string }>('GET', '/api/health')
  const input = { blobs, ...(expect.length === 0 ? {} : { expect }) }
  const answer = store !== 'ok' ? undefined : await callAndFollow(client, 'audit.verify', input, { asJob: true })
  if (answer?.kind === 'result') return answer.value as VerifyResult
  const query = new URLSearchParams({ blobs })
  for (const each of expect) query.append('expect', each)
  return client.json('GET', `/api/audit/verify?${query}`)
}

interface ExportFilter extends AuditFilter {
  readonly texts: Readonly<Record<string, string>>
}

function readFilter(raw: RawOptions): ExportFilter {
  const text = (name: string) => raw[name] as string | undefined
  const time = (name: string) => {
    const value = text(name)
    if (value === undefined) return undefined
    const ms = Date.parse(value)
    if (Number.isNaN(ms))
      throw new CliError(`--${name} must be a time like 2026-01-31T14:00:00Z, not "${value}".`, exitCodes.usage)
    return ms
  }
  const texts: Record<string, string> = {}
  for (const name of ['actor', 'operation', 'entity', 'jobId', 'types', 'session', 'from', 'to']) {
    const value = text(name)
    if (value !== undefined) texts[name] = value
  }
  const session = texts.session === undefined ? undefined : sessionNumber(texts.session)
  const from = time('from')
  const to = time('to')
  return {
    texts,
    ...defined({ from, to }),
    ...(texts.actor ? { actor: texts.actor } : {}),
    ...(texts.operation ? { operation: texts.operation } : {}),
    ...(texts.entity ? { entity: texts.entity } : {}),
    ...(texts.jobId ? { jobId: texts.jobId } : {}),
    ...(texts.types ? { types: texts.types.split(',') } : {}),
    ...defined({ session }),
  }
}

function sessionNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new CliError(`"${text}" is not the number of a session; see "gantry audit sessions".`, exitCodes.usage)
  return Number(text)
}

/** Writes the audit with its hash chain, oldest record first, one JSON object per line. */
export async function exportAudit(raw: RawOptions): Promise<void> {
  const { texts, ...filter } = readFilter(raw)
  const out = openOutput(raw.out as string | undefined)
  const client = liveClient(raw)
  let count = 0
  let head = ''
  const put = async (entry: ChainedEntry) => {
    count++
    if (entry.commit) head = `; the last record is ${entry.seq}:${entry.commit.hash}`
    await out.write(`${JSON.stringify(entry)}\n`)
  }
  if (client) for await (const entry of remoteEntries(client, texts)) await put(entry)
  else {
    const [{ AuditReader }, { chained }] = await Promise.all([
      import('../audit/audit.ts'),
      import('../audit/audit-chain.ts'),
    ])
    await withStore(raw, { readOnly: true }, async (store) => {
      for await (const entry of chained(store, new AuditReader(store).entries(filter))) await put(entry)
    })
  }
  await out.close()
  if (raw.out) process.stderr.write(`${count} entries written to ${raw.out as string}${head}\n`)
}

async function* remoteEntries(
  client: GatewayClient,
  texts: Readonly<Record<string, string>>,
): AsyncGenerator<ChainedEntry> {
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({
      ...texts,
      order: 'asc',
      chain: 'true',
      limit: '5000',
      format: 'json',
      ...(cursor ? { cursor } : {}),
    })
    const page = await client.json<{ entries: ChainedEntry[]; nextCursor?: string }>('GET', `/api/audit?${query}`)
    yield* page.entries
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

async function readSessions(raw: RawOptions, limit: number): Promise<readonly Session[]> {
  const client = liveClient(raw)
  if (client) return (await client.json<{ sessions: Session[] }>('GET', `/api/audit/sessions?limit=${limit}`)).sessions
  const { listSessions } = await import('../audit/audit-sessions.ts')
  return withStore(raw, { readOnly: true }, (store) => listSessions(store, { limit }))
}

/** Lists the sessions of the gateway, newest first. */
export async function auditSessions(raw: RawOptions): Promise<void> {
  const limit = raw.limit === undefined ? 50 : Number(raw.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new CliError('--limit must be a number from 1 to 1000.', exitCodes.usage)
  const sessions = await readSessions(raw, limit)
  if (raw.json === true) return printResult({ sessions, total: sessions.length })
  const rows = sessions.map((s) => [
    String(s.session),
    s.startedAt,
    s.stoppedAt ?? s.state,
    `${s.jobs} jobs`,
    `records ${s.firstSeq}-${s.lastSeq}`,
  ])
  await write(process.stdout, table([['SESSION', 'STARTED', 'STOPPED', 'JOBS', 'RECORDS'], ...rows]))
}

/** Runs the commands of a past session again in a scratch gateway and prints the differences. */
export async function replay(session: string, raw: RawOptions): Promise<void> {
  const number = session === 'last' ? await lastSession(raw) : sessionNumber(session)
  const client = liveClient(raw)
  const report = client ? await remoteReplay(client, number) : await localReplay(number, raw)
  await printResult(report)
  if (report.differenceCount > 0)
    throw new CliError(`${report.differenceCount} values came out otherwise.`, exitCodes.failed)
}

async function lastSession(raw: RawOptions): Promise<number> {
  const found = (await readSessions(raw, 5)).find(({ state }) => state !== 'running')
  if (!found) throw new CliError('There is no past session.', exitCodes.failed)
  return found.session
}

async function remoteReplay(client: GatewayClient, session: number): Promise<ReplayReport> {
  const answer = await callAndFollow(client, 'audit.replay', { session })
  return (answer.kind === 'result' ? answer.value : undefined) as ReplayReport
}

async function localReplay(session: number, raw: RawOptions): Promise<ReplayReport> {
  const { dataDir, pluginDirs } = readGatewayRun(raw)
  const { replaySession } = await import('../recovery/replay.ts')
  const bar = await progressBar('replay')
  try {
    return await replaySession(
      {
        dataDir,
        pluginDirs,
        version: packageVersion(),
        onProgress: (percent, message) => bar.update(percent, message),
      },
      session,
    )
  } catch (error) {
    throw dataDirectoryError(error, dataDir)
  } finally {
    bar.stop()
  }
}
