/** Rule `absolute-address`. */
import { ob } from '../examples.ts'
import type { Rule } from '../rule.ts'
import { bitsOfTag, widthOf } from '../tags.ts'

export const absoluteAddress: Rule = {
  code: 'absolute-address',
  group: 'data',
  severity: 'warning',
  title: 'An absolute address is used',
  why: 'An address says nothing to readers and stays when the hardware is changed. A tag has a name, a type and a comment.',
  fails: { program: ob('"Motor" := %I0.0;'), tags: '"Start" Bool %I0.0 // start button\n"Motor" Bool %Q0.0 // motor' },
  passes: {
    program: ob('"Motor" := "Start";'),
    tags: '"Start" Bool %I0.0 // start button\n"Motor" Bool %Q0.0 // motor',
  },
  fixes: true,
  check(program, report) {
    const tags = new Map<string, { readonly name: string; readonly dataType: string }>()
    for (const table of program.tables)
      for (const tag of table.object.tags ?? []) {
        const bits = bitsOfTag(tag)
        if (bits) tags.set(`${bits.area} ${bits.first} ${bits.bits}`, tag)
      }
    for (const object of program.code)
      for (const { address, place, text, name } of object.uses) {
        // Whole blocks, timers and counters have a number and no start.
        if (address?.start === undefined || name !== '') continue
        const tag = address.area === 'DB' ? undefined : tags.get(`${address.area} ${address.start} ${address.bits}`)
        const scl = place.line === undefined ? undefined : object.scl.find((one) => one.network === place.network)
        const found = tag && scl?.expressionsOf('address').find(({ node }) => isAt(scl.placeOf(node), place))
        // The same width and a type that converts by itself: only Bool and bit strings are certain.
        const isSafe =
          tag &&
          scl &&
          found &&
          widthOf(tag.dataType) === address.bits &&
          /^(bool|byte|word|dword)$/i.test(tag.dataType)
        report(object, place, tag ? `${text} is the tag "${tag.name}".` : `${text} is an absolute address.`, {
          hint: tag
            ? `Write "${tag.name}".`
            : address.area === 'DB'
              ? 'Use the name of the member.'
              : 'Declare a tag and use its name.',
          ...(isSafe
            ? {
                fix: {
                  description: `Write "${tag.name}"`,
                  edits: [{ network: scl.network, ...scl.extentOf(found.node), text: `"${tag.name}"` }],
                },
              }
            : {}),
        })
      }
  },
}

function isAt(
  a: { readonly line?: number; readonly column?: number },
  b: { readonly line?: number; readonly column?: number },
): boolean {
  return a.line === b.line && a.column === b.column
}
