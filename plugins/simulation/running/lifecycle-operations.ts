/**
 * Operations on the state of instances: power on and off, run, stop, memory reset, freeze; sessions; the connection for
 * tag access.
 */
import { type CommandContext, command, get, isGatewayError, type Operation, post, query } from '../../../core/index.ts'
import { signalAfter } from '../../../lib/signal-after.ts'
import { requirePlc } from '../../devices/index.ts'
import type { Controller, OperatingState, Transition } from '../controller/contract.ts'
import { allowedIn } from '../controller/states.ts'
import { instanceAliases, instanceName, stateFields } from '../declarations.ts'
import { connected, disconnected, type Instance, requireInstance, stateChanged } from '../instances/instance.ts'
import { problem } from '../problems.ts'
import { chosenInstance } from './chosen-instance.ts'
import { programLoader } from './program-loader.ts'
import { runtimeOf, wrongState } from './runtime.ts'
import { connectedName, stateView } from './views.ts'

type Builder = Parameters<Operation['input']>[0]

/** PLCSIM Advanced recommends 60 s for every transition (docs/plc-semantics.md#states-of-an-instance). */
const defaultTimeout = 60_000

const timeoutMs = (t: Builder) =>
  t.Optional(t.Integer({ minimum: 100, maximum: 600_000, description: 'Wait at most this long; default 60000.' }))

/** The state to which a transition normally leads: the answer of a dry run. */
async function expected(transition: Transition, controller: Controller): Promise<OperatingState> {
  switch (transition) {
    case 'powerOff':
      return 'Off'
    case 'run':
    case 'continue':
    case 'unfreeze':
      return 'Run'
    case 'hold':
      return 'Hold'
    case 'freeze':
      return 'Freeze'
    case 'powerOn':
      return (await controller.willRun()) ? 'Run' : 'Stop'
    case 'stop':
    case 'memoryReset':
      return 'Stop'
  }
}

/**
 * Changes the state of an instance and emits the event.
 * @throws GatewayError `invalid_operating_state`, `instance_limit`, `conflict` (a port in use, or a timeout)
 */
export async function changeState(
  ctx: CommandContext,
  instance: Instance,
  transition: Transition,
  timeout = defaultTimeout,
): Promise<{ before: OperatingState; after: OperatingState }> {
  const runtime = runtimeOf(ctx.gateway)
  const controller = await runtime.controllerOf(instance)
  const before = controller.state
  if (!controller.allowed.includes(transition)) throw wrongState(before, `Instance "${instance.name}": ${transition}`)
  if (transition === 'powerOn') runtime.requireRoom(ctx)
  let after: OperatingState
  if (ctx.dryRun) after = await expected(transition, controller)
  else {
    const late = signalAfter(timeout)
    const signal = AbortSignal.any([ctx.signal, late])
    try {
      after = await runtime.asked(controller, () =>
        transition === 'powerOn' ? runtime.powerOn(ctx, instance, signal) : controller.change(transition, signal),
      )
    } catch (error) {
      if (!late.aborted || isGatewayError(error)) throw error
      const detail = `Instance "${instance.name}": ${transition} has not ended within ${timeout} ms; its state is ${controller.state}.`
      throw problem('conflict', detail, { cause: error })
    }
  }
  const { name } = instance
  ctx.emit(stateChanged, { name, transition, before, after }, `instance/${name}`)
  return { before, after }
}

/** The transitions of one operation, one after the other. */
class Way {
  readonly #ctx: CommandContext
  readonly #instance: Instance
  readonly #controller: Controller
  readonly #timeout: number
  #expected: OperatingState
  /** What was done so far. */
  readonly steps: string[] = []

  constructor(ctx: CommandContext, instance: Instance, controller: Controller, timeout: number) {
    this.#ctx = ctx
    this.#instance = instance
    this.#controller = controller
    this.#timeout = timeout
    this.#expected = controller.state
  }

  /** The present state; in a dry run the one that would be. */
  get state(): OperatingState {
    return this.#ctx.dryRun ? this.#expected : this.#controller.state
  }

