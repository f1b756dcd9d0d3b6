import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGatewayError } from '../../../core/index.ts'
import { type NetworkInput, readNetwork } from './network.ts'

function fault(input: NetworkInput[], taken: Parameters<typeof readNetwork>[1] = []): string {
  try {
    readNetwork(input, taken)
  } catch (error) {
    if (isGatewayError(error)) return `${error.code} ${error.message}`
    throw error
  }
  return 'none'
}

test('interfaces get a name and a mask, and 0.0.0.0 is no gateway', () => {
  assert.deepEqual(
    readNetwork(
      [
        { ipAddress: ' 192.168.0.1 ', gateway: '0.0.0.0' },
        { ipAddress: '10.0.0.1', subnetMask: '255.0.0.0' },
      ],
      [],
    ),
    [
      { interface: 'X1', ipAddress: '192.168.0.1', subnetMask: '255.255.255.0' },
      { interface: 'X2', ipAddress: '10.0.0.1', subnetMask: '255.0.0.0' },
    ],
  )
})

const cases: [string, NetworkInput[], RegExp][] = [
  [
    'an address with a part above 255',
    [{ ipAddress: '192.168.0.256' }],
    /^invalid_input \/network\/0\/ipAddress: "192.168.0.256"/,
  ],
  ['leading zeros', [{ ipAddress: '192.168.000.1' }], /must be an IPv4 address/],
  ['three parts', [{ ipAddress: '10.1.1' }], /must be an IPv4 address/],
  ['IPv6', [{ ipAddress: '::1' }], /must be an IPv4 address/],
  ['multicast', [{ ipAddress: '224.0.0.1' }], /multicast/],
  ['this network', [{ ipAddress: '0.1.2.3' }], /begin with 0/],
  ['a mask with a hole', [{ ipAddress: '10.0.0.1', subnetMask: '255.0.255.0' }], /subnetMask.*ones followed by zeros/],
  ['no mask at all', [{ ipAddress: '10.0.0.1', subnetMask: '0.0.0.0' }], /ones followed by zeros/],
  ['a mask without hosts', [{ ipAddress: '10.0.0.1', subnetMask: '255.255.255.255' }], /no addresses for hosts/],
  ['the network address', [{ ipAddress: '10.0.0.0' }], /network address/],
  ['the broadcast address', [{ ipAddress: '10.0.0.255' }], /broadcast address/],
  ['a gateway outside', [{ ipAddress: '10.0.0.1', gateway: '10.0.1.1' }], /gateway.*not in the subnet of 10.0.0.1/],
  ['itself as gateway', [{ ipAddress: '10.0.0.1', gateway: '10.0.0.1' }], /interface itself/],
  ['a gateway that is none', [{ ipAddress: '10.0.0.1', gateway: 'router' }], /gateway: "router"/],
  [
    'an interface twice',
    [
      { interface: 'X1', ipAddress: '10.0.0.1' },
      { interface: 'x1', ipAddress: '10.0.1.1' },
    ],
    /listed twice/,
  ],
  ['an address twice', [{ ipAddress: '10.0.0.1' }, { ipAddress: '10.0.0.1' }], /interface X1 has this address/],
  ['two interfaces in one subnet', [{ ipAddress: '10.0.0.1' }, { ipAddress: '10.0.0.2' }], /same subnet as X1/],
]
for (const [what, input, expected] of cases) test(`refused: ${what}`, () => assert.match(fault(input), expected))

test('an address of another instance is a conflict that names it', () => {
  assert.match(
    fault([{ ipAddress: '10.0.0.1' }], [{ ipAddress: '10.0.0.1', instance: 'PLC_1' }]),
    /^conflict .*"PLC_1"/,
  )
})

test('every fault is told, not the first alone', () => {
  assert.match(fault([{ ipAddress: '10.0.0', subnetMask: '1.2.3.4' }]), /and 1 more/)
})
