/**
 * What an operation does, in words: the verb and the subject of its title, id and `asks`, with other words for the same
 * put together. People and models look for operations, and misname them, by what they want done.
 */
import { distance } from 'fastest-levenshtein'
import type { Operation } from '../contract/operation.ts'

/** Words that do the same, by the first of each line. */
const verbLines = `
show list get read view see display tell fetch say look print what which
find search locate where
explain why reason describe understand
check verify validate lint review inspect
compare diff difference
follow watch monitor observe
create add make new insert define put declare instantiate take plug
generate
change update edit modify set adjust alter configure replace correct fix mend switch
rename
move
write
delete remove erase drop discard clear destroy unplug
export
import
load download transfer
upload
compile build translate
run start execute launch begin boot power simulate
stop halt end pause freeze hold
connect link attach bind wire
disconnect unlink detach
open
close
save
archive
restore undo revert rollback
snapshot
acknowledge
force
reset
format
`
/** Other words for what operations are about, by the first of each line. */
const subjectLines = `
plc cpu controller
simulation simulator plcsim virtual instance
device station
tag variable signal symbol
block function fb fc ob db
program software code logic
error fault mistake problem warning message diagnostic
type udt structure struct
screen page
object lamp button field element shape widget text graphical
hmi panel
value state status output
connect connection link
test case
folder directory group
member parameter
specification spec
history version
spreadsheet excel xlsx workbook
rule guideline standard
`
const stopWords = new Set(
  `a an the of to in on for with from by and or is are was be it its one this that these my our your all any how do does
  can i we want need please me at as into if then there so now up let go whether`.split(/\s+/),
)
/** Before one of these the subject of a title ends. */
const prepositions = new Set('of to in on for with from by into at as as: where that without and or'.split(' '))

const firstOfLine = (lines: string) =>
  new Map(
    lines
      .trim()
      .split('\n')
      .flatMap((line) => line.split(' ').map((word, _, [first]) => [word, first!] as const)),
  )
const verbs = firstOfLine(verbLines)
const subjects = firstOfLine(subjectLines)

/** Verbs that may stand for one another where no operation has the very one. */
const nearVerbs: readonly (readonly string[])[] = [
  ['show', 'find', 'explain', 'check', 'follow'],
  ['create', 'generate', 'import'],
  ['create', 'write'],
  ['change', 'rename', 'move', 'write'],
  ['stop', 'disconnect', 'close'],
]
/** Verbs of those who only want to know. */
const reading = new Set(['show', 'find', 'explain', 'check', 'compare', 'follow'])
/** Verbs of what makes something run. */
const starting = new Set(['run', 'load'])

/** The word without its ending, as the tables have it. */
function stems(word: string): string[] {
  const found = [word]
  if (word.endsWith('ies')) found.push(`${word.slice(0, -3)}y`)
  else if (/[^su]s$/.test(word)) found.push(word.slice(0, -1))
  if (/(?:ch|sh|x|ss)es$/.test(word)) found.push(word.slice(0, -2))
  for (const ending of ['ing', 'ed'])
    if (word.endsWith(ending) && word.length > ending.length + 2) {
      const stem = word.slice(0, -ending.length)
      found.push(stem, `${stem}e`, stem.replace(/(.)\1$/, '$1'))
    }
  return found
}

function verbOf(word: string): string | undefined {
  for (const stem of stems(word)) if (verbs.has(stem)) return verbs.get(stem)
  return undefined
}

/** The verb of a word that may have a slip in it (`delte`); short words are too like one another. */
function verbMeant(word: string): string | undefined {
  const known = verbOf(word)
  if (known !== undefined || word.length < 5) return known
  const near = [...verbs.keys()].filter((one) => one.length >= 5 && distance(one, word) === 1)
  const [only, ...others] = new Set(near.map((one) => verbs.get(one)!))
  return others.length === 0 ? only : undefined
}

/** True for two words for doing the same: `remove` and `delete`. */
export function isSameVerb(one: string, other: string): boolean {
  const verb = verbOf(one)
  return verb !== undefined && verb === verbOf(other)
}

/**
 * The word that stands for this one and for others that mean the same; undefined for one that says nothing ("the").
 */
export function termOf(word: string): string | undefined {
  const lower = word.toLowerCase()
  if (stopWords.has(lower)) return undefined
  const all = stems(lower)
  for (const stem of all) {
    const known = subjects.get(stem) ?? verbs.get(stem)
    if (known !== undefined) return known
  }
  return /(?:ing|ed)$/.test(lower) ? lower : (all[1] ?? lower)
}

/** The words of a text; `powerOn` has two, and "turn on" is "start". */
const wordsOf = (text: string) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\b(?:turn|switch|power)[- ]on\b/g, 'start')
    .replace(/\b(?:turn|switch|power)[- ]off\b/g, 'stop')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** What a phrase says is done, and to what. */
export interface Meaning {
  readonly verbs: ReadonlySet<string>
  /** Of what is acted on. */
  readonly subject: ReadonlySet<string>
  /** All terms, also of where and with what. */
  readonly terms: ReadonlySet<string>
}

