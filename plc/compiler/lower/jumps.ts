/** Jumps between labels of one block in LAD, FBD and STL, also from one network to another. */
import type { Statement } from '../../ir/ir.ts'
import type { BlockContext } from './block-context.ts'

/**
 * Collects statements in sections that begin at labels. All labels are given first, so that jumps can lead forwards;
 * then statements are added and sections begun in the order of the source. The case of labels does not matter.
 */
export class JumpTargets {
  readonly #label: number
  readonly #sections: Statement[][] = [[]]
  readonly #numbers = new Map<string, number>()
  /** The statement of a jump to each label, by the label in upper case. */
  readonly targets: ReadonlyMap<string, Statement>

  /**
   * @param names labels in the order of the source; of a duplicate the first counts
   */
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

  /** Returns the names of the labels, for "did you mean". */
  names(): string[] {
    return [...this.#numbers.keys()]
  }

  /**
   * Begins the section of a label.
   * @returns false when it has begun already
   */
  begin(name: string): boolean {
    if (this.#numbers.get(name.toUpperCase()) !== this.#sections.length) return false
    this.#sections.push([])
    return true
  }

  /** Adds statements, as many as a network has. */
  add(statements: readonly Statement[]): void {
    const section = this.#sections.at(-1)
    for (const one of statements) section?.push(one)
  }

  /** Returns the jump to a label; `undefined` when there is none of that name. */
  to(name: string): Statement | undefined {
    return this.targets.get(name.toUpperCase())
  }

  /** Returns all added statements. */
  finish(): Statement[] {
    if (this.#numbers.size === 0) return this.#sections.flat()
    return [{ kind: 'sections', label: this.#label, sections: this.#sections }]
  }
}
