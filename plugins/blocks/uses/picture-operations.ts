/** The operation that draws networks. What it does is loaded on first use. */
import { get, problem, query } from '../../../core/index.ts'
import { deviceName, documentOf, objectName, requireReadable, work } from '../../program-objects/index.ts'
import { requireBlock } from '../block.ts'

export const networkPicture = query({
  id: 'blocks.picture',
  title: 'Draw a network of a block',
  description: [
    'A network in LAD or FBD, or a sequence of GRAPH, as an SVG picture. Colours follow the page that shows it: lines and texts have the colour of the text around them. Boxes have the attribute `data-uid` (the UId of the network), steps `data-step`, transitions `data-transition`, and lines that carry power flow `data-flow`: the pin as GET …/networks/{number}/values names it.',
    'A network in SCL or STL is text and has no picture: 422.',
  ].join('\n\n'),
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: objectName(t, 'block'),
      network: t.Optional(
        t.Integer({
          minimum: 1,
          description: 'Number of the network; of a GRAPH block that of the sequence. Default 1.',
        }),
      ),
      culture: t.Optional(t.String({ description: 'Language of titles and comments, e.g. de-DE.' })),
    }),
  output: (t) => t.String({ description: 'The SVG picture.' }),
  http: [get('/api/devices/{deviceName}/blocks/{blockName}/picture')],
  mcp: { toolset: 'blocks' },
  produces: 'image/svg+xml',
  aliases: { blockName: ['name', 'block'], network: ['networkNumber', 'number'] },
  example: { deviceName: 'PLC_1', blockName: 'Conveyor', network: 1 },
  async run({ deviceName, blockName, network = 1, culture }, ctx) {
    const block = requireBlock(ctx, deviceName, blockName)
    requireReadable(block)
    const document = await documentOf(ctx, block, { culture })
    const picture = await work(ctx, 'picture', { document, number: network }, block.size)
    if (picture === undefined) throw problem('not_found', `"${block.name}" has no network ${network}.`)
    if (picture.svg !== undefined) return picture.svg
    throw problem(
      'unacceptable_content',
      `Network ${network} of "${block.name}" is in ${picture.language}: it is text.`,
    )
  },
})
