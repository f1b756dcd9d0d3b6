/** Reports of a folder that lies apart from the working directory; under Wine it is on another drive. */
import assert from 'node:assert/strict'
import { mkdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../../../test/folder.ts'
import { reportBase } from './report-base.ts'

test('no prefix of a report is a path of its own', async (t) => {
  const dir = await realpath(await temporaryFolder(t, 'gantry-drive-'))
  await mkdir(join(dir, 'plant'))
  assert.deepEqual(await reportBase(join(dir, 'plant')), {
    ...{ prefix: '', uri: pathToFileURL(join(dir, 'plant', sep)).href },
  })
})
