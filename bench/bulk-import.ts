/**
 * Measures the bulk import of 500 block files through the gateway against parsing the same files: reading them to the
 * objects of the library. Each file has a function block that calls the one before, so that the order matters; they are
 * given in reverse.
 *
 *   node --import tsx bench/bulk-import.ts [files]
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openTestGateway } from '../core/testing/index.ts'
import { importFile } from '../plc/formats/import.ts'
import { generateObject } from '../plc/generate/object-of.ts'
import type { BlockSpecification } from '../plc/generate/specification.ts'
import { median, report } from './report.ts'

const count = Number(process.argv[2] ?? 500)
const rounds = 5

function specification(i: number): BlockSpecification {
  return {
    kind: 'FB',
    name: `Block_${i}`,
    language: 'LAD',
    interface: [
      { section: 'Input', members: Array.from({ length: 8 }, (_, k) => ({ name: `in${k}`, dataType: 'Bool' })) },
      { section: 'Output', members: [{ name: 'out', dataType: 'Bool' }] },
      { section: 'Static', members: i === 0 ? [] : [{ name: 'inner', dataType: `"Block_${i - 1}"` }] },
    ],
    networks: Array.from({ length: 8 }, (_, k) => ({
      expressions: `#out := (#in${k} OR #out) AND NOT #in${(k + 1) % 8}`,
    })),
  }
}

const texts = Array.from({ length: count }, (_, i) => generateObject(specification(i), { version: 'V19' }).text)
const bytes = texts.map((text) => Buffer.from(text))

const parses: number[] = []
for (let i = 0; i < rounds; i++) {
  const start = performance.now()
  for (const one of bytes) await importFile(one)
  parses.push(performance.now() - start)
}

const imports: number[] = []
for (let i = 0; i < rounds; i++) {
  const at = await openTestGateway({ durability: 'fsync' })
  await at.call('projects.create', { name: 'Plant' })
  await at.call('devices.add', { orderNumber: '6ES7 518-4AX00-1AC0', name: 'PLC_1' })
  const folder = join(at.dir, 'workspace', 'in')
  await mkdir(folder, { recursive: true })
  await Promise.all(texts.map((text, k) => writeFile(join(folder, `${k}.xml`), text)))
  const filePaths = texts.map((_, k) => `in/${k}.xml`).reverse()
  const start = performance.now()
  const { imported } = await at.call<{ imported: number }>('block-generation.bulk-import', {
    deviceName: 'PLC_1',
    filePaths,
  })
  imports.push(performance.now() - start)
  if (imported !== count) throw new Error(`${imported} of ${count} files were imported`)
  await at.close()
}
report(`files of ${Math.round(bytes.reduce((sum, { length }) => sum + length, 0) / count / 1000)} kB`, count, '')
report(`bulk import of ${count} blocks / parse of them`, median(imports) / median(parses), '<= 4')
