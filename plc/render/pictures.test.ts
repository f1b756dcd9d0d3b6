/**
 * Pictures of twenty networks and charts of real programs as they were looked at, in `test/fixtures/pictures`: a change
 * of a picture shows as a diff. `UPDATE_SNAPSHOTS=1 npm test plc/render/pictures.test.ts` writes them again; then look.
 */
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { programFolders, publicDir } from '../../test/corpus.ts'
import { objectsIn } from '../../test/corpus-objects.ts'
import { inSources } from '../../test/recorded.ts'
import { networkPicture } from './network-svg.ts'
import { sequencePicture } from './sequence-svg.ts'

const folder = inSources(new URL('../../test/fixtures/pictures', import.meta.url))

interface Drawn {
  readonly name: string
  readonly language: string
  /** Elements, for a choice from small to large. */
  readonly size: number
  readonly svg: string
}

/** All networks in LAD and FBD and all charts of the corpus, the smallest first. */
async function drawnOfCorpus(): Promise<Drawn[]> {
  const drawn: Drawn[] = []
  for (const program of programFolders)
    for (const { object } of await objectsIn(join(publicDir, program)))
      for (const { graph, chart, language, number } of object.networks) {
        const name = `${object.name}-${number}`.replace(/[^\w-]+/g, '_')
        if (graph !== undefined && graph.nodes.length > 4)
          drawn.push({ name, language, size: graph.nodes.length, svg: networkPicture(graph, { number, language }) })
        for (const [i, sequence] of (chart?.sequences ?? []).entries()) {
          const svg = sequencePicture(sequence, object.name)
          drawn.push({ name: `${name}-${i + 1}`, language: 'GRAPH', size: sequence.steps.length, svg })
        }
      }
  return drawn.sort((a, b) => a.size - b.size || (a.name < b.name ? -1 : 1))
}

/** So many of them, from the smallest to the largest; the same each time. */
function spread(all: readonly Drawn[], language: string, count: number): Drawn[] {
  const some = all.filter((one) => one.language === language)
  const wanted = Math.min(count, some.length)
  return Array.from({ length: wanted }, (_, i) => some[Math.round((i * (some.length - 1)) / Math.max(1, wanted - 1))]!)
}

test('pictures of twenty networks and charts are those that were looked at', async () => {
  const all = await drawnOfCorpus()
  const chosen = [...spread(all, 'LAD', 17), ...spread(all, 'FBD', 4), ...spread(all, 'GRAPH', 4)]
  assert.ok(chosen.length >= 20, String(chosen.length))
  const files = new Map(
    chosen.map(({ name, language, svg }, i) => [
      `${String(i + 1).padStart(2, '0')}-${language}-${name}.svg`,
      `${svg}\n`,
    ]),
  )
  if (process.env.UPDATE_SNAPSHOTS) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    await Promise.all([...files].map(([name, svg]) => writeFile(join(folder, name), svg)))
    return
  }
  assert.deepEqual((await readdir(folder)).sort(), [...files.keys()].sort())
  for (const [name, svg] of files)
    assert.equal(svg, await readFile(join(folder, name), 'utf8'), `${name} is drawn in another way: look at it`)
})
