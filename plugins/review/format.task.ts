/** Formatting on the engine: a large text takes seconds, and other requests go on. */
import type { EngineTask } from '../../core/index.ts'
import { formatSource } from '../../plc/formats/source/format.ts'
import type { FormatOptions, Formatted } from '../../plc/languages/scl/format.ts'

export interface FormatTask extends FormatOptions {
  readonly text: string
}

/** Formats a text. */
export function formatText({ text, ...options }: FormatTask): Formatted {
  return formatSource(text, options)
}

/** The task. */
export function formatTask(input: FormatTask): EngineTask {
  return { module: import.meta.url, fn: 'formatText', input }
}
