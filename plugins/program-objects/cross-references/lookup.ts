/** Finds the object of a request for references. */
import { notFound, type QueryContext } from '../../../core/index.ts'
import { parseOperand } from '../../../plc/model/operand-reader.ts'
import type { Device } from '../../devices/index.ts'
import { programContributor } from './contributor.ts'
import { type Program, programOf } from './program.ts'
import { type References, referencesOf, referencesOfAddress } from './references.ts'

/**
 * References of a name, a member or an address.
 * @param text `Motor_DB`, `"DB".a[1].b`, `DB.a.b`, `%MW10`
 * @param kind only a symbol of this kind
 * @returns the references, or the names there are when nothing has this one
 */
export async function findReferences(
  ctx: QueryContext,
  device: Device,
  text: string,
  kind?: string,
): Promise<References | { readonly names: readonly string[] }> {
  const program = await programOf(ctx, device)
  const wanted = text.trim()
  if (wanted.startsWith('%')) {
    const references = program.usersOfAddress(wanted)
    if (references !== undefined) return referencesOfAddress(program, device.name, wanted, references)
  }
  const [name, path] = nameAndPath(program, wanted)
  const symbol = program.symbol(name)
  if (symbol === undefined || (kind !== undefined && symbol.kind !== kind)) return { names: program.names() }
  const object =
    symbol.kind === 'block' || symbol.kind === 'type' ? program.object(symbol.kind, symbol.name) : undefined
  return referencesOf(program, device.name, symbol, object, path)
}

/** Names can contain dots: first the whole text, then as an operand, then split at its dots. */
function nameAndPath(program: Program, text: string): [name: string, path: readonly string[]] {
  if (program.symbol(text) !== undefined) return [text, []]
  const operand = parseOperand(text)
  if (operand?.kind === 'symbol') {
    const [first, ...rest] = operand.path.map(({ name }) => name)
    return [first ?? text, rest]
  }
  const [first = text, ...rest] = text.split('.')
  return [first.replace(/^"(.*)"$/, '$1'), rest.map((part) => part.replace(/\[[^\]]*\]$/, ''))]
}

/**
 * The name of a row of a tag table in its own spelling.
 * @throws GatewayError `not_found` for table or row
 */
export async function requireRowOf(
  ctx: QueryContext,
  device: Device,
  tableName: string,
  rowName: string,
): Promise<string> {
  const tables = ctx
    .extensions(programContributor)
    .flatMap((part) => part.objects(ctx, device))
    .filter(({ category }) => category === 'tag-table')
  const table = tables.find(({ name }) => name.toLowerCase() === tableName.toLowerCase())
  if (table === undefined)
    throw notFound(
      'tag table',
      tableName,
      tables.map(({ name }) => name),
    )
  const rows = [...(table.rows?.tags ?? []), ...(table.rows?.constants ?? [])].map(({ name }) => name)
  const row = rows.find((name) => name.toLowerCase() === rowName.toLowerCase())
  if (row === undefined) throw notFound('tag or user constant', rowName, rows)
  return row
}
