/**
 * What calls a single block in a test: an instance and a data block with the parameters that are no members of the
 * instance, and a function that makes the call.
 */
import { readSource } from '../formats/source/read.ts'
import type { ImportedObject, InterfaceMember, SectionName } from '../model/object.ts'

/** How a block is called. */
export interface Harness {
  /** Name of the block that is run in each cycle. */
  readonly entry: string
  /** The data block that has a member of the block's interface, by its name in lower case. */
  readonly owners: ReadonlyMap<string, { readonly block: string; readonly member: string }>
  readonly objects: readonly ImportedObject[]
}

const quoted = (name: string): string => `"${name}"`

/** @param number makes the names different from those of other harnesses of the program */
export function harnessOf(block: ImportedObject, number: number): Harness {
  const entry = `Gantry_test_call_${number}`
  if (block.kind === 'OB') return { entry: block.name, owners: new Map(), objects: [] }
  const members = (...sections: readonly SectionName[]) =>
    block.interface.filter(({ section }) => sections.includes(section)).flatMap((one) => one.members)
  const [instance, data] = [`Gantry_test_instance_${number}`, `Gantry_test_parameters_${number}`]
  const owners = new Map<string, { block: string; member: string }>()
  const own = (list: readonly InterfaceMember[], owner: string) => {
    for (const { name } of list) owners.set(name.toLowerCase(), { block: owner, member: name })
  }
  const isFb = block.kind === 'FB'
  const [inputs, outputs, inOuts] = [members('Input'), members('Output'), members('InOut')]
  const result = isFb ? undefined : members('Return').find(({ dataType }) => dataType.toLowerCase() !== 'void')
  const passed = isFb ? inOuts : [...inputs, ...outputs, ...inOuts, ...(result ? [result] : [])]
  if (isFb) own([...inputs, ...outputs, ...members('Static')], instance)
  own(passed, data)
  if (result) {
    // As in the code of the function, and as the interface calls it.
    for (const name of ['return', block.name.toLowerCase()])
      if (!owners.has(name)) owners.set(name, { block: data, member: result.name })
  }
  const pin = (operator: string) => (one: InterfaceMember) =>
    `${quoted(one.name)} ${operator} ${quoted(data)}.${quoted(one.name)}`
  const pins = [
    ...(isFb ? [] : inputs.map(pin(':='))),
    ...inOuts.map(pin(':=')),
    ...(isFb ? [] : outputs.map(pin('=>'))),
  ].join(',\n    ')
  const called = `${quoted(isFb ? instance : block.name)}(${pins});`
  const parts = [
    ...(isFb ? [`DATA_BLOCK ${quoted(instance)}\n${optimized}${quoted(block.name)}\nBEGIN\nEND_DATA_BLOCK\n`] : []),
    ...(passed.length > 0
      ? [`DATA_BLOCK ${quoted(data)}\n${optimized}VAR\n${declared(passed)}END_VAR\nBEGIN\nEND_DATA_BLOCK\n`]
      : []),
    `FUNCTION ${quoted(entry)} : Void\n${optimized}BEGIN\n  ${
      result ? `${quoted(data)}.${quoted(result.name)} := ` : ''
    }${called}\nEND_FUNCTION\n`,
  ]
  return { entry, owners, objects: readSource(parts.join('\n')).blocks.map(({ object }) => object) }
}

const optimized = "{ S7_Optimized_Access := 'TRUE' }\n"

function declared(members: readonly InterfaceMember[]): string {
  return members
    .map(({ name, dataType, members: inner }) =>
      inner.length > 0 && /struct$/i.test(dataType)
        ? `  ${quoted(name)} : ${dataType}\n${declared(inner)}  END_STRUCT;\n`
        : `  ${quoted(name)} : ${dataType};\n`,
    )
    .join('')
}
