/** Parameters of calls and names of the whole program, on whole and on half-typed texts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LanguageService } from './service.ts'

const program = `FUNCTION_BLOCK "Motor"
VAR_INPUT
  start : Bool; // begins to run
  speed : Real;
END_VAR
VAR_OUTPUT
  running : Bool;
END_VAR
VAR_IN_OUT
  "a b" : Int;
END_VAR
VAR
  step : Int;
END_VAR
BEGIN
END_FUNCTION_BLOCK

FUNCTION "Scale" : Real
VAR_INPUT
  x : Int;
END_VAR
VAR_TEMP
  help : Int;
END_VAR
BEGIN
END_FUNCTION

FUNCTION "Nothing" : Void
BEGIN
END_FUNCTION

DATA_BLOCK "Motor_DB" "Motor"
BEGIN
END_DATA_BLOCK
`

/** The answer where | is: the parameter that is being written in [ ], or the whole label. */
function at(code: string): string | undefined {
  const service = new LanguageService()
  service.files.setText('program.scl', program)
  const head =
    'DATA_BLOCK "Timer_DB" TON_TIME\nBEGIN\nEND_DATA_BLOCK\nFUNCTION_BLOCK "Line"\nVAR\n  timer : TON_TIME;\n  counter : CTU_INT;\n  motors : Array[0..3, 0..1] of "Motor";\n  state : Struct\n    a : Int;\n  END_STRUCT;\nEND_VAR\nBEGIN\n'
  const text = `${head}${code}\nEND_FUNCTION_BLOCK\n`
  service.files.setText('line.scl', text.replace('|', ''))
  const found = service.signature('line.scl', text.indexOf('|'))
  if (found === undefined) return undefined
  const { label, parameters, active } = found
  const one = active === undefined ? undefined : parameters[active]
  return one ? `${label.slice(0, one.start)}[${label.slice(one.start, one.end)}]${label.slice(one.end)}` : label
}

const motor = (active: string) =>
  `"Motor_DB"(start := Bool, speed := Real, running => Bool, "a b" := Int)`.replace(active, `[${active}]`)

test('the parameter that is being written, by place and by name', () => {
  assert.equal(at('"Motor_DB"(|);'), motor('start := Bool'))
  assert.equal(at('"Motor_DB"(|'), motor('start := Bool'))
  assert.equal(at('"Motor_DB"(start := TRUE, |'), motor('speed := Real'))
  assert.equal(at('"Motor_DB"(running => #state.a, start := |'), motor('start := Bool'))
  assert.equal(at('"Motor_DB"("a b" := |'), motor('"a b" := Int'))
  assert.equal(at('"Motor_DB"(start := TRUE,\n  speed := 1.0 + |);'), motor('speed := Real'))
  assert.equal(at('"Motor_DB"(other := |'), motor('none'), 'none of them')
})

test('functions with their result, instances, elements of arrays, blocks of the system', () => {
  assert.equal(at('#state.a := REAL_TO_INT("Scale"(|));'), '"Scale"([x := Int]) : Real')
  assert.equal(at('"Scale"(1, |);'), '"Scale"(x := Int) : Real')
  assert.equal(at('"Nothing"(|);'), '"Nothing"() : Void')
  assert.equal(at('#timer(|'), 'timer([IN := Bool], PT := Time, Q => Bool, ET => Time)')
  assert.equal(at('#counter(CU := TRUE, |'), 'counter(CU := Bool, [R := Bool], PV := Int, Q => Bool, CV => Int)')
  assert.equal(at('"Timer_DB".TON(IN := TRUE, |'), '"Timer_DB"(IN := Bool, [PT := Time], Q => Bool, ET => Time)')
  assert.equal(at('#state.TON(|'), undefined)
  assert.equal(at('#timer.TON(|'), 'timer([IN := Bool], PT := Time, Q => Bool, ET => Time)')
  assert.match(at('#motors[1, 0](start := TRUE, |') ?? '', /^motors\(start := Bool, \[speed := Real\]/)
})

test('of calls inside each other the innermost; brackets of expressions and indexes are none', () => {
  assert.equal(at('"Motor_DB"(speed := "Scale"(x := |), start := TRUE);'), '"Scale"([x := Int]) : Real')
  assert.equal(at('"Motor_DB"(start := TRUE, speed := (1.0 + (|'), motor('speed := Real'))
  assert.equal(at('"Scale"(#motors[1, |'), '"Scale"([x := Int]) : Real')
  assert.equal(at('"Motor_DB"(speed := "Scale"(x := 1), |);'), motor('speed := Real'))
})

test('nothing outside of calls, in declarations and for what cannot be called', () => {
  for (const code of ['|', '"Motor_DB"(start := TRUE);|', '#state.a := (1 + |2);', '#state(|', '"No_Such"(|', '(|'])
    assert.equal(at(code), undefined, code)
  const service = new LanguageService()
  service.files.setText('program.scl', program)
  assert.equal(service.signature('program.scl', program.indexOf('start')), undefined)
  assert.equal(service.signature('none.scl', 0), undefined)
})

test('comments of blocks and parameters are told', () => {
  const service = new LanguageService()
  const text = `${program}ORGANIZATION_BLOCK "Main"\nBEGIN\n"Motor_DB"(`
  service.files.setText('program.scl', text)
  const { parameters = [] } = service.signature('program.scl', text.length) ?? {}
  assert.deepEqual(
    parameters.map(({ comment }) => comment),
    ['begins to run', '', '', ''],
  )
})

test('names like a query: equal, beginning with it, containing it, its letters in order; members with their block', () => {
  const service = new LanguageService()
  service.files.setText('program.scl', program)
  const like = (query: string) =>
    service
      .symbolsLike(query)
      .map(({ declared: { name }, container }) => (container === undefined ? name : `${container}.${name}`))
  assert.deepEqual(like(''), ['Motor', 'Motor_DB', 'Nothing', 'Scale'])
  assert.deepEqual(like('motor'), ['Motor', 'Motor_DB'])
  assert.deepEqual(like('"Motor_DB"'), ['Motor_DB'])
  assert.deepEqual(like('st'), ['Motor.start', 'Motor.step'])
  assert.deepEqual(like('#start'), ['Motor.start'])
  assert.deepEqual(like('mdb'), ['Motor_DB'])
  assert.deepEqual(like('ngx'), [])
})
