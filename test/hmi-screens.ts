/** Large screens for tests and benchmarks, as exports of TIA Portal. */
import type { HmiItem } from '../plc/formats/hmi/model.ts'
import { writeHmi } from '../plc/formats/hmi/write.ts'

const bare = { layer: 0, texts: {}, links: {}, bindings: [], events: [], properties: {} }

/**
 * A screen of objects in a grid; a part of them are fields with values.
 * @param values `Big.v[0]` … from `first` on, one for each of the fields
 */
export function gridScreen(name: string, objects: number, values: number, first = 0): string {
  const types = ['Rectangle', 'Circle', 'Line', 'TextField']
  const items = Array.from({ length: objects }, (_one, i): HmiItem => {
    const place = { left: (i % 50) * 25, top: Math.floor(i / 50) * 7.5, width: 24, height: 7 }
    if (i >= values) return { ...bare, ...place, name: `Shape ${i}`, type: types[i % types.length]! }
    const tag = `Big.v[${first + i}]`
    const bindings = [{ property: 'processValue', tag }]
    return {
      ...bare,
      ...place,
      name: `Value ${i}`,
      type: 'IOField',
      properties: { mode: 'InputOutput', fontSize: 6 },
      bindings,
    }
  })
  const layers = [{ index: 0, name: '', visible: true }]
  const content = {
    screenType: 'Screen',
    number: 1,
    width: 1280,
    height: 800,
    backColor: '#ffffff',
    template: '',
    layers,
  }
  return writeHmi({ kind: 'screen', name, content, items, tags: [] }, 'V19').text
}

/** A program with the values, which all change in each cycle. */
export const gridProgram = (count: number) => `
DATA_BLOCK "Big"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    v : Array[0..${count - 1}] of Int;
  END_VAR
BEGIN
END_DATA_BLOCK

ORGANIZATION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR_TEMP
    i : Int;
  END_VAR
BEGIN
  FOR #i := 0 TO ${count - 1} DO
    "Big".v[#i] := "Big".v[#i] + 1;
  END_FOR;
END_ORGANIZATION_BLOCK
`
