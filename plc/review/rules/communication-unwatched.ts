/** Rule `communication-unwatched`. */
import { fb } from '../examples.ts'
import { everyBox } from '../graph.ts'
import type { Rule } from '../rule.ts'

const instructions =
  /^(TSEND|TRCV|TCON|TDISCON|TSEND_C|TRCV_C|TUSEND|TURCV|TMAIL_C|GET|PUT|USEND|URCV|BSEND|BRCV|MB_CLIENT|MB_SERVER|MB_RED_CLIENT|MB_RED_SERVER|Modbus_Master|Modbus_Slave|Modbus_Comm_Load|OPC_UA_\w+|RDREC|WRREC|DPRD_DAT|DPWR_DAT)$/i
const results = new Set(['STATUS', 'ERROR', 'DONE', 'NDR', 'RET_VAL'])

const sections = (more: string): string => `VAR\n  get : GET;\n  data : Array[0..9] of Byte;\n${more}END_VAR`

export const communicationUnwatched: Rule = {
  code: 'communication-unwatched',
  group: 'security',
  severity: 'warning',
  title: 'Communication is not watched',
  why: 'When the partner fails the block goes on with old data and nobody notices (Secure PLC Coding Practices, 5 and 10: check and log what communication reports).',
  fails: fb(sections(''), '#get(REQ := TRUE, ID := 16#100, ADDR_1 := P#DB1.DBX0.0 BYTE 10, RD_1 := #data);'),
  passes: fb(
    sections('  failed : Bool;\n  count : Int;\n'),
    '#get(REQ := TRUE, ID := 16#100, ADDR_1 := P#DB1.DBX0.0 BYTE 10, RD_1 := #data, ERROR => #failed);\n  IF #failed THEN\n    #count := #count + 1;\n  END_IF;',
  ),
  check({ code }, report) {
    for (const object of code) {
      for (const { box, pins, network } of everyBox(object))
        if (
          box.kind === 'part' &&
          instructions.test(box.name) &&
          ![...pins].some(([pin, operand]) => results.has(pin.toUpperCase()) && operand)
        )
          report(object, { network, uId: box.uId }, `${box.name}: no output that tells of errors is connected.`, {
            hint: 'Connect ERROR or STATUS, and raise an alarm when it comes.',
          })
      for (const scl of object.scl)
        for (const { node, parent } of scl.expressionsOf('call')) {
          const name = node.callee.kind === 'name' ? scl.nameAt(node.callee.start) : ''
          const type = object.typeOf(name)?.replaceAll('"', '') ?? name
          if (!instructions.test(type) || (parent !== undefined && parent.kind !== 'argument')) continue
          const isWatched = node.arguments.some(
            ({ name: pin, value }) => pin >= 0 && results.has(scl.nameAt(pin).toUpperCase()) && value !== undefined,
          )
          // The outputs may be read from the instance instead.
          const isRead = scl
            .expressionsOf('member')
            .some(
              (one) =>
                one.node.object.kind === 'name' &&
                scl.nameAt(one.node.object.start) === name &&
                results.has(scl.nameAt(one.node.end - 1).toUpperCase()),
            )
          if (!isWatched && !isRead)
            report(object, scl.placeOf(node), `${type}: no output that tells of errors is used.`, {
              hint: 'Evaluate ERROR or STATUS, and raise an alarm when it comes.',
            })
        }
    }
  },
}
