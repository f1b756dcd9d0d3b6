/**
 * The real files of `test/corpus/`: their paths and their rows in the index. Imports nothing from the product, so that
 * tests of every part may use it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the corpus. */
export const corpusDir = fileURLToPath(new URL('./corpus', import.meta.url))
/** Files of public repositories, in one folder for each: `<owner>+<repository>`. */
export const publicDir = join(corpusDir, 'public')
/** Small IEC 61131-3 programs with their results, one JSON object per line. */
export const vectorsFile = join(corpusDir, 'vectors/iec-st.jsonl')

/** A row of the index; the README.md beside it describes the columns. */
export interface CorpusFile {
  /** Path below {@link corpusDir}, with slashes. */
  readonly file: string
  readonly kind: string
  readonly language: string
  readonly version: string
  readonly object: string
  readonly grade: string
  readonly repository: string
  readonly commit: string
  readonly licence: string
  readonly bytes: string
  readonly sha256: string
}

/** All files of the corpus. */
export function corpusFiles(): CorpusFile[] {
  const [header = '', ...rows] = readFileSync(join(corpusDir, 'index.tsv'), 'utf8').trimEnd().split('\n')
  const columns = header.split('\t')
  return rows.map((row) => {
    const cells = row.split('\t')
    return Object.fromEntries(columns.map((name, i) => [name, cells[i]])) as unknown as CorpusFile
  })
}

/** The bytes of a file of the corpus. */
export function corpusBytes({ file }: CorpusFile): Uint8Array {
  return new Uint8Array(readFileSync(join(corpusDir, file)))
}

/** Names of the folders below {@link publicDir}. */
export const publicFolders: readonly string[] = readdirSync(publicDir).sort()
/** Those of them that hold exported programs, and not archives only. */
export const programFolders: readonly string[] = publicFolders.filter((folder) =>
  corpusFiles().some(({ file, kind }) => file.startsWith(`public/${folder}/`) && kind !== 'archive'),
)
