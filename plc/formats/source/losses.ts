/**
 * Compares an object with what another format gives back of it, and says in words what is missing. Writers read again
 * what they wrote, so that every loss is reported, also one that nobody foresaw.
 */

import { shortened } from '../../../lib/shortened.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import { declaredName } from '../../model/names.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection, Network } from '../../model/object.ts'
import { assignedPlaces } from './assignments.ts'
import { ownAttributes } from './attribute-names.ts'
import { elementPlace, type PlaceStep } from './element-place.ts'
import { listedElements } from './initial-values.ts'

/**
 * One thing that an object says: `what` it is, about which member or network (`place`, '' for the block), its value.
 */
interface Fact {
  readonly what: string
  readonly place: string
  readonly value: string
}

/** How many places a warning names; it counts the others. */
const namedPlaces = 5

/**
 * Returns what `after` has lost or changed of `before`, one sentence for each kind of loss, with the members or
 * networks it concerns. Logic of LAD and FBD is not compared: writers refuse what they cannot express of it.
 */
export function lossesOf(before: ImportedObject, after: ImportedObject): string[] {
  const was = factsOf(before)
  const is = factsOf(after)
  const losses = new Map<string, string[]>()
  const note = (sentence: string, place: string): void => {
    const places = losses.get(sentence)
    if (places === undefined) losses.set(sentence, [place])
    else places.push(place)
  }
  /** Members that are missing as a whole: their content is not reported again. */
  const missing = new Set<string>()
  for (const [key, { what, place, value }] of was) {
    const now = is.get(key)
    if (now?.value === value || isBelow(place, missing)) continue
    if (what === memberFact && now === undefined) missing.add(place)
    const shown = shownValue(what, value)
    if (now === undefined) note(`${what}${shown} ${outcome(key, value, is)}`, place)
    else note(`${what}${shown} becomes${shownValue(what, now.value) || ' another'}`, place)
  }
  for (const [key, { what, place, value }] of is)
    if (!was.has(key) && !isOtherCulture(key, value, was)) note(`${what}${shownValue(what, value)} is added`, place)
  return [...losses].map(([sentence, places]) => inWords(sentence, places))
}

function inWords(sentence: string, places: readonly string[]): string {
  const [only = ''] = places
  if (places.length === 1) return only === '' ? sentence : `${only}: ${sentence}`
  const named = places.slice(0, namedPlaces).join(', ')
  const others = places.length - namedPlaces
  return `${sentence} (${places.length} times): ${named}${others > 0 ? ` and ${others} more` : ''}`
}

function isBelow(place: string, missing: ReadonlySet<string>): boolean {
  if (missing.size === 0) return false
  // Values are at elements: `rows[1].level`; the member is missing in all of them.
  const path = place.replace(/\[[^\]]*\]/g, '')
  for (let at = path.length; at > 0; at = path.lastIndexOf('.', at - 1)) if (missing.has(path.slice(0, at))) return true
  return false
}

const memberFact = 'the member of type'
/** Facts whose values are too long, or say nothing more. */
const withoutValue = /comment|title|text|not interpreted|protection|^that /

function shownValue(what: string, value: string): string {
  if (withoutValue.test(what)) return ''
  const short = shortened(value, 80)
  if (what.startsWith('the attribute')) return ` = ${JSON.stringify(short)}`
  return /author|family|header/.test(what) ? ` ${JSON.stringify(short)}` : ` ${short}`
}

/** Texts are compared by culture: the same text can exist in another one. */
function outcome(key: string, value: string, is: ReadonlyMap<string, Fact>): string {
  return isOtherCulture(key, value, is) ? 'keeps its text but not its culture' : 'is left out'
}

function isOtherCulture(key: string, value: string, facts: ReadonlyMap<string, Fact>): boolean {
  const head = /^(.* in )\S+\n/.exec(key)?.[1]
  if (head === undefined) return false
  const place = key.slice(key.indexOf('\n'))
  const cultures = culturesOf.get(facts) ?? new Map<string, Set<string>>()
  if (!culturesOf.has(facts)) {
    for (const [other, fact] of facts) {
      const text = /^(.* in )\S+\n/.exec(other)?.[1]
      if (text === undefined) continue
      const at = `${text}${other.slice(other.indexOf('\n'))}`
      cultures.set(at, (cultures.get(at) ?? new Set()).add(fact.value))
    }
    culturesOf.set(facts, cultures)
  }
  return cultures.get(`${head}${place}`)?.has(value) === true
}

