/** A network with one Modbus TCP server of holding registers, for blocks that run without a controller. */
import type { ConnectionPhase, Network } from '../runtime/network.ts'

export interface ModbusNetwork extends Network {
  /** Registers of the server, from 40001 on. */
  readonly registers: number[]
  /** What the server does: answers, keeps silent, or is not there. */
  behaviour: 'answers' | 'silent' | 'gone' | 'connecting'
  /** Descriptions of the connections that were opened. */
  readonly opened: string[]
}

/** Makes the network. It serves function codes 3, 6 and 16; others get exception 1, addresses outside exception 2. */
export function modbusNetwork(size: number): ModbusNetwork {
  const registers = Array.from({ length: size }, () => 0)
  const opened: string[] = []
  let phase: ConnectionPhase | undefined
  let arrived: number[] = []
  const answer = (pdu: readonly number[]): number[] => {
    const [code = 0, ...bytes] = pdu
    const word = (at: number) => (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
    const [address, count] = [word(0), code === 6 ? 1 : word(2)]
    if (![3, 6, 16].includes(code)) return [code | 0x80, 1]
    if (address + count > size) return [code | 0x80, 2]
    if (code === 3)
      return [3, 2 * count, ...registers.slice(address, address + count).flatMap((one) => [one >> 8, one & 255])]
    for (let i = 0; i < count; i++) registers[address + i] = word(code === 6 ? 2 : 5 + 2 * i)
    return [code, ...bytes.slice(0, 4)]
  }
  const network: ModbusNetwork = {
    registers,
    opened,
    behaviour: 'answers',
    open(id, { remoteAddress, remotePort }) {
      opened.push(`${id} ${remoteAddress}:${remotePort}`)
      phase = 'connecting'
    },
    close() {
      phase = undefined
      arrived = []
    },
    phase() {
      if (phase === 'connecting' && network.behaviour === 'gone') phase = 'refused'
      else if (phase === 'connecting' && network.behaviour !== 'connecting') phase = 'open'
      return phase
    },
    parametersOf: () => undefined,
    send(_id, data) {
      if (network.behaviour !== 'answers') return true
      const pdu = answer([...data.subarray(7)])
      arrived = [...data.subarray(0, 4), 0, pdu.length + 1, data[6] ?? 0, ...pdu]
      return true
    },
    unsent: () => 0,
    available: () => arrived.length,
    peek: (_id, count) => (arrived.length < count ? undefined : Uint8Array.from(arrived.slice(0, count))),
    take(_id, count) {
      if (arrived.length === 0) return undefined
      const data = Uint8Array.from(arrived.slice(0, count))
      arrived = arrived.slice(count)
      return { data, address: '192.168.0.10', port: 502 }
    },
    request: () => undefined,
    answer: () => undefined,
    post: () => false,
    collect: () => undefined,
    configured: () => undefined,
  }
  return network
}
