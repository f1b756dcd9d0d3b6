/** Rule `block-size`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const blockSize: Rule = {
  code: 'block-size',
  group: 'structure',
  severity: 'information',
  title: 'A block is too long',
  why: 'A long block does several things. Blocks of one task are understood, tested and used again.',
  fails: fc('#n := #n + 1;\n'.repeat(501)),
  passes: fc('#n := #n + 1;\n'.repeat(10)),
  options: {
    statements: { value: 500, description: 'SCL statements, or lines of STL.' },
    networks: { value: 60, description: 'Networks of LAD, FBD and STL.' },
  },
  check({ code }, report, options) {
    const [mostStatements, mostNetworks] = [options.number('statements'), options.number('networks')]
    for (const object of code) {
      let statements = 0
      for (const scl of object.scl) statements += scl.statements.length
      for (const network of object.networks) statements += network.statements?.length ?? 0
      const count = object.networks.length
      const said = statements > mostStatements ? `${statements} statements (at most ${mostStatements})` : ''
      const more = count > mostNetworks ? `${count} networks (at most ${mostNetworks})` : ''
      if (said || more)
        report(object, {}, `The block has ${[said, more].filter(Boolean).join(' and ')}.`, {
          hint: 'Divide it into blocks that do one thing each.',
        })
    }
  },
}
