/** Makes the objects of a design: types, blocks of modules, units with their instances, the call, tags, alarms. */

import type { Fault } from '../../../core/index.ts'
import { checkDesign } from './check.ts'
import { driveBlocks } from './library-blocks.ts'
import { libraryTypes } from './library-types.ts'
import { valueBlocks } from './library-values.ts'
import { type Design, moduleLists } from './model.ts'
import { userRegion } from './regions.ts'
import { type GeneratedAlarm, type GeneratedDesign, type GeneratedSource, sclText } from './sources.ts'
import { moduleTypes, UnitWriter, unitBlock, unitData } from './unit.ts'
import { Wiring } from './wiring.ts'

const libraryBlocks = new Map([...driveBlocks, ...valueBlocks].map((block) => [block.name, block]))

/** Name of the function that calls the units of a design. */
const callBlockOf = ({ name }: Pick<Design, 'name'>): string => `Call_${name}`

/**
 * Generates a design. With faults what is returned is not to be used.
 * @param at pointer of the design in the request
 */
export function generateDesign(design: Design, at: string): { generated: GeneratedDesign; faults: Fault[] } {
  const faults: Fault[] = []
  const names = checkDesign(design, at, faults)
  const wiring = new Wiring(faults)
  for (const [i, tag] of (design.tags ?? []).entries()) wiring.declare(tag, `${at}/tags/${i}`)
  const alarms: GeneratedAlarm[] = []
  const units = design.units.flatMap((unit, i): GeneratedSource[] => {
    const writer = new UnitWriter({ unit, at: `${at}/units/${i}`, family: design.name, wiring, faults, ...names[i]! })
    const text = writer.write()
    alarms.push(...writer.alarms)
    return [
      { name: unitBlock(unit), kind: 'FB', text },
      { name: unitData(unit), kind: 'InstanceDB', text: instanceText(unitData(unit), unitBlock(unit), design.name) },
    ]
  })
  const used = new Set(
    design.units
      .flatMap((unit) => moduleLists.filter((list) => (unit[list]?.length ?? 0) > 0))
      .map((list) => moduleTypes[list]),
  )
  const blocks = [...used].flatMap((name) => libraryBlocks.get(name) ?? [])
  const types = Object.values(libraryTypes).filter(
    ({ name }) => used.has(name) || blocks.some(({ text }) => text.includes(`"${name}"`)),
  )
  const generated: GeneratedDesign = {
    sources: [...types, ...blocks, ...units, callSource(design)],
    tags: wiring.tags,
    named: wiring.named,
    alarms,
    callBlock: callBlockOf(design),
  }
  return { generated, faults }
}

function instanceText(name: string, type: string, family: string): string {
  return [
    `DATA_BLOCK "${name}"`,
    "{ S7_Optimized_Access := 'TRUE' }",
    'AUTHOR : Gantry',
    `FAMILY : ${family}`,
    'VERSION : 1.0',
    'NON_RETAIN',
    `"${type}"`,
    '',
    'BEGIN',
    '',
    'END_DATA_BLOCK',
    '',
    '',
  ].join('\n')
}

function callSource(design: Design): GeneratedSource {
  const { name, comment, units } = design
  const calls = units.flatMap((unit) => [
    `// ${unit.comment?.replace(/[\r\n]+/g, ' ') ?? unit.name}`,
    `"${unitData(unit)}"();`,
  ])
  const text = sclText({
    name: callBlockOf(design),
    kind: 'FC',
    title: comment ?? `Units of ${name}`,
    family: name,
    notes: [
      'Calls all units.',
      'Generated: what stands between <user> and </user> is kept, everything else is replaced.',
    ],
    sections: [],
    body: [...userRegion('before'), '', ...calls, '', ...userRegion('after')],
  })
  return { name: callBlockOf(design), kind: 'FC', text }
}
