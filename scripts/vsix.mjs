/**
 * Writes the extension for Visual Studio Code as a file to install: `node scripts/vsix.mjs [file]`. The code and what it
 * imports become one bundle; the schemas of gantry.yml and test files come from `schemas/`.
 *
 * A .vsix is a zip of the Open Packaging Conventions: `[Content_Types].xml`, `extension.vsixmanifest`, and the extension
 * below `extension/`. Microsoft's own tool for it (`@vscode/vsce` 4) needs Node 22 and brings what a marketplace needs.
 */
import { createWriteStream, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import yazl from 'yazl'

const folder = 'examples/vscode'
/** The same files make the same bytes. */
const mtime = new Date('2026-01-01T00:00:00Z')
const types = {
  json: 'application/json',
  js: 'application/javascript',
  md: 'text/markdown',
  txt: 'text/plain',
  vsixmanifest: 'text/xml',
}

const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The files of the extension by their paths in the zip. */
async function filesOf(version) {
  const {
    private: _,
    dependencies: _bundled,
    ...manifest
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { outputFiles } = await build({
    ...{
      entryPoints: [join(folder, manifest.main)],
      bundle: true,
      minify: true,
      write: false,
      legalComments: 'inline',
    },
    ...{ platform: 'node', target: 'node20', format: 'cjs', external: ['vscode'], logLevel: 'error' },
  })
  const own = { ...manifest, version }
  return new Map([
    ['extension.vsixmanifest', vsixManifest(own)],
    ['[Content_Types].xml', contentTypes()],
    ['extension/package.json', `${JSON.stringify(own, null, 2)}\n`],
    [join('extension', manifest.main).replaceAll('\\', '/'), outputFiles[0].text],
    ['extension/README.md', readFileSync(join(folder, 'README.md'))],
    ['extension/LICENSE.txt', readFileSync('LICENSE')],
    ...manifest.contributes.yamlValidation.map(({ url }) => {
      const path = url.replace(/^\.\//, '')
      return [`extension/${path}`, readFileSync(path)]
    }),
  ])
}

function contentTypes() {
  const rows = Object.entries(types).map(([name, type]) => `<Default Extension=".${name}" ContentType="${type}"/>`)
  return `<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${rows.join('')}</Types>\n`
}

function vsixManifest({ name, displayName, description, version, publisher, categories, engines }) {
  const schema = 'http://schemas.microsoft.com/developer/vsx-schema'
  const asset = (type, path) =>
    `<Asset Type="Microsoft.VisualStudio.${type}" Path="extension/${path}" Addressable="true"/>`
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="${schema}/2011" xmlns:d="${schema}-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(name)}" Version="${escaped(version)}" Publisher="${escaped(publisher)}"/>
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Categories>${escaped(categories.join(','))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    ${asset('Code.Manifest', 'package.json')}
    ${asset('Services.Content.Details', 'README.md')}
    ${asset('Services.Content.License', 'LICENSE.txt')}
  </Assets>
</PackageManifest>
`
}

/** Writes the extension. @returns the path of the file */
export async function writeVsix(file) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const path = file ?? `gantry-vscode-${version}.vsix`
  const zip = new yazl.ZipFile()
  for (const [name, content] of await filesOf(version)) {
    if (!types[extname(name).slice(1)] && name !== '[Content_Types].xml') throw new Error(`${name} has no content type`)
    zip.addBuffer(Buffer.from(content), name, { mtime, mode: 0o100644 })
  }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
  return path
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(`wrote ${await writeVsix(process.argv[2])}\n`)
