/** `gantry backup` and `gantry restore`. */
import { copyFile, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { draftOf, placeNew } from '../../lib/draft-file.ts'
import { makeDirectory } from '../../lib/make-directory.ts'
import { renameFile } from '../../lib/patient-rename.ts'
import { isStoreError, openStore } from '../../store/index.ts'
import { termsOf } from '../log/job.ts'
import { jobCodec } from '../log/job-codec.ts'
import { type BackupReport, checkBackup, restoreBackup, writeBackup } from '../recovery/backup.ts'
import { GatewayClient } from './client.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { callAndFollow, progressBar } from './follow.ts'
import { dataDirectoryError } from './open-gateway.ts'
import { packageVersion, type RawOptions, readDataDir } from './options.ts'
import { printResult } from './output.ts'
import { findConnection, readRunning } from './running-gateway.ts'

/** Writes a backup of the data directory to a new file and prints what is in it. */
export async function backup(file: string, raw: RawOptions): Promise<void> {
  const target = resolve(file)
  if (await stat(target).catch(() => undefined)) throw taken(target)
  const dataDir = readDataDir(raw)
  try {
    await makeDirectory(dirname(target))
    await printResult(readRunning(dataDir) ? await ofRunning(target, raw) : await ofClosed(target, dataDir))
  } catch (error) {
    throw notWritten(target, error)
  }
}

const taken = (path: string) => new CliError(`There is a file ${path} already.`, exitCodes.usage)

/** An error of the system, e.g. a full disk, without a stack trace. */
function notWritten(path: string, error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).syscall === undefined) return error
  return new CliError(`${path} cannot be written: ${(error as Error).message}`, exitCodes.failed, { cause: error })
}

/** The gateway writes it into its data directory; from there it is moved. */
async function ofRunning(target: string, raw: RawOptions): Promise<BackupReport> {
  const answer = await callAndFollow(new GatewayClient(findConnection(raw)), 'system.backup', {})
  const report = (answer.kind === 'result' ? answer.value : undefined) as BackupReport
  await move(report.file, target)
  return { ...report, file: target }
}

/** A rename that replaces nothing; between file systems a copy that gets its name when it is whole. */
async function move(from: string, to: string): Promise<void> {
  const draft = draftOf(to)
  try {
    const isElsewhere = await renameFile(from, draft).then(
      () => false,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EXDEV') return true
        throw error
      },
    )
    if (isElsewhere) {
      await copyFile(from, draft)
      await checkBackup(draft)
    }
    if (!(await placeNew(draft, to))) throw taken(to)
    if (isElsewhere) await rm(from)
  } finally {
    await rm(draft, { force: true })
  }
}

async function ofClosed(target: string, dataDir: string): Promise<BackupReport> {
  const bar = await progressBar('backup')
  try {
    const store = await openStore({ dir: join(dataDir, 'store'), readOnly: true, terms: termsOf, codec: jobCodec })
    try {
      const source = { store, dataDir, version: packageVersion(), now: Date.now() }
      return await writeBackup(source, target, { onProgress: (percent, message) => bar.update(percent, message) })
    } finally {
      await store.close()
    }
  } catch (error) {
    throw dataDirectoryError(error, dataDir)
  } finally {
    bar.stop()
  }
}

/** Makes a data directory of a backup, or only checks the backup, and prints what is in it. */
export async function restore(file: string, raw: RawOptions): Promise<void> {
  const dataDir = readDataDir(raw)
  const bar = await progressBar(raw.check === true ? 'check' : 'restore')
  const options = { onProgress: (percent: number, message: string) => bar.update(percent, message) }
  try {
    const report = raw.check === true ? await checkBackup(file, options) : await restoreBackup(file, dataDir, options)
    await printResult(raw.check === true ? report : { ...report, dataDir })
  } catch (error) {
    if (!isStoreError(error)) throw notWritten(dataDir, error)
    throw new CliError(`${file}: ${error.message}\n${error.advice}`, exitCodes.failed, { cause: error })
  } finally {
    bar.stop()
  }
}
