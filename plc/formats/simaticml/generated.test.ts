import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ImportedObject } from '../../model/object.ts'
import { block, logicNetwork } from '../../testing/model-arbitraries.ts'
import { comparableNetworks } from '../../testing/simaticml-compare.ts'
import { exportDocument } from './export-version.ts'
import { readLogicNetwork } from './flgnet-read.ts'
import { writeLogicNetwork } from './flgnet-write.ts'
import { readSimaticMlText } from './read.ts'
import { targetVersions } from './versions.ts'
import { writeObject } from './write.ts'
import { parseXml, XmlFaults } from './xml.ts'
import { XmlWriter } from './xml-write.ts'

/** The content of a generated object without its list of attributes, which follows from the rest. */
function said({ attributes: _list, xml: _xml, engineeringVersion: _version, networks, ...object }: ImportedObject) {
  return { ...JSON.parse(JSON.stringify(object)), networks: comparableNetworks(networks) }
}

test('generated blocks and types survive export and import at every version', () => {
  fc.assert(
    fc.property(block, fc.constantFrom(...targetVersions), (object, target) => {
      const { xml, warnings } = writeObject(object, { version: target, callee: () => ({ kind: 'FC' }) })
      assert.deepEqual(warnings, [])
      const [read] = readSimaticMlText(exportDocument([xml], { target }).text).objects
      assert.ok(read)
      assert.deepEqual(said(read), said(object))
      for (const other of targetVersions) {
        const { text } = exportDocument([read.xml ?? ''], { engineeringVersion: target, target: other })
        const [again] = readSimaticMlText(text).objects
        assert.equal(again?.engineeringVersion, other)
        assert.deepEqual(said(again), said(object))
      }
    }),
    { numRuns: 150 },
  )
})

test('generated networks survive writing and reading, and their UIds count from 21', () => {
  fc.assert(
    fc.property(logicNetwork, (graph) => {
      const writer = new XmlWriter()
      writeLogicNetwork(writer, graph, { version: 'V19' })
      const xml = writer.toString()
      const faults = new XmlFaults(xml)
      const again = readLogicNetwork(parseXml(xml), faults)
      assert.deepEqual(faults.faults, [])
      const of = (value: typeof graph) =>
        comparableNetworks([{ number: 1, title: {}, comment: {}, language: 'LAD', parts: [], graph: value }])
      assert.deepEqual(of(again), of(graph))
      const numbers = [...xml.matchAll(/<(?!IdentCon|NameCon)\w+ [^<>]*UId="(\d+)"/g)].map((match) => Number(match[1]))
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => 21 + index),
      )
    }),
    { numRuns: 400 },
  )
})
