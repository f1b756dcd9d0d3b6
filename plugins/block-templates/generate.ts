/** Finds templates and generates from them for a client: what is wrong is told with its place in the request. */
import { type Fault, notFound, problem } from '../../core/index.ts'
import type { Generated, Template } from '../../plc/templates/template.ts'
import { templateNamed, templates } from '../../plc/templates/templates.ts'

/** @throws GatewayError `not_found` with the name nearest to it, or the names that contain it */
export function requireTemplate(name: string): Template {
  const template = templateNamed(name)
  if (template) return template
  const names = templates.map((one) => one.name)
  const words = name.toLowerCase().split(/[^a-z0-9]+/)
  const related = names.filter((one) => one.split('-').some((part) => words.includes(part)))
  throw notFound('block template', name, related.length > 0 ? related : names)
}

/** @throws GatewayError `invalid_input` with a JSON pointer for each wrong parameter */
export function generateFrom(template: Template, parameters: Readonly<Record<string, unknown>>): Generated {
  const faults = template
    .check(parameters)
    .map(({ path, allowed, ...fault }): Fault => ({ ...fault, path: `/parameters${path}`, ...listed(allowed) }))
  const [first] = faults
  if (first === undefined) return template.generate(parameters)
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  throw problem('invalid_input', `${first.path}: ${first.message}${more}.`, { errors: faults })
}

function listed(allowed: readonly unknown[] | undefined) {
  return allowed === undefined ? {} : { allowed: allowed.map(String) }
}

/** What both reading a template and generating from it answer. */
export function generatedFields({ objects, source, call, documentation }: Generated) {
  return { objects: objects.map(({ name, kind }) => ({ name, kind })), source, call, documentation }
}
