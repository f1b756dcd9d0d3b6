/** Bundles the pages of `web/` with esbuild. Used by the build, and by tests that open a page from the sources. */
import { basename } from 'node:path'

const jsx = { jsx: 'automatic', jsxImportSource: 'preact' }
const shared = { bundle: true, minify: true, write: false, legalComments: 'none', logLevel: 'error', target: 'es2022' }

/**
 * Pages in parts: what a view needs is loaded with it. The names of the files have a hash of their content, so that a
 * browser keeps them for good; `files.json` says which ones the page begins with: `preload` has what its program and
 * the first view import.
 */
const inParts = ['studio']

/**
 * The files of a page: its program and its styles, with all that they import.
 *
 * @param {string} name the folder in `web/` of the working directory
 * @returns {Promise<Map<string, string | Uint8Array>>} contents by file name
 */
export async function bundlePage(name) {
  return inParts.includes(name) ? bundleParts(name) : bundleWhole(name)
}

/** Programs that a page has beside its own: those of the frame in which scripts of a station run. */
const besides = { hmi: ['script-frame', 'script-worker'] }

/** Programs of a page that the gateway runs, from their sources: `picture-program.js` of `picture.tsx`. */
const forGateway = { hmi: { 'picture-program': 'picture.tsx' } }

/** Scripts and one style sheet, which a page can have inside. */
async function bundleWhole(name) {
  const { build } = await import('esbuild')
  const script = { ...shared, ...jsx, format: 'iife' }
  const built = await Promise.all([
    build({ ...script, entryPoints: [`web/${name}/main.tsx`] }),
    build({ ...shared, entryPoints: [`web/${name}/style.css`] }),
    ...(besides[name] ?? []).map((one) => build({ ...script, entryPoints: [`web/${name}/${one}.ts`] })),
    ...Object.values(forGateway[name] ?? {}).map((source) =>
      build({ ...script, format: 'esm', platform: 'node', entryPoints: [`web/${name}/${source}`] }),
    ),
  ])
  const others = [...(besides[name] ?? []), ...Object.keys(forGateway[name] ?? {})]
  const names = [`${name}.js`, `${name}.css`, ...others.map((one) => `${one}.js`)]
  return new Map(names.map((file, i) => [file, built[i].outputFiles[0].contents]))
}

async function bundleParts(name) {
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    ...shared,
    ...jsx,
    entryPoints: { main: `web/${name}/main.tsx`, style: `web/${name}/style.css` },
    format: 'esm',
    splitting: true,
    metafile: true,
    outdir: `dist/web/${name}`,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
  })
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
  const entries = Object.entries(metafile.outputs)
  const pathOf = (source) => entries.find(([, { entryPoint }]) => entryPoint === `web/${name}/${source}`)?.[0] ?? ''
  const fileOf = (source) => basename(pathOf(source))
  // A browser would find these one after the other: each names the next ones.
  const needed = new Set()
  const need = (path) => {
    if (needed.has(path)) return
    needed.add(path)
    for (const { kind, path: next } of metafile.outputs[path]?.imports ?? [])
      if (kind === 'import-statement') need(next)
  }
  need(pathOf('main.tsx'))
  need(pathOf('views/project.tsx'))
  const first = { main: fileOf('main.tsx'), style: fileOf('style.css') }
  const preload = [...needed].map((path) => basename(path)).filter((file) => file !== first.main)
  return files.set('files.json', `${JSON.stringify({ ...first, preload })}\n`)
}
