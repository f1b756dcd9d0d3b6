/** Operations on the test files that the open project keeps: write, list, read, delete, export, import. */
import {
  command,
  del,
  get,
  type Operation,
  post,
  problem,
  put,
  type QueryContext,
  query,
  type SchemaBuilder,
} from '../../../core/index.ts'
import { type Device, devices, requirePlc } from '../../devices/index.ts'
import { deviceName, pageOf } from '../../program-objects/index.ts'
import { requireProject } from '../../projects/index.ts'
import { type ProjectTest, requireProjectTest, testRemoved, testSuffix, testsOf } from './state.ts'

const route = '/api/devices/{deviceName}/plc-tests'
const toolset = 'review'

/** Longest text of a test file, characters. */
const mostText = 1_048_576

const testName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 100, description: 'Of the test file, without .test.yml.' })
const nameAliases = { testName: ['name', 'test', 'fileName'], deviceName: ['device', 'plc'] }

const viewFields = (t: SchemaBuilder) => ({
  deviceName: t.String(),
  name: t.String(),
  file: t.String({ description: 'As results and exports name it.' }),
  cases: t.Integer({ description: '0 of one with faults.' }),
  size: t.Integer({ description: 'Bytes.' }),
  createdAt: t.DateTime(),
  modifiedDate: t.DateTime(),
})
const caseFields = (t: SchemaBuilder) =>
  t.Array(t.Object({ name: t.String(), tags: t.Array(t.String()), line: t.Integer() }))
const faultFields = (t: SchemaBuilder) =>
  t.Array(t.Object({ line: t.Integer(), column: t.Integer(), message: t.String() }))

function viewOf(device: Device, { name, cases, size, createdAt, modifiedAt }: ProjectTest) {
  return {
    deviceName: device.name,
    name,
    file: `${name}${testSuffix}`,
    cases,
    size,
    createdAt: new Date(createdAt).toISOString(),
    modifiedDate: new Date(modifiedAt).toISOString(),
  }
}

const write = command({
  id: 'plc-tests.write',
  title: 'Write a test file of a PLC into the project',
  description: [
    'A YAML text in the format of `*.test.yml` (section `plc-tests` of the manual): `program: true` or `block: Motor` (an FB, FC or OB that is called alone), and `cases:`, each with `name` and `steps` of `set`, `run` (`3 cycles`, `T#5s`), `expect`, `within`, `never`. It is checked: faults are a 422 with line and column, and nothing is kept. A file of that name is replaced; the text as it is changes nothing.',
    '`plc-tests.run` with `deviceName` runs it. Names of blocks and tags are checked then. Stubs, stimuli and several controllers need files of a folder, so they cannot be in a project.',
  ].join('\n\n'),
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      testName: testName(t),
      content: t.String({ minLength: 1, maxLength: mostText, description: 'The whole YAML text.' }),
    }),
  output: (t) =>
    t.Object({
      ...viewFields(t),
      action: t.Enum(['created', 'replaced', 'unchanged']),
      tests: caseFields(t),
    }),
  http: [put(`${route}/{testName}`), post(route)],
  asks: ['write a test of a block', 'create a unit test of a program'],
  mcp: { toolset, destructive: true },
  changes: `${route}/{testName}`,
  aliases: { ...nameAliases, content: ['yaml', 'text', 'source', 'sourceText'] },
  example: {
    deviceName: 'PLC_1',
    testName: 'motor',
    content:
      'program: true\ncases:\n  - name: starts\n    steps:\n      - set: { Start: true }\n        run: 1 cycle\n        expect: { Run: true }\n',
  },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { inputFaults, readProjectTest, requireTestName, writeTest } = await import('./write.ts')
    const { withoutFence } = await import('../../../core/index.ts')
    const name = requireTestName(input.testName)
    const text = withoutFence(input.content)
    const { file, faults } = readProjectTest(name, text)
    if (!file || faults.length > 0) {
      const [first] = faults
      const where = first ? `line ${first.line}, column ${first.column}: ${first.message}` : 'it has no tests'
      const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
      throw problem('unacceptable_content', `"${name}${testSuffix}" is no test file: ${where}${more}`, {
        errors: inputFaults(faults, '/content'),
        suggestion: 'GET /api/docs/sections/plc-tests has the format with examples.',
      })
    }
    const { test, action } = await writeTest(ctx, device, name, text)
    const tests = file.cases.map((one) => ({ name: one.name, tags: [...one.tags], line: one.place.line }))
    return { ...viewOf(device, test), action, tests }
  },
})

const list = query({
  id: 'plc-tests.list',
  title: 'List the test files of the PLCs of the project',
  input: (t) => t.Object({ ...t.paging(), deviceName: t.Optional(deviceName(t)) }),
  output: (t) =>
    t.Object({ tests: t.Array(t.Object(viewFields(t))), total: t.Integer(), nextCursor: t.Optional(t.String()) }),
  http: [get(route), get('/api/plc-tests')],
  mcp: { toolset },
  example: { deviceName: 'PLC_1' },
  run({ deviceName: wanted, ...paging }, ctx) {
    requireProject(ctx)
    const chosen = wanted === undefined ? [...ctx.read(devices).values()] : [requirePlc(ctx, wanted)]
    const all = chosen.flatMap((device) =>
      testsOf(ctx, device).map((test) => ({ ...test, view: viewOf(device, test) })),
    )
    const { page, ...rest } = pageOf(all, paging)
    return { tests: page.map(({ view }) => view), ...rest }
  },
})

