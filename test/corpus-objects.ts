/** Objects of real files for tests: the fixtures of the repository, and the corpus where the machine has it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { importFile } from '../plc/formats/import.ts'
import type { ImportedObject } from '../plc/model/object.ts'
import { corpusDir } from './harness.ts'
import { fixtures } from './plant.ts'

/** The corpus; `GANTRY_CORPUS` says where it is when it is not beside the repository. */
export const corpus = process.env.GANTRY_CORPUS ?? corpusDir
/** Why a test of the corpus cannot run, or false. */
export const corpusMissing = existsSync(path.join(corpus, 'index.tsv'))
  ? false
  : `no corpus at ${corpus} (set GANTRY_CORPUS)`
/** Small IEC 61131-3 programs beside the corpus. */
export const iecPrograms = fileURLToPath(new URL('../vectors/iec-st.jsonl', new URL(`file://${corpus}/`)))

/** An object, with the file it is from. */
export interface RealObject {
  readonly file: string
  readonly object: ImportedObject
}

/** Every object of the SimaticML files and sources below a folder that can be read; files with faults give what is right in them. */
export async function objectsIn(folder: string): Promise<RealObject[]> {
  const found: RealObject[] = []
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(?:xml|scl|awl|udt|db)$/i.test(entry)) continue
    const { objects } = await importFile(new Uint8Array(readFileSync(path.join(folder, entry))))
    for (const object of objects) found.push({ file: entry, object })
  }
  return found
}

/** Objects of the repository's own fixtures. */
export const fixtureObjects = () => objectsIn(fixtures)
