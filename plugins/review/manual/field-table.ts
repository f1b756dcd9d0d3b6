/** Fields of a file as a table of the manual, from the JSON Schema that editors use. */

interface Field {
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly [keyword: string]: unknown
}

/** Markdown: each field with what it is, what it may be, its default or an example. */
export function fieldTable(fields: Readonly<Record<string, object>>): string {
  const rows = Object.entries(fields).map(([name, given]) => {
    const field = given as Field
    const example = (field.examples as readonly unknown[] | undefined)?.[0]
    const values = [
      ...('enum' in field ? [(field.enum as readonly unknown[]).map((one) => `\`${one}\``).join(', ')] : []),
      ...(field.default === undefined ? [] : [`default \`${JSON.stringify(field.default)}\``]),
      ...(example === undefined ? [] : [`e.g. \`${JSON.stringify(example)}\``]),
    ]
    return `| \`${name}\` | ${field.description ?? ''} | ${values.join('; ')} |`
  })
  return `| field | what it is | values |\n|---|---|---|\n${rows.join('\n')}\n`
}

/** How editors find the schema of a file; the same for both. */
export const inEditors = (name: 'test' | 'config'): string => `
## In editors

The JSON Schema of the file is \`schemas/${name}.schema.json\` of the package (\`gantry/schemas/${name}.schema.json\`), and
\`gantry schema ${name}\` prints it. It comes from the same table as what Gantry itself allows. Editors with a YAML language server complete and check
the file when its first line is, with the path of the schema from the file:

    # yaml-language-server: $schema=../.gantry/schemas/${name}.schema.json

\`gantry init\` writes that line and the schema; for a file of your own, \`gantry schema ${name} --out .gantry/schemas/${name}.schema.json\`.
The extension for VS Code in \`examples/vscode\` has both schemas: there no line is needed.
`
