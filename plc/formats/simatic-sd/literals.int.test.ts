/** Types of literals through SIMATIC SD: they come back as TIA Portal wrote them, or the difference is told. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusBytes, corpusFiles } from '../../../test/corpus.ts'
import { type InstructionOptions, NetworkBuilder, type NodeId, pinEnd } from '../../languages/ladder/build.ts'
import { canonicalNetwork } from '../../languages/ladder/canonical.ts'
import { FormatError } from '../../model/fault.ts'
import type { LogicNetwork } from '../../model/logic-network.ts'
import { elementsOfNetwork } from '../../model/network-elements.ts'
import type { ImportedObject, InterfaceMember } from '../../model/object.ts'
import type { LiteralOperand, Operand } from '../../model/operand.ts'
import { importFile } from '../import.ts'
import { importSd, type KnownProgram, programOf } from './import.ts'
import type { ProgramAround } from './program.ts'
import { writeResources } from './resources.ts'
import { writeSd } from './write.ts'

interface Literal {
  readonly pin: string
  readonly value: string
  readonly type: string
}

/** The literals of a network by their place in its canonical form. */
function literalsOf(graph: LogicNetwork | undefined): Literal[] {
  if (graph === undefined) return []
  const { nodes, wires } = canonicalNetwork(graph)
  const typeOf = ({ type, scope }: LiteralOperand) => type ?? scope
  const pinOf = (uId: number): string => {
    const wire = wires.find(({ ends }) => ends.some((end) => end.kind === 'operand' && end.uId === uId))
    const end = wire?.ends.find((one) => one.kind === 'pin')
    const box = end?.kind === 'pin' ? nodes[end.uId - 1] : undefined
    return box === undefined || box.kind === 'operand' || end?.kind !== 'pin' ? '' : `${box.name}.${end.pin}`
  }
  return nodes.flatMap((node): Literal[] => {
    if (node.kind !== 'operand') return []
    const { operand } = node
    if (operand.kind === 'literal') return [{ pin: pinOf(node.uId), value: operand.value, type: typeOf(operand) }]
    if (operand.kind !== 'symbol') return []
    const indices = operand.path.flatMap((component) => component.indices ?? [])
    return indices.flatMap((one) =>
      one.kind === 'literal' ? [{ pin: 'index', value: one.value, type: typeOf(one) }] : [],
    )
  })
}

async function throughSd(object: ImportedObject, program: ProgramAround) {
  const { content, resources, warnings } = writeSd(object, { program })
  const texts = new TextEncoder().encode(writeResources(resources))
  const read = await importSd(content, { resources: texts, program })
  assert.deepEqual(read.faults, [], content)
  return { object: read.objects[0] as ImportedObject, warnings, told: read.warnings }
}

/** The programs of the corpus, each from the files of one repository. */
async function programs(): Promise<ImportedObject[][]> {
  const found = new Map<string, ImportedObject[]>()
  for (const file of corpusFiles()) {
    if (!/^(sml-block|sml-udt|sml-tags|scl|db|udt)$/.test(file.kind)) continue
    const { objects } = await importFile(corpusBytes(file), { path: file.file })
    found.set(file.repository, [...(found.get(file.repository) ?? []), ...objects])
  }
  return [...found.values()]
}

test('literals of every LAD and FBD block of the corpus keep their type, or it is told', async (t) => {
  const different = new Map<string, number>()
  let count = 0
  for (const objects of await programs()) {
    const tags = objects.flatMap((object) => object.tags ?? [])
    const constants = objects.flatMap((object) => object.constants ?? []).map(({ name }) => name)
    const known: KnownProgram = { objects: objects.filter(({ kind }) => kind !== 'TagTable'), tags, constants }
    const program = programOf([], known)
    for (const object of objects) {
      if (object.xml === undefined || !object.networks.some(({ graph }) => graph !== undefined)) continue
      const after = await throughSd(object, program).catch((error) => {
        if (error instanceof FormatError) return undefined
        throw error
      })
      for (const { number, graph } of after === undefined ? [] : object.networks) {
        const before = literalsOf(graph)
        const is = literalsOf(after?.object.networks[number - 1]?.graph)
        assert.equal(is.length, before.length)
        for (const [i, one] of before.entries()) {
          count++
          const now = is[i] as Literal
          assert.deepEqual([now.pin, now.value], [one.pin, one.value])
          if (now.type === one.type) continue
          const kind = `${one.pin} ${one.type} → ${now.type}`
          different.set(kind, (different.get(kind) ?? 0) + 1)
          const loss = `network ${number}: the literal ${one.value}: its type ${one.type} becomes ${now.type}`
          // The export knows copies of types and interfaces that the import would find in the program.
          const [box = '', pin = ''] = one.pin.split('.')
          const guesses = [
            `the type of literals at ${pin} of ${box} does not follow`,
            `the interface of "${box}" is not at hand`,
          ]
          const isTold = after?.told.some((warning) => guesses.some((guess) => warning.includes(guess)))
          assert.ok(isTold || after?.warnings.includes(loss), `${object.name}: ${loss}`)
        }
      }
    }
  }
  t.diagnostic(`${count} literals`)
  assert.ok(count > 400)
  // Types that are not in the corpus, and a called block that is not.
  assert.deepEqual(Object.fromEntries(different), {
    'Move.in Byte → Int': 15,
    'Move.in UInt → Int': 2,
    'FB DIAG MODULES.LADDR HW_ANY → Int': 1,
    'FB DIAG MODULES.MODE UInt → Int': 1,
  })
})

