/** `gantry doc` and `gantry render`: the documentation of a program, and the picture of a network. */
import { basename, resolve } from 'node:path'
import type { CliTools } from '../../core/index.ts'
import { nearest } from '../../lib/nearest.ts'
import { defined } from '../../lib/optional.ts'
import { blockPicture } from '../../plc/render/block-picture.ts'
import { readSide } from './diff.ts'
import { type Documentation, documentOf } from './documentation.task.ts'
import { folderObjects } from './folder-objects.ts'

const codes = { ok: 0, usage: 2, unreadable: 3 } as const
type Raw = Readonly<Record<string, unknown>>

/** @returns the exit code */
export async function runDoc(given: string | undefined, raw: Raw, tools: CliTools): Promise<number> {
  const format = (raw.format ?? 'html') as string
  if (format !== 'html' && format !== 'markdown') tools.fail('--format is html or markdown.', codes.usage)
  const [title, culture] = [raw.title, raw.culture] as (string | undefined)[]
  const isRemote = raw.url !== undefined || Boolean(process.env.GANTRY_URL)
  const { text, notes } = isRemote
    ? await remoteDocument({ path: given ?? '.', format, ...defined({ title, culture }) }, tools)
    : await documentOf({
        content: await read(given ?? '.', tools),
        format: format as 'html' | 'markdown',
        title: title ?? basename(resolve(given ?? '.')),
        culture: culture ?? 'en-US',
      })
  for (const note of notes) tools.note(note)
  await tools.print(text, raw.out as string | undefined)
  return codes.ok
}

/** The gateway reads its workspace, and writes the document. */
async function remoteDocument(input: Readonly<Record<string, unknown>>, tools: CliTools): Promise<Documentation> {
  try {
    return (await tools.call('review.document', input)) as Documentation
  } catch (error) {
    // A folder that cannot be read has its own exit code here.
    const { exitCode, message } = error as Error & { exitCode?: number }
    if (exitCode !== 1) throw error
    return tools.fail(message, codes.unreadable)
  }
}

/** @returns the exit code */
export async function runRender(given: string | undefined, raw: Raw, tools: CliTools): Promise<number> {
  const network = raw.network === undefined ? 1 : Number(raw.network)
  if (!Number.isInteger(network) || network < 1) tools.fail('--network is a number from 1.', codes.usage)
  const culture = (raw.culture as string | undefined) ?? 'en-US'
  const { objects } = await folderObjects(await read(given ?? '.', tools), culture)
  const blocks = objects.map(({ object }) => object).filter((one) => one.networks.length > 0)
  const wanted = raw.block as string | undefined
  const names = blocks.map(({ name }) => name)
  const block =
    wanted === undefined && blocks.length === 1
      ? blocks[0]
      : blocks.find(({ name }) => name.toLowerCase() === wanted?.toLowerCase())
  if (block === undefined) {
    const near = wanted === undefined ? undefined : nearest(wanted, names)
    const some = names.slice(0, 20).join(', ')
    tools.fail(
      wanted === undefined
        ? `--block is needed: ${blocks.length === 0 ? 'there are no blocks with networks' : `there are ${blocks.length} blocks (${some}${names.length > 20 ? ' …' : ''})`}.`
        : `There is no block "${wanted}".${near === undefined ? ` There is: ${some}.` : ` Did you mean "${near}"?`}`,
      codes.usage,
    )
  }
  if (block?.isKnowHowProtected) tools.fail(`"${block.name}" is know-how protected.`, codes.unreadable)
  const picture = block && blockPicture(block, network, culture)
  if (picture === undefined) tools.fail(`"${block?.name}" has no network ${network}.`, codes.usage)
  if (picture?.svg === undefined)
    tools.fail(`Network ${network} of "${block?.name}" is in ${picture?.language}: it is text.`, codes.unreadable)
  await tools.print(`${picture?.svg}\n`, raw.out as string | undefined)
  return codes.ok
}

async function read(path: string, tools: CliTools) {
  try {
    return await readSide(path, process.cwd(), { goesOn: true })
  } catch (error) {
    const { name, message } = error as Error
    if (name === 'FolderError' || name === 'GatewayError') tools.fail(`${path}: ${message}`, codes.unreadable)
    throw error
  }
}
