/** What a rule of the review is, and what it reports. */
import type { Severity } from '../diagnostics/diagnostic-code.ts'
import type { MessagePlace } from '../model/message-place.ts'
import type { ReviewedObject, ReviewedProgram } from './reviewed-program.ts'

/** What rules are about; the groups of the table in the manual. */
export const ruleGroups = ['logic', 'data', 'security', 'structure', 'documentation', 'naming'] as const
export type RuleGroup = (typeof ruleGroups)[number]

/** A change of the text of a network: offsets in UTF-16 units. */
export interface Edit {
  readonly network: number
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A change that mends a finding without changing what the program does. */
export interface Fix {
  readonly description: string
  readonly edits: readonly Edit[]
}

/** What a rule found. */
export interface Finding extends MessagePlace {
  readonly code: string
  readonly severity: Severity
  /** Name of the block, type or table, and its kind. */
  readonly object: string
  readonly kind: string
  readonly message: string
  readonly hint?: string
  readonly fix?: Fix
}

/** The value of an option: its default has the type. */
export type OptionValue = number | string | boolean | readonly string[]

export interface RuleOption {
  readonly value: OptionValue
  readonly description: string
}

/** A program as text: external sources or SIMATIC SD, and rows of a tag table: `"Start" Bool %I0.0 // comment`. */
export interface RuleExample {
  readonly program: string
  readonly tags?: string
}

/** Reports a finding of the rule that runs. */
export type Report = (
  object: ReviewedObject,
  place: MessagePlace,
  message: string,
  more?: { readonly hint?: string; readonly fix?: Fix },
) => void

/** Reads an option of the rule that runs. */
export interface Options {
  number(name: string): number
  text(name: string): string
  list(name: string): readonly string[]
}

export interface Rule {
  readonly code: string
  readonly group: RuleGroup
  /** Without a setting in the project. `off`: projects switch it on. */
  readonly severity: Severity | 'off'
  readonly title: string
  /** Why it matters, in one or two sentences. */
  readonly why: string
  readonly fails: string | RuleExample
  readonly passes: string | RuleExample
  readonly options?: Readonly<Record<string, RuleOption>>
  /** The finding has a fix where one is safe. */
  readonly fixes?: true
  /** Runs in time that grows in line with the program. */
  check(program: ReviewedProgram, report: Report, options: Options): void
}
