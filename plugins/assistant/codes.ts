/** All codes that an answer of the gateway can carry. */
import { codeTables, type Gateway } from '../../core/index.ts'

/** Problem codes, and those of faults, of the compiler and of diagnostics buffers. */
export async function codesOf(gateway: Gateway): Promise<ReadonlySet<string>> {
  const codes = new Set(gateway.registry.problems.keys())
  for (const table of gateway.registry.extensions(codeTables))
    for (const code of (await table.codes()).keys()) codes.add(code)
  return codes
}
