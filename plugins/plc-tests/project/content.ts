/** The tests of a PLC of the open project with its program, as a run takes them. */
import { problem, type QueryContext } from '../../../core/index.ts'
import type { TestFault, TestFile } from '../../../plc/program-tests/model.ts'
import { type Device, devices, requirePlc } from '../../devices/index.ts'
import { requireProject } from '../../projects/index.ts'
import { deviceProgram } from '../../review/index.ts'
import type { TestContent } from '../test-content.ts'
import { testsOf } from './state.ts'
import { readProjectTest } from './write.ts'

/**
 * The PLC whose tests run: the named one, else the only one, or the only one that has tests.
 * @throws GatewayError `no_project`, `not_found`, `invalid_input` when several could be meant
 */
export function testedDevice(ctx: QueryContext, name: string | undefined): Device {
  requireProject(ctx)
  if (name !== undefined) return requirePlc(ctx, name)
  const plcs = [...ctx.read(devices).values()].filter(({ kind, unplaced }) => kind === 'PLC' && !unplaced)
  const tested = plcs.filter((one) => testsOf(ctx, one).length > 0)
  const [only, ...others] = tested.length > 0 ? tested : plcs
  if (only && others.length === 0) return only
  const message = only ? `is missing: ${plcs.map((one) => `"${one.name}"`).join(', ')}` : 'the project has no PLC'
  throw problem('invalid_input', `/deviceName: ${message}; or give path, a folder of the workspace.`, {
    errors: [{ path: '/deviceName', message, code: 'missing' }],
  })
}

/** The program and the tests of a PLC. Test files with faults are in `faults`, the others go on. */
export async function projectTestContent(ctx: QueryContext, device: Device): Promise<TestContent> {
  const files: TestFile[] = []
  const faults: TestFault[] = []
  for (const { name, document } of testsOf(ctx, device)) {
    const read = readProjectTest(name, await ctx.blobs.text(document))
    faults.push(...read.faults)
    if (read.file) files.push(read.file)
  }
  return { title: device.name, program: await deviceProgram(ctx, device), files, named: {}, faults }
}
