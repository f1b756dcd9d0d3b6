/** The diagnostics buffer: the newest thousand entries, with their place in the source from the compiled program. */
import { defined } from '../../../core/index.ts'
import type { DiagnosticEntry, LoadedProgram } from './contract.ts'
import type { RawEntry } from './messages.ts'

/** Number of entries that are kept. */
const most = 1000

/** The diagnostics buffer of a controller. */
export class DiagnosticsBuffer {
  #entries: DiagnosticEntry[] = []
  #number = 0

  add({ site, ...entry }: RawEntry, program: LoadedProgram | undefined): DiagnosticEntry {
    const place = site === undefined || entry.block === undefined ? {} : placeOf(program, entry.block, site)
    const whole: DiagnosticEntry = { number: ++this.#number, ...entry, ...place }
    this.#entries.push(whole)
    if (this.#entries.length > most * 2) this.#entries = this.#entries.slice(-most)
    return whole
  }

  /** The entries, newest first. */
  get newestFirst(): readonly DiagnosticEntry[] {
    return this.#entries.slice(-most).reverse()
  }
}

function placeOf(program: LoadedProgram | undefined, block: string, site: number) {
  const { linked, sites } = program?.compiled ?? {}
  const place = sites?.[linked?.blockNumbers.indexOf(block) ?? -1]?.[site]
  if (!place) return {}
  const { network, line, column } = place
  return { network, ...defined({ line, column }) }
}
