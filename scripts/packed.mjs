/**
 * Installs the package as `npm pack` makes it in an empty folder and drives it once (`drive.mjs`), on each major version of
 * Node that is named (default: those of the README). `npm run packed -- 20 24` for some. What it needs of the other versions of Node
 * comes from the npm registry, as the dependencies of the package do.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const majors = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24']
/** Variables of this process, without those that npm sets for scripts or that would configure the gateway. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(GANTRY_|npm_|NODE_OPTIONS$)/.test(name)),
)

const folder = await mkdtemp(join(tmpdir(), 'gantry-package-'))
try {
  const tarball = pack()
  for (const major of majors) {
    const site = join(folder, `node-${major}`)
    await mkdir(site)
    const node = await install(site, tarball, major)
    run(node, [join(root, 'scripts', 'drive.mjs'), site], site)
    console.log(`packed: installed and driven on Node ${run(node, ['--version'], site).trim()}`)
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 20 }).catch(() => {}) // A gateway may still write.
}

/** Runs a command to its end. @returns its output; a failure ends the script with what the command said */
function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`)
  return stdout
}

/** @returns the path of the package file, made of the `dist/` that `npm run build` has made */
function pack() {
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root),
  )
  return join(folder, filename)
}

/** Installs the package in an empty folder, and a Node of this version. @returns the path of that Node */
async function install(site, tarball, major) {
  const runtime = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const isOwn = process.versions.node.split('.', 1)[0] === major
  await writeFile(join(site, 'package.json'), '{ "private": true }\n')
  run('npm', ['install', '--no-audit', '--no-fund', tarball, ...(isOwn ? [] : [`${runtime}@${major}`])], site)
  return isOwn ? process.execPath : join(site, 'node_modules', runtime, 'bin', 'node')
}
