/** `gantry inspect`: what a project file of TIA Portal holds, without a gateway and without a data directory. */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { defined } from '../../lib/optional.ts'
import { builtInPlugins } from '../boot/running-code.ts'
import { isGatewayError } from '../contract/problems.ts'
import { Gateway } from '../gateway.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { type Inventory, inventoryText } from './inventory-text.ts'
import { packageVersion, type RawOptions } from './options.ts'
import { printResult, write } from './output.ts'

/**
 * Prints an inventory.
 * @throws CliError `usage` for a file that is not there, `failed` for one that cannot be read
 */
export async function inspect(file: string, raw: RawOptions): Promise<void> {
  const path = resolve(file)
  if (!(await stat(path).catch(() => undefined))?.isFile())
    throw new CliError(`${path} is not a file.`, exitCodes.usage)
  const asOfSave = raw.asOfSave === undefined ? undefined : Number(raw.asOfSave)
  if (asOfSave !== undefined && !(Number.isInteger(asOfSave) && asOfSave > 0))
    throw new CliError('--as-of-save is the number of a save, from 1.', exitCodes.usage)
  const compareWith = typeof raw.compare === 'string' ? resolve(raw.compare) : undefined
  if (compareWith !== undefined && !(await stat(compareWith).catch(() => undefined))?.isDirectory())
    throw new CliError(`${compareWith} is not a folder.`, exitCodes.usage)
  const dir = await mkdtemp(join(tmpdir(), 'gantry-inspect-'))
  const gateway = await Gateway.open({
    dataDir: join(dir, 'data'),
    workspace: [dirname(path), ...(compareWith === undefined ? [] : [compareWith])],
    version: packageVersion(),
    pluginDirs: [builtInPlugins],
    withoutEngine: true,
  })
  try {
    const input = {
      path,
      continueOnError: raw.skipDamaged === true,
      ...defined({ asOfSave, compareWith }),
    }
    const operation = gateway.registry.operation('projects.inspect')!
    const reply = await gateway.invoke(operation, input, { actor: { name: 'inspect', access: 'admin' } })
    const inventory = (reply as { value: unknown }).value as Inventory
    if (raw.json) await printResult(inventory)
    else await write(process.stdout, inventoryText(inventory, raw.all === true))
  } catch (error) {
    if (!isGatewayError(error)) throw error
    const suggestion = error.details.suggestion
    throw new CliError([error.message, suggestion].filter(Boolean).join('\n'), exitCodes.failed, { cause: error })
  } finally {
    await gateway.close(2000)
    await rm(dir, { recursive: true, force: true })
  }
}
