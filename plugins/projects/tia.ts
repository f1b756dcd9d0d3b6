/**
 * Recognises projects and archives made by TIA Portal. Their content is in a database without public description
 * (`System/PEData.plf`); what can be told is in the file `<Name>.apNN` (libraries: `.alNN`), which is XML, and, from V21, in `ProjectInfo.txt`.
 */

/** What the header file of a TIA Portal project says. */
export interface TiaProject {
  /** `Project` or `Library`. */
  readonly type: string
  readonly name?: string
  /** `V19`. */
  readonly version?: string
}

/** What a user of a TIA Portal project can do. */
export const tiaRemedy =
  'In TIA Portal, export blocks, data types and tag tables (Openness "Export", a version control workspace, or "Generate source from blocks") into a folder and open that folder.'

/** Reads `<Name>.apNN`: `<Data Type="Project" Name="…" ProjectCompatibilityVersion="19.0.0.0" …>`. Anything else gives `Project` alone. */
export async function describeTiaProject(content: Uint8Array): Promise<TiaProject> {
  const { XMLParser } = await import('fast-xml-parser')
  try {
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '',
      processEntities: false,
      parseAttributeValue: false,
    })
    const { Data: data } = parser.parse(
      Buffer.from(content)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    ) as {
      Data?: { Type?: string; Name?: string; ProjectCompatibilityVersion?: string }
    }
    const major = /^(\d+)/.exec(data?.ProjectCompatibilityVersion ?? '')?.[1]
    return {
      type: data?.Type === 'Library' ? 'Library' : 'Project',
      ...(data?.Name ? { name: unescapeXml(data.Name) } : {}),
      ...(major ? { version: `V${major}` } : {}),
    }
  } catch {
    return { type: 'Project' }
  }
}

/** The five predefined entities (XML 1.0, 4.6); no others are resolved. */
function unescapeXml(text: string): string {
  const predefined: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => predefined[name]!)
}
