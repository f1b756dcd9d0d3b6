/** Several controllers in tests: instances in stepped time with addresses, each with a program. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTestGateway } from './harness.ts'
import { type Answer, loadProgram } from './simulation.ts'

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
    for (let i = 0; i < 12_000; i++) {
      await call('simulation.advance', { name, cycles: 2 })
      if ((await read(name, tag))[0] === value) return
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    throw new Error(`${tag} has not become ${String(value)}: ${String(await read(name, tag))}`)
  }
  return { opened, call, step, until, read, write, wait }
}

/** Connects to a port of this computer as soon as it is open; closed after the test. */
export async function connected(t: TestContext, port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    if (isOpen) {
      t.after(() => socket.destroy())
      return socket
    }
    await sleep(10)
  }
}

/** A TCP port of 127.0.0.1 that nothing uses at the moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
