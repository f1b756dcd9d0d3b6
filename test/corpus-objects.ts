/** Objects of real files for tests. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { importFile } from '../plc/formats/import.ts'
import type { ImportedObject } from '../plc/model/object.ts'
import { fixtures } from './plant.ts'

/** An object, with the file it is from. */
export interface RealObject {
  readonly file: string
  readonly object: ImportedObject
}

/**
 * Every object of the SimaticML files and sources below a folder that can be read; files with faults give what is right
 * in them.
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
