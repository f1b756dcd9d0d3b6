/** Finds templates and generates from them for a client: what is wrong is told with its place in the request. */
import { type Fault, notFound, problem, type QueryContext } from '../../core/index.ts'
import { faultsOf } from '../../plc/templates/parameter.ts'
import { templateNamed, templates } from '../../plc/templates/templates.ts'
import {
  blockTemplate,
  type ContributedTemplate,
  type MadeFromTemplate,
  type UsableTemplate,
} from './template-point.ts'

/** A template of a plugin with the check of its parameters. */
function usable({ parameters, generate, ...rest }: ContributedTemplate): UsableTemplate {
  const all = Object.fromEntries(
    Object.entries(parameters).map(([name, schema]) => [name, { schema, default: schema.default }]),
  )
  const defaults = Object.fromEntries(Object.entries(parameters).map(([name, schema]) => [name, schema.default]))
  return {
    ...rest,
    parameters,
    check: (given) => faultsOf(all, given),
    generate(given = {}) {
      const values = { ...defaults, ...given }
      return { ...generate(values), parameters: values }
    },
  }
}

/** The built-in templates, and those of plugins. */
export function allTemplates(ctx: Pick<QueryContext, 'extensions'>): readonly UsableTemplate[] {
  return [...templates, ...ctx.extensions(blockTemplate).map(usable)]
}

/** @throws GatewayError `not_found` with the name nearest to it, or the names that contain it */
export function requireTemplate(ctx: Pick<QueryContext, 'extensions'>, name: string): UsableTemplate {
  const all = allTemplates(ctx)
  const template = templateNamed(name) ?? all.find((one) => one.name === name.toLowerCase())
  if (template) return template
  const names = all.map((one) => one.name)
  const words = name.toLowerCase().split(/[^a-z0-9]+/)
  const related = names.filter((one) => one.split('-').some((part) => words.includes(part)))
  throw notFound('block template', name, related.length > 0 ? related : names)
}

/** @throws GatewayError `invalid_input` with a JSON pointer for each wrong parameter */
export function generateFrom(template: UsableTemplate, parameters: Readonly<Record<string, unknown>>) {
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
export function generatedFields({ objects, source, call, documentation }: MadeFromTemplate) {
  return { objects: objects.map(({ name, kind }) => ({ name, kind })), source, call, documentation }
}