/** The meaning of an imperative phrase: `Rename a tag table, or move it to another folder`. */
export function meaningOfPhrase(phrase: string): Meaning {
  const words = wordsOf(phrase)
  const found = { verbs: new Set<string>(), subject: new Set<string>(), terms: new Set<string>() }
  // "Change, rename or move a screen" does all three.
  const [beginning = ''] = /^\s*\w+(?:, \w+)*(?:,? or \w+)?/.exec(phrase.toLowerCase()) ?? []
  const first = wordsOf(beginning).filter((word) => word !== 'or')
  const isList = first.every((word) => verbOf(word) !== undefined)
  const leading = words.slice(0, isList && first.length > 1 ? words.indexOf(first.at(-1)!) + 1 : 1)
  for (const word of leading) {
    const verb = verbOf(word)
    if (verb !== undefined) found.verbs.add(verb)
  }
  let isSubject = true
  for (const word of found.verbs.size === 0 ? words : words.slice(leading.length)) {
    const term = termOf(word)
    if (prepositions.has(word) && found.subject.size > 0) isSubject = false
    if (term === undefined) continue
    found.terms.add(term)
    if (isSubject) found.subject.add(term)
  }
  // Who makes a connection connects.
  if (found.verbs.has('create')) for (const term of found.subject) if (isVerb.has(term)) found.verbs.add(term)
  return found
}
const isVerb = new Set(verbs.values())

const known = new WeakMap<Operation, readonly Meaning[]>()

/** The meanings of an operation: of its title, with the verb of its id, and of each phrase of its `asks`. */
export function meaningsOf(operation: Operation): readonly Meaning[] {
  let meanings = known.get(operation)
  if (!meanings) {
    const title = meaningOfPhrase(operation.title)
    const [, name = ''] = operation.id.split('.')
    const idVerbs = wordsOf(name).flatMap((word) => verbOf(word) ?? [])
    const own = { ...title, verbs: new Set([...title.verbs, ...idVerbs.slice(0, 1)]) }
    meanings = [own, ...(operation.asks ?? []).map(meaningOfPhrase)]
    known.set(operation, meanings)
  }
  return meanings
}

/**
 * How well what an operation does is what a phrase asks for: 1 for all of it, toward 0 for another verb and other
 * things. The toolset counts as something that it is about.
 */
export function agreement(asked: Meaning, operation: Operation): number {
  const toolset = new Set(
    operation.id
      .split('.')[0]!
      .split('-')
      .flatMap((word) => termOf(word) ?? []),
  )
  return Math.max(
    ...meaningsOf(operation).map((one) => {
      const isSame = [...asked.verbs].some((verb) => one.verbs.has(verb))
      const verb = asked.verbs.size === 0 || isSame ? 1 : isNear(asked.verbs, one.verbs) ? 0.6 : 0.25
      const own = [...one.subject].filter((term) => !isVerb.has(term) || !asked.verbs.has(term))
      const covered = share(own, (term) => asked.terms.has(term))
      const said = share([...asked.terms], (term) => one.terms.has(term) || (toolset.has(term) && 0.8))
      return verb * (0.35 + 0.65 * covered) * (0.2 + 0.8 * said)
    }),
  )
}

function share(terms: readonly string[], has: (term: string) => boolean | number): number {
  if (terms.length === 0) return 1
  return terms.reduce((sum, term) => sum + Number(has(term)), 0) / terms.length
}

function isNear(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return nearVerbs.some((group) => group.some((verb) => some.has(verb)) && group.some((verb) => others.has(verb)))
}

/** Verbs that are mostly nouns in a name: `snapshots.list`, `tests_run`. */
const nounVerbs = new Set(['snapshot', 'archive', 'force', 'format', 'connect'])

/** What a name asks for: `blocks.remove`, `export-sync`. @param verbAlready of a name that says none */
export function askedBy(name: string, verbAlready?: string): Meaning {
  const parts = wordsOf(name)
  const found = parts.flatMap((word) => verbMeant(word) ?? [])
  // "blocks.find-references": the first verb is what is done.
  const verb = verbAlready ?? found.find((one) => !nounVerbs.has(one)) ?? found[0]
  const terms = parts.filter((word) => verbMeant(word) !== verb).flatMap((word) => termOf(word) ?? [])
  return { verbs: new Set(verb === undefined ? [] : [verb]), subject: new Set(terms), terms: new Set(terms) }
}

/**
 * True when an operation may be proposed to somebody who asked for this: never one that changes something to who wants
 * to read, never one that makes something run to who did not ask for that.
 *
 * @param isReadOnly whether the operation changes nothing
 */
export function mayPropose(asked: Meaning, operation: Operation, isReadOnly: boolean): boolean {
  if (isReadOnly) return true
  if (onlyReads(asked)) return false
  const starts = meaningsOf(operation)[0]!.verbs
  return [...starts].every((verb) => !starting.has(verb) || asked.verbs.has(verb))
}

/** True for who only wants to know something. */
export function onlyReads({ verbs }: Meaning): boolean {
  return [...verbs].some((verb) => reading.has(verb))
}

/** What the title of an operation says that it does. */
export function titleVerbs({ title }: Operation): ReadonlySet<string> {
  return meaningOfPhrase(title).verbs
}

/** True when an operation does what is asked, or something like it. */
export function doesAlike(asked: Meaning, operation: Operation): boolean {
  return doesAsked(asked, operation) || isNear(asked.verbs, meaningsOf(operation)[0]!.verbs)
}

/** True when the operation does what is asked, by its title or id. */
export function doesAsked(asked: Meaning, operation: Operation): boolean {
  const own = meaningsOf(operation)[0]!.verbs
  return [...asked.verbs].some((verb) => own.has(verb))
}
