/** What plugins use that write SimaticML of their own objects. See `xmlTools` in index.ts. */
export { objectFromXml } from '../../plc/edit/edit.ts'
export { applyEdits, commentXml, elementEdits } from '../../plc/formats/simaticml/element-edit.ts'
export { exportDocument } from '../../plc/formats/simaticml/export-version.ts'
export { readComposition } from '../../plc/formats/simaticml/texts.ts'
export { targetVersion } from '../../plc/formats/simaticml/versions.ts'
export { child, childrenOf, childText, parseXml, type XmlElement } from '../../plc/formats/simaticml/xml.ts'
export { escapeText, XmlWriter } from '../../plc/formats/simaticml/xml-write.ts'
export { parseDataType } from '../../plc/formats/source/declarations.ts'
