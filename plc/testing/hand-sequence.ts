/** Connections of sequences, made by hand. */
import type { Connection, Sequence, SequenceNode } from '../model/sequence.ts'

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

/**
 * Alternatives: one with simultaneous ways inside, one that jumps back, one that ends. Steps 1 to 6, transitions 1
 * to 7.
 */
export const branchedWays: Pick<Sequence, 'branches' | 'connections'> = {
  branches: [
    { number: 1, type: 'AltBegin', cardinality: 3 },
    { number: 2, type: 'SimBegin', cardinality: 2 },
    { number: 3, type: 'SimEnd', cardinality: 2 },
    { number: 4, type: 'AltEnd', cardinality: 2 },
  ],
  connections: links(
    'S1->B1 B1.0->T1 B1.1->T2 B1.2->T3 T1->B2 B2.0->S2 B2.1->S3 S2->B3 S3->B3 B3->T4 T4->B4 T2->S4 S4->T5 T5->B4 B4->S5 S5->T6 T6=>S1 T3->S6 S6->T7 T7->END',
  ),
}
