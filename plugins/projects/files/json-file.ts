/** JSON files of a project. */
import { type Fault, isObject } from '../../../core/index.ts'
import { findJsonFault } from '../../../lib/json-fault.ts'
import type { ProjectFiles } from '../project-section.ts'

/** The object in a JSON file of the project; undefined when there is none, with a fault in the list. */
export async function readJsonFile(
  files: Pick<ProjectFiles, 'read'>,
  path: string,
  faults: Fault[],
): Promise<Readonly<Record<string, unknown>> | undefined> {
  return parseJsonFile((await files.read(path)).toString('utf8'), path, faults)
}

/** As {@link readJsonFile}, for a text that was read already. */
export function parseJsonFile(
  content: string,
  path: string,
  faults: Fault[],
): Readonly<Record<string, unknown>> | undefined {
  const read = parseJson(content, path, faults)
  if (read === undefined || isObject(read.value)) return read?.value as Readonly<Record<string, unknown>> | undefined
  faults.push({ path, line: 1, message: 'must be a JSON object' })
  return undefined
}

/** The value of a JSON text; undefined when it is not one, with a fault in the list. */
export function parseJson(content: string, path: string, faults: Fault[]): { readonly value: unknown } | undefined {
  const text = content.replace(/^\uFEFF/, '')
  const wrong = findJsonFault(text)
  if (wrong === undefined) return { value: JSON.parse(text) }
  const { line, column, message } = wrong
  faults.push({ path, line, column, message: `is not JSON: ${message}` })
  return undefined
}
