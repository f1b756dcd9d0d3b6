/** Operations on the logic of blocks with live values. What they do is loaded on first use. */
import { get, type Operation, query, type SchemaBuilder, stream, type TSchema } from '../../core/index.ts'
import { requirePlc } from '../devices/index.ts'
import { deviceName, objectName, tagValue } from '../program-objects/index.ts'
import { requireAccess } from '../security/index.ts'
import { startsFor, supportStep, tellSteps } from '../simulation/index.ts'
import { reach } from './connection.ts'
import { addressAliases, ipAddress, placeFields } from './declarations.ts'
import { problem } from './problems.ts'

/** `null`: not known between two cycles. */
const value = tagValue

/** What decides a value; its operands are explained in turn. */
const cause = (t: SchemaBuilder) =>
  t.Named('ValueCause', (self) =>
    t.Object({
      kind: t.String({ description: 'contact, timer, box, expression, condition …' }),
      text: t.String(),
      value: value(t),
      isNegated: t.Boolean(),
      operands: t.Array(
        t.Object({
          pin: t.Optional(t.String()),
          text: t.String(),
          name: t.Optional(t.String({ description: 'In the whole program.' })),
          value: value(t),
          isNegated: t.Optional(t.Literal(true, { description: 'The pin of a box takes the opposite.' })),
          why: t.Optional(explanation(t, self)),
        }),
      ),
      because: t.Array(self),
    }),
  )

const explanation = (t: SchemaBuilder, because: TSchema) =>
  t.Named('ValueExplanation', () => t.Object(explanationFields(t, because)))

/** @param because schema of a cause */
const explanationFields = (t: SchemaBuilder, because: TSchema) => ({
  name: t.String(),
  value: value(t),
  dataType: t.String(),
  note: t.Optional(t.String({ description: 'Why there are no writers.' })),
  writers: t.Array(
    t.Named('ValueWriter', () =>
      t.Object({
        blockName: t.String(),
        instance: t.Optional(t.String({ description: 'Whose code runs there.' })),
        network: t.Integer(),
        language: t.String(),
        uId: t.Optional(t.Integer()),
        line: t.Optional(t.Integer()),
        text: t.String({ description: 'What writes.' }),
        condition: value(t),
        because: t.Array(because),
      }),
    ),
  ),
})

const networkValues = query({
  id: 'online.network-values',
  title: 'Read the live values of a network of a block',
  description:
    'The operands of a network with their values, all of one scan boundary; of LAD and FBD the power flow at every pin (`27 out`; pictures of blocks.picture name it in `data-flow`), of a GRAPH block which steps are active. The flow is computed from the values at the end of a cycle: what only the moment of execution knows (an edge, ENO of an instruction that can fail, temporary data, in-out parameters) is null. Local names of a function block are those of `instance`. The device must be reachable and its program downloaded.',
  live: true,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: objectName(t, 'block'),
      network: t.Integer({ minimum: 1, description: 'Number of the network; of a GRAPH block 1.' }),
      instance: t.Optional(
        t.String({
          minLength: 1,
          maxLength: 1000,
          description:
            'Of a function block: its instance data block or multi-instance, `"Line_DB".pump`. Default: the first of `instances`.',
        }),
      ),
      ipAddress: ipAddress(t),
    }),
  output: (t) =>
    t.Object({
      ...placeFields(t),
      blockName: t.String(),
      network: t.Integer(),
      language: t.String(),
      blockInstance: t.Optional(t.String({ description: 'Whose data the local names are in.' })),
      instances: t.Array(t.String(), {
        description: 'Instances of a function block: its data blocks, then multi-instances, `"Line_DB".pump`.',
      }),
      pins: t.Array(
        t.Object({ name: t.String({ description: 'UId and pin.' }), operand: t.Optional(t.String()), value: value(t) }),
      ),
      steps: t.Array(t.Object({ number: t.Integer(), name: t.String(), isActive: t.Boolean() })),
      operands: t.Array(
        t.Object({
          text: t.String({ description: 'As it is written.' }),
          name: t.Optional(
            t.String({ description: 'In the whole program; absent for data that exists only while the block runs.' }),
          ),
          value: value(t),
        }),
      ),
    }),
  http: [get('/api/devices/{deviceName}/blocks/{blockName}/networks/{network}/values')],
  mcp: { toolset: 'online' },
  aliases: { blockName: ['block'], network: ['networkNumber', 'number'], ipAddress: addressAliases },
  example: { deviceName: 'PLC_1', blockName: 'Conveyor', network: 1 },
  async run({ network, instance, ...input }, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { instancesOf, liveNetworks, multiInstancesOf, runningBlock, valuesOf, withInstance } = await import(
      './logic.ts'
    )
    const wanted = runningBlock(ctx, device, input.blockName, instance)
    const reached = await reach(ctx, device, input.ipAddress)
    requireAccess(ctx.actor, reached.controller, 'online.network-values')
    const multiInstances = multiInstancesOf(reached, wanted.block)
    const place = withInstance(wanted, multiInstances)
    const [live] = await liveNetworks(ctx, place, [network])
    if (live === undefined) throw new Error('a network that was asked for is answered')
    const view = live.view(await valuesOf(reached, live.operands, place.instance))
    return {
      deviceName: device.name,
      instance: reached.instance.name,
      ipAddress: reached.address,
      blockName: place.block.name,
      network,
      ...(place.instance === undefined ? {} : { blockInstance: place.instance }),
      instances: place.block.kind === 'FB' ? [...instancesOf(ctx, place.block), ...multiInstances] : [],
      language: live.language,
      pins: [...view.pins],
      steps: [...view.steps],
      operands: [...view.operands],
    }
  },
})

