/**
 * The test files that the open project keeps for its PLCs, in the format of `*.test.yml`. In the files of a project one
 * is `devices/<device>/tests/<name>.test.yml`.
 */
import { collection, domainEvent, notFound, on, ownedBy, type Slice, type SliceReader } from '../../../core/index.ts'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { type Device, device } from '../../devices/index.ts'
import { modifiesProject } from '../../projects/index.ts'

/** One test file. Times in ms since the epoch. */
export interface ProjectTest {
  readonly deviceId: string
  /** Without `.test.yml`. */
  readonly name: string
  /** Its text, a blob. */
  readonly document: string
  readonly size: number
  readonly cases: number
  readonly createdAt: number
  readonly modifiedAt: number
}

/** Key: id of the device and name. */
export const projectTests = collection<ProjectTest>('plc-tests.files', { byDevice: ({ deviceId }) => deviceId }, [
  ownedBy(device, 'byDevice'),
])

export const testWritten = domainEvent<ProjectTest>('plc-tests.test-written', 'A test file of a PLC was written')
export const testRemoved = domainEvent<{ deviceId: string; name: string }>(
  'plc-tests.test-deleted',
  'A test file of a PLC was deleted',
)

const keyOf = ({ deviceId, name }: Pick<ProjectTest, 'deviceId' | 'name'>) => `${deviceId}/${name.toLowerCase()}`

export const projectTestSlice: Slice = {
  version: 1,
  collections: [projectTests],
  reductions: [
    on(testWritten, (write, test) => write(projectTests).set(keyOf(test), test)),
    on(testRemoved, (write, test) => write(projectTests).delete(keyOf(test))),
    ...modifiesProject(testWritten, testRemoved),
  ],
}

type Reader = { readonly read: SliceReader }

/** Behind the name of a test in the file of a folder. */
export const testSuffix = '.test.yml'

/** The test files of a PLC, by name. */
export function testsOf(ctx: Reader, { id }: Pick<Device, 'id'>): ProjectTest[] {
  return [...ctx.read(projectTests).find('byDevice', id)].sort((a, b) =>
    compareTexts(a.name.toLowerCase(), b.name.toLowerCase()),
  )
}

export function findTest(ctx: Reader, { id }: Pick<Device, 'id'>, name: string): ProjectTest | undefined {
  return ctx.read(projectTests).get(keyOf({ deviceId: id, name: bareName(name) }))
}

/** @throws GatewayError `not_found` */
export function requireProjectTest(ctx: Reader, of: Device, name: string): ProjectTest {
  const found = findTest(ctx, of, name)
  if (found) return found
  throw notFound(
    'test',
    name,
    testsOf(ctx, of).map((one) => one.name),
    `of "${of.name}"`,
  )
}

/** The name without the ending of its file, which clients may send. */
export function bareName(name: string): string {
  return name.trim().replace(/\.test\.ya?ml$/i, '')
}
