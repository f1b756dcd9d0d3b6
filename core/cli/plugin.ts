/** `gantry plugin new` and `gantry plugin check`: for authors of plugins. */
import { realpath, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeDirectory } from '../../lib/make-directory.ts'
import { pluginApiVersion } from '../plugins/plugin-check.ts'
import { openTestGateway } from '../testing/index.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import type { RawOptions } from './options.ts'
import { filesOfKind, isPluginKind, pluginKinds } from './plugin-kinds.ts'
import { pluginFiles } from './plugin-template.ts'

/**
 * Makes a folder with a plugin that works, and its test.
 * @throws CliError `usage` for a name or kind that is not one, or a folder that exists
 */
export async function newPlugin(name: string, raw: RawOptions): Promise<void> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new CliError(`"${name}" is not the name of a plugin: lower-case words with hyphens.`, exitCodes.usage)
  const folder = resolve(String(raw.dir ?? 'plugins'), name)
  if (await stat(folder).catch(() => undefined)) throw new CliError(`${folder} exists already.`, exitCodes.usage)
  const kind = raw.kind as string | undefined
  if (kind !== undefined && !isPluginKind(kind))
    throw new CliError(`--kind is one of ${pluginKinds.join(', ')}.`, exitCodes.usage)
  await makeDirectory(folder)
  const made = { api: `^${pluginApiVersion}`, isTypeScript: raw.js !== true }
  const files = kind === undefined ? pluginFiles(name, made) : filesOfKind(kind, name, made)
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
  process.stdout.write(
    [
      `made ${folder}: ${Object.keys(files).join(', ')}`,
      `check it:  gantry plugin check ${folder}`,
      `test it:   node --test ${join(folder, 'index.test.mjs')}`,
      `serve it:  gantry serve --plugins-dir ${resolve(folder, '..')} --watch`,
      '',
    ].join('\n'),
  )
}

/**
 * Loads plugins in a scratch gateway and prints what they add.
 * @throws CliError `failed` with everything that is wrong with them
 */
export async function checkPlugins(folders: readonly string[]): Promise<void> {
  for (const given of folders) {
    const folder = resolve(given)
    if (!(await stat(folder).catch(() => undefined))?.isDirectory())
      throw new CliError(
        `${folder} is not a folder; a plugin is a folder with an index.ts or index.js.`,
        exitCodes.usage,
      )
  }
  const plugins = folders.map((folder) => pathToFileURL(resolve(folder)))
  const gantry = await openTestGateway({ plugins }).catch((error: Error) => {
    throw new CliError(error.message, exitCodes.failed, { cause: error })
  })
  try {
    const { registry, plugins: loaded } = gantry.gateway
    for (const { plugin, folder } of loaded.slice(-folders.length)) {
      process.stdout.write(`${plugin.name} ${plugin.version} (${await realpath(folder)}) loads\n`)
      for (const operation of plugin.operations ?? []) {
        const routes = operation.http.map(({ method, path }) => `${method} ${path}`)
        process.stdout.write(`  ${operation.kind} ${operation.id}: ${routes.join(', ') || 'no route'}\n`)
      }
      for (const { event } of plugin.slice?.reductions ?? []) process.stdout.write(`  event ${event.type}\n`)
      for (const { id } of plugin.extensionPoints ?? []) process.stdout.write(`  extension point ${id}\n`)
      for (const { point } of plugin.extensions ?? []) process.stdout.write(`  contributes to ${point}\n`)
    }
    process.stdout.write(`${registry.operations.length} operations in all\n`)
  } finally {
    await gantry.close()
  }
}
