/** The check of reports finds each kind of fault. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coberturaOf } from '../plugins/plc-tests/output/cobertura.ts'
import { coberturaDtd, dtdFaults, junitDtd } from './dtd.ts'

const suite = (inside: string, attributes = 'name="a" tests="1" failures="0" errors="0"') =>
  `<?xml version="1.0"?>\n<testsuites>\n  <testsuite ${attributes}>${inside}</testsuite>\n</testsuites>`

test('JUnit: what the schema allows, and nothing else', () => {
  const fine =
    '<properties><property name="a" value="b"/></properties><testcase name="x" time="0.1"><failure>no</failure></testcase>'
  assert.deepEqual(dtdFaults(suite(fine), junitDtd), [])
  for (const [xml, fault] of [
    [suite('<testcase/>'), 'testcase has no name'],
    [suite('<testcase name="x"/>', 'name="a" tests="1"'), 'testsuite has no failures'],
    [suite('<testcase name="x" status="ok"/>'), 'testcase has no attribute status'],
    [suite('<failure/>'), 'testsuite has failure,'],
    [suite('passed'), 'testsuite has text'],
    [suite('<note/>'), 'there is no element note'],
    ['<testcase name="x"/>', 'the root is testcase'],
    ['<testsuites><testsuite></testsuites>', '1: '],
  ] as const)
    assert.ok(
      dtdFaults(xml, junitDtd).some((one) => one.startsWith(fault)),
      `${fault}: ${dtdFaults(xml, junitDtd)}`,
    )
})

test('Cobertura: order, nesting and attributes', () => {
  const xml = coberturaOf([], 0)
  assert.deepEqual(dtdFaults(xml, coberturaDtd), [])
  const packages = (inside: string) => xml.replace(/<packages>\s*<\/packages>/, `<packages>${inside}</packages>`)
  const rates = 'line-rate="1" branch-rate="1" complexity="0"'
  const ofClass = (inside: string) =>
    packages(
      `<package name="." ${rates}><classes><class name="a" filename="a.scl" ${rates}>${inside}</class></classes></package>`,
    )
  const condition = '<condition number="0" type="jump" coverage="50%"/>'
  const line = `<line number="1" hits="0"><conditions>${condition}</conditions></line>`
  assert.deepEqual(dtdFaults(ofClass(`<methods/><lines>${line}</lines>`), coberturaDtd), [])
  for (const [faulty, fault] of [
    [ofClass(`<lines>${line}</lines><methods/>`), 'class has lines,methods,'],
    [ofClass('<lines/>'), 'class has lines,'],
    [ofClass('<methods><method name="m"><lines/></method></methods><lines/>'), 'method has no signature'],
    [ofClass(`<methods/><lines>${line.replace(condition, '<condition/>')}</lines>`), 'condition has no number'],
    [ofClass('<methods/><lines><line number="1"/></lines>'), 'line has no hits'],
    [packages('<class/>'), 'packages has class,'],
    [xml.replace('timestamp="0"', ''), 'coverage has no timestamp'],
  ] as const)
    assert.ok(dtdFaults(faulty, coberturaDtd).includes(fault), `${fault}: ${dtdFaults(faulty, coberturaDtd)}`)
})
