/**
 * Real programs: what compiles of each repository of the corpus is downloaded and comes back into an empty project as
 * the same files, which compile to the same program.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { programFolders, publicDir } from '../../test/corpus.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { openTestGateway, type TestGateway } from '../../test/harness.ts'
import { type Answer, address, plc, savedFiles, withController } from '../../test/online.ts'

/** Deletes what does not compile, until the rest does: each round may leave users of what is gone. */
async function keepWhatCompiles(at: TestGateway): Promise<void> {
  const failed = ({ compileStatus }: Answer) => compileStatus === 'error'
  for (let round = 0; round < 20; round++) {
    const { errorCount } = await at.call<Answer>('blocks.compile-device', { ...plc, scope: 'software' })
    if (errorCount === 0) return
    const { blocks } = await at.call<Answer>('blocks.list', plc)
    for (const { name } of blocks.filter(failed))
      await at.call('blocks.delete', { ...plc, blockName: name, force: true })
    const { udts } = await at.call<Answer>('types.list', plc)
    for (const { name } of udts.filter(failed)) await at.call('types.delete', { ...plc, udtName: name, force: true })
  }
  assert.fail('the rest does not compile')
}

for (const name of programFolders) {
  test(`${name}: what was downloaded comes back, and compiles to the same program`, async (t) => {
    const workspace = await temporaryFolder(t, 'gantry-upload-')
    const at = await openTestGateway(t, { workspace: [workspace, publicDir] })
    await at.call('projects.create', { name: 'Real' })
    await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
    await at.call('projects.simulation-support', {})
    await withController(at)
    const files = { filePath: join(publicDir, name), continueOnError: true, overwrite: true }
    await at.call('blocks.import', { ...plc, ...files })
    await keepWhatCompiles(at)
    const { programHash } = await at.call<Answer>('online.download', { ...plc, ipAddress: address })
    const before = await savedFiles(at)
    await at.call('projects.close', { force: true })
    await at.call('projects.create', { name: 'Empty' })
    await at.call('online.upload', { ...plc, ipAddress: address })
    assert.deepEqual(await savedFiles(at), before)
    const again = await at.call<Answer>('blocks.compile-device', plc)
    assert.equal(again.programHash, programHash)
  })
}
