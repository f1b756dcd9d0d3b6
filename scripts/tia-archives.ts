/**
 * Opens every project and library of TIA Portal below a folder as a user would, compiles its programs, and runs each
 * for 1 000 cycles on a virtual controller: `node --import tsx scripts/tia-archives.ts <folder> [<table.tsv>]`.
 *
 * Taken are archives (`.zapNN`, `.zalNN`, and `.zip` that have a `PEData.plf`) and project files (`PEData.plf`). Prints
 * one line for each, and the sums. The exit code is 1 when one ends in anything else than an answer or a problem that
 * names the fault (`unacceptable_content`), or when a program that compiles does not run.
 *
 * Nothing of the files is kept: the gateway has a data directory of its own, which is removed.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { ZipFile } from 'yazl'
import { isGatewayError } from '../core/index.ts'
import { openTestGateway, type TestGateway } from '../core/testing/index.ts'

const cyclesOfRun = 1000

interface Opened {
  readonly tia?: {
    readonly version?: string
    readonly kind: string
    readonly objects: readonly { readonly completeness: string }[]
  }
  readonly files?: readonly { readonly path: string; readonly status: string }[]
}

interface Row {
  readonly file: string
  readonly outcome: 'opened' | 'refused' | 'crashed'
  readonly version: string
  readonly whole: number
  readonly partly: number
  readonly notRead: number
  /** Files of the reader's own that did not go in. */
  readonly notImported: number
  readonly controllers: number
  readonly compiled: number
  readonly ran: number
  readonly notes: readonly string[]
}

const none = { version: '', whole: 0, partly: 0, notRead: 0, notImported: 0, controllers: 0, compiled: 0, ran: 0 }
const messageOf = (error: unknown): string => (error as Error).message.replace(/\s+/g, ' ').slice(0, 200)

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(\.za[pl]\d+(_\d+)?|\.zip|\.plf)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\.zip$/i.test(path) || readFileSync(path).includes('PEData.plf'))
    .sort()
}

/** A project file alone becomes an archive, as a backup is one. */
async function intoWorkspace(g: TestGateway, file: string, name: string): Promise<void> {
  const target = join(g.dir, 'workspace', name)
  await mkdir(join(g.dir, 'workspace'), { recursive: true })
  if (!/\.plf$/i.test(file)) return copyFile(file, target)
  const zip = new ZipFile()
  zip.addBuffer(readFileSync(file), 'System/PEData.plf')
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  await writeFile(target, Buffer.concat(chunks))
}

/** @returns what went wrong, undefined when the program ran */
async function run(g: TestGateway, deviceName: string, orderNumber: string): Promise<string | undefined> {
  const name = 'Run'
  const ipAddress = '10.9.0.1'
  const cpuType = orderNumber.startsWith('6ES7 21') ? 'CPU1214C' : 'CPU1515'
  try {
    const config = { time: { mode: 'stepped', cycleTimeMs: 10 } }
    await g.call('simulation.create-instance', { name, cpuType, ipAddress, config })
    await g.call('simulation.power-on', { name })
    await g.call('online.download', { deviceName, ipAddress, compile: true, startAfter: true })
    const { cycles, state } = await g.call<{ cycles: number; state: string }>('simulation.advance', {
      name,
      cycles: cyclesOfRun,
    })
    return cycles === cyclesOfRun && state === 'Run' ? undefined : `${state} after ${cycles} cycles`
  } catch (error) {
    return messageOf(error)
  } finally {
    await g.call('simulation.power-off', { name }).catch(() => undefined)
    await g.call('simulation.delete-instance', { name, deleteStorage: true }).catch(() => undefined)
  }
}

