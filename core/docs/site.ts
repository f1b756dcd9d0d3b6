/**
 * The manual in a browser: every section as a page, with a list of all sections, the headings of the page, and a
 * search that needs no program. The texts are those of the sections (`manual.ts`).
 */

import { posix } from 'node:path'
import { escapeAttribute, escapeText } from '../../lib/xml-text.ts'
import type { Registry } from '../plugins/registry.ts'
import { manualParts, type Section, sectionsOf } from './manual.ts'
import { htmlOf, type LinkTarget, passagesOf } from './markdown.ts'
import { searchManual } from './search.ts'

/** Where the manual is served. */
const base = '/docs'

/** Most results that the page of a search shows. */
const mostHits = 40
/** Most results of one section. */
const hitsOfSection = 3

interface Page {
  readonly title: string
  readonly body: string
  /** Headings of the page beside it. */
  readonly contents?: string
  /** Name of the section that is shown. */
  readonly current?: string
  /** What was looked for. */
  readonly query?: string
}

/** A title in the list of its part. */
const shortTitle = ({ title }: Section) => escapeText(title.replace(/^Reference: /, ''))
const addressOf = ({ name }: Section) => `${base}/${encodeURIComponent(name)}`

/** The first page: all sections by part. */
export function homePage(registry: Registry, version: string): string {
  const sections = sectionsOf(registry)
  const parts = manualParts.map((part) => {
    const items = sections
      .filter((section) => section.part === part)
      .map((section) => `<li><a href="${addressOf(section)}">${shortTitle(section)}</a></li>`)
    return `<section><h2>${part}</h2><ul>${items.join('')}</ul></section>`
  })
  const body = `<h1>Gantry ${escapeText(version)}</h1>
<p>An engineering automation gateway for PLC and HMI projects. Begin with
<a href="${base}/getting-started">Getting started</a> or <a href="${base}/first-project">A first project</a>; every
operation can be tried in the <a href="${base}/reference">API reference</a>.</p>
<div class="parts">${parts.join('\n')}</div>`
  return layout(sections, { title: 'Manual', body })
}

/** The page of a section; undefined when there is none of the name. */
export async function sectionPage(registry: Registry, name: string): Promise<string | undefined> {
  const sections = sectionsOf(registry)
  const section = sections.find((one) => one.name === name)
  if (!section) return undefined
  const text = await section.text()
  const headings = passagesOf(text).filter(({ depth }) => depth === 2 || depth === 3)
  const items = headings.map(
    ({ depth, anchor, heading }) =>
      `<li class="depth${depth}"><a href="#${escapeText(anchor)}">${escapeText(heading)}</a></li>`,
  )
  const contents = items.length < 2 ? '' : `<ul>${items.join('')}</ul>`
  const body = htmlOf(text, targetsOf(sections, section))
  return layout(sections, { title: section.title, body, contents, current: name })
}

/** The page of a search. */
export async function searchPage(registry: Registry, query: string): Promise<string> {
  const hits = query.trim() === '' ? [] : await searchManual(registry, query, mostHits, hitsOfSection)
  const items = hits.map(
    ({ url, title, snippet }) =>
      `<li><a href="${escapeAttribute(url)}">${escapeText(title)}</a><p>${escapeText(snippet)}</p></li>`,
  )
  const found =
    items.length > 0
      ? `<ol class="hits">${items.join('\n')}</ol>`
      : `<p>${query.trim() === '' ? 'Type what you look for.' : 'Nothing was found. Fewer or other words may help.'}</p>`
  const title = query.trim() === '' ? 'Search' : `Search: ${query}`
  return layout(sectionsOf(registry), { title, body: `<h1>${escapeText(title)}</h1>${found}`, query })
}

/** What is shown for a name that no section has. */
export function missingPage(registry: Registry, name: string): string {
  const body = `<h1>There is no such page</h1>
<p>The manual has no page “${escapeText(name.slice(0, 100))}”. All pages are in the list; the search looks into every one.</p>`
  return layout(sectionsOf(registry), { title: 'There is no such page', body })
}

/** The addresses of links in a section: other sites, other sections and headings. */
function targetsOf(sections: readonly Section[], { file }: Section): LinkTarget {
  const byFile = new Map(sections.flatMap((section) => (section.file ? [[section.file, section] as const] : [])))
  const byName = new Map(sections.map((section) => [section.name, section]))
  return (href) => {
    if (/^(https?:|#|\/(?!\/))/i.test(href)) return href
    const [path = '', anchor] = href.split('#')
    const whole = posix.join(file ? posix.dirname(file) : '', path)
    // Pages of plugins are files of their name in a folder `docs/`.
    const named = /^(?:.*\/docs\/)?([^/]+)\.md$/.exec(whole)?.[1]
    const found = byFile.get(whole) ?? (named === undefined ? undefined : byName.get(named))
    return found && `${addressOf(found)}${anchor ? `#${anchor}` : ''}`
  }
}

function layout(sections: readonly Section[], { title, body, contents = '', current, query = '' }: Page): string {
  const lists = manualParts.map((part) => {
    const items = sections
      .filter((section) => section.part === part)
      .map((section) => {
        const mark = section.name === current ? ' aria-current="page"' : ''
        return `<li><a href="${addressOf(section)}"${mark}>${shortTitle(section)}</a></li>`
      })
    return `<h2>${part}</h2><ul>${items.join('')}</ul>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} · Gantry</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/manual.css">
<script src="${base}/manual.js" defer></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="name" href="${base}">Gantry</a>
<form action="${base}/search" role="search"><input type="search" name="q" value="${escapeAttribute(query)}" placeholder="Search the manual" aria-label="Search the manual" maxlength="200"></form>
<a href="${base}/reference">API reference</a>
</header>
<div class="columns">
<nav class="pages" aria-label="Pages"><details open><summary>Pages</summary>${lists.join('\n')}</details></nav>
<main id="text">${body}</main>
${contents === '' ? '' : `<nav class="contents" aria-label="On this page"><h2>On this page</h2>${contents}</nav>`}
</div>
</body>
</html>
`
}
