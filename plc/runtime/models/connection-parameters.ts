/** The description of a connection at CONNECT: TCON_IP_v4, TCON_IP_RFC, TCON_Param, TCON_QDN, TCON_Configured. */
import type { ConnectionParameters, Network } from '../network.ts'
import type { InstanceView } from './instance-view.ts'

/** Values of ConnectionType (TIA Portal help, "Structure of the connection description"). */
const types: Readonly<Record<number, ConnectionParameters['kind']>> = {
  ...{ 11: 'tcp', 12: 'iso', 17: 'tcp', 18: 'iso', 19: 'udp' },
}
const configuredType = 0xfe

/** A description with the ID in it; STATUS when it is wrong. */
export type ReadConnection =
  | { readonly id: number; readonly parameters: ConnectionParameters }
  | { readonly status: number }

/** STATUS for wrong descriptions: CONNECT is no description; its values contradict each other; the ID is wrong. */
const noDescription = 0x809b
const wrongValues = 0x80b7
const wrongId = 0x8086

const address = (parts: readonly number[]) => (parts.every((part) => part === 0) ? '' : parts.join('.'))

/** Reads the description that the in-out of a block refers to. */
export function readConnection(connect: InstanceView | undefined, network: Network | undefined): ReadConnection {
  if (!connect) return { status: noDescription }
  if (connect.has('ConnPara.ConnectionType') || connect.has('ConnPara.ID')) return { status: noDescription }
  if (connect.has('BLOCK_LENGTH')) return readClassic(connect)
  if (!connect.has('ConnectionType') || !connect.has('ID')) return { status: noDescription }
  const id = connect.number('ID')
  if (id < 1 || id > 4095) return { status: wrongId }
  const type = connect.number('ConnectionType')
  if (type === configuredType) {
    const parameters = network?.configured(id)
    return parameters ? { id, parameters } : { status: 0x8085 }
  }
  const kind = types[type]
  const hasAddress = connect.has('RemoteAddress')
  if (kind === undefined || !hasAddress) return { status: kind === undefined ? wrongValues : noDescription }
  const parameters: ConnectionParameters = {
    kind,
    isActive: connect.is('ActiveEstablished') && kind !== 'udp',
    remoteAddress: address(connect.elements('RemoteAddress.ADDR').map((part) => part.value)),
    remotePort: kind === 'iso' ? 102 : connect.number('RemotePort'),
    localPort: kind === 'iso' ? 102 : connect.number('LocalPort'),
    ...(kind === 'iso'
      ? { remoteSelector: selector(connect, 'RemoteTSelector'), localSelector: selector(connect, 'LocalTSelector') }
      : {}),
  }
  return isRight(parameters) ? { id, parameters } : { status: wrongValues }
}

function isRight({
  kind,
  isActive,
  remoteAddress,
  remotePort,
  localPort,
  localSelector,
}: ConnectionParameters): boolean {
  if (isActive) return remoteAddress !== '' && remotePort > 0
  return kind === 'iso' ? localSelector !== '' : localPort > 0
}

function selector(connect: InstanceView, name: string): string {
  const length = Math.min(connect.number(`${name}.TSelLength`), 32)
  return hex(connect.elements(`${name}.TSel`).slice(0, length))
}

function hex(parts: readonly InstanceView[]): string {
  return parts.map((part) => part.value.toString(16).padStart(2, '0')).join('')
}

/** TCON_Param, 64 bytes: ports of TCP and UDP are in the first two bytes of the TSAP IDs. */
function readClassic(connect: InstanceView): ReadConnection {
  const id = connect.number('ID')
  if (id < 1 || id > 4095) return { status: wrongId }
  const kind = types[connect.number('CONNECTION_TYPE')]
  if (kind === undefined) return { status: wrongValues }
  const part = (name: string, length: string) => connect.elements(name).slice(0, Math.min(connect.number(length), 16))
  const port = (parts: readonly InstanceView[]) => (parts[0]?.value ?? 0) * 256 + (parts[1]?.value ?? 0)
  const local = part('LOCAL_TSAP_ID', 'LOCAL_TSAP_ID_LEN')
  const remote = part('REM_TSAP_ID', 'REM_TSAP_ID_LEN')
  const parameters: ConnectionParameters = {
    kind,
    isActive: connect.is('ACTIVE_EST') && kind !== 'udp',
    remoteAddress: address(part('REM_STADDR', 'REM_STADDR_LEN').map((one) => one.value)),
    remotePort: kind === 'iso' ? 102 : port(remote),
    localPort: kind === 'iso' ? 102 : port(local),
    ...(kind === 'iso' ? { remoteSelector: hex(remote), localSelector: hex(local) } : {}),
  }
  return isRight(parameters) ? { id, parameters } : { status: wrongValues }
}
