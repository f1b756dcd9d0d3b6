/**
 * Three-way merge of SimaticML. What has a name or a place of its own is a unit: sections, members and what they have,
 * attributes, texts by language, tags, networks. A unit that one side changed is taken from it; a unit that both
 * changed is merged by its own units, or is a conflict. The result is our text with the changes of theirs put in. Loads
 * saxes (through the parser); import lazily.
 */

import { createHash } from 'node:crypto'
import { pairedNetworks } from '../edit/compare.ts'
import { comparedForm } from '../edit/compared-form.ts'
import { facetsOf } from '../edit/object-facets.ts'
import { applyEdits, type Edit } from '../formats/simaticml/element-edit.ts'
import { child, childrenOf, childText, parseXml, type XmlElement } from '../formats/simaticml/xml.ts'
import type { ImportedObject } from '../model/object.ts'
import { mergeKeys } from './lines.ts'

export interface MergeConflict {
  /** `Static.motor.speed`, `network 3`, `Version`. */
  readonly path: string
  readonly message: string
}

export interface MergedXml {
  readonly text: string
  readonly conflicts: readonly MergeConflict[]
}

/** A document with its objects, as the reader gives them. */
export interface XmlSide {
  readonly text: string
  readonly objects: readonly ImportedObject[]
}

const containers = new Set([
  ...['Document', 'AttributeList', 'ObjectList', 'Interface', 'Sections', 'Section', 'Member', 'Subelement'],
  ...['MultilingualText', 'MultilingualTextItem', 'Comment'],
])
const isContainer = ({ name }: XmlElement): boolean => containers.has(name) || name.startsWith('SW.')

const unit = 'SW.Blocks.CompileUnit'

/**
 * Merges three documents.
 * @throws FormatError when one is no XML
 */
export function mergeXml(base: XmlSide, ours: XmlSide, theirs: XmlSide): MergedXml {
  const merge = new Merge(base, ours, theirs)
  return merge.run()
}

class Side {
  readonly text: string
  readonly root: XmlElement
  /** The logic of each network, by its element. */
  readonly logic = new Map<XmlElement, string>()
  readonly #forms = new Map<XmlElement, string>()

  constructor({ text, objects }: XmlSide) {
    this.text = text
    this.root = parseXml(text)
    const blocks = this.root.children.filter(({ name }) => name.startsWith('SW.'))
    for (const [i, block] of blocks.entries()) {
      const units = childrenOf(child(block, 'ObjectList'), unit)
      const object = objects[i]
      // Networks by their meaning: ids and the order of writing do not count.
      if (blocks.length !== objects.length || object === undefined || object.networks.length !== units.length) continue
      const { code } = facetsOf(comparedForm(object)).code
      for (const [k, one] of units.entries()) {
        const source = child(child(one, 'AttributeList'), 'NetworkSource')
        const isKnown = object.networks[k]?.graph !== undefined || object.networks[k]?.statements !== undefined
        if (source !== undefined && isKnown) this.logic.set(source, JSON.stringify(code[k]?.logic))
      }
    }
  }

  /** Equal forms, equal meaning. */
  form(element: XmlElement): string {
    const known = this.#forms.get(element)
    if (known !== undefined) return known
    const form = this.logic.get(element) ?? this.#formOf(element)
    this.#forms.set(element, form)
    return form
  }

  #formOf(element: XmlElement): string {
    // When and by what it was exported.
    if (element.name === 'DocumentInfo') return 'DocumentInfo'
    const { name, attributes, children, text } = element
    const own = Object.entries(attributes).filter(([key]) => key !== 'ID')
    const inner = children.length === 0 ? text.replace(/\r\n/g, '\n') : children.map((one) => this.form(one))
    const isBlank = typeof inner === 'string' && isContainer(element) && inner.trim() === ''
    const form = JSON.stringify([name, own.sort(([a], [b]) => (a < b ? -1 : 1)), isBlank ? '' : inner])
    // The forms of its content are in the form of an element: as texts they would be escaped once more at each level.
    return form.length <= 64 ? form : createHash('sha256').update(form).digest('base64')
  }
}

class Merge {
  readonly #base: Side
  readonly #ours: Side
  readonly #theirs: Side
  readonly #edits: Edit[] = []
  readonly #conflicts: MergeConflict[] = []
  #lastId: number

