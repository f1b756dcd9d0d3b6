/** Names of the files of TIA Portal. */

/** Whether a path is a project, library or archive of TIA Portal. */
export function isTiaFile(path: string): boolean {
  return /\.(z?a[pl]\d+(_\d+)?|plf)$/i.test(path)
}
