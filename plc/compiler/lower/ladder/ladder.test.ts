/**
 * Networks in LAD and FBD written as expressions (`plc/compiler/fixtures/ladder`): their boxes and wires, the text
 * that is written of them where it is another one, and the code (testing/recorded-programs.ts).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../../../../lib/optional.ts'
import { readSource } from '../../../formats/source/read.ts'
import { compileExpression } from '../../../languages/ladder/compile-expression.ts'
import { declaredNames } from '../../../languages/ladder/declared-names.ts'
import { networkExpression } from '../../../languages/ladder/expression.ts'
import { FormatError } from '../../../model/fault.ts'
import type { LogicNetwork } from '../../../model/logic-network.ts'
import { linkProgram } from '../../../program/link-program.ts'
import { codeText } from '../../../testing/ir-text.ts'
import { type InstructionSpec, instructionNetwork, operandOf } from '../../../testing/lower-ladder.ts'
import { networkText } from '../../../testing/network-text.ts'
import { diagnosticText } from '../../../testing/program-text.ts'
import { isAsRecorded, recordedSources } from '../../../testing/recorded-programs.ts'
import { lowerBlock } from '../lower-block.ts'

/**
 * A network of boxes, one a line: `Add{Card=2,SrcType=Int} !en en=#a in1=#x in2=0.out > out=#y`: templates in braces,
 * negated pins, inputs (`RAIL`, `OPEN`, `0.out`: the output of the first box), outputs. In braces also `of=#timer`, the
 * instance, and `call=FB` for a block of the program.
 */
function boxesOf(text: string): LogicNetwork {
  const parts = text.split('\n').map((row): InstructionSpec => {
    const [, name = '', , braces = '', rest = ''] = /^(\S+?)(\{(.*?)\})? (.*)$/.exec(row) ?? []
    const [ins = '', outs = ''] = rest.split('> ')
    const pairs = (list: string) =>
      Object.fromEntries(
        list
          .trim()
          .split(/\s+/)
          .flatMap((one) =>
            one.includes('=') ? [[one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]] : [],
          ),
      )
    const types = pairs(braces.replaceAll(',', ' '))
    const { Card, of, call, ...others } = types
    const instance = of === undefined ? undefined : operandOf(of)
    return {
      name,
      ...(call === 'FB' || call === 'FC' ? { call } : {}),
      ...(instance?.kind === 'symbol' ? { instance: { scope: instance.scope, path: instance.path } } : {}),
      in: pairs(ins),
      out: pairs(outs),
      types: others,
      negated: [...ins.matchAll(/!(\w+)/g)].map(([, pin = '']) => pin),
      ...(Card === undefined ? {} : { card: Number(Card) }),
    }
  })
  return instructionNetwork(parts)
}

/** The objects of a file; networks are between BEGIN and END of its last block, with blank lines between them. */
function answers(source: string, isOfBoxes: boolean): string {
  const [, head = '', body = '', end = ''] = /^([\s\S]*\nBEGIN\n)([\s\S]*)(END_FUNCTION_BLOCK\s*)$/.exec(source) ?? []
  const { blocks, faults } = readSource(head + end)
  assert.deepEqual(faults, [])
  const objects = blocks.map(({ object }) => object)
  const own = objects.at(-1)
  assert.ok(own)
  const program = linkProgram(objects.map((object) => ({ object })))
  const main = program.blocks.get(own.name.toLowerCase())
  assert.ok(main)
  const declared = objects.map(({ name, kind, instanceOf, interface: members }) => ({
    name,
    kind,
    interface: members,
    ...defined({ instanceOf }),
  }))
  const names = declaredNames(own.interface, { objects: declared, tags: [] })
  const parts = body.split(/\n\s*\n/).map((text) => text.trim())
  const compiled = parts.map((part) => {
    const language = part.startsWith('// FBD') ? 'FBD' : 'LAD'
    const text = part.replace(/^\/\/.*\n/, '')
    try {
      const graph = isOfBoxes ? boxesOf(text) : compileExpression(text, { language, names })
      return { part, text, language, graph } as const
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      return { part, text, language, faults: error.faults } as const
    }
  })
  const graphs = compiled.flatMap(({ graph }) => (graph ? [graph] : []))
  const labels = graphs.flatMap((graph) => graph.labels)
  return compiled
    .map(({ part, text, language, graph, faults: wrong }) => {
      if (!graph) return `${part}\n${wrong.map((one) => `  ${one.line}:${one.column} ${one.message}`).join('\n')}\n`
      const network = { number: 1, title: '', language, graph }
      // What a network jumps to is in another one.
      const others = labels.filter((one) => !graph.labels.includes(one) && /JMP|FC_LIST|SWITCH/.test(text))
      const rest: LogicNetwork = { labels: others, nodes: [], wires: [] }
      const networks = [network, ...(others.length === 0 ? [] : [{ number: 2, title: '', language, graph: rest }])]
      const { code, diagnostics } = lowerBlock(program, { ...main, networks })
      const written = networkExpression(graph, { language, detail: 'exact' })
      const again = written.statements.join('\n')
      return [
        part,
        networkText(graph),
        ...(again === text && written.isComplete
          ? []
          : [`  written ${again}${written.isComplete ? '' : ' (not all)'}`]),
        ...diagnostics.map(diagnosticText),
        ...(code ? codeText(code).trimEnd().split('\n').slice(2) : []),
        '',
      ].join('\n')
    })
    .join('\n')
}

for (const { file, bytes } of recordedSources('ladder'))
  test(`${file}: the networks have the recorded boxes and wires, and their code`, () => {
    isAsRecorded(`${file}.txt`, answers(bytes.toString('utf8'), file.endsWith('.parts')))
  })
