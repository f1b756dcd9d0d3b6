/** Random operations on libraries leave no reference to what is not there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGatewayError } from '../../core/index.ts'
import { openTestGateway, type TestGateway } from '../../test/harness.ts'
import { blocksOf } from '../blocks/index.ts'
import { devices } from '../devices/index.ts'
import { typesOf } from '../types/index.ts'
import { globalLibraries, instances, type LibraryObject, libraryFolders, libraryTypes, masterCopies } from './index.ts'

const runs = 3
const operationsOfARun = 100

const type = (n: number, value: number) =>
  `TYPE "U${n}"\nVERSION : 0.1\n   STRUCT\n      a : Int := ${value};\n   END_STRUCT;\nEND_TYPE\n`
/** Each uses a type and the function before it. */
const block = (n: number, value: number) =>
  `FUNCTION "F${n}" : Void\nVERSION : 0.1\n   VAR_TEMP\n      u : "U${n % 2}";\n   END_VAR\nBEGIN\n\t#u.a := ${value};\n${n > 0 ? `\t"F${n - 1}"();\n` : ''}END_FUNCTION\n`
const names = ['U0', 'U1', 'F0', 'F1', 'F2']
const sourceOf = (i: number, value: number) => (i < 2 ? type(i, value) : block(i - 2, value))

const choice = fc.constantFrom('overwrite', 'rename', 'keep', undefined)
const [small, flag] = [fc.nat(8), fc.boolean()]
const device = fc.constantFrom('PLC_1', 'PLC_2')
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('copy' as const), at: small, device, flag }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('instantiate' as const), at: small, device, choice }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete-copy' as const), at: small }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('version' as const), at: small, device, flag }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('instance' as const), at: small, device, choice }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete-type' as const), at: small, flag, version: flag }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('default' as const), at: small }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('update' as const), choice }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const), at: small, device, value: small }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete-object' as const), at: small, device }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('to-global' as const), at: small }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('from-global' as const), at: small, device, choice }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen-global' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen-project' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace-device' as const), device }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

async function run(at: TestGateway, one: Operation): Promise<unknown> {
  const { state } = at.gateway
  const at_ = 'at' in one ? one.at : 0
  const pick = <T>(list: readonly T[]): T | undefined => list[at_ % Math.max(1, list.length)]
  const project = (await at.call<{ projects: { id: string }[] }>('projects.list')).projects[0]!.id
  const own = () => state.read(libraryTypes).find('byLibrary', project)
  const global = [...state.read(globalLibraries).values()][0]!
  const object = names[at_ % names.length]!
  const onDevice = 'device' in one ? { deviceName: one.device } : {}
  const conflict = 'choice' in one && one.choice !== undefined ? { onConflict: one.choice } : {}
  switch (one.do) {
    case 'copy':
      return at.call(one.flag ? 'libraries.create-master-copy' : 'libraries.create-global-master-copy', {
        ...onDevice,
        ...(at_ === 8 ? { name: 'Station' } : { objectName: object }),
        folder: ['', 'A', 'A/B'][at_ % 3],
        overwrite: one.flag,
      })
    case 'instantiate': {
      const copy = pick(state.read(masterCopies).find('byLibrary', project))
      const name = copy && (copy.folder === '' ? copy.name : `${copy.folder}/${copy.name}`)
      return name && at.call('libraries.instantiate-master-copy', { name, ...onDevice, ...conflict })
    }
    case 'delete-copy': {
      const copy = pick(state.read(masterCopies).find('byLibrary', project))
      const name = copy && (copy.folder === '' ? copy.name : `${copy.folder}/${copy.name}`)
      return name && at.call('libraries.delete-master-copy', { name })
    }
    case 'version':
      return at.call('libraries.store-type-version', {
        ...onDevice,
        objectName: object,
        status: one.flag ? 'released' : 'inWork',
      })
    case 'instance':
      return at.call('libraries.instantiate-type', { typeName: pick(own())?.name ?? 'none', ...onDevice, ...conflict })
    case 'delete-type': {
      const found = pick(own())
      if (!found) return undefined
      const version = one.version ? { version: found.versions[0]!.version } : {}
      return at.call('libraries.delete-type', { typeName: found.name, force: one.flag, ...version })
    }
    case 'default': {
      const found = pick(own())
      return (
        found && at.call('libraries.set-default-version', { typeName: found.name, version: found.versions[0]!.version })
      )
    }
    case 'update':
      return at.call('libraries.update-instances', one.choice === undefined ? {} : { onConflict: one.choice })
    case 'change':
      return at.call('blocks.import', { ...onDevice, content: sourceOf(names.indexOf(object), one.value) })
    case 'delete-object':
      return object.startsWith('U')
        ? at.call('types.delete', { ...onDevice, udtName: object, force: true })
        : at.call('blocks.delete', { ...onDevice, blockName: object, force: true })
    case 'to-global':
      return at.call('libraries.store-type-version', {
        typeName: pick(own())?.name ?? 'none',
        fromLibrary: 'project',
        library: 'Shared',
      })
    case 'from-global': {
      const found = pick(state.read(libraryTypes).find('byLibrary', global.id))
      const more = { ...onDevice, ...conflict }
      return found && at.call('libraries.instantiate-global-type', { typeName: found.name, ...more })
    }
    case 'reopen-global':
      await at.call('libraries.close-global', { save: true })
      return at.call('libraries.open-global', { path: 'Shared' })
    case 'reopen-project':
      await at.call('projects.close', { save: true })
      return at.call('projects.open', { path: 'Plant' })
    case 'replace-device':
      await at.call('devices.delete', onDevice)
      return at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', ...onDevice })
  }
}

