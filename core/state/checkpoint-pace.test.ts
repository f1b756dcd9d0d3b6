import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CheckpointPace } from './checkpoint-pace.ts'

test('a checkpoint is due after so many records', () => {
  const pace = new CheckpointPace(100)
  assert.equal(pace.isDue(99, 0), false)
  assert.equal(pace.isDue(100, 0), true)
})

test('one that takes long is written again after fifty times as long', () => {
  const pace = new CheckpointPace(100)
  pace.wrote(1000, 1020)
  assert.equal(pace.isDue(500, 2000), false)
  assert.equal(pace.isDue(500, 2020), true)
  assert.equal(pace.isDue(99, 5000), false)
})

test('however long it takes, it is written after twenty times as many records', () => {
  const pace = new CheckpointPace(100)
  pace.wrote(0, 60_000)
  assert.equal(pace.isDue(1999, 60_001), false)
  assert.equal(pace.isDue(2000, 60_001), true)
})
