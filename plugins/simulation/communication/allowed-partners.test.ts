import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowedPartner, partnerFault } from './allowed-partners.ts'

test('an entry is an IPv4 address or a subnet', () => {
  for (const right of ['10.0.0.1', '192.168.0.0/24', '0.0.0.0/0', '10.0.0.1/32', '10.0.0.0/8', '10.0.0.0/08'])
    assert.equal(partnerFault(right), undefined, right)
  const address = 'must be an IPv4 address, or a subnet such as 192.168.0.0/24'
  for (const wrong of ['', 'plc', '10.0.0', '::1', '10.0.0.256', '10.0.0.0/8/8', '/8']) {
    assert.equal(partnerFault(wrong), address, wrong)
  }
  for (const wrong of ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/x', '10.0.0.0/-1', '10.0.0.0/100'])
    assert.equal(partnerFault(wrong), 'must have a prefix from 0 to 32', wrong)
})

test('loopback, listed addresses and those of listed subnets are allowed', () => {
  const allowed = ['10.0.0.1', '192.168.4.0/22']
  const is = (address: string) => isAllowedPartner(address, allowed)
  assert.deepEqual(['127.0.0.1', '127.255.0.9', '10.0.0.1', '192.168.4.0', '192.168.7.255'].filter(is).length, 5)
  assert.deepEqual(['10.0.0.2', '192.168.3.255', '192.168.8.0', '128.0.0.1', '::1', 'localhost', ''].filter(is), [])
  assert.equal(isAllowedPartner('127.0.0.1'), true)
  assert.equal(isAllowedPartner('10.0.0.1'), false)
})
