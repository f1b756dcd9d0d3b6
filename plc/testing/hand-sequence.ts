/** Connections of a sequence as a line of text. */
import type { Connection, SequenceNode } from '../model/sequence.ts'

function node(name: string): SequenceNode {
  const [, kind, number, place] = /^([STB])(\d+)(?:\.(\d+))?$/.exec(name) ?? []
  if (kind === undefined) return { kind: 'end' }
  if (kind === 'B')
    return { kind: 'branch', number: Number(number), ...(place === undefined ? {} : { out: Number(place) }) }
  return { kind: kind === 'S' ? 'step' : 'transition', number: Number(number) }
}

/** `S1->T1 T1->B1 B1.0->S2 T2=>S1 T3->end`: steps, transitions, branches with their outputs; `=>` is a jump. */
export function links(list: string): Connection[] {
  return list.split(' ').map((link) => {
    const [, from = '', arrow, to = ''] = /^(.+?)(->|=>)(.+)$/.exec(link) ?? []
    return { from: node(from), to: node(to), link: arrow === '=>' ? 'Jump' : 'Direct' }
  })
}