  /** A dry run can ask the controller for the first transition only: the others begin where it is not yet. */
  async go(transition: Transition): Promise<void> {
    const isAsked = !this.#ctx.dryRun || this.steps.length === 0
    this.#expected = isAsked
      ? (await changeState(this.#ctx, this.#instance, transition, this.#timeout)).after
      : await expected(transition, this.#controller)
    this.steps.push(transition)
  }
}

const changedFields = (t: Builder) => ({
  ...stateFields(t),
  before: t.String({ description: 'State before.' }),
})

function transitionOperation(o: {
  id: string
  title: string
  description: string
  transition: Transition
  path: string
  destructive?: boolean
}): Operation {
  return command({
    id: `simulation.${o.id}`,
    title: o.title,
    description: o.description,
    live: true,
    access: 'operator',
    input: (t) => t.Object({ name: instanceName(t), timeoutMs: timeoutMs(t) }),
    output: (t) => t.Object(changedFields(t)),
    http: [post(`/api/simulation/instances/{name}/${o.path}`)],
    mcp: {
      toolset: 'simulation',
      ...(o.destructive ? { destructive: true } : {}),
    },
    aliases: { name: instanceAliases, timeoutMs: ['timeout'] },
    async run({ name, timeoutMs: timeout }, ctx) {
      const instance = requireInstance(ctx, name)
      const { before, after } = await changeState(ctx, instance, o.transition, timeout)
      return { ...stateView(ctx, instance, ctx.dryRun ? after : undefined), before }
    },
  })
}

const transitions: readonly Operation[] = [
  transitionOperation({
    id: 'power-on',
    title: 'Power on a virtual controller',
    description:
      'Off → Booting → Stop or Run, as its `startup` says and when a program is on its memory card. Up to 16 instances can be on at the same time (409 `instance_limit`).',
    transition: 'powerOn',
    path: 'power-on',
  }),
  transitionOperation({
    id: 'power-off',
    title: 'Power off a virtual controller',
    description: 'Retentive data are saved; everything else takes start values at the next power-on.',
    transition: 'powerOff',
    path: 'power-off',
    destructive: true,
  }),
  transitionOperation({
    id: 'run',
    title: 'Switch a virtual controller to RUN',
    description: 'Stop → Startup → Run (warm restart): startup OBs run once, non-retentive data take start values.',
    transition: 'run',
    path: 'run',
  }),
  transitionOperation({
    id: 'stop-instance',
    title: 'Switch a virtual controller to STOP',
    description: 'The program is no longer run, outputs are off; tags can still be read.',
    transition: 'stop',
    path: 'stop',
    destructive: true,
  }),
  transitionOperation({
    id: 'memory-reset',
    title: 'Reset the memory of a virtual controller',
    description:
      'In STOP only. Retentive and non-retentive data are deleted, data blocks get the start values of load memory; program, addresses and diagnostics buffer stay.',
    transition: 'memoryReset',
    path: 'memory-reset',
    destructive: true,
  }),
  transitionOperation({
    id: 'hold',
    title: 'Bring a virtual controller to HOLD',
    description:
      'The program stands at its cycle control point: no OB runs, no timer goes on, outputs are as in STOP (`outputsInStop`), only the clock of the day goes on. Tags can be read and written.',
    transition: 'hold',
    path: 'hold',
    destructive: true,
  }),
  transitionOperation({
    id: 'continue',
    title: 'Let a virtual controller in HOLD go on',
    description: 'HOLD → Run: the program goes on where it stood, outputs have their values again.',
    transition: 'continue',
    path: 'continue',
  }),
  transitionOperation({
    id: 'freeze',
    title: 'Freeze a virtual controller',
    description: 'Virtual time stops: no OB runs, no timer goes on. Tags can be read and written.',
    transition: 'freeze',
    path: 'freeze',
    destructive: true,
  }),
  transitionOperation({
    id: 'unfreeze',
    title: 'Let a frozen virtual controller go on',
    description: 'It goes on where it was frozen, as if no time had passed.',
    transition: 'unfreeze',
    path: 'unfreeze',
  }),
]

const state = query({
  id: 'simulation.get-instance-state',
  title: 'Read the operating state of a virtual controller',
  live: true,
  input: (t) => t.Object({ name: instanceName(t) }),
  output: (t) =>
    t.Object({
      ...stateFields(t),
      programHash: t.Union([t.String(), t.Null()], { description: 'null: no program, or powered off.' }),
      systemTime: t.Optional(t.DateTime({ description: 'Virtual, UTC; while it is on.' })),
    }),
  http: [get('/api/simulation/instances/{name}/state')],
  mcp: { toolset: 'simulation' },
  aliases: { name: instanceAliases },
  async run({ name }, ctx) {
    const instance = requireInstance(ctx, name)
    const view = stateView(ctx, instance)
    if (view.state === 'Off') return { ...view, programHash: null }
    const controller = await runtimeOf(ctx.gateway).controllerOf(instance)
    const systemTime = new Date(controller.time).toISOString()
    return { ...view, programHash: controller.program?.hash ?? null, systemTime }
  },
})

const connect = command({
  id: 'simulation.connect',
  title: 'Connect to a virtual controller for tag access',
  description:
    'The routes below /api/simulation/tags work on the connected instance, for all clients of this gateway; another connection replaces it. The instance must be powered on; powering it off ends the connection. Without a name: the only instance, or the only one that is on.',
  live: true,
  lasting: 'Virtual controllers are no part of the project.',
  input: (t) => t.Object({ name: t.Optional(instanceName(t)) }),
  output: (t) => t.Object({ ...stateFields(t), connectedInstance: t.String() }),
  http: [post('/api/simulation/connect')],
  mcp: { toolset: 'simulation' },
  aliases: { name: instanceAliases },
  example: { name: 'PLC_1' },
  async run({ name: wanted }, ctx) {
    const instance = await chosenInstance(ctx, wanted)
    const { name } = instance
    const runtime = runtimeOf(ctx.gateway)
    const now = runtime.stateOf(instance)
    if (now === 'Off') throw wrongState(now, `Connecting to instance "${name}"`, 'it must be powered on')
    if (!ctx.dryRun) runtime.connect(name)
    ctx.emit(connected, { name }, `instance/${name}`)
    return { ...stateView(ctx, instance), isConnected: true, connectedInstance: name }
  },
})

const disconnect = command({
  id: 'simulation.disconnect',
  title: 'End the connection for tag access',
  description: 'Nothing happens to the instance. Without a connection nothing changes.',
  live: true,
  lasting: 'Virtual controllers are no part of the project.',
  input: (t) => t.Object({}),
  output: (t) =>
    t.Object({ disconnected: t.Boolean(), instance: t.Union([t.String(), t.Null()], { description: 'It was this.' }) }),
  http: [post('/api/simulation/disconnect')],
  mcp: { toolset: 'simulation', destructive: true },
  run(_, ctx) {
    const name = connectedName(ctx)
    if (name === null) return { disconnected: false, instance: null }
    if (!ctx.dryRun) runtimeOf(ctx.gateway).disconnect()
    ctx.emit(disconnected, { name }, `instance/${name}`)
    return { disconnected: true, instance: name }
  },
})

/**
 * Loads the program of a device.
 * @throws GatewayError `not_available` when no plugin can download
 */
async function loadProgram(ctx: CommandContext, deviceName: string, instance: Instance, controller: Controller) {
  const loader = ctx.extensions(programLoader).at(-1)
  if (!loader) throw problem('not_available', 'No plugin of this gateway can download the program of a device.')
  await loader.load(ctx, deviceName, instance, controller)
}

const start = command({
  id: 'simulation.start',
  title: 'Start a simulation session',
  description:
    'Powers the instance on when it is Off, loads the compiled program of `deviceName` when that is given, switches to RUN and connects for tag access. Without a name: the instance of the device (by address), else the only one, or the only one that is on. `POST /api/simulation/stop` ends the session. When a step fails, an instance that this powered on is powered off again.',
  live: true,
  lasting: 'It acted on a controller, which goes on.',
  access: 'operator',
  input: (t) =>
    t.Object({
      name: t.Optional(instanceName(t)),
      deviceName: t.Optional(
        t.String({ minLength: 1, description: 'Device of the open project whose program is loaded.' }),
      ),
      timeoutMs: timeoutMs(t),
    }),
  output: (t) =>
    t.Object({
      ...stateFields(t),
      running: t.Boolean(),
      connectedInstance: t.String(),
      steps: t.Array(t.String(), { description: 'What was done, in order: powerOn, load, run, connect.' }),
    }),
  http: [post('/api/simulation/start')],
  asks: ['start a PLC', 'run the program of a PLC', 'simulate a program'],
  mcp: { toolset: 'simulation', essential: true },
  aliases: { name: instanceAliases, deviceName: ['device'], timeoutMs: ['timeout'] },
  example: { name: 'PLC_1', deviceName: 'PLC_1' },
  async run({ name: wanted, deviceName, timeoutMs: timeout = defaultTimeout }, ctx) {
    // A missing device is reported before anything is powered on.
    const device = deviceName === undefined ? undefined : requirePlc(ctx, deviceName)
    const instance = await chosenInstance(ctx, wanted, device)
    const { name } = instance
    const runtime = runtimeOf(ctx.gateway)
    const controller = await runtime.controllerOf(instance)
    const way = new Way(ctx, instance, controller, timeout)
    const { steps } = way
    const isOff = controller.state === 'Off'
    try {
      if (isOff) {
        await way.go('powerOn')
        ctx.progress(30, 'powered on')
      }
      if (deviceName !== undefined) {
        if (way.state === 'Run') await way.go('stop')
        if (!ctx.dryRun) await loadProgram(ctx, deviceName, instance, controller)
        steps.push('load')
        ctx.progress(80, 'program loaded')
      }
      if (way.state === 'Stop') await way.go('run')
      else if (way.state === 'Freeze') await way.go('unfreeze')
      else if (way.state === 'Hold') await way.go('continue')
      if (!ctx.dryRun) {
        runtime.connect(name)
        const ownsPower = isOff || (runtime.session?.instance === name && runtime.session.poweredOn)
        runtime.session = { instance: name, poweredOn: ownsPower, startedAt: ctx.now }
      }
      ctx.emit(connected, { name }, `instance/${name}`)
      steps.push('connect')
    } catch (error) {
      if (isOff && !ctx.dryRun && controller.allowed.includes('powerOff'))
        await runtime.asked(controller, () => controller.change('powerOff'))
      throw error
    }
    const view = stateView(ctx, instance, way.state)
    return { ...view, isConnected: true, running: view.state === 'Run', connectedInstance: name, steps }
  },
})

const stop = command({
  id: 'simulation.stop',
  title: 'Stop the simulation session',
  description:
    'Switches the instance of the session (without one: the connected instance) to STOP and disconnects. An instance that the session powered on is powered off.',
  live: true,
  lasting: 'It acted on a controller, which goes on.',
  access: 'operator',
  input: (t) => t.Object({ name: t.Optional(instanceName(t)), timeoutMs: timeoutMs(t) }),
  output: (t) => t.Object({ ...stateFields(t), running: t.Boolean(), steps: t.Array(t.String()) }),
  http: [post('/api/simulation/stop')],
  mcp: { toolset: 'simulation', destructive: true },
  aliases: { name: instanceAliases, timeoutMs: ['timeout'] },
  async run({ name: given, timeoutMs: timeout = defaultTimeout }, ctx) {
    const runtime = runtimeOf(ctx.gateway)
    const { session } = runtime
    const wanted = given ?? session?.instance ?? connectedName(ctx) ?? undefined
    if (wanted === undefined) {
      throw problem(
        'simulation_not_connected',
        'There is no simulation session, and the gateway is not connected to an instance.',
        { suggestion: 'POST /api/simulation/start' },
      )
    }
    const instance = requireInstance(ctx, wanted)
    const { name } = instance
    const controller = await runtime.controllerOf(instance)
    const isOwn = session?.instance.toLowerCase() === name.toLowerCase()
    const way = new Way(ctx, instance, controller, timeout)
    const { steps } = way
    const wasConnected = connectedName(ctx) === name
    for (const transition of ['stop', ...(isOwn && session?.poweredOn ? (['powerOff'] as const) : [])] as const)
      if (allowedIn(way.state).includes(transition)) await way.go(transition)
    if (wasConnected) {
      if (!ctx.dryRun) runtime.disconnect()
      ctx.emit(disconnected, { name }, `instance/${name}`)
      steps.push('disconnect')
    }
    if (isOwn && !ctx.dryRun) runtime.session = undefined
    return { ...stateView(ctx, instance, way.state), isConnected: false, running: false, steps }
  },
})

const sessionState = query({
  id: 'simulation.get-state',
  title: 'Read the state of the simulation',
  description: 'Which instance is connected, whether it runs, and the session that was started.',
  live: true,
  input: (t) => t.Object({}),
  output: (t) =>
    t.Object({
      connected: t.Boolean(),
      connectedInstance: t.Union([t.String(), t.Null()]),
      state: t.Union([t.String(), t.Null()], { description: 'Operating state of the connected instance.' }),
      running: t.Boolean(),
      session: t.Union([t.Object({ instance: t.String(), poweredOn: t.Boolean(), startedAt: t.DateTime() }), t.Null()]),
    }),
  http: [get('/api/simulation/state')],
  mcp: { toolset: 'simulation' },
  run(_, ctx) {
    const runtime = runtimeOf(ctx.gateway)
    const name = connectedName(ctx)
    const now = name === null ? null : runtime.stateOf({ name })
    const { session } = runtime
    return {
      connected: name !== null,
      connectedInstance: name,
      state: now,
      running: now === 'Run',
      session: session ? { ...session, startedAt: new Date(session.startedAt).toISOString() } : null,
    }
  },
})

export const lifecycleOperations: readonly Operation[] = [
  ...transitions,
  state,
  connect,
  disconnect,
  start,
  stop,
  sessionState,
]
