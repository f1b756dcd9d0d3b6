/** `gantry recover`: saves what a damaged data directory holds. Without consent it only says what that is. */
import { defined } from '../../lib/optional.ts'
import { type RecoverReport, recoverStore } from '../../store/index.ts'
import { jobCodec } from '../log/job-codec.ts'
import type { RecoveredState } from '../recovery/recovered-state.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { progressBar } from './follow.ts'
import { storeDir } from './offline-store.ts'
import { dataDirectoryError } from './open-gateway.ts'
import { type RawOptions, readGatewayRun } from './options.ts'
import { printResult } from './output.ts'
import { readRunning } from './running-gateway.ts'

/**
 * Prints what is saved and what is lost; with `--accept-loss` the saved log takes the place of the damaged one, which
 * is kept.
 */
export async function recover(raw: RawOptions): Promise<void> {
  const { dataDir, pluginDirs } = readGatewayRun(raw)
  const running = readRunning(dataDir)
  if (running)
    throw new CliError(
      `The data directory ${dataDir} is in use. The gateway at ${running.url} (process ${running.pid}) runs on it.`,
      exitCodes.dataDirectory,
    )
  const write = raw.acceptLoss === true
  const bar = await progressBar('recover')
  try {
    let state: RecoveredState | undefined
    const report = await recoverStore(storeDir(dataDir), {
      write,
      codec: jobCodec,
      examine: async (dir, { contents, damaged }) => {
        if (damaged.length === 0) return
        const { examineRecovered } = await import('../recovery/recovered-state.ts')
        state = await examineRecovered(dir, pluginDirs, contents)
      },
    })
    await printResult(summary(report, state))
    process.stderr.write(`${advice(report)}\n`)
  } catch (error) {
    throw dataDirectoryError(error, dataDir)
  } finally {
    bar.stop()
  }
}

function summary(report: RecoverReport, state: RecoveredState | undefined) {
  const { damaged, records, lost, lostRecords, contents, checkpointSeq, absent, original } = report
  return {
    written: original !== undefined,
    damaged,
    saved: { records, contents: contents.saved },
    lost: { records: lostRecords, ranges: lost, contents: contents.lost },
    ...(state === undefined ? {} : { state: { ...defined({ checkpointSeq }), ...state } }),
    ...(absent.length === 0 ? {} : { absent }),
    ...defined({ original }),
  }
}

function advice({ damaged, lostRecords, absent, original }: RecoverReport): string {
  const archive =
    absent.length === 0 ? '' : `\nPut these files back into store/archive to have their records: ${absent.join(', ')}.`
  if (damaged.length === 0) return `Nothing is damaged; nothing was changed.${archive}`
  if (original !== undefined) return `The saved log is in its place. The damaged one is kept in ${original}.${archive}`
  const what = lostRecords === 0 ? 'no record is lost' : `${lostRecords} records are lost`
  return `Nothing was changed. A backup has what is lost here (${what}); restore it if there is one. To go on with what can be saved: gantry recover --accept-loss (the damaged log is kept).${archive}`
}
