/** Objects from real files, for tests. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { importFile } from '../plc/formats/import.ts'
import type { ImportedObject } from '../plc/model/object.ts'
import { fixtures } from './plant.ts'

/** An object with its file. */
export interface RealObject {
  readonly file: string
  readonly object: ImportedObject
}

/**
 * Every object that can be read in the SimaticML files and sources below a folder; a file with faults gives its correct
 * objects.
 */
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
