/** The version of the review: its results are those of the same code only. */
import { compilerVersion } from '../compiler/compiler-version.ts'

/** A hash over every file that a check reaches; it does not load them. */
export function reviewVersion(): string {
  const check = import.meta.url.replace(/version\.([jt]s)$/, 'check.$1')
  return compilerVersion(check)
}