/** Texts of a list of facts by their place, whatever their culture; one pass for each list. */
const culturesOf = new WeakMap<ReadonlyMap<string, Fact>, Map<string, Set<string>>>()

type Say = (what: string, place: string, value: string | undefined) => void

function factsOf(object: ImportedObject): Map<string, Fact> {
  const facts = new Map<string, Fact>()
  const say: Say = (what, place, value) => {
    if (value !== undefined && value !== '') facts.set(`${what}\n${place}`, { what, place, value })
  }
  const texts = (what: string, place: string, text: MultilingualText): void => {
    for (const [culture, value] of Object.entries(text)) say(`${what} in ${culture}`, place, value)
  }
  const { kind, language, networks } = object
  const isCode = kind === 'OB' || kind === 'FB' || kind === 'FC'
  say('the kind', '', kind)
  if (object.element.startsWith('SW.TechnologicalObjects.')) say('that it is a technology object', '', 'true')
  if (kind !== 'UDT') say('the language', '', isCode ? language : language || 'DB')
  say('the number', '', object.number?.toString())
  if (object.number === undefined ? isSaidFixed(object) : isFixedNumber(object))
    say('that the number is fixed', '', 'true')
  texts('the title', '', object.title)
  texts('the comment', '', object.comment)
  say('the author', '', object.author)
  say('the family', '', object.family)
  say("the header's name", '', object.headerName)
  if (object.version !== '0.1') say('the version', '', object.version)
  const isClassic = object.memoryLayout === undefined && object.format === 'source' && language === 'STL'
  if (kind !== 'UDT' && (object.memoryLayout === 'Standard' || isClassic)) say('the access', '', 'Standard')
  if (object.isKnowHowProtected) say('the know-how protection', '', 'true')
  if (kind === 'OB' && object.secondaryType !== 'ProgramCycle') say('the event class', '', object.secondaryType)
  say('the type', '', object.instanceOf)
  for (const { name, value } of ownAttributes(object)) say(`the attribute ${name}`, '', value)
  // Namespaces have another number in each version.
  for (const { xml } of object.kept?.elements ?? [])
    say(`the attribute ${/^<([\w.:-]+)/.exec(xml)?.[1]}`, '', xml.replace(/ xmlns="[^"]*"/g, ''))
  const isTyped = kind === 'InstanceDB' || kind === 'ArrayDB'
  if (isTyped && isRetained(object)) say('that its values are retentive', '', 'true')
  sayInterface(kind === 'ArrayDB' ? namelessArray(object) : object.interface, kind === 'InstanceDB', say, texts)
  if (object.format === 'source' && kind.endsWith('DB')) sayAssigned(object.text ?? '', facts, say)
  if (isCode) for (const network of networks) sayNetwork(network, networks.length, say, texts)
  return facts
}

function isSaidFixed({ attributes }: ImportedObject): boolean {
  return attributes.some(({ name, value }) => name === 'AutoNumber' && value.trim() === 'false')
}

/** Default: the engineering tool chooses numbers of SimaticML; all other numbers are fixed. */
function isFixedNumber({ attributes, format, xml }: ImportedObject): boolean {
  const auto = attributes.find(({ name }) => name === 'AutoNumber')?.value
  return auto === undefined ? format === 'source' || xml === undefined : auto.trim() === 'false'
}

/** Whether a data block of a type is retentive as a whole: no section of its own could say it. */
function isRetained({ attributes, interface: sections }: ImportedObject): boolean {
  if (attributes.some(({ name }) => name === 'RETAIN')) return true
  const members = sections.flatMap(({ section, members: list }) =>
    section === 'Static' || section === 'None' ? list : [],
  )
  return members.length > 0 && members.every(({ remanence }) => remanence === 'Retain')
}

/** The one member of an array data block has a name in SimaticML only. */
function namelessArray({ interface: sections }: ImportedObject): InterfaceSection[] {
  return sections.map((section) => ({
    ...section,
    members: section.members.map((member) => ({ ...member, name: '' })),
  }))
}

/** Values of members whose type is not known are in the text only. */
function sayAssigned(text: string, facts: ReadonlyMap<string, Fact>, say: Say): void {
  // A list for an array was said of each of its elements.
  const arrays = new Set([...facts.values()].map(({ place }) => /^(.*)\[[^\]]*\]$/.exec(place)?.[1]))
  for (const { place, value } of assignedPlaces(text))
    if (!value.startsWith('[') || !arrays.has(place)) say('the start value', place, value)
}

type SayTexts = (what: string, place: string, text: MultilingualText) => void

