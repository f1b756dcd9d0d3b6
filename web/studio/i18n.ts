/** Texts in English and German from one table; a file of `texts/` for each subject. */
import { signal } from '@preact/signals'
import { assistant } from './texts/assistant.ts'
import { changes } from './texts/changes.ts'
import { design } from './texts/design.ts'
import { frame } from './texts/frame.ts'
import { hardware } from './texts/hardware.ts'
import { jobs } from './texts/jobs.ts'
import { live } from './texts/live.ts'
import { missing } from './texts/missing.ts'
import { program } from './texts/program.ts'
import { project } from './texts/project.ts'

const table = {
  ...frame,
  ...project,
  ...program,
  ...live,
  ...hardware,
  ...jobs,
  ...design,
  ...assistant,
  ...changes,
  ...missing,
}

/** A key of the table. */
export type TextKey = keyof typeof table
export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

const kept = localStorage.getItem('gantry-language')
const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(languages, text)

/** The language that is shown. */
export const language = signal<Language>(isLanguage(kept) ? kept : navigator.language.startsWith('de') ? 'de' : 'en')

language.subscribe((value) => {
  document.documentElement.lang = value
})

/** Shows another language, and keeps the choice. */
export function useLanguage(next: Language): void {
  language.value = next
  localStorage.setItem('gantry-language', next)
}

/** A text in the language that is shown; `{0}`, `{1}` are replaced by the values. */
export function t(key: TextKey, ...values: readonly (string | number)[]): string {
  const [en, de] = table[key]
  const text = language.value === 'de' ? de : en
  return values.length === 0 ? text : text.replace(/\{(\d)\}/g, (_, i: string) => String(values[Number(i)] ?? ''))
}

/** A word of the gateway, such as a state of jobs, as people read it; one that the table has not stays as it is. */
export function word(group: string, value: string): string {
  const key = `${group}.${value}`
  return Object.hasOwn(table, key) ? t(key as TextKey) : value
}

/** A number as the language writes it. */
export const number = (value: number): string => value.toLocaleString(language.value)
/** Date and time as the language writes them. @param at ISO 8601 */
export const time = (at: string): string =>
  new Date(at).toLocaleString(language.value, { dateStyle: 'short', timeStyle: 'medium' })
