/** Each plugin that has a page of the manual, docs.ts, offers it with a title and a text. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Plugin } from '../core/index.ts'

const plugins = new URL('../plugins/', import.meta.url)
const isCompiled = import.meta.url.endsWith('.js')
const at = (name: string, file: string) => new URL(`${name}/${file}.${isCompiled ? 'js' : 'ts'}`, plugins)

for (const name of readdirSync(plugins).filter((one) => existsSync(at(one, 'docs')) && existsSync(at(one, 'index'))))
  test(`the manual has the page of ${name}`, async () => {
    const { default: plugin } = (await import(at(name, 'index').href)) as { default: Plugin }
    const pages = plugin.docs ?? []
    assert.ok(pages.length > 0, 'docs of the plugin')
    for (const page of pages) {
      assert.match(page.title, /\w/)
      const text = typeof page.text === 'string' ? page.text : await page.text()
      assert.ok(text.length > 200, page.name)
    }
  })