const show = query({
  id: 'plc-tests.get',
  title: 'Show a test file of a PLC with its text',
  input: (t) => t.Object({ deviceName: deviceName(t), testName: testName(t) }),
  output: (t) => t.Object({ ...viewFields(t), content: t.String(), tests: caseFields(t), faults: faultFields(t) }),
  http: [get(`${route}/{testName}`)],
  mcp: { toolset },
  aliases: nameAliases,
  example: { deviceName: 'PLC_1', testName: 'motor' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const test = requireProjectTest(ctx, device, input.testName)
    const content = await ctx.blobs.text(test.document)
    const { readProjectTest } = await import('./write.ts')
    const { file, faults } = readProjectTest(test.name, content)
    const tests = (file?.cases ?? []).map((one) => ({ name: one.name, tags: [...one.tags], line: one.place.line }))
    return {
      ...viewOf(device, test),
      content,
      tests,
      faults: faults.map(({ line, column, message }) => ({ line, column, message })),
    }
  },
})

const remove = command({
  id: 'plc-tests.delete',
  title: 'Delete a test file of a PLC',
  input: (t) => t.Object({ deviceName: deviceName(t), testName: testName(t) }),
  output: (t) => t.Object({ deviceName: t.String(), name: t.String(), deleted: t.Boolean() }),
  http: [del(`${route}/{testName}`)],
  mcp: { toolset, destructive: true },
  aliases: nameAliases,
  run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { name } = requireProjectTest(ctx, device, input.testName)
    ctx.emit(testRemoved, { deviceId: device.id, name }, `device/${device.name}/test/${name}`)
    return { deviceName: device.name, name, deleted: true }
  },
})

const exportTests = command({
  id: 'plc-tests.export',
  title: 'Export the tests of a PLC, with its program, to a folder',
  description:
    'Writes `<name>.test.yml` of each test and, unless `program` is false, the program as an export has it: `plc-tests.run` with `path`, `gantry test` and `gantry check` take the folder. Files that are there are replaced; others stay.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      exportPath: t.String({ minLength: 1, maxLength: 4096, description: 'A folder of the workspace.' }),
      program: t.Optional(t.Boolean({ description: 'The program too. Default: true.' })),
    }),
  output: (t) =>
    t.Object({ deviceName: t.String(), folder: t.String(), files: t.Array(t.String()), tests: t.Integer() }),
  http: [post(`${route}/actions/export`)],
  asks: ['export the program of a PLC to a folder', 'export a project to a folder', 'export all blocks'],
  mcp: { toolset },
  aliases: { deviceName: ['device', 'plc'], exportPath: ['path', 'folder', 'directory', 'targetPath'] },
  example: { deviceName: 'PLC_1', exportPath: 'export/PLC_1' },
  async run({ exportPath, program = true, deviceName: wanted }, ctx) {
    const device = requirePlc(ctx, wanted)
    const tests = testsOf(ctx, device)
    const files = [
      ...(program ? await programFiles(ctx, device) : []),
      ...(await Promise.all(
        tests.map(async ({ name, document }) => {
          return { path: `${name}${testSuffix}`, bytes: Buffer.from(await ctx.blobs.text(document)) }
        }),
      )),
    ]
    if (files.length === 0) throw problem('conflict', `"${device.name}" has no tests, and no program was asked for.`)
    const folder = exportPath.replace(/[\\/]+$/, '')
    for (const { path, bytes } of files) await ctx.files.write(`${folder}/${path}`, bytes)
    return { deviceName: device.name, folder, files: files.map(({ path }) => path), tests: tests.length }
  },
})

async function programFiles(ctx: QueryContext, device: Device) {
  const { deviceProgram } = await import('../../review/index.ts')
  return (await deviceProgram(ctx, device)).program
}

const importTests = command({
  id: 'plc-tests.import',
  title: 'Import the test files of a folder into a PLC of the project',
  description:
    'Each `*.test.yml` below the folder; the program is not imported (`blocks.import` does that). All or nothing: faults are a 422 with file, line and column. Tests of the same name are replaced.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      path: t.String({ minLength: 1, maxLength: 4096, description: 'A folder of the workspace.' }),
    }),
  output: (t) =>
    t.Object({
      deviceName: t.String(),
      imported: t.Integer(),
      tests: t.Array(t.Object({ name: t.String(), file: t.String(), action: t.String(), cases: t.Integer() })),
    }),
  http: [post(`${route}/actions/import`)],
  mcp: { toolset, destructive: true },
  aliases: { deviceName: ['device', 'plc'], path: ['filePath', 'folder', 'importPath'] },
  example: { deviceName: 'PLC_1', path: 'plant/PLC_1' },
  async run({ path, deviceName: wanted }, ctx) {
    const device = requirePlc(ctx, wanted)
    const { importFolder } = await import('./import.ts')
    const tests = await importFolder(ctx, device, path)
    return { deviceName: device.name, imported: tests.length, tests }
  },
})

export const projectTestOperations: readonly Operation[] = [write, list, show, remove, exportTests, importTests]
