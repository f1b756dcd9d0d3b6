/** Raises events of modules and of the program in a running controller: hardware interrupts, diagnostic errors … */
import { command, defined, type Operation, post, problem } from '../../../core/index.ts'
import { findDevice } from '../../devices/index.ts'
import { instanceAliases, instanceName } from '../declarations.ts'
import { blocksOf, type EventName, eventKinds, eventNames, informationOf, type StartValue } from '../events/events.ts'
import { eventRaised } from '../instances/instance.ts'
import { requireOn, wrongState } from '../running/runtime.ts'
import { requireProgram } from '../tags/index.ts'
import { loadedHardware, namedModules } from './module-operations.ts'

const invalid = (path: string, message: string, value?: unknown) =>
  problem('invalid_input', `${path}: ${message}`, {
    errors: [{ path, message, ...defined({ value }) }],
  })

/** Reads `16#39`, `57`, 57 or a Boolean. */
function startValue(path: string, value: unknown): StartValue {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  const [, hex] = typeof value === 'string' ? (/^(?:[A-Z]+#)?16#([0-9A-F_]+)$/i.exec(value.trim()) ?? []) : []
  if (hex !== undefined) return Number.parseInt(hex.replaceAll('_', ''), 16)
  if (typeof value === 'string' && /^\d{1,10}$/.test(value.trim())) return Number(value)
  throw invalid(path, 'must be a number, a Boolean or a text such as 16#39', value)
}

/** The hardware identifier of a module or IO device of the loaded hardware. */
function identifierOf(hardware: ReturnType<typeof loadedHardware>, name: string): number | undefined {
  const { failed, meant } = namedModules(hardware, name, '/module')
  return (failed ?? meant[0])?.hardwareIdentifier
}

const raise = command({
  id: 'simulation.raise-event',
  title: 'Raise an event in a virtual controller: hardware interrupt, diagnostic error, module pulled …',
  description:
    'Calls the organization block of the event with its start information: OB 40 (hardwareInterrupt), 82 (diagnosticError), 83 (pullOrPlug), 86 (rackOrStationFailure), 122 (ioAccessError), 80 (timeError), 121 (programmingError). It runs by its priority; in stepped time when time is advanced next. `information` sets single fields by the names of the block’s interface. Refused (409) when the program has no such block, or when too many events of it wait.',
  live: true,
  lasting: 'It acted on a controller, which goes on.',
  access: 'operator',
  input: (t) =>
    t.Object({
      name: instanceName(t),
      event: t.Enum(eventNames),
      ob: t.Optional(
        t.Integer({ minimum: 1, maximum: 65_535, description: 'Number of the OB, when the program has several.' }),
      ),
      laddr: t.Optional(
        t.Union([t.Integer({ minimum: 0, maximum: 65_535 }), t.String({ minLength: 1 })], {
          description:
            'Hardware identifier of the module or station, as its system constant has it; for 40 to 86 it or `module` is needed.',
        }),
      ),
      module: t.Optional(
        t.String({
          minLength: 1,
          description:
            'Name of the module or IO device it comes from, in the hardware that was loaded (simulation.modules); with `laddr` also of a device of the open project.',
        }),
      ),
      direction: t.Optional(
        t.Enum(['incoming', 'outgoing'], {
          description:
            'Default incoming: an error comes, a module is pulled, a station fails. outgoing: the end of it.',
        }),
      ),
      channel: t.Optional(t.Integer({ minimum: 0, maximum: 65_535 })),
      faultId: t.Optional(t.Union([t.Integer({ minimum: 0, maximum: 255 }), t.String({ minLength: 1 })])),
      access: t.Optional(t.Enum(['read', 'write'], { description: 'Of an I/O access error.' })),
      address: t.Optional(t.Integer({ minimum: 0, maximum: 65_535, description: 'Byte of an I/O access error.' })),
      information: t.Optional(
        t.Record(t.String(), t.Any(), {
          description: 'Fields of the start information by name: { "Event_Class": "16#39", "Fault_ID": 84 }.',
        }),
      ),
    }),
  output: (t) =>
    t.Object({
      name: t.String(),
      event: t.String(),
      ob: t.Integer(),
      block: t.String(),
      information: t.Record(t.String(), t.Union([t.Number(), t.Boolean()]), {
        description: 'What the block declares of it.',
      }),
    }),
  http: [post('/api/simulation/instances/{name}/events')],
  mcp: { toolset: 'simulation' },
  aliases: {
    name: instanceAliases,
    event: ['eventType', 'kind', 'type'],
    ob: ['obNumber', 'organizationBlock'],
    laddr: ['hardwareIdentifier', 'hardwareId', 'hwId'],
    module: ['moduleName', 'device', 'deviceName'],
    information: ['startInformation', 'parameters'],
  },
  example: { name: 'PLC_1', event: 'diagnosticError', laddr: 260, direction: 'incoming', channel: 3 },
  async run(input, ctx) {
    const { instance, controller } = await requireOn(ctx, input.name)
    const { name } = instance
    const event: EventName = input.event
    const { symbols } = requireProgram(controller)
    if (controller.state !== 'Run')
      throw wrongState(controller.state, `Raising an event in instance "${name}"`, 'it must be in Run')
    const named = input.module === undefined ? undefined : identifierOf(loadedHardware({ controller }), input.module)
    if (input.module !== undefined && named === undefined && !findDevice(ctx, input.module)) {
      const message = 'is neither in the loaded hardware nor in the open project'
      throw problem('not_found', `/module: "${input.module}" ${message}.`, {
        errors: [{ path: '/module', message, value: input.module }],
      })
    }
    const laddr = input.laddr ?? named
    if (eventKinds[event].hasModule && laddr === undefined) {
      const what = input.module === undefined ? '' : `; the loaded hardware has none of "${input.module}"`
      throw invalid('/laddr', `is missing: which module or station the event comes from (hardware identifier)${what}`)
    }
    const candidates = blocksOf(event, symbols)
    const block = input.ob === undefined ? candidates[0] : candidates.find(({ number }) => number === input.ob)
    if (!block) {
      const numbers = candidates.map(({ number }) => `OB ${number}`).join(', ')
      const has = numbers === '' ? `no organization block for it (${eventKinds[event].eventClass})` : `only ${numbers}`
      throw problem('conflict', `The program in "${name}" has ${has}: ${event} would have no effect.`)
    }
    if (input.ob === undefined && candidates.length > 1) {
      const numbers = candidates.map(({ number }) => number).join(', ')
      throw invalid('/ob', `is missing: the program has several organization blocks for it (${numbers})`)
    }
    const fields = new Map(
      block.startInformation.map(({ name: field }) => [field.toUpperCase().replace(/^OB\d+_/, ''), field]),
    )
    const own: Record<string, StartValue> = {}
    for (const [field, value] of Object.entries(input.information ?? {})) {
      const key = field.toUpperCase().replace(/^OB\d+_/, '')
      if (!fields.has(key)) {
        const known = [...fields.values()].join(', ')
        throw invalid(
          `/information/${field}`,
          known === ''
            ? `OB ${block.number} declares no start information`
            : `OB ${block.number} declares only ${known}`,
        )
      }
      own[key] = startValue(`/information/${field}`, value)
    }
    const { faultId, channel, address, direction, access } = input
    const whole = informationOf(
      event,
      {
        ...(laddr === undefined ? {} : { laddr: Number(startValue('/laddr', laddr)) }),
        ...(faultId === undefined ? {} : { faultId: Number(startValue('/faultId', faultId)) }),
        channel,
        address,
        isOutgoing: direction === 'outgoing',
        isWrite: access === 'write',
      },
      own,
      symbols,
    )
    const information = Object.fromEntries(
      [...fields].flatMap(([key, field]) => {
        const value = whole[key]
        return value === undefined ? [] : [[field, value]]
      }),
    )
    if (!ctx.dryRun) {
      const became = await controller.raise(block.number, whole)
      if (became !== 'queued')
        throw problem(
          'conflict',
          `OB ${block.number} of "${name}" takes no more events: so many wait already. Let it run first.`,
        )
    }
    const told = { name, event, ob: block.number, block: block.name, information }
    ctx.emit(eventRaised, told, `instance/${name}`)
    return told
  },
})

export const eventOperations: readonly Operation[] = [raise]