function sayInterface(sections: readonly InterfaceSection[], isCopy: boolean, say: Say, texts: SayTexts): void {
  for (const { section, members, base, kept } of sections) {
    if (kept !== undefined) say('what is not interpreted', `section ${section}`, JSON.stringify(kept))
    // Members of a base class are declared there: only their values are of this object.
    if (base !== undefined) sayInterface(base, true, say, texts)
    if (section === 'Base' && !isCopy) continue
    for (const member of members) {
      // Functions without a result have none in some files.
      if (section === 'Return' && /^Void$/i.test(member.dataType)) continue
      sayMember(member, '', [], isCopy, section, say, texts)
    }
  }
}

/**
 * The content of a member. A copy of the members of a type says only its values and comments.
 * @param around place of the member that it is in, which `outer` leads to; '' for an outermost one
 */
function sayMember(
  member: InterfaceMember,
  around: string,
  outer: readonly PlaceStep[],
  isCopy: boolean,
  section: string,
  say: Say,
  texts: SayTexts,
): void {
  if (member.informative === true) return
  const steps = [...outer, { name: member.name, dataType: member.dataType }]
  const own = member.name === '' ? '' : declaredName(member.name)
  const place = outer.length === 0 ? own : `${around}.${own}`
  const { startValue, dataType } = member
  if (!isCopy) {
    say(memberFact, place, dataType)
    if (section !== 'Static' && section !== 'None') say('the section', outer.length === 0 ? place : '', section)
    if (!dataType.startsWith('"')) say('the version', place, member.version)
    if (member.remanence !== 'NonRetain') say('the remanence', place, member.remanence)
    if (member.accessibility !== 'Public') say('the accessibility', place, member.accessibility)
    say('the assigned ProDiag function block', place, member.assignedProDiagFB)
    for (const { name, value, informative } of member.attributes) {
      if (informative === true || isUnspoken(name, value, dataType)) continue
      say(`the attribute ${name}`, place, value)
    }
    if (member.kept !== undefined) say('what is not interpreted', place, JSON.stringify(member.kept))
  }
  if (member.commentIsInformative !== true) texts('the comment', place, member.comment)
  const listed = listedElements(
    member,
    outer.map((step) => step.dataType),
  )
  if (listed === undefined && member.startValueIsInformative !== true) {
    const plain = startValue?.replace(/^#|"/g, '')
    // A text has the name alone.
    const constant = member.startValueConstant ?? (plain !== undefined && isName(plain) ? plain : undefined)
    if (constant === undefined) say('the start value', place, startValue)
    else {
      say('the start value of the constant', place, constant)
      if (plain !== constant) say('the value that the constant had', place, startValue)
    }
  }
  for (const { path, startValue: value, comment, kept } of [...(listed ?? []), ...(member.subelements ?? [])]) {
    const at = elementPlace(steps, path)
    say('the start value', at, value)
    if (comment !== undefined) texts('the comment', at, comment)
    if (kept !== undefined) say('what is not interpreted', at, JSON.stringify(kept))
  }
  for (const inner of member.members) sayMember(inner, place, steps, isCopy, section, say, texts)
  for (const { members } of member.sections ?? [])
    for (const inner of members) sayMember(inner, place, steps, true, section, say, texts)
}

/** Whether a start value is the name of a constant. */
const isName = (value: string): boolean =>
  /^[\p{L}_][\p{L}\p{N}_]*$/u.test(value) && !/^(TRUE|FALSE|NULL)$/i.test(value)

/** Attributes of members that say what is so anyway. */
function isUnspoken(name: string, value: string, dataType: string): boolean {
  if (/^(Offset|PaddedSize)$/.test(name)) return true
  if (/^(External|User)/.test(name)) return value === (/^User(ReadOnly)$/.test(name) ? 'false' : 'true')
  if (name === 'SetPoint') return value === 'false'
  return name === 'InstructionName' && dataType.toUpperCase().endsWith(value.toUpperCase())
}

function sayNetwork(network: Network, count: number, say: Say, texts: SayTexts): void {
  const { number, title, comment, language, text, kept } = network
  const place = count === 1 && number === 1 ? 'network 1' : `network ${number}`
  if (count > 1 || (text ?? '') !== '' || language !== 'SCL') say('the language', place, language)
  texts('the title', place, title)
  texts('the comment', place, comment)
  if (network.statements === undefined) say('the text', place, text)
  if (kept !== undefined) say('what is not interpreted', place, JSON.stringify(kept))
}
