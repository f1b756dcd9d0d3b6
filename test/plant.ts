/** Helpers of the tests of blocks, types and tags. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { GatewayOptions } from '../core/gateway.ts'
import { openTestGateway, type TestGateway } from './harness.ts'

export { fails } from './fails.ts'

/** Real MIT files. */
export const fixtures = fileURLToPath(new URL('./fixtures/ikea-vyatka-sorting', import.meta.url))

/** A gateway with an open project `Plant` and `PLC_1` in it. */
export async function openPlant(t: TestContext, options: Partial<GatewayOptions> = {}): Promise<TestGateway> {
  const gateway = await openTestGateway(t, options)
  await gateway.call('projects.create', { name: 'Plant' })
  await gateway.call('devices.add', { orderNumber: '6ES7 518-4AX00-1AC0', name: 'PLC_1' })
  return gateway
}

/** Writes files into the workspace. */
export async function writeWorkspace({ dir }: TestGateway, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(dir, 'workspace', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}

/** A small FB as source. */
export function fbSource(name: string, statement = '#out := #in;'): string {
  return `FUNCTION_BLOCK "${name}"\nVERSION : 0.1\n   VAR_INPUT \n      in : Int;\n   END_VAR\n   VAR_OUTPUT \n      out : Int;\n   END_VAR\n\nBEGIN\n\t${statement}\nEND_FUNCTION_BLOCK\n\n`
}

/** A data block as SimaticML with a fixed or automatic number. */
export function dbXml(name: string, number: number, options: { auto?: boolean; kind?: string } = {}): string {
  const { auto = false, kind = 'GlobalDB' } = options
  return `<?xml version="1.0" encoding="utf-8"?>
<Document>
  <Engineering version="V19" />
  <SW.Blocks.${kind} ID="0">
    <AttributeList>
      <AutoNumber>${auto}</AutoNumber>
      <Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5"><Section Name="Static"><Member Name="a" Datatype="Int" /></Section></Sections></Interface>
      <MemoryLayout>Optimized</MemoryLayout>
      <Name>${name}</Name>
      <Number>${number}</Number>
      <ProgrammingLanguage>DB</ProgrammingLanguage>
    </AttributeList>
  </SW.Blocks.${kind}>
</Document>
`
}
