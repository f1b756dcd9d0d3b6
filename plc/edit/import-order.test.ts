import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSource } from '../formats/source/read.ts'
import { inOrderOfNeeds, needsOf, type Ordered } from './import-order.ts'

const udt = (name: string, ...types: string[]): Ordered => ({ kind: 'UDT', name, needs: { types, calls: [] } })
const names = (items: readonly Ordered[]) => inOrderOfNeeds(items, (item) => item).ordered.map(({ name }) => name)

test('kinds come in the order of their needs, objects of a kind behind those they need', () => {
  const items: Ordered[] = [
    { kind: 'InstanceDB', name: 'M_DB', needs: { types: ['M'], calls: [] } },
    { kind: 'GlobalDB', name: 'D', needs: { types: ['B'], calls: [] } },
    { kind: 'OB', name: 'Main', needs: { types: [], calls: ['F', 'M'] } },
    { kind: 'FC', name: 'F', needs: { types: [], calls: ['G'] } },
    { kind: 'FC', name: 'G', needs: { types: [], calls: [] } },
    { kind: 'FB', name: 'M', needs: { types: ['inner'], calls: [] } },
    { kind: 'FB', name: 'Inner', needs: { types: [], calls: [] } },
    udt('B', 'A'),
    udt('A'),
    { kind: 'TagTable', name: 'Tags', needs: { types: ['B'], calls: [] } },
  ]
  assert.deepEqual(names(items), ['A', 'B', 'Tags', 'Inner', 'M', 'G', 'F', 'Main', 'D', 'M_DB'])
})

test('cycles are taken in the order they came in; those of types are named, those of calls are not', () => {
  const fc1: Ordered = { kind: 'FC', name: 'P', needs: { types: [], calls: ['Q'] } }
  const fc2: Ordered = { kind: 'FC', name: 'Q', needs: { types: [], calls: ['P'] } }
  const { ordered, cycles } = inOrderOfNeeds([udt('X', 'Y'), udt('Y', 'X'), udt('Self', 'Self'), fc1, fc2], (i) => i)
  assert.deepEqual(
    ordered.map(({ name }) => name),
    ['X', 'Y', 'Self', 'P', 'Q'],
  )
  assert.deepEqual(cycles, [['X', 'Y'], ['Self']])
})

test('a chain of 20 000 types does not overflow', () => {
  const chain = Array.from({ length: 20_000 }, (_, i) => udt(`T${i}`, `T${i + 1}`))
  assert.equal(names(chain)[0], 'T19999')
})

test('property: whatever is not in a cycle stands behind what it needs, and nothing is lost', () => {
  const network = fc.array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 31 })
  fc.assert(
    fc.property(network, (edges) => {
      const items = edges.map((targets, i) => udt(`T${i}`, ...targets.map((j) => `T${j}`)))
      const { ordered, cycles } = inOrderOfNeeds(items, (item) => item)
      assert.equal(new Set(ordered).size, items.length)
      const at = new Map(ordered.map(({ name }, i) => [name, i]))
      const cycleOf = new Map(cycles.flatMap((cycle, i) => cycle.map((name) => [name, i])))
      for (const { name, needs } of ordered)
        for (const need of needs.types) {
          const place = at.get(need)
          const together = cycleOf.has(name) && cycleOf.get(name) === cycleOf.get(need)
          if (place !== undefined && !together) assert.ok(place < (at.get(name) as number), `${need} before ${name}`)
        }
    }),
  )
})

test('needs are read from interfaces, instances and calls', () => {
  const text = `FUNCTION_BLOCK "A"
VAR
  m : "Motor";
  list : Array[0.."MAX"] of "Item";
  s : STRUCT
    inner : "Deep";
  END_STRUCT;
  t {InstructionName := 'TON_TIME'; LibVersion := '1.0'} : TON_TIME;
END_VAR
BEGIN
  #m();
  "Motor_DB"(run := TRUE);
END_FUNCTION_BLOCK
DATA_BLOCK "A_DB"
"A"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Timer_DB"
IEC_TIMER
BEGIN
END_DATA_BLOCK
`
  const { blocks, faults } = readSource(text, {})
  assert.deepEqual(faults, [])
  const [block, instance, timer] = blocks.map(({ object }) => needsOf(object))
  assert.deepEqual([...(block?.types ?? [])].sort(), ['Deep', 'Item', 'Motor'])
  assert.deepEqual(block?.calls, ['Motor_DB'])
  assert.deepEqual(instance?.types, ['A'])
  assert.deepEqual(timer?.types, [])
})
