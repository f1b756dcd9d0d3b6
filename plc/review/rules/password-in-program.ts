/** Rule `password-in-program`. */

import type { InterfaceMember } from '../../model/object.ts'
import { db } from '../examples.ts'
import type { Rule } from '../rule.ts'

const secretName =
  /(^|[^a-z])(pass(word|wd|code)?|pwd|passwort|kennwort|secret|apikey|api_key|token|psk)(?![a-z])|password|passwort|kennwort/i

export const passwordInProgram: Rule = {
  code: 'password-in-program',
  group: 'security',
  severity: 'warning',
  title: 'A password is in the program',
  why: 'Everybody who has the project or reads the controller has the password, and it is the same in every machine.',
  fails: db("  password : String := 'admin123';"),
  passes: db('  password : String;'),
  check({ objects }, report) {
    for (const object of objects) {
      for (const { member } of object.members())
        for (const { path, one } of everyMember(member, member.name))
          if (secretName.test(one.name) && isText(one.startValue, one.dataType))
            report(object, { code: 'start-value', member: path }, `${path} has its value in the program.`, {
              hint: 'Leave the start value empty, and set the value when the machine is commissioned.',
            })
      for (const { name, value, dataType } of object.object.constants ?? [])
        if (secretName.test(name) && isText(value, dataType))
          report(object, { member: name }, `The constant "${name}" holds its value for all to read.`, {
            hint: 'Keep it in a data block without start value.',
          })
    }
  },
}

function isText(value: string | undefined, dataType: string): boolean {
  return value !== undefined && /^W?(String|Char)/i.test(dataType) && /'[^']+'/.test(value)
}

function* everyMember(one: InterfaceMember, path: string): Generator<{ path: string; one: InterfaceMember }> {
  yield { path, one }
  for (const inner of one.members) yield* everyMember(inner, `${path}.${inner.name}`)
}
