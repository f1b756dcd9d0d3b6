/** Writes results. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { CliError, exitCodes } from './exit-codes.ts'

/** Writes a result to stdout: text as it is, everything else as JSON. */
export async function printResult(value: unknown): Promise<void> {
  if (value === undefined) return
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  await write(process.stdout, text.endsWith('\n') ? text : `${text}\n`)
}

/** Writes a text and waits while the reader is slower. */
export async function write(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain')
}

/**
 * stdout, or a new file with the usual mode: a pipeline's next step may be another user. `close` resolves when
 * everything is written. Both throw CliError `usage` when the file cannot be written.
 */
export function openOutput(file: string | undefined): { write(text: string): Promise<void>; close(): Promise<void> } {
  if (file === undefined) return { write: (text) => write(process.stdout, text), close: async () => {} }
  const stream = createWriteStream(file)
  const failed = new Promise<never>((_, reject) => stream.once('error', reject))
  failed.catch(() => {})
  const told = (error: Error) => {
    throw new CliError(`${file} cannot be written: ${error.message}`, exitCodes.usage, { cause: error })
  }
  return {
    write: (text) => Promise.race([write(stream, text), failed]).catch(told),
    close() {
      stream.end()
      // Not the callback of `end`: it comes also when the file could not be opened.
      return finished(stream).catch(told)
    },
  }
}

/** Rows as a table with aligned columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [n, cell] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, cell.length)
  }
  return rows
    .map((row) => `${row.map((cell, n) => (n === row.length - 1 ? cell : cell.padEnd(widths[n]!))).join('  ')}\n`)
    .join('')
}
