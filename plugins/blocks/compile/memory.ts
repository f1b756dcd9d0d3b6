/** The memory of the CPU that a compiled program needs, in total and by block. */

import { defined, type QueryContext, rankedPage } from '../../../core/index.ts'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { type BlockMemory, type MemoryUse, memoryOfBlocks, memoryUse } from '../../../plc/program/memory-use.ts'
import { cpuMemoryOf, type Device, shortagesOf, shortageText } from '../../devices/index.ts'
import { compiledSymbols } from './list-symbols.ts'
import { type CompileMessage, group, messagesOf } from './messages.ts'

/** Bytes that a program needs, and that its CPU has. Without `available`: the table of sizes lacks the CPU. */
export interface MemoryView extends MemoryUse {
  readonly available?: {
    readonly codeBytes?: number
    readonly dataBytes?: number
    readonly workBytes?: number
    readonly loadBytes: number
  }
}

export function memoryView(use: MemoryUse, orderNumber: string): MemoryView {
  const memory = cpuMemoryOf(orderNumber)
  if (memory === undefined) return use
  const { code, data, work, load } = memory
  return {
    ...use,
    available: {
      ...defined({ codeBytes: code, dataBytes: data, workBytes: work }),
      loadBytes: load,
    },
  }
}

/** Errors of a compilation that needs more memory than the CPU has. */
export function memoryMessages(device: Device, use: MemoryUse): CompileMessage[] {
  const shortages = shortagesOf(use, cpuMemoryOf(device.orderNumber))
  if (shortages.length === 0) return []
  const path = `${device.name}/Memory`
  const messages = shortages.map((shortage) => ({
    code: 'memory-exceeded' as const,
    severity: 'error' as const,
    message: `${device.typeName}, ${shortageText(shortage)}.`,
    hint: `GET /api/devices/${encodeURIComponent(device.name)}/program/memory lists the blocks.`,
  }))
  return [group(path, 'Memory of the CPU', messagesOf(messages, path))]
}

const defaultLimit = 1000

export interface MemoryPage extends MemoryView {
  readonly blocks: readonly BlockMemory[]
  readonly programHash: string
  readonly isCurrent: boolean
  readonly total: number
  readonly nextCursor?: string
}

/**
 * One page of the blocks, the largest first.
 * @throws GatewayError `conflict` when the device has no compiled program
 */
export async function listMemory(
  ctx: QueryContext,
  device: Device,
  { limit = defaultLimit, cursor, q = '' }: { readonly limit?: number; readonly cursor?: string; readonly q?: string },
): Promise<MemoryPage> {
  const { symbols, hash, isCurrent } = await compiledSymbols(ctx, device)
  const size = ({ codeBytes, dataBytes, loadBytes }: BlockMemory) => Math.max(codeBytes + dataBytes, loadBytes)
  const blocks = memoryOfBlocks(symbols)
    .filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
    .sort((a, b) => size(b) - size(a) || compareTexts(a.name, b.name))
  const { page, ...rest } = rankedPage(blocks, { limit, cursor }, hash.slice('sha256:'.length).slice(0, 12))
  return { blocks: page, programHash: hash, isCurrent, ...rest, ...memoryView(memoryUse(symbols), device.orderNumber) }
}