const member = (name: string, dataType: string): InterfaceMember => ({
  ...{ name, dataType, comment: {}, attributes: [], members: [] },
})

/** A function with one box on the power rail. */
function functionWith(draw: (builder: NetworkBuilder) => NodeId, enabled: string): ImportedObject {
  const builder = new NetworkBuilder()
  const node = draw(builder)
  builder.connect({ kind: 'powerrail' }, pinEnd(node, enabled))
  const graph = builder.network()
  const members = [member('byte', 'Byte'), member('count', 'USInt'), member('date', 'DTL'), member('bit', 'Bool')]
  return {
    ...{ kind: 'FC', element: 'SW.Blocks.FC', format: 'simaticml', name: 'F', language: 'LAD', title: {}, comment: {} },
    ...{ author: '', family: '', headerName: '', version: '0.1', isKnowHowProtected: false, attributes: [] },
    interface: [
      { section: 'Static', members: [member('load', 'Modbus_Comm_Load')] },
      { section: 'Temp', members },
    ],
    networks: [{ number: 1, title: {}, comment: {}, language: 'LAD', graph, parts: elementsOfNetwork(graph) }],
  } as ImportedObject
}

const literal = (value: string, type: string): Operand => ({ kind: 'literal', scope: 'LiteralConstant', value, type })
const local = (...path: string[]): Operand => ({
  ...{ kind: 'symbol', scope: 'LocalVariable', path: path.map((name) => ({ name })) },
})
const tag = (name: string): Operand => ({ kind: 'symbol', scope: 'GlobalVariable', path: [{ name }] })

test('a literal has the type of its pin: of the target, of the instruction, of the system block', async () => {
  const move = (value: string, type: string, target: Operand) => (builder: NetworkBuilder) => {
    const node = builder.instruction('Move', { templates: [{ name: 'Card', type: 'Cardinality', value: '1' }] })
    builder.input(node, 'in', literal(value, type))
    builder.output(node, 'out1', target)
    return node
  }
  const box =
    (name: string, pin: string, value: string, type: string, options: InstructionOptions = {}) =>
    (builder: NetworkBuilder) => {
      const node = builder.instruction(name, options)
      builder.input(node, pin, literal(value, type))
      return node
    }
  const load = { instance: { scope: 'LocalVariable' as const, path: [{ name: 'load' }] } }
  const cases: [string, string, ImportedObject][] = [
    ['Byte', '1', functionWith(move('1', 'Byte', local('byte')), 'en')],
    ['USInt', '200', functionWith(move('200', 'USInt', local('count')), 'en')],
    ['UInt', '2026', functionWith(move('2026', 'UInt', local('date', 'YEAR')), 'en')],
    ['Bool', '1', functionWith(move('1', 'Bool', local('bit')), 'en')],
    ['LReal', '1.5', functionWith(move('1.5', 'LReal', tag('Setpoint')), 'en')],
    ['Bool', '1', functionWith(box('Contact', 'operand', '1', 'Bool'), 'in')],
    ['Bool', '0', functionWith(box('Modbus_Comm_Load', 'REQ', '0', 'Bool', load), 'en')],
    ['UDInt', '9600', functionWith(box('Modbus_Comm_Load', 'BAUD', '9600', 'UDInt', load), 'en')],
    ['UDInt', '5', functionWith(box('MOVE_BLK_VARIANT', 'COUNT', '5', 'UDInt', { version: '1.2' }), 'en')],
    ['Any', 'P#DB1.DBX0.0 BYTE 10', functionWith(box('BLKMOV', 'SRCBLK', 'P#DB1.DBX0.0 BYTE 10', 'Any'), 'en')],
  ]
  const program = programOf([], { tags: [{ name: 'Setpoint', dataType: 'LReal' }] })
  for (const [type, value, object] of cases) {
    const after = await throughSd(object, program)
    const found = literalsOf(after.object.networks[0]?.graph).map((one) => [one.type, one.value])
    assert.deepEqual(found, [[type, value]])
    assert.ok(!after.told.some((warning) => warning.includes('literal')), after.told.join('\n'))
  }
})

test('a type that nothing tells is guessed from the form of the literal, and that is told', async () => {
  const object = functionWith((builder) => {
    const node = builder.instruction('Move', { templates: [{ name: 'Card', type: 'Cardinality', value: '1' }] })
    builder.input(node, 'in', literal('7', 'UInt'))
    builder.output(node, 'out1', tag('Nobody knows'))
    return node
  }, 'en')
  const { warnings, told } = await throughSd(object, {})
  assert.ok(warnings.includes('network 1: the literal 7: its type UInt becomes Int'))
  assert.ok(told.some((one) => /the type of literals at in of Move does not follow .*taken to be Int$/.test(one)))
})
