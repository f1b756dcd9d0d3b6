/** Types of answers for the pages of `web/`: those of the client that users get, of the schemas that are named there. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageDir } from '../core/boot/running-code.ts'
import { buildOpenApi } from '../core/docs/openapi.ts'
import type { Registry } from '../core/plugins/registry.ts'
import { readDocument } from '../plugins/clients/document.ts'
import { typesOfSchemas } from '../plugins/clients/typescript.ts'

/** Where the types are. */
export const webTypesPath = 'web/schemas.ts'

/** The schemas that sources of `web/` name: `Answer<'blocks.list'>`, `Schema<'Problem'>`. */
function namesInWeb(): string[] {
  const files = readdirSync(join(packageDir, 'web'), { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(packageDir, 'web', file), 'utf8'))
  const found = texts.flatMap((text) => [...text.matchAll(/\b(Answer|Schema)<\s*'([^']+)'/g)])
  return [...new Set(found.map(([, kind, name]) => (kind === 'Answer' ? `${name}.result` : name!)))]
}

/** The file, as `scripts/web-types.ts` writes it. */
export async function webTypes(registry: Registry): Promise<string> {
  const document = readDocument(JSON.parse(JSON.stringify(await buildOpenApi(registry, { version: '0.0.0' }))))
  if (typeof document === 'string') throw new Error(document)
  return `/** Written by scripts/web-types.ts; changes are lost when it is written again. */

${typesOfSchemas(document, namesInWeb())}`
}