  constructor(base: XmlSide, ours: XmlSide, theirs: XmlSide) {
    this.#base = new Side(base)
    this.#ours = new Side(ours)
    this.#theirs = new Side(theirs)
    this.#lastId = 0
    for (const [, id = '0'] of ours.text.matchAll(/<[\w.]+\s+ID="([0-9A-Fa-f]+)"/g))
      this.#lastId = Math.max(this.#lastId, Number.parseInt(id, 16))
  }

  run(): MergedXml {
    this.#merge(this.#base.root, this.#ours.root, this.#theirs.root, [])
    return { text: applyEdits(this.#ours.text, this.#edits), conflicts: this.#conflicts }
  }

  #conflict(path: readonly string[], message: string): void {
    this.#conflicts.push({ path: path.length === 0 ? 'the file' : path.join('.'), message })
  }

  #merge(base: XmlElement, ours: XmlElement, theirs: XmlElement, path: readonly string[]): void {
    const [a, b, c] = [this.#base.form(base), this.#ours.form(ours), this.#theirs.form(theirs)]
    if (a === c || b === c) return
    if (a === b && !this.#hasPlainOrder(base, ours, theirs)) {
      this.#edits.push({ start: ours.start, end: ours.end, text: this.#textOf(theirs) })
      return
    }
    if (a !== b && (!isContainer(ours) || !this.#isApart(base, ours, theirs))) {
      this.#conflict(path, 'both sides changed it')
      return
    }
    this.#mergeAttributes(base, ours, theirs, path)
    this.#mergeChildren(base, ours, theirs, path)
  }

  /** Whether changes of theirs can be put into ours one by one. */
  #hasPlainOrder(base: XmlElement, ours: XmlElement, theirs: XmlElement): boolean {
    if (!isContainer(ours)) return false
    const [a, b, c] = this.#keyed(base, ours, theirs)
    if (a === undefined || b === undefined || c === undefined) return false
    return !mergeKeys([...a.keys()], [...b.keys()], [...c.keys()]).isMoved
  }

  /** A new type of a member and another change of it belong together; a comment does not. */
  #isApart(base: XmlElement, ours: XmlElement, theirs: XmlElement): boolean {
    if (ours.name !== 'Member') return true
    const rest = (side: Side, { attributes, children }: XmlElement) =>
      JSON.stringify([
        Object.entries(attributes).sort(),
        children.filter(({ name }) => name !== 'Comment').map((one) => side.form(one)),
      ])
    const type = (one: XmlElement) => `${one.attributes.Datatype} ${one.attributes.Version}`
    if (type(base) === type(ours) && type(base) === type(theirs)) return true
    const before = rest(this.#base, base)
    return before === rest(this.#ours, ours) || before === rest(this.#theirs, theirs)
  }

  #mergeAttributes(base: XmlElement, ours: XmlElement, theirs: XmlElement, path: readonly string[]): void {
    const names = new Set([...Object.keys(ours.attributes), ...Object.keys(theirs.attributes)])
    names.delete('ID')
    let tag = this.#ours.text.slice(ours.start, ours.contentStart)
    const before = tag
    for (const name of names) {
      const [a, b, c] = [base.attributes[name], ours.attributes[name], theirs.attributes[name]]
      if (a === c || b === c) continue
      if (a !== b) {
        this.#conflict([...path, name], 'both sides changed it')
        continue
      }
      const pattern = new RegExp(`\\s${name.replace(/[.:]/g, '\\$&')}\\s*=\\s*("[^"]*"|'[^']*')`)
      const written = pattern.exec(this.#theirs.text.slice(theirs.start, theirs.contentStart))?.[0] ?? ''
      tag = pattern.test(tag)
        ? tag.replace(pattern, () => written)
        : tag.replace(/\s*\/?>$/, (end) => `${written}${end}`)
    }
    if (tag !== before)
      this.#edits.push({
        start: ours.start,
        end: ours.contentStart - closing(before),
        text: tag.slice(0, tag.length - closing(tag)),
      })
  }

