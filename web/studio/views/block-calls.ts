/** Calls about one block, as several views make them. */
import { pathWith, post } from '../gateway.ts'
import { t } from '../i18n.ts'
import { type Compiled, type Finding, findingsOf } from '../model.ts'
import { toast } from '../ui/toast.tsx'

/** The address of a block's operation. */
export const blockPath = (station: string, block: string, rest: string) =>
  pathWith(`/api/devices/{deviceName}/blocks/{blockName}${rest}`, { deviceName: station, blockName: block })

/** Compiles a block and says how many faults it has. */
export async function compileBlock(station: string, block: string): Promise<readonly Finding[]> {
  const result = await post<Compiled>(blockPath(station, block, '/actions/compile'))
  const counts = t('project.compiled', block, result.errorCount, result.warningCount)
  toast(result.errorCount > 0 ? 'warning' : 'ok', counts)
  return findingsOf(result.messages, station)
}
