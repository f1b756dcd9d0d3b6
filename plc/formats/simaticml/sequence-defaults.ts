/** What every unmodified GRAPH block contains (docs/formats.md#graph, files of V16 to V21). */

const categories = Array.from({ length: 8 }, (_, i) => `<AlarmSupervisionCategory Id="${i + 1}" DisplayClass="0" />`)

/**
 * Children of `AlarmsSettings` in the order of the schema, each as in a new block. Graph v1 and v2 have three of them.
 */
const alarms: readonly (readonly [name: string, xml: string])[] = [
  ['AlarmSupervisionCategories', `<AlarmSupervisionCategories>${categories.join('')}</AlarmSupervisionCategories>`],
  ['AlarmInterlockCategory', '<AlarmInterlockCategory Id="1" />'],
  ['AlarmSubcategory1Interlock', '<AlarmSubcategory1Interlock Id="0" />'],
  ['AlarmSubcategory2Interlock', '<AlarmSubcategory2Interlock Id="0" />'],
  ['AlarmCategorySupervision', '<AlarmCategorySupervision Id="1" />'],
  ['AlarmSubcategory1Supervision', '<AlarmSubcategory1Supervision Id="0" />'],
  ['AlarmSubcategory2Supervision', '<AlarmSubcategory2Supervision Id="0" />'],
  ['AlarmWarningCategory', '<AlarmWarningCategory Id="2" />'],
  ['AlarmSubcategory1Warning', '<AlarmSubcategory1Warning Id="0" />'],
  ['AlarmSubcategory2Warning', '<AlarmSubcategory2Warning Id="0" />'],
]

/** `AlarmsSettings` of a new block. */
export const defaultAlarms = `<AlarmsSettings>${alarms.map(([, xml]) => xml).join('')}</AlarmsSettings>`

/** Adds the children of `AlarmsSettings` that files of V14 lack and the schemas since v4 (V15) require. */
export function completeAlarms(xml: string): string {
  const children = alarms.map(([name, usual]) => {
    const own = new RegExp(`<${name}(?: [^>]*)?(?:/>|>[^]*?</${name}>)`).exec(xml)
    return own?.[0] ?? usual
  })
  const missing = alarms.some(([name]) => !xml.includes(`<${name} `) && !xml.includes(`<${name}>`))
  return missing ? `<AlarmsSettings>${children.join('')}</AlarmsSettings>` : xml
}
