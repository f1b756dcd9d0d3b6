/** Jumps between labels of one block: of LAD, FBD and STL, also from one network to another. */
import type { Statement } from '../../ir/ir.ts'
import type { BlockContext } from './block-context.ts'

/**
 * Collects statements in sections that begin at labels. All labels are named first, so that a jump may lead forwards; then statements are added
 * and sections begun in the order of the source. Case does not matter in labels.
 */
export class JumpTargets {
  readonly #label: number
  readonly #sections: Statement[][] = [[]]
  readonly #numbers = new Map<string, number>()
  /** What a jump to a label does, by the label in upper case. */
  readonly targets: ReadonlyMap<string, Statement>

  /** @param names labels in the order they stand in; of one that stands twice the first counts */
  constructor(context: BlockContext, names: readonly string[]) {
    this.#label = context.label()
    for (const name of names) {
      const key = name.toUpperCase()
      if (!this.#numbers.has(key)) this.#numbers.set(key, this.#numbers.size + 1)
    }
    this.targets = new Map(
      [...this.#numbers].map(([key, section]) => [key, { kind: 'goto', label: this.#label, section }]),
    )
  }

  /** Names of the labels, for "did you mean". */
  names(): string[] {
    return [...this.#numbers.keys()]
  }

  /** The section of a label begins. @returns false when it began before */
  begin(name: string): boolean {
    if (this.#numbers.get(name.toUpperCase()) !== this.#sections.length) return false
    this.#sections.push([])
    return true
  }

  add(...statements: readonly Statement[]): void {
    this.#sections.at(-1)?.push(...statements)
  }

  /** The jump to a label; `undefined` when there is none of that name. */
  to(name: string): Statement | undefined {
    return this.targets.get(name.toUpperCase())
  }

  /** All that was added. */
  finish(): Statement[] {
    if (this.#numbers.size === 0) return this.#sections.flat()
    return [{ kind: 'sections', label: this.#label, sections: this.#sections }]
  }
}
