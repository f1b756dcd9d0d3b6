/** Opens the gateway of a data directory with everything that belongs to one, as `serve` and `mcp` do. */
import { defined } from '../../lib/optional.ts'
import { isStoreError } from '../../store/index.ts'
import { SecretFileError } from '../access/secrets.ts'
import { overrideFrom, type SettingsOverride } from '../access/settings-override.ts'
import type { Logger } from '../contract/logger.ts'
import { isGatewayError } from '../contract/problems.ts'
import { docsPlugin } from '../docs/operations.ts'
import { DataDirError } from '../files/data-dir.ts'
import { Gateway } from '../gateway.ts'
import { compileInput } from '../input/validation.ts'
import { mcpPlugin } from '../mcp/operations.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { type GatewayRun, packageVersion } from './options.ts'
import { readRunning } from './running-gateway.ts'

/**
 * @throws CliError `dataDirectory` that names the remedy; `usage` for a setting in the environment that is wrong
 */
export async function openGateway(run: GatewayRun, log: Logger, { showsNotes = false } = {}): Promise<Gateway> {
  const gateway = await open(run, log, showsNotes)
  try {
    gateway.settingsOverride = await checkedOverride(gateway, overrideFrom(process.env))
  } catch (error) {
    await gateway.close(0)
    throw error
  }
  return gateway
}

/** Settings of the environment are checked like those of a call, and texts become numbers. */
async function checkedOverride(gateway: Gateway, override: SettingsOverride): Promise<SettingsOverride> {
  const change = gateway.registry.operation('settings.change')
  if (change === undefined || Object.keys(override.sources).length === 0) return override
  const { read } = await compileInput(change)
  try {
    const values = read({ ...override.values }) as SettingsOverride['values']
    const { gsdFolder } = values.engineering ?? {}
    if (typeof gsdFolder === 'string') await gateway.workspace.resolve(gsdFolder)
    return { ...override, values }
  } catch (error) {
    if (!isGatewayError(error)) throw error
    // The path itself; faults of fields are listed.
    if (error.details.errors === undefined)
      throw new CliError(`${override.sources['engineering.gsdFolder']}: ${error.message}`, exitCodes.usage, {
        cause: error,
      })
    const faults = (error.details.errors ?? []).map(({ path = '', message }) => {
      const [, group, field] = path.split('/')
      return `${override.sources[`${group}.${field}`] ?? path} ${message}`
    })
    throw new CliError([...new Set(faults)].join('\n'), exitCodes.usage, { cause: error })
  }
}

async function open(run: GatewayRun, log: Logger, showsNotes: boolean): Promise<Gateway> {
  try {
    return await Gateway.open({
      dataDir: run.dataDir,
      version: packageVersion(),
      pluginDirs: run.pluginDirs,
      corePlugins: [docsPlugin, mcpPlugin],
      workspace: run.workspace,
      durability: run.durability,
      newLog: run.newLog,
      holdJobs: run.holdJobs,
      withoutEngine: run.withoutInstance,
      checkOutputs: run.dev,
      log,
      showsNotes,
      ...defined({ apiKey: run.apiKey }),
    })
  } catch (error) {
    if (isStoreError(error) && error.code === 'store_missing')
      throw new CliError(
        `The data directory ${run.dataDir} has the keys of a gateway, but its log (store/) is missing. Restore store/ from a backup, or begin an empty log with the same keys: gantry serve --new.`,
        exitCodes.dataDirectory,
        { cause: error },
      )
    throw dataDirectoryError(error, run.dataDir)
  }
}

/** Explains why a data directory cannot be opened; returns any other error unchanged. */
export function dataDirectoryError(error: unknown, dataDir: string): unknown {
  if (isStoreError(error)) {
    if (error.code === 'store_locked') {
      const running = readRunning(dataDir)
      const who = running
        ? `The gateway at ${running.url} (process ${running.pid}) runs on it`
        : 'Another process has it open'
      return new CliError(`The data directory ${dataDir} is in use. ${who}.`, exitCodes.dataDirectory, { cause: error })
    }
    const isDamage = error.code === 'store_truncated' || error.code === 'store_corrupt'
    const hint = isDamage ? ' What can be saved without one: gantry recover (it changes nothing by itself).' : ''
    return new CliError(
      `The data directory ${dataDir} cannot be opened: ${error.message}\n${error.advice}${hint}`,
      exitCodes.dataDirectory,
      {
        cause: error,
      },
    )
  }
  if (error instanceof DataDirError || error instanceof SecretFileError)
    return new CliError(error.message, exitCodes.dataDirectory, { cause: error })
  const { code, path } = error as NodeJS.ErrnoException
  if (
    code === 'EACCES' ||
    code === 'EPERM' ||
    code === 'EROFS' ||
    code === 'ENOTDIR' ||
    code === 'EEXIST' ||
    code === 'ENOSPC'
  )
    return new CliError(
      `The data directory ${dataDir} cannot be used: ${code} ${path ?? ''}`.trim(),
      exitCodes.dataDirectory,
      { cause: error },
    )
  return error
}
