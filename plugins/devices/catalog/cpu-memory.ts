/**
 * Memory of the CPUs, from the technical data in Siemens' manuals and data sheets of each CPU. Where firmware versions
 * of one order number differ, the larger size counts: no program that fits is refused.
 */

/** Sizes in bytes. */
export interface CpuMemory {
  /** Work memory for code and for data; of an S7-1200 both are together in `work`. */
  readonly code?: number
  readonly data?: number
  readonly work?: number
  /** Load memory: of an S7-1500 the largest memory card, of an S7-1200 the integrated one. */
  readonly load: number
}

const kilobyte = 1024
const megabyte = 1024 * kilobyte
const largestCard = 32 * 1024 * megabyte

/**
 * By the figures and letters of the order number that mean the size: `511-1AK` of 6ES7 511-1AK02-0AB0. Code in
 * kilobytes, data in kilobytes.
 */
const sizes1500: Readonly<Record<string, readonly [code: number, data: number]>> = {
  '510-1DJ': [100, 750],
  '510-1DK': [200, 1024],
  '510-1SJ': [150, 750],
  '510-1SK': [300, 1024],
  '511-1AK': [150, 1024],
  '511-1AL': [300, 1536],
  '511-1CK': [175, 1024],
  '511-1CL': [350, 1536],
  '511-1FK': [225, 1024],
  '511-1FL': [450, 1536],
  '511-1TK': [225, 1024],
  '511-1TL': [450, 1536],
  '511-1UK': [225, 1024],
  '511-1UL': [450, 1536],
  '512-1CK': [250, 1024],
  '512-1CM': [500, 2048],
  '512-1DK': [200, 1024],
  '512-1DM': [400, 2048],
  '512-1SK': [300, 1024],
  '512-1SM': [600, 2048],
  '513-1AL': [300, 1536],
  '513-1AM': [600, 2560],
  '513-1FL': [450, 1536],
  '513-1FM': [900, 2560],
  '513-1RL': [300, 1536],
  '513-1RM': [600, 2560],
  '513-2GL': [450, 1536],
  '513-2GM': [900, 2560],
  '513-2PL': [300, 1536],
  '513-2PM': [600, 2560],
  '515-2AM': [500, 3072],
  '515-2AN': [1024, 4608],
  '515-2FM': [750, 3072],
  '515-2FN': [1536, 4608],
  '515-2RM': [500, 3072],
  '515-2RN': [1024, 4608],
  '515-2TM': [750, 3072],
  '515-2TN': [1536, 4608],
  '515-2UM': [750, 3072],
  '515-2UN': [1536, 4608],
  '516-2GN': [1536, 5120],
  '516-2GP': [3072, 7680],
  '516-2PN': [1024, 5120],
  '516-2PP': [2048, 7680],
  '516-3AN': [1024, 5120],
  '516-3AP': [2048, 7680],
  '516-3FN': [1536, 5120],
  '516-3FP': [3072, 7680],
  '516-3TN': [1536, 5120],
  '516-3UN': [1536, 5120],
  '517-3AP': [2048, 8192],
  '517-3FP': [3072, 8192],
  '517-3HP': [2048, 8192],
  '517-3TP': [3072, 8192],
  '517-3UP': [3072, 8192],
  '518-4AP': [4096, 20_480],
  '518-4AX': [9216, 61_440],
  '518-4FP': [6144, 20_480],
  '518-4FX': [9216, 61_440],
  '518-4JP': [9216, 61_440],
  '518-4TP': [9216, 61_440],
  '518-4UP': [9216, 61_440],
}

/** Work memory and load memory in kilobytes: of generation 3 (`30`, `31` in the order number) and 4 (`40`). */
const sizes1200: Readonly<
  Record<string, { readonly 3: readonly [number, number]; readonly 4: readonly [number, number] }>
> = {
  '211': { 3: [30, 1024], 4: [75, 1024] },
  '212': { 3: [50, 1024], 4: [100, 2048] },
  '214': { 3: [75, 4096], 4: [150, 4096] },
  '215': { 3: [100, 4096], 4: [200, 4096] },
  '217': { 3: [150, 4096], 4: [250, 4096] },
}

/** The memory of a CPU; `undefined` when its sizes are not in the table, or the order number is empty. */
export function cpuMemoryOf(orderNumber: string): CpuMemory | undefined {
  const plain = orderNumber.replace(/\s+/g, '').toUpperCase()
  const large = /^6(?:ES7|AG1)(51\d-\d[A-Z]{2})\d\d/.exec(plain)?.[1]
  const found = large === undefined ? undefined : sizes1500[large]
  if (found) return { code: found[0] * kilobyte, data: found[1] * kilobyte, load: largestCard }
  const [, small = '', generation = ''] = /^6(?:ES7|AG1)(21\d)-\d[A-Z]{2}([34])\d/.exec(plain) ?? []
  const sizes = sizes1200[small]?.[Number(generation) as 3 | 4]
  return sizes && { work: sizes[0] * kilobyte, load: sizes[1] * kilobyte }
}

/** A kind of memory of which a program takes more than there is. Bytes. */
export interface Shortage {
  readonly memory: string
  readonly needed: number
  readonly available: number
}

/** Kinds of memory of which the CPU has not enough. */
export function shortagesOf(
  { codeBytes, dataBytes, loadBytes }: { codeBytes: number; dataBytes: number; loadBytes: number },
  memory: CpuMemory | undefined,
): Shortage[] {
  const { code, data, work, load } = memory ?? {}
  const rows: readonly (readonly [string, number, number | undefined])[] = [
    ['code work memory', codeBytes, code],
    ['data work memory', dataBytes, data],
    ['work memory', codeBytes + dataBytes, work],
    ['load memory', loadBytes, load],
  ]
  return rows.flatMap(([name, needed, available]) =>
    available !== undefined && needed > available ? [{ memory: name, needed, available }] : [],
  )
}

/** `code work memory: 612.4 kB are needed, the CPU has 500 kB` */
export function shortageText({ memory, needed, available }: Shortage): string {
  const kilobytes = (bytes: number) => `${Math.ceil((bytes / kilobyte) * 10) / 10} kB`
  return `${memory}: ${kilobytes(needed)} are needed, the CPU has ${kilobytes(available)}`
}
