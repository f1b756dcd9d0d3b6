/** Several controllers in tests: instances in stepped time with addresses, each with a program. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { openTestGateway } from './harness.ts'
import { type Answer, loadProgram } from './simulation.ts'
import { becomes, until } from './until.ts'

/** An instance of a test. */
export interface TestInstance {
  readonly source: string
  readonly ipAddress: string
  readonly config?: Answer
}

/** Opens a gateway with instances that are in RUN, in stepped time of 1 ms. */
export async function openNetwork(t: TestContext, all: Readonly<Record<string, TestInstance>>) {
  const opened = await openTestGateway(t)
  const { call } = opened
  const names = Object.keys(all)
  for (const [name, { source, ipAddress, config = {} }] of Object.entries(all)) {
    const settings = { time: { mode: 'stepped', cycleTimeMs: 1 }, startup: 'Stop', ...config }
    await call('simulation.create-instance', { name, cpuType: 'CPU1515', ipAddress, config: settings })
    await call('simulation.power-on', { name })
    await loadProgram(opened, name, source, {})
    await call('simulation.run', { name })
  }
  const step = (steps: number) => call<Answer>('simulation.advance-together', { instances: names, steps })
  const until = (instance: string, tag: string, value: unknown, steps = 500) =>
    call<Answer>('simulation.advance-together', { instances: names, steps, until: { instance, tag, value } })
  const read = async (name: string, ...tags: string[]): Promise<unknown[]> => {
    const { tags: values } = await call<Answer>('simulation.read-tags', { name, tags })
    return values.map(({ value }: Answer) => value)
  }
  const write = (name: string, tagName: string, value: unknown) =>
    call('simulation.write-tag', { name, tagName, value })
  /** Advances one instance, with time for the computer in between, until a tag has a value. */
  const wait = async (name: string, tag: string, value: unknown) => {
    await becomes(async () => {
      await call('simulation.advance', { name, cycles: 2 })
      return (await read(name, tag))[0]
    }, value)
  }
  return { opened, call, step, until, read, write, wait }
}

/** Connects to a port of this computer as soon as it is open; closed after the test. */
export async function connected(t: TestContext, port: number): Promise<Socket> {
  const socket = await until(async () => {
    const made = connect(port, '127.0.0.1')
    return once(made, 'connect').then(
      () => made,
      () => undefined,
    )
  }, `port ${port} is open`)
  t.after(() => socket.destroy())
  return socket
}

/**
 * A TCP port of 127.0.0.1 that nothing uses at the moment, below those that systems give to clients: no connection that
 * is made meanwhile takes it.
 */
export const freePort = (): Promise<number> =>
  until(async () => {
    const port = randomInt(20_000, 32_000)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) return undefined
    probe.close()
    await once(probe, 'close')
    return port
  }, 'a port is free')
