/**
 * Targets of references in comments and pages exist: the file below `docs/`, and the heading in it. Nothing refers to
 * files outside the repository, so that a clone is self-contained.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { packageDir } from '../core/boot/running-code.ts'
import { headingAnchors } from '../core/docs/anchors.ts'

const folders = ['core', 'lib', 'store', 'plc', 'plugins', 'docs', 'test', 'bench', 'examples', 'scripts', '.ci']
const extensions = new Set(['.ts', '.mts', '.mjs', '.tsx', '.sh', '.md'])

/** Files of the repository, by their path from its root, with their text. */
function* filesOf(): Generator<readonly [file: string, text: string]> {
  const below = folders.flatMap((folder) =>
    existsSync(path.join(packageDir, folder))
      ? readdirSync(path.join(packageDir, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
          path.join(folder, name),
        )
      : [],
  )
  const files = [...readdirSync(packageDir), ...below].map((file) => file.split(path.sep).join('/'))
  for (const file of files.sort()) {
    const isOurs = !/^test\/corpus\/.+\/|(?:^|\/)(?:node_modules|dist)\//.test(file)
    if (isOurs && extensions.has(path.extname(file))) yield [file, readFileSync(path.join(packageDir, file), 'utf8')]
  }
}
const files = [...filesOf()].filter(([file]) => file !== 'test/citations.test.ts')

/** Anchors of the headings of a page, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const lines = readFileSync(path.join(packageDir, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
  const anchorOf = headingAnchors()
  return new Set([...lines.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) => anchorOf(heading)))
}

/** Why a reference into the repository is broken; undefined when it is not. */
function faultOf(target: string, anchor: string | undefined): string | undefined {
  if (!existsSync(path.join(packageDir, target))) return 'no such file'
  if (anchor && !anchorsOf(target).has(anchor)) return 'no such heading'
  return undefined
}

test('every docs/….md#heading that is cited exists', () => {
  const faults: string[] = []
  let count = 0
  for (const [file, text] of files)
    for (const [cited, target = '', anchor] of text.matchAll(
      /(?<![\w./-])(docs\/[\w./-]+\.(?:md|tsv))(?:#([\w-]+))?/g,
    )) {
      count++
      const fault = faultOf(target, anchor)
      if (fault) faults.push(`${file}: ${cited}: ${fault}`)
    }
  assert.deepEqual(faults, [])
  assert.ok(count > 100, `${count} citations`)
})

test('links of pages lead somewhere', () => {
  const faults: string[] = []
  for (const [file, text] of files)
    if (file.endsWith('.md'))
      for (const [, link = ''] of text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(link)) continue
        const [target = '', anchor] = link.split('#')
        const whole = target === '' ? file : path.posix.join(path.posix.dirname(file), target)
        const fault = faultOf(whole, anchor)
        if (fault) faults.push(`${file}: ${link}: ${fault}`)
      }
  assert.deepEqual(faults, [])
})

test('pages of docs/ are cited with their folder', () => {
  const pages = readdirSync(path.join(packageDir, 'docs')).filter((name) => /\.(?:md|tsv)$/.test(name))
  const names = new RegExp(`(?<![\\w/-])(?:${pages.join('|').replaceAll('.', '\\.')})`)
  const faults = files.filter(([file, text]) => !file.startsWith('docs/') && names.test(text)).map(([file]) => file)
  assert.deepEqual(faults, [])
})

test('nothing points out of the repository', () => {
  const faults: string[] = []
  for (const [file, text] of files) {
    for (const [named] of text.matchAll(
      /\bDESIGN(?:\.md| \d)|\bwire-shapes|\bgateway-spec|\broutes\.tsv|\.\.\/shared\//g,
    ))
      faults.push(`${file}: ${named}`)
    for (const [, target = ''] of text.matchAll(/new URL\('(\.[^']*)', import\.meta\.url\)/g))
      if (path.posix.join(path.posix.dirname(file), target).startsWith('../')) faults.push(`${file}: ${target}`)
  }
  assert.deepEqual(faults, [])
})
