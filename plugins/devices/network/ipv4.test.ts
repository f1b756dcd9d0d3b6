import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addressInSubnetFault,
  ipv4,
  ipv4Text,
  isContiguousMask,
  isLoopback,
  routerFault,
  subnetsOverlap,
} from './ipv4.ts'

test('four bytes make an address, and nothing else does', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(byte, byte, byte, byte, (a, b, c, d) => {
      assert.equal(ipv4(`${a}.${b}.${c}.${d}`), ((a * 256 + b) * 256 + c) * 256 + d)
    }),
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.equal(
        ipv4(text) !== undefined,
        /^((25[0-5]|2[0-4]\d|1?\d{1,2})(\.(?!$)|$)){4}$/.test(text) && !/(^|\.)0\d/.test(text),
      )
    }),
  )
})

test('every 32 bits are written and read back', () => {
  fc.assert(fc.property(fc.nat(0xffff_ffff), (bits) => assert.equal(ipv4(ipv4Text(bits)), bits)))
})

test('a mask is contiguous when its bits are ones, then zeros', () => {
  const masks = new Set(Array.from({ length: 32 }, (_, i) => 2 ** 32 - 2 ** i))
  for (const mask of masks) assert.ok(isContiguousMask(mask))
  fc.assert(fc.property(fc.nat(0xffff_ffff), (bits) => assert.equal(isContiguousMask(bits), masks.has(bits))))
})

test('the first and the last address of a subnet belong to no host and no router', () => {
  assert.match(addressInSubnetFault('10.0.4.0', '255.255.252.0') ?? '', /network/)
  assert.match(addressInSubnetFault('10.0.7.255', '255.255.252.0') ?? '', /broadcast/)
  assert.equal(addressInSubnetFault('10.0.4.255', '255.255.252.0'), undefined)
  assert.match(routerFault('10.0.7.255', '10.0.4.1', '255.255.252.0') ?? '', /broadcast/)
  assert.equal(routerFault('10.0.7.254', '10.0.4.1', '255.255.252.0'), undefined)
})

test('subnets overlap when the wider holds the other', () => {
  const wide = { ipAddress: '10.1.0.1', subnetMask: '255.255.0.0' }
  assert.equal(subnetsOverlap(wide, { ipAddress: '10.1.9.1', subnetMask: '255.255.255.0' }), true)
  assert.equal(subnetsOverlap(wide, { ipAddress: '10.2.9.1', subnetMask: '255.255.255.0' }), false)
  assert.equal(subnetsOverlap(wide, { ipAddress: '10.1.9.x' }), false)
})

test('loopback is 127.0.0.0/8', () => {
  assert.deepEqual(['127.0.0.1', '127.255.1.2', '128.0.0.1', '127.x'].map(isLoopback), [true, true, false, false])
})
