/**
 * Recognises projects and archives made by TIA Portal by the file `<Name>.apNN` (libraries: `.alNN`), which is XML.
 * Their content is in `System/PEData.plf`, which `plc/formats/tia-project` reads.
 */

/** Where the project file is in a project's folder. */
export const tiaStorePath = 'System/PEData.plf'

/** What the header file of a TIA Portal project says. */
export interface TiaProject {
  /** `Project` or `Library`. */
  readonly type: string
  readonly name?: string
  /** `V19`. */
  readonly version?: string
}

/**
 * Reads `<Name>.apNN`: `<Data Type="Project" Name="…" ProjectCompatibilityVersion="19.0.0.0" …>`. Anything else gives
 * `Project` alone.
 */
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
