/** `gantry schema`: the JSON Schemas of the files that people write, for editors. */
import type { CliTools } from '../../../core/index.ts'

const codes = { ok: 0, usage: 2 } as const

/** The schemas by name; `file`: in the folder `schemas` of the package. */
export const fileSchemas = {
  test: {
    file: 'test.schema.json',
    read: async (): Promise<object> => (await import('../../../plc/program-tests/test-schema.ts')).testSchema,
  },
  config: {
    file: 'config.schema.json',
    read: async (): Promise<object> => (await import('../../../plc/review/config-schema.ts')).configSchema(),
  },
} as const

/** The text of a schema, as it is in the package. */
export async function schemaText(name: keyof typeof fileSchemas): Promise<string> {
  return `${JSON.stringify(await fileSchemas[name].read(), null, 1)}\n`
}

/** @returns the exit code */
export async function runSchema(
  given: string | undefined,
  raw: Readonly<Record<string, unknown>>,
  tools: CliTools,
): Promise<number> {
  const names = Object.keys(fileSchemas) as (keyof typeof fileSchemas)[]
  const name = names.find((one) => one === given)
  if (name === undefined)
    return tools.fail(`There is no schema "${given}"; there are ${names.join(' and ')}.`, codes.usage)
  await tools.print(await schemaText(name), raw.out as string | undefined)
  return codes.ok
}