async function examine(g: TestGateway, file: string, number: number): Promise<Row> {
  const archivePath = `p${number}.zip`
  await intoWorkspace(g, file, archivePath)
  let opened: Opened
  try {
    opened = await g.call<Opened>('projects.create-from-archive', { archivePath })
  } catch (error) {
    const isTold = isGatewayError(error) && error.code === 'unacceptable_content'
    return { ...none, file, outcome: isTold ? 'refused' : 'crashed', notes: [messageOf(error)] }
  }
  const objects = opened.tia?.objects ?? []
  const count = (wanted: string) => objects.filter(({ completeness }) => completeness === wanted).length
  const { devices } = await g.call<{ devices: { name: string; orderNumber?: string; kind?: string }[] }>('devices.list')
  await g.call('projects.simulation-support', { enabled: true })
  const notes: string[] = []
  let controllers = 0
  let compiled = 0
  let ran = 0
  for (const { name, orderNumber = '' } of devices) {
    const { blocks } = await g
      .call<{ blocks: unknown[] }>('blocks.list', { deviceName: name })
      .catch(() => ({ blocks: [] }))
    if (blocks.length === 0) continue
    controllers++
    try {
      const { errorCount } = await g.call<{ errorCount: number }>('blocks.compile-device', { deviceName: name })
      if (errorCount > 0) {
        notes.push(`${name}: ${errorCount} errors`)
        continue
      }
    } catch (error) {
      notes.push(`${name}: ${messageOf(error)}`)
      continue
    }
    compiled++
    const fault = await run(g, name, orderNumber)
    if (fault === undefined) ran++
    else notes.push(`${name}: ${fault}`)
  }
  await g.call('projects.close', { force: true })
  return {
    file,
    outcome: 'opened',
    version: `${opened.tia?.kind === 'Library' ? 'library ' : ''}${opened.tia?.version ?? ''}`,
    whole: count('whole'),
    partly: count('partly'),
    notRead: count('not-read'),
    notImported: (opened.files ?? []).filter(({ status }) => status !== 'imported').length,
    controllers,
    compiled,
    ran,
    notes,
  }
}

/** Of the table, in the order of the fields of a row. */
const columns = 'file outcome version whole partly not-read not-imported PLCs compiled ran notes'.split(' ')

const [folder, table] = process.argv.slice(2)
if (folder === undefined) {
  console.error('node --import tsx scripts/tia-archives.ts <folder> [<table.tsv>]')
  process.exit(2)
}
const g = await openTestGateway()
const rows: Row[] = []
try {
  for (const [i, file] of filesBelow(resolve(folder)).entries()) {
    const row = await examine(g, file, i + 1)
    rows.push(row)
    const { outcome, version, whole, partly, notRead, controllers, compiled, ran, notes } = row
    const name = basename(file).padEnd(24)
    const counts = `${whole}/${partly}/${notRead}`.padStart(10)
    const programs = `${controllers}/${compiled}/${ran}`.padStart(8)
    console.log(`${name} ${outcome} ${version.padEnd(12)} ${counts} ${programs}  ${notes.join('; ').slice(0, 160)}`)
  }
} finally {
  await g.close()
}
const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)
const filesWith = (test: (row: Row) => boolean) => rows.filter(test).length
console.log(
  `\n${rows.length} files: ${filesWith(({ outcome }) => outcome === 'opened')} opened, ${filesWith(({ outcome }) => outcome === 'refused')} refused, ${filesWith(({ outcome }) => outcome === 'crashed')} crashed`,
)
console.log(
  `objects: ${sum((row) => row.whole)} whole, ${sum((row) => row.partly)} in part, ${sum((row) => row.notRead)} not read; ${sum((row) => row.notImported)} files not imported`,
)
console.log(
  `PLCs with programs: ${sum((row) => row.controllers)}; ${sum((row) => row.compiled)} compile, ${sum((row) => row.ran)} run ${cyclesOfRun} cycles; all PLCs of ${filesWith((row) => row.controllers > 0 && row.ran === row.controllers)} files`,
)
if (table !== undefined) {
  const lines = rows.map(({ notes, ...row }) => [...Object.values(row), notes.join('; ')].join('\t'))
  writeFileSync(table, `${columns.join('\t')}\n${lines.join('\n')}\n`)
}
if (rows.some(({ outcome, compiled, ran }) => outcome === 'crashed' || ran < compiled)) process.exitCode = 1
