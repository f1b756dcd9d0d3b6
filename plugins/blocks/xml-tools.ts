/** What plugins use that write SimaticML of their own objects. See `xmlTools` in index.ts. */
export { objectFromXml } from './edit.ts'
export { applyEdits, commentXml, elementEdits } from './simaticml/element-edit.ts'
export { exportDocument } from './simaticml/export-version.ts'
export { readComposition } from './simaticml/texts.ts'
export { targetVersion } from './simaticml/versions.ts'
export { child, childrenOf, childText, parseXml, type XmlElement } from './simaticml/xml.ts'
export { escapeText, XmlWriter } from './simaticml/xml-write.ts'
export { parseDataType } from './source/declarations.ts'