/** Everything that something in a library names is there. */
async function checkWhole(at: TestGateway): Promise<void> {
  const { state } = at.gateway
  const texts = new Set<string>()
  const noteTexts = ({ document, file }: LibraryObject) => {
    texts.add(document)
    if (file !== undefined) texts.add(file)
  }
  const libraries = new Set([...state.read(globalLibraries).keys()])
  const { projects } = await at.call<{ projects: { id: string }[] }>('projects.list')
  for (const { id } of projects) libraries.add(id)
  const folders = new Set(
    [...state.read(libraryFolders).values()].map((one) => `${one.libraryId}/${one.area}/${one.path}`),
  )
  for (const { libraryId, folder, objects } of state.read(masterCopies).values()) {
    assert.ok(libraries.has(libraryId))
    assert.ok(folder === '' || folders.has(`${libraryId}/masterCopies/${folder}`), folder)
    for (const object of objects) noteTexts(object)
  }
  const types = [...state.read(libraryTypes).values()]
  const versions = new Set(types.flatMap((one) => one.versions.map((v) => `${one.libraryId} ${one.name} ${v.version}`)))
  for (const { libraryId, name, defaultVersion, versions: own } of types) {
    assert.ok(libraries.has(libraryId))
    assert.ok(
      own.some(({ version }) => version === defaultVersion),
      `${name} ${defaultVersion}`,
    )
    for (const { dependencies, object } of own) {
      noteTexts(object)
      for (const used of dependencies)
        assert.ok(
          versions.has(`${libraryId} ${used.type} ${used.version}`),
          `${name} depends on ${used.type} ${used.version}`,
        )
    }
  }
  const project = projects[0]!.id
  for (const { id, deviceId, typeId, version, document } of state.read(instances).values()) {
    texts.add(document)
    assert.ok(state.read(devices).has(deviceId))
    const objects = [...blocksOf(state, deviceId), ...typesOf(state, deviceId)]
    assert.ok(objects.some((one) => one.id === id))
    const found = types.find((one) => one.id === typeId && one.libraryId === project)
    assert.ok(
      found?.versions.some((one) => one.version === version),
      `instance of ${found?.name} ${version}`,
    )
  }
  assert.ok(await at.gateway.blobReader.has(...texts))
}

/** A refusal is an answer; anything else is a fault of the gateway. */
const refusals = new Set(['conflict', 'name_taken', 'not_found', 'invalid_input', 'unacceptable_content'])

test(`${runs * operationsOfARun} random operations leave no dangling reference`, async (t) => {
  const done = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: operationsOfARun, maxLength: operationsOfARun }),
      async (operations) => {
        const at = await openTestGateway(t)
        await at.call('projects.create', { name: 'Plant' })
        await at.call('libraries.create-global', { name: 'Shared' })
        for (const deviceName of ['PLC_1', 'PLC_2']) {
          await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', deviceName })
          await at.call('blocks.import', { deviceName, content: names.map((_, i) => sourceOf(i, 1)).join('\n') })
        }
        for (const [i, one] of operations.entries()) {
          try {
            await run(at, one)
            done.set(one.do, (done.get(one.do) ?? 0) + 1)
          } catch (error) {
            assert.ok(isGatewayError(error) && refusals.has(error.code), `${JSON.stringify(one)}: ${error}`)
          }
          if (i % 5 === 0) await checkWhole(at)
        }
        await checkWhole(at)
        await at.close()
      },
    ),
    { numRuns: runs, endOnFailure: true },
  )
  // Most of the 15 operations succeeded at least once, so the check is of something.
  assert.ok(done.size >= 12, JSON.stringify([...done]))
})
