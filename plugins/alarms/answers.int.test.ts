/** What the operations on alarms answer, word by word (fixtures/), also of a controller in stepped time. */
import { testAnswers } from '../../test/answers.ts'
import { plc, withController, withProject } from '../../test/online.ts'

const program = `
FUNCTION_BLOCK "Raise"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR_INPUT
    one : Bool;
    two : Bool;
    level : Int;
    mode : Int;
  END_VAR
  VAR
    first : Program_Alarm;
    second : Program_Alarm;
  END_VAR
BEGIN
  #first(SIG := #one, SD_1 := #level, SD_2 := #mode);
  #second(SIG := #two);
END_FUNCTION_BLOCK

DATA_BLOCK "Raise_DB"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"Raise"
BEGIN
END_DATA_BLOCK

DATA_BLOCK "Message"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    mode : UInt;
    number : UInt;
    list : UInt := 5;
    status : Int;
    values : AssocValues;
  END_VAR
BEGIN
END_DATA_BLOCK

ORGANIZATION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
BEGIN
  "Raise_DB"();
  IF "Message".mode > 0 THEN
    "Message".status := Gen_UsrMsg(Mode := "Message".mode, TextID := "Message".number, TextListID := "Message".list,
                                   AssocValues := "Message".values);
    "Message".mode := 0;
  END_IF;
END_ORGANIZATION_BLOCK
`

testAnswers('alarms answer as recorded', new URL('fixtures/answers.yaml', import.meta.url), async (t) => {
  const at = await withProject(t)
  await at.call('blocks.import', { ...plc, content: program })
  const controller = await withController(at)
  await controller.setTime(Date.parse('2020-05-06T07:08:09Z'))
  return at
})

testAnswers(
  'definitions of alarms answer as recorded',
  new URL('fixtures/definitions.yaml', import.meta.url),
  async (t) => {
    const at = await withProject(t)
    await at.call('blocks.import', { ...plc, content: program })
    return at
  },
)
