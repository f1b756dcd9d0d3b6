/**
 * Measures the undo and the redo of an import of 500 blocks against the import itself, and the undo by a gateway that
 * was started anew and knows the import only from its log.
 *
 *   node --import tsx bench/undo.ts
 */
import { openTestGateway } from '../core/testing/index.ts'
import { fbSource } from '../test/plant.ts'
import { median, report } from './report.ts'

const rounds = 3
const blocks = 500

const at = await openTestGateway({ checkOutputs: false, durability: 'fsync' })
await at.call('projects.create', { name: 'Plant' })
await at.call('devices.add', { orderNumber: '6ES7 518-4AX00-1AC0', name: 'PLC_1' })

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await run()
  return performance.now() - begin
}

const [imports, undos, redos]: [number[], number[], number[]] = [[], [], []]
for (let round = 0; round < rounds; round++) {
  const content = Array.from({ length: blocks }, (_, n) => fbSource(`Block_${round}_${n}`)).join('\n')
  imports.push(await timed(() => at.call('blocks.import', { deviceName: 'PLC_1', content })))
  undos.push(await timed(() => at.call('history.undo')))
  redos.push(await timed(() => at.call('history.redo')))
  undos.push(await timed(() => at.call('history.undo')))
  redos.push(await timed(() => at.call('history.redo')))
}
const whole = median(imports)
report(`import of ${blocks} blocks, ms`, whole, '')
report('undo / import', median(undos) / whole, '<= 1')
report('redo / import', median(redos) / whole, '<= 1')
const again = await at.restart()
report('first undo after a start / import', (await timed(() => again.call('history.undo'))) / whole, '<= 2')
await at.close()
