/**
 * Runs a program until some of its retentive data are on the memory card, reports its progress, and continues until it
 * is killed.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createController } from '../plugins/simulation/controller/controller.ts'
import { packageOf, testOptions } from './controller.ts'

const [storage = '', source = ''] = process.argv.slice(2)
const controller = createController(testOptions(storage, { time: { mode: 'real', factor: 1 } }))
await controller.change('powerOn')
await controller.load(packageOf(source), { inRun: false, reinitialize: false })
await controller.change('run')
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, 20))
  const file = await readFile(join(storage, 'retentive.bin')).catch(() => undefined)
  const kept = file?.readInt32LE(file.indexOf(10) + 1) ?? 0
  if (kept > 0) {
    console.log(kept)
    break
  }
}
