/** `gantry doc` and `gantry render`: the documentation of a program, and the picture of a network. */
import { basename, resolve } from 'node:path'
import type { CliTools } from '../../../core/index.ts'
import { nearest } from '../../../lib/nearest.ts'
import { defined } from '../../../lib/optional.ts'
import type { ImportedObject } from '../../../plc/model/object.ts'
import { blockPicture } from '../../../plc/render/block-picture.ts'
import { outputFormat } from '../check/output-format.ts'
import { readSide } from '../compare/diff.ts'
import { type Documentation, documentOf } from '../documentation.task.ts'
import { chosenPaths } from '../folder/chosen-paths.ts'
import { FolderError, readFolderContent } from '../folder/folder.ts'
import { folderObjects } from '../folder/folder-objects.ts'
import { callGateway, isRemote } from './remote.ts'

const codes = { ok: 0, usage: 2, unreadable: 3 } as const
type Raw = Readonly<Record<string, unknown>>

const documentNames = [
  [/\.html?$/i, ['html']],
  [/\.(md|markdown)$/i, ['markdown']],
] as const
const pictureNames = [
  [/\.svg$/i, ['svg']],
  [/\.html?$/i, ['html']],
  [/\.md$/i, []],
] as const

/** @returns the exit code */
export async function runDoc(given: readonly string[], raw: Raw, tools: CliTools): Promise<number> {
  const format = outputFormat(raw, ['html', 'markdown'], documentNames, { tools, usage: codes.usage })
  const [title, culture] = [raw.title, raw.culture] as (string | undefined)[]
  const [path = '.', ...others] = given
  if (isRemote(raw) && others.length > 0) tools.fail('A gateway reads one folder of its workspace.', codes.usage)
  const { text, notes } = isRemote(raw)
    ? await callGateway<Documentation>(
        tools,
        'review.document',
        { path, format, ...defined({ title, culture }) },
        () => codes.unreadable,
      )
    : await documentOf({
        ...(await contentOf(given, title, tools)),
        format,
        culture: culture ?? 'en-US',
      })
  for (const note of notes) tools.note(note)
  await tools.print(text, raw.out as string | undefined)
  return codes.ok
}

/** Several files are one program. */
async function contentOf(given: readonly string[], title: string | undefined, tools: CliTools) {
  const [path = '.', ...others] = given
  if (others.length === 0) return { content: await read(path, tools), title: title ?? basename(resolve(path)) }
  try {
    const { root, access } = await chosenPaths(given)
    return { content: await readFolderContent(access, root, { goesOn: true }), title: title ?? basename(root) }
  } catch (error) {
    if (error instanceof FolderError) return tools.fail(error.message, codes.unreadable)
    throw error
  }
}

/** @returns the exit code */
export async function runRender(given: string | undefined, raw: Raw, tools: CliTools): Promise<number> {
  const format = outputFormat(raw, ['svg', 'html'], pictureNames, { tools, usage: codes.usage })
  const network = raw.network === undefined ? 1 : Number(raw.network)
  if (!Number.isInteger(network) || network < 1) tools.fail('--network is a number from 1.', codes.usage)
  const culture = (raw.culture as string | undefined) ?? 'en-US'
  const { objects } = await folderObjects(await read(given ?? '.', tools), culture)
  const blocks = objects.map(({ object }) => object).filter((one) => one.networks.length > 0)
  const wanted = raw.block as string | undefined
  const names = blocks.map(({ name }) => name)
  if (format === 'html' && wanted === undefined && raw.network === undefined && blocks.length > 0) {
    await tools.print(await pageOf(blocks, culture), raw.out as string | undefined)
    return codes.ok
  }
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
  if (block && format === 'html' && raw.network === undefined) {
    await tools.print(await pageOf([block], culture), raw.out as string | undefined)
    return codes.ok
  }
  if (format === 'html') tools.fail('--format html shows all networks; leave out --network.', codes.usage)
  if (block?.isKnowHowProtected) tools.fail(`"${block.name}" is know-how protected.`, codes.unreadable)
  const picture = block && blockPicture(block, network, culture)
  if (picture === undefined) tools.fail(`"${block?.name}" has no network ${network}.`, codes.usage)
  if (picture?.svg === undefined)
    tools.fail(`Network ${network} of "${block?.name}" is in ${picture?.language}: it is text.`, codes.unreadable)
  await tools.print(`${picture?.svg}\n`, raw.out as string | undefined)
  return codes.ok
}

async function pageOf(blocks: readonly ImportedObject[], culture: string): Promise<string> {
  const { blocksPage } = await import('../../../plc/documentation/html.ts')
  return blocksPage(blocks, { title: blocks.map(({ name }) => name).join(', '), culture })
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
