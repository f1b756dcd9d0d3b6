/**
 * Writes `schemas/` and the pages of `docs/` about the same files: `gantry.yml` and `*.test.yml`.
 * `node --import tsx scripts/schemas.ts`; test/schemas.test.ts keeps them current.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { wholePage } from '../plugins/plc-tests/page.ts'
import { fileSchemas, schemaText } from '../plugins/review/commands/schema-command.ts'
import { settingsPage } from '../plugins/review/manual/settings-page.ts'

/** Paths with the texts that are there. */
export async function schemaFiles(): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {
    'docs/gantry-yml.md': `# gantry.yml\n\n${settingsPage()}`,
    'docs/test-files.md': `# Tests of PLC programs: *.test.yml\n\n${await wholePage()}`,
  }
  for (const [name, { file }] of Object.entries(fileSchemas))
    found[`schemas/${file}`] = await schemaText(name as keyof typeof fileSchemas)
  return found
}

if (process.argv[1]?.endsWith(join('scripts', 'schemas.ts'))) {
  mkdirSync('schemas', { recursive: true })
  for (const [path, text] of Object.entries(await schemaFiles())) writeFileSync(path, text)
}