  #mergeChildren(base: XmlElement, ours: XmlElement, theirs: XmlElement, path: readonly string[]): void {
    const [a, b, c] = this.#keyed(base, ours, theirs)
    if (a === undefined || b === undefined || c === undefined) {
      this.#conflict(path, 'both sides changed it, and its parts have no names')
      return
    }
    const { order, contested, isMoved } = mergeKeys([...a.keys()], [...b.keys()], [...c.keys()])
    if (isMoved && ![...b.keys()].every((key, i) => key === [...c.keys()][i]))
      this.#conflict(path, 'their side changed the order')
    const refused = new Set<string>()
    for (const { ours: own, theirs: other } of contested) {
      if (!other.startsWith('network')) continue
      this.#conflict(
        [...path, placeOf(b.get(own)!)],
        'both sides added a network here: which one runs first is not known',
      )
      for (const key of c.keys()) if (key.startsWith('network +') && !b.has(key)) refused.add(key)
    }
    const added: string[] = []
    let last: XmlElement | undefined
    for (const key of order) {
      const [x, y, z] = [a.get(key), b.get(key), c.get(key)]
      if (y !== undefined) {
        this.#mergeOne(x, y, z, [...path, ...labelOf(y)])
        last = y
      } else if (z !== undefined && !refused.has(key)) {
        const text = spaceBefore(this.#theirs.text, z.start) + this.#textOf(z)
        if (ours.contentStart === ours.end) added.push(text)
        else {
          const at = last === undefined ? ours.contentStart : last.end
          this.#edits.push({ start: at, end: at, text })
        }
      }
    }
    if (added.length > 0) {
      const [, name = ours.name] = /^<([^\s/>]+)/.exec(this.#ours.text.slice(ours.start, ours.end)) ?? []
      const text = `>${added.join('')}\n</${name}>`
      this.#edits.push({ start: ours.end - '/>'.length, end: ours.end, text })
    }
    for (const [key, x] of a) {
      const z = c.get(key)
      if (!b.has(key) && z !== undefined && this.#base.form(x) !== this.#theirs.form(z))
        this.#conflict([...path, ...labelOf(z)], 'our side removed it, their side changed it')
    }
  }

  #mergeOne(
    base: XmlElement | undefined,
    ours: XmlElement,
    theirs: XmlElement | undefined,
    path: readonly string[],
  ): void {
    if (theirs !== undefined) {
      if (base !== undefined) this.#merge(base, ours, theirs, path)
      else if (this.#ours.form(ours) !== this.#theirs.form(theirs))
        this.#conflict(path, 'both sides added it, and differ')
    } else if (base !== undefined) {
      if (this.#base.form(base) !== this.#ours.form(ours))
        this.#conflict(path, 'their side removed it, our side changed it')
      else {
        const before = spaceBefore(this.#ours.text, ours.start)
        this.#edits.push({ start: ours.start - before.length, end: ours.end, text: '' })
      }
    }
  }

  /** Children by keys that mean the same on each side; undefined for a side where two have one key. */
  #keyed(base: XmlElement, ours: XmlElement, theirs: XmlElement): (Map<string, XmlElement> | undefined)[] {
    const sides = [base, ours, theirs]
    const networks = sides.some((one) => child(one, unit) !== undefined)
      ? this.#networkKeys(base, ours, theirs)
      : undefined
    return sides.map(({ children }) => {
      const found = new Map(children.map((one) => [networks?.get(one) ?? keyOf(one), one]))
      return found.size === children.length ? found : undefined
    })
  }

  /** Networks have no names: they are paired by what is in them. */
  #networkKeys(base: XmlElement, ours: XmlElement, theirs: XmlElement): Map<XmlElement, string> {
    const keys = new Map<XmlElement, string>()
    const units = childrenOf(base, unit)
    for (const [i, one] of units.entries()) keys.set(one, `network ${i}`)
    const pair = (side: Side, parent: XmlElement) => {
      const others = childrenOf(parent, unit)
      for (const [i, j] of pairedUnits(
        units.map((one) => logicOf(this.#base, one)),
        others.map((one) => logicOf(side, one)),
      ))
        keys.set(others[j]!, `network ${i}`)
      return others
    }
    const added = new Map<string, string>()
    const lists = [pair(this.#ours, ours), pair(this.#theirs, theirs)] as const
    for (const [s, list] of lists.entries()) {
      let last = ''
      for (const [j, one] of list.entries()) {
        const known = keys.get(one)
        if (known === undefined) {
          // The same network that both sides added at the same place is one.
          const side = s === 0 ? this.#ours : this.#theirs
          const place = `${last} ${side.form(one)}`
          const key = s === 1 ? (added.get(place) ?? `network +theirs ${j}`) : `network +ours ${j}`
          if (s === 0) added.set(place, key)
          keys.set(one, key)
        }
        last = keys.get(one)!
      }
    }
    return keys
  }

  /** Text of an element of theirs, with ids that ours does not have. */
  #textOf(element: XmlElement): string {
    const text = this.#theirs.text.slice(element.start, element.end)
    return text.replace(/(<[\w.]+\s+ID=")[0-9A-Fa-f]+(?=")/g, (_, before: string) => {
      this.#lastId++
      return before + this.#lastId.toString(16).toUpperCase()
    })
  }
}

function spaceBefore(text: string, end: number): string {
  let start = end
  while (start > 0 && /\s/.test(text[start - 1]!)) start--
  return text.slice(start, end)
}

const closing = (tag: string): number => (/\s*\/?>$/.exec(tag)?.[0] ?? '').length

interface Logic {
  readonly form: string
  readonly title: string
}

function logicOf(side: Side, element: XmlElement): Logic {
  const list = child(element, 'AttributeList')
  const form = list === undefined ? '' : side.form(list)
  const title = childrenOf(child(element, 'ObjectList'), 'MultilingualText').find(
    ({ attributes }) => attributes.CompositionName === 'Title',
  )
  const items = childrenOf(child(title, 'ObjectList'), 'MultilingualTextItem')
  return {
    form,
    title: items
      .map((one) => childText(child(one, 'AttributeList'), 'Text') ?? '')
      .join('\n')
      .trim(),
  }
}

/**
 * Networks of the base and what became of them. Equal logic is the same network; where as many networks came as went,
 * they are the same in their order unless their titles differ; else only those of one title are.
 */
function pairedUnits(base: readonly Logic[], others: readonly Logic[]): [number, number][] {
  const found: [number, number][] = []
  let gone: number[] = []
  let come: number[] = []
  const flush = () => {
    const isSameCount = gone.length === come.length
    for (const [k, i] of gone.entries()) {
      const { title } = base[i]!
      const j = isSameCount ? come[k] : come.find((at) => title !== '' && others[at]!.title === title)
      if (j === undefined) continue
      const other = others[j]!.title
      if (isSameCount && title !== '' && other !== '' && title !== other) continue
      found.push([i, j])
      if (!isSameCount) come = come.filter((at) => at !== j)
    }
    gone = []
    come = []
  }
  const forms = (list: readonly Logic[]) => list.map(({ form }) => ({ form, comments: [], isEmpty: false }))
  for (const { left, right, isSame } of pairedNetworks(forms(base), forms(others))) {
    if (!isSame) {
      if (left !== undefined) gone.push(left)
      if (right !== undefined) come.push(right)
      continue
    }
    flush()
    found.push([left!, right!])
  }
  flush()
  return found
}

/** What identifies an element among its siblings. */
function keyOf(element: XmlElement): string {
  const { name, attributes } = element
  const list = child(element, 'AttributeList')
  if (name === 'MultilingualTextItem') return `${name} ${childText(list, 'Culture') ?? ''}`
  if (name === 'MultilingualText') return `${name} ${attributes.CompositionName ?? ''}`
  if (name.startsWith('SW.')) return `${name} ${(childText(list, 'Name') ?? '').toLowerCase()}`
  const own = attributes.Name ?? attributes.Path ?? attributes.Lang
  return own === undefined ? name : `${name} ${name === 'Member' ? own.toLowerCase() : own}`
}

/** What a conflict is named by; elements that only group others have no part in it. */
function labelOf(element: XmlElement): string[] {
  const { name, attributes } = element
  if (name === unit) return [placeOf(element)]
  if (name === 'MultilingualText') return [(attributes.CompositionName ?? 'text').toLowerCase()]
  if (name === 'MultilingualTextItem') return [childText(child(element, 'AttributeList'), 'Culture') ?? '']
  if (name.startsWith('SW.')) {
    const own = childText(child(element, 'AttributeList'), 'Name')
    return own === undefined ? [] : [`"${own}"`]
  }
  if (attributes.Name !== undefined) return [attributes.Name]
  if (attributes.Path !== undefined) return [`[${attributes.Path}]`]
  return /^(AttributeList|ObjectList|Interface|Sections|NetworkSource)$/.test(name) ? [] : [name]
}

const placeOf = (element: XmlElement): string => `network ${childrenOf(element.parent, unit).indexOf(element) + 1}`
