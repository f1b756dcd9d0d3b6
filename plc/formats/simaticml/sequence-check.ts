/**
 * Checks the consistency of a sequence program: numbers and names are unique, references lead somewhere, a sequence has
 * at most one initial step. It does not check what a compiler reports (sequences without an end, steps that are never
 * reached).
 */

import type { Branch, Sequence } from '../../model/sequence.ts'
import { childrenOf, type XmlElement, type XmlFaults } from './xml.ts'

type Numbered = 'Step' | 'Transition'

export class SequenceNumbers {
  readonly #faults: XmlFaults
  /** Numbers of all steps and transitions of the sequence program: a jump may lead to another sequence. */
  readonly #numbers: Readonly<Record<Numbered, Set<number>>> = { Step: new Set(), Transition: new Set() }
  /** Steps and transitions are members of the block, so their names must differ. */
  readonly #names = new Map<string, string>()
  #branches = new Map<number, Branch>()

  constructor(graph: XmlElement, faults: XmlFaults) {
    this.#faults = faults
    for (const sequence of childrenOf(graph, 'Sequence'))
      for (const group of sequence.children)
        for (const element of group.children) if (isNumbered(element.name)) this.#note(element, element.name)
  }

  #note(element: XmlElement, kind: Numbered): void {
    const { Number: number, Name: name = '' } = element.attributes
    const numbers = this.#numbers[kind]
    if (number !== undefined && numbers.has(Number(number)))
      this.#faults.add('xml-reference', element, `${kind.toLowerCase()} ${number} is given twice in this chart`)
    if (number !== undefined) numbers.add(Number(number))
    if (name === '') return
    const key = name.toUpperCase()
    const other = this.#names.get(key)
    const own = `${kind.toLowerCase()} ${number}`
    if (other === undefined) this.#names.set(key, own)
    else
      this.#faults.add(
        'xml-reference',
        element,
        `${own} has the name ${JSON.stringify(name)} of ${other}; names of steps and transitions must differ`,
      )
  }

  /** Checks what one sequence declares; its references are checked after this. */
  checkSequence(element: XmlElement, { steps, branches }: Pick<Sequence, 'steps' | 'branches'>): void {
    const initial = steps.filter(({ isInitial }) => isInitial)
    if (initial.length > 1)
      this.#faults.add(
        'xml-structure',
        element,
        `a sequence has one initial step, this one has ${initial.length}: ${initial.map(({ number }) => number).join(', ')}`,
      )
    this.#branches = new Map()
    for (const branch of branches) {
      if (this.#branches.has(branch.number))
        this.#faults.add('xml-reference', element, `branch ${branch.number} is given twice in this sequence`)
      this.#branches.set(branch.number, branch)
    }
  }

  /** Checks a reference to a step or transition. */
  checkReference(reference: XmlElement, kind: Numbered, number: number): void {
    if (this.#numbers[kind].has(number)) return
    this.#faults.add('xml-reference', reference, `the chart has no ${kind.toLowerCase()} with the number ${number}`)
  }

  /** Checks a reference to one side of a branch: a beginning has one way in and several out, an end the reverse. */
  checkBranch(reference: XmlElement, number: number, side: 'In' | 'Out', index: number): void {
    const branch = this.#branches.get(number)
    if (branch === undefined) {
      this.#faults.add('xml-reference', reference, `the sequence has no branch with the number ${number}`)
      return
    }
    const isMany = branch.type.endsWith('Begin') === (side === 'Out')
    const ways = isMany ? branch.cardinality : 1
    if (index < 0 || index >= ways)
      this.#faults.add(
        'xml-reference',
        reference,
        `branch ${number} (${branch.type}) has ${ways === 1 ? 'one way' : `${ways} ways`} ${side.toLowerCase()}, counted from 0; there is none with the number ${index}`,
      )
  }
}

function isNumbered(name: string): name is Numbered {
  return name === 'Step' || name === 'Transition'
}
