/**
 * Measures the import of an AML file with 200 devices (bytes to hardware, with all checks) against a bare
 * fast-xml-parser parse of the same bytes, and the export of that hardware against the import.
 *
 *   node --import tsx bench/aml.ts
 */
import { XMLParser } from 'fast-xml-parser'
import { describeHardware } from '../plc/formats/aml/describe.ts'
import { guidOf } from '../plc/formats/aml/guid.ts'
import type { AmlHardware, AmlItem, AmlStation } from '../plc/formats/aml/hardware.ts'
import { interpretAml } from '../plc/formats/aml/interpret.ts'
import { mergeKept } from '../plc/formats/aml/merge.ts'
import { readAml } from '../plc/formats/aml/read.ts'
import { splitDocument } from '../plc/formats/aml/split.ts'
import { writeAml } from '../plc/formats/aml/write.ts'
import { report } from './report.ts'

const rounds = 3
const devices = 200
const modulesOfDevice = 12

const options = { version: 'V19', fileName: 'plant.aml', writtenAt: '2024-01-01T00:00:00.000Z' } as const

function item(id: string, name: string, more: Partial<AmlItem>): AmlItem {
  return { id: guidOf(id), name, kind: 'module', position: 0, builtIn: false, items: [], ...more }
}

/** A station of ET 200SP with digital inputs. */
function station(n: number): AmlStation {
  const modules = Array.from({ length: modulesOfDevice }, (_, slot) => {
    const id = `${n}-${slot}`
    const addresses = [{ ioType: 'Input' as const, start: (n * modulesOfDevice + slot) * 2, length: 16 }]
    const channels = Array.from({ length: 16 }, (_, number) => ({
      kind: 'Digital' as const,
      ioType: 'Input' as const,
      number,
      length: 1,
    }))
    const inside = item(`${id}s`, 'DI 16x24VDC ST', {
      kind: 'submodule',
      position: 1,
      builtIn: true,
      addresses,
      channels,
    })
    const typeIdentifier = 'OrderNumber:6ES7 131-6BH01-0BA0'
    return item(id, `DI_${slot + 1}`, { position: slot + 1, typeIdentifier, firmware: 'V0.0', items: [inside] })
  })
  const socket = item(`${n}i`, 'PROFINET interface', {
    kind: 'interface',
    interface: {
      label: 'X1',
      type: 'Ethernet',
      node: {
        id: guidOf(`${n}n`),
        name: 'IE1',
        type: 'Ethernet',
        ipAddress: `10.0.${n >> 7}.${(n % 128) + 1}`,
        subnetMask: '255.255.0.0',
        subnet: guidOf('subnet'),
      },
      ports: [],
    },
  })
  const head = item(`${n}h`, `IO_${n}`, { role: 'HeadModule', items: [socket] })
  const rack = item(`${n}r`, 'Rack_0', { kind: 'rack', items: [head, ...modules] })
  return {
    id: guidOf(`${n}`),
    name: `Station_${n}`,
    typeIdentifier: 'System:Device.ET200SP',
    groups: [`Line ${n % 5}`],
    racks: [rack],
  }
}

const hardware: AmlHardware = {
  project: { id: guidOf('project'), name: 'Plant' },
  subnets: [{ id: guidOf('subnet'), name: 'PN/IE_1', type: 'Ethernet' }],
  stations: Array.from({ length: devices }, (_, n) => station(n)),
  links: [],
}
const text = writeAml(describeHardware(hardware, options).document)

function fastest(run: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const begin = performance.now()
    run()
    return performance.now() - begin
  })
  return Math.min(...times)
}

const document = readAml(text)
const { frame, stations } = splitDocument(document)
const read = interpretAml(document).hardware
const kept = { frame, stations: [...stations.values()] }

const parser = new XMLParser({ ignoreAttributes: false })
const bare = fastest(() => parser.parse(text))
const imported = fastest(() => interpretAml(readAml(text)))
const exported = fastest(() => writeAml(mergeKept(describeHardware(read, options).document, kept, { isPart: false })))

report('AML: size of the file with 200 devices, MB', text.length / 1e6, '')
report('AML: import of 200 devices / bare XML parse', imported / bare, '<= 3')
report('AML: export of 200 devices / import', exported / imported, '<= 1')
