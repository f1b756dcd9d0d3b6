import type { ImportedObject } from '../model/object.ts'
export function hardObjects(): ImportedObject[] { return [] }
