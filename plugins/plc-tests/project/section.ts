/** The test files of PLCs as files of the project: `devices/<device>/tests/<name>.test.yml`. */
import { type Device, deviceFolder, devices } from '../../devices/index.ts'
import { fileNameOf, type ProjectSection } from '../../projects/index.ts'
import { testSuffix, testsOf } from './state.ts'

/** A file for each test, beside the program. */
export const projectTestSection: ProjectSection = {
  name: 'tests',
  order: 48,
  folders: ['devices/*/tests/*.test.yml'],
  searchKinds: ['test'],
  async save(ctx) {
    return [...ctx.read(devices).values()].flatMap((one) =>
      testsOf(ctx, one).map(({ name, document, modifiedAt }) => ({
        path: `${folderOf(one)}/${fileNameOf(name)}${testSuffix}`,
        blob: document,
        modifiedAt,
      })),
    )
  },
  async load(ctx, _project, files) {
    const { writeTest } = await import('./write.ts')
    const warnings: string[] = []
    for (const one of ctx.read(devices).values())
      for (const path of files.list(`${folderOf(one)}/`).filter((file) => file.endsWith(testSuffix))) {
        const text = (await files.read(path)).toString('utf8')
        const name = nameOfFile(path.slice(folderOf(one).length + 1, -testSuffix.length))
        const { faults } = await writeTest(ctx, one, name, text, await files.modifiedAt(path))
        // A file that was edited by hand is kept with its faults: a run tells them too.
        warnings.push(...faults.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`))
      }
    return warnings
  },
  search(ctx) {
    return [...ctx.read(devices).values()].flatMap((one) =>
      testsOf(ctx, one).map(({ name }) => ({ kind: 'test', name, device: one.name, path: 'Tests' })),
    )
  },
}

const folderOf = (one: Device) => `${deviceFolder(one)}/tests`

/** `fileNameOf` encodes what file systems do not allow; a file of a person may have any %. */
function nameOfFile(file: string): string {
  try {
    return decodeURIComponent(file)
  } catch {
    return file
  }
}