const followNetworks = stream({
  id: 'online.follow-networks',
  title: 'Follow the live values of the networks of a block',
  description:
    'Server-sent events `networks`: first all networks, then those whose values have changed, at most one message in `intervalMs`; the values of one message are of one scan boundary. Each network is as online.network-values answers it. The stream ends with an `error` when the controller cannot be read any more.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      blockName: objectName(t, 'block'),
      networks: t.Optional(t.Array(t.Integer({ minimum: 1 }), { maxItems: 1000, description: 'Default: all.' })),
      instance: t.Optional(t.String({ minLength: 1, maxLength: 1000, description: 'As in online.network-values.' })),
      intervalMs: t.Optional(t.Integer({ minimum: 20, maximum: 3_600_000, description: 'Default 250.' })),
      ipAddress: ipAddress(t),
    }),
  http: [get('/api/devices/{deviceName}/blocks/{blockName}/networks/stream')],
  mcp: false,
  aliases: { blockName: ['block'], networks: ['numbers'], ipAddress: addressAliases },
  async run({ networks, instance, intervalMs = 250, ...input }, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const {
      followNetworks: follow,
      liveNetworks,
      multiInstancesOf,
      runningBlock,
      withInstance,
    } = await import('./logic.ts')
    const wanted = runningBlock(ctx, device, input.blockName, instance)
    const reached = await reach(ctx, device, input.ipAddress)
    requireAccess(ctx.actor, reached.controller, 'online.follow-networks')
    const place = withInstance(wanted, multiInstancesOf(reached, wanted.block))
    return follow(reached, await liveNetworks(ctx, place, networks), place.instance, intervalMs, ctx.signal)
  },
})

const explain = query({
  id: 'online.explain-value',
  title: 'Explain why a value is what it is now',
  description: [
    'The networks that write a tag or member, what arrives there now, and the operands that decide it: of a coil that is off the open contacts, of one that is on the closed ones, of timers and boxes their inputs, of a box that computes or copies the variables it does it with, of SCL the assigned expression and the conditions around it. Each operand is explained in turn, `depth` levels deep, each once.',
    'Values are read at the ends of cycles, each network at one. Writes through pointers, by S7 clients and of know-how protected blocks are not seen.',
  ].join('\n\n'),
  live: true,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      name: t.String({ minLength: 1, maxLength: 1000, description: '`"Motor"`, `"Pump_DB".run`, %Q0.0.' }),
      depth: t.Optional(t.Integer({ minimum: 1, maximum: 6, description: 'Default 3.' })),
      ipAddress: ipAddress(t),
    }),
  output: (t) =>
    t.Object({
      ...placeFields(t),
      ...explanationFields(t, cause(t)),
    }),
  http: [get('/api/devices/{deviceName}/program/why')],
  mcp: { toolset: 'online' },
  aliases: { name: ['tag', 'tagName', 'variable', 'symbol'], ipAddress: addressAliases },
  example: { deviceName: 'PLC_1', name: '"Motor"' },
  async run({ name, depth = 3, ...input }, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const reached = await reach(ctx, device, input.ipAddress)
    requireAccess(ctx.actor, reached.controller, 'online.explain-value')
    const { requireProgram, resolveTag } = await import('../simulation/index.ts')
    if (!reached.controller.program) {
      const steps = [
        ...supportStep(ctx),
        { what: `"${reached.instance.name}" has no program`, request: startsFor(device, reached.instance.name) },
      ]
      const { detail, suggestion } = tellSteps(steps)
      throw problem(
        'conflict',
        `Controller "${reached.instance.name}" has no program, so it has no values. ${detail}`,
        {
          suggestion,
        },
      )
    }
    resolveTag(requireProgram(reached.controller), name)
    const { Explainer } = await import('./explain.ts')
    const { writers, ...about } = await new Explainer(ctx, device, reached).explain(name, depth)
    return {
      deviceName: device.name,
      instance: reached.instance.name,
      ipAddress: reached.address,
      ...about,
      writers: writers.map((writer) => ({ ...writer, because: [...writer.because] })),
    }
  },
})

export const logicOperations: readonly Operation[] = [networkValues, followNetworks, explain]
