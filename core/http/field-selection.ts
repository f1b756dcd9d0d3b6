/**
 * `?fields=name,type` on lists that can be long (docs/design.md#answers): only these fields of each entry are answered.
 */

import { nearest } from '../../lib/nearest.ts'
import { hasPages, listsOf } from '../calls/sorted-list.ts'
import type { Operation } from '../contract/operation.ts'
import { type Fault, problem } from '../contract/problems.ts'
import { buildSchema, type PlainSchema } from '../contract/schema.ts'

/** True when a list that can be long accepts `fields`: it has no such parameter of its own. */
export function takesFields(operation: Operation, schema: PlainSchema): boolean {
  return hasPages(operation, schema) && schema.properties?.fields === undefined
}

/**
 * Makes the function that reduces an answer to the requested fields.
 * @param text names with commas, the first letter in either case; or several texts
 * @throws GatewayError `invalid_input` that names the fields which no entry has
 */
export async function fieldSelection(operation: Operation, text: unknown): Promise<(answer: unknown) => unknown> {
  const wanted = [text]
    .flat()
    .flatMap((part) => String(part).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const lists = listsOf(operation.kind === 'stream' ? {} : await buildSchema(operation.output))
  const known = [...new Set([...lists.values()].flatMap((entry) => Object.keys(entry.properties ?? {})))]
  const faults: Fault[] = []
  const names = new Set<string>()
  for (const name of wanted) {
    const plain = known.includes(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)
    names.add(plain)
    if (known.includes(plain)) continue
    const near = nearest(name, known)
    const message = `no entry has a field ${JSON.stringify(name)}${near ? ` (did you mean "${near}"?)` : ` (known: ${known.join(', ')})`}`
    faults.push({ path: '/fields', message, code: 'not_allowed', value: name, allowed: known })
  }
  if (names.size === 0)
    faults.push({ path: '/fields', message: `names no field (known: ${known.join(', ')})`, allowed: known })
  const [first] = faults
  if (first) throw problem('invalid_input', `/fields: ${first.message}`, { errors: faults })
  return (answer) => {
    if (answer === null || typeof answer !== 'object') return answer
    const reduced: Record<string, unknown> = { ...answer }
    for (const list of lists.keys()) {
      const entries = reduced[list]
      if (Array.isArray(entries)) reduced[list] = entries.map((entry) => only(entry as Record<string, unknown>, names))
    }
    return reduced
  }
}

function only(entry: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => names.has(name)))
}
