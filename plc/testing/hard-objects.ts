/** Objects with everything that some format cannot say and that no file of the corpus has. */

import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { readSource } from '../formats/source/read.ts'
import type { ImportedObject } from '../model/object.ts'

const ns = 'http://www.siemens.com/automation/Openness/SW/Interface/v5'

function texts(composition: string, id: string, ...entries: readonly (readonly [string, string])[]): string {
  const items = entries.map(
    ([culture, text], i) =>
      `<MultilingualTextItem ID="${id}${i}" CompositionName="Items"><AttributeList><Culture>${culture}</Culture><Text>${text}</Text></AttributeList></MultilingualTextItem>`,
  )
  return `<MultilingualText ID="${id}" CompositionName="${composition}"><ObjectList>${items.join('')}</ObjectList></MultilingualText>`
}

function comment(...entries: readonly (readonly [string, string])[]): string {
  return `<Comment>${entries.map(([culture, text]) => `<MultiLanguageText Lang="${culture}">${text}</MultiLanguageText>`).join('')}</Comment>`
}

function block(element: string, attributes: string, sections: string, objects = ''): string {
  return `<${element} ID="0"><AttributeList>${attributes}<Interface><Sections xmlns="${ns}">${sections}</Sections></Interface></AttributeList><ObjectList>${objects}</ObjectList></${element}>`
}

/** Members with values and comments of elements, in nested arrays and structures, and every attribute. */
const members = `
  <Member Name="word" Datatype="Word"><StartValue>16#1</StartValue></Member>
  <Member Name="list" Datatype="Array[0..2] of Int">${comment(['en-US', 'list'], ['de-DE', 'Liste'])}
    <Subelement Path="1"><StartValue>5</StartValue>${comment(['en-US', 'second'], ['de-DE', 'zweites'])}</Subelement></Member>
  <Member Name="lines" Datatype="Array[0..1] of Struct" Remanence="Retain" Accessibility="Internal">
    <AttributeList><BooleanAttribute Name="SetPoint" SystemDefined="true">true</BooleanAttribute>
      <BooleanAttribute Name="ExternalWritable" SystemDefined="true">false</BooleanAttribute>
      <BooleanAttribute Name="UserVisible" SystemDefined="true">false</BooleanAttribute></AttributeList>
    <Member Name="speeds" Datatype="Array[0..1] of Real"><Subelement Path="1;0"><StartValue>2.5</StartValue></Subelement></Member>
    <Member Name="Timer" Datatype="TON_TIME" Version="1.0" />
  </Member>
  <Member Name="motor" Datatype="&quot;Timer&quot;"><Sections><Section Name="None">
    <Member Name="speed" Datatype="Int"><StartValue>7</StartValue>${comment(['de-DE', 'Drehzahl'])}</Member>
    <Member Name="own" Datatype="Int"><StartValue Informative="true">1</StartValue></Member>
  </Section></Sections></Member>
  <Member Name="limit" Datatype="Int"><StartValue ConstantName="MAX">&quot;MAX&quot;</StartValue><AssignedProDiagFB>Diagnosis</AssignedProDiagFB></Member>`

const dataBlockAttributes =
  '<AutoNumber>false</AutoNumber><DBAccessibleFromOPCUA>false</DBAccessibleFromOPCUA><DBAccessibleFromWebserver>false</DBAccessibleFromWebserver>' +
  '<HeaderAuthor>me@home</HeaderAuthor><HeaderFamily>fam</HeaderFamily><HeaderName>hdr</HeaderName><HeaderVersion>2.1</HeaderVersion>' +
  '<IsOnlyStoredInLoadMemory>true</IsOnlyStoredInLoadMemory><IsRetainMemResEnabled>true</IsRetainMemResEnabled><IsWriteProtectedInAS>true</IsWriteProtectedInAS>' +
  '<MemoryLayout>Standard</MemoryLayout><MemoryReserve>50</MemoryReserve><Name>DB</Name><Number>12</Number>'

const objectTexts =
  texts('Comment', '1', ['de-DE', 'Kommentar'], ['en-US', 'comment\nof two lines']) +
  texts('Title', '2', ['de-DE', 'Titel'], ['en-US', '"quoted" title'])

const network = `<FlgNet xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/FlgNet/v5"><Parts>
  <Access Scope="GlobalConstant" UId="21"><Constant Name="MAX" /></Access>
  <Access Scope="LiteralConstant" UId="22"><Constant><ConstantType>USInt</ConstantType><ConstantValue>5</ConstantValue></Constant></Access>
  <Access Scope="GlobalVariable" UId="23"><Symbol><Component Name="far" /></Symbol></Access>
  <Access Scope="GlobalVariable" UId="24"><Symbol><Component Name="near" /></Symbol></Access>
  <Part Name="Move" UId="25" DisabledENO="true"><TemplateValue Name="Card" Type="Cardinality">1</TemplateValue></Part>
  <Part Name="Move" UId="26" DisabledENO="true"><TemplateValue Name="Card" Type="Cardinality">1</TemplateValue></Part>
  </Parts><Wires>
  <Wire UId="27"><Powerrail /><NameCon UId="25" Name="en" /><NameCon UId="26" Name="en" /></Wire>
  <Wire UId="28"><IdentCon UId="21" /><NameCon UId="25" Name="in" /></Wire>
  <Wire UId="29"><NameCon UId="25" Name="out1" /><IdentCon UId="23" /></Wire>
  <Wire UId="30"><IdentCon UId="22" /><NameCon UId="26" Name="in" /></Wire>
  <Wire UId="31"><NameCon UId="26" Name="out1" /><IdentCon UId="24" /></Wire>
  </Wires></FlgNet>`

function unit(language: string, source: string, id: string): string {
  return `<SW.Blocks.CompileUnit ID="${id}" CompositionName="CompileUnits"><AttributeList><NetworkSource>${source}</NetworkSource><ProgrammingLanguage>${language}</ProgrammingLanguage></AttributeList><ObjectList>${texts('Comment', `${id}1`, ['de-DE', 'Netzwerk'])}${texts('Title', `${id}2`, ['de-DE', 'Titel'], ['en-US', 'title'])}</ObjectList></SW.Blocks.CompileUnit>`
}

const codeSections = `<Section Name="Input"><Member Name="Word" Datatype="Word">${comment(['de-DE', 'Wort'])}</Member></Section><Section Name="Output" /><Section Name="InOut" /><Section Name="Static" /><Section Name="Temp" /><Section Name="Constant"><Member Name="K" Datatype="Int"><StartValue>3</StartValue></Member></Section>`

const codeAttributes = (name: string, language: string) =>
  `<AutoNumber>false</AutoNumber><HeaderVersion>0.1</HeaderVersion><IsIECCheckEnabled>true</IsIECCheckEnabled><MemoryLayout>Optimized</MemoryLayout><Name>${name}</Name><Number>7</Number><ProgrammingLanguage>${language}</ProgrammingLanguage><SetENOAutomatically>true</SetENOAutomatically><Supervisions><BlockInstSupervisionGroups /></Supervisions><UDABlockProperties>x</UDABlockProperties>`

const structuredText =
  '<StructuredText xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/StructuredText/v4"><Token Text=";" UId="21" /></StructuredText>'

const documents: readonly string[] = [
  block(
    'SW.Blocks.GlobalDB',
    `${dataBlockAttributes}<ProgrammingLanguage>DB</ProgrammingLanguage>`,
    `<Section Name="Static">${members}</Section>`,
    objectTexts,
  ),
  block(
    'SW.Blocks.GlobalDB',
    '<AutoNumber>true</AutoNumber><MemoryLayout>Optimized</MemoryLayout><Name>safe</Name><Number>3</Number><ProgrammingLanguage>F_DB</ProgrammingLanguage>',
    '<Section Name="Static"><Member Name="a" Datatype="Bool" /></Section>',
  ),
  block(
    'SW.TechnologicalObjects.TechnologicalInstanceDB',
    '<Name>Axis</Name><Number>4</Number><OfSystemLibElement>TO_SpeedAxis</OfSystemLibElement><OfSystemLibVersion>5.0</OfSystemLibVersion><ProgrammingLanguage>DB</ProgrammingLanguage>',
    '<Section Name="Static"><Member Name="Velocity" Datatype="LReal"><StartValue>1.5</StartValue></Member></Section>',
  ),
  block(
    'SW.Blocks.InstanceDB',
    '<AutoNumber>false</AutoNumber><DBAccessibleFromOPCUA>false</DBAccessibleFromOPCUA><InstanceOfName>Timer</InstanceOfName><InstanceOfType>UDT</InstanceOfType><MemoryLayout>Optimized</MemoryLayout><Name>Timer_DB</Name><Number>5</Number><ProgrammingLanguage>DB</ProgrammingLanguage>',
    `<Section Name="Static"><Member Name="speed" Datatype="Int" Remanence="Retain"><StartValue>9</StartValue>${comment(['en-US', 'own'])}</Member></Section>`,
  ),
  block(
    'SW.Blocks.ArrayDB',
    '<AutoNumber>false</AutoNumber><MemoryLayout>Optimized</MemoryLayout><Name>List</Name><Number>6</Number><ProgrammingLanguage>DB</ProgrammingLanguage>',
    `<Section Name="None"><Member Name="List" Datatype="Array[0..3] of Int"><Subelement Path="2"><StartValue>4</StartValue>${comment(['de-DE', 'drittes'])}</Subelement></Member></Section>`,
  ),
  block('SW.Types.PlcStruct', '<Name>Timer</Name>', `<Section Name="None">${members}</Section>`, objectTexts),
  block('SW.Blocks.FB', codeAttributes('Safety', 'F_FBD'), codeSections, unit('F_FBD', network, '3')),
  block('SW.Blocks.FB', codeAttributes('Ladder', 'LAD'), codeSections, unit('LAD', network, '3') + objectTexts),
  block(
    'SW.Blocks.FB',
    codeAttributes('Text', 'SCL'),
    codeSections,
    unit('SCL', structuredText, '3') + unit('SCL', structuredText, '4') + objectTexts,
  ),
]

const sources: readonly string[] = [
  `DATA_BLOCK "Recipe"
TITLE = 'a title'
{ DB_Accessible_From_OPC_UA := 'FALSE'; DB_Accessible_From_Webserver := 'FALSE'; S7_Optimized_Access := 'FALSE' }
AUTHOR : 'me@home'
VERSION : 1.2
UNLINKED
READ_ONLY
NON_RETAIN
   VAR
      "Time" : Array[0..1] of Struct
         a : Array[0..1] of Int;   // inner
      END_STRUCT;
      m : "Motor";
   END_VAR


BEGIN
   "Time"[1].a[0] := 3;
   m.speed := 5;

END_DATA_BLOCK
`,
  `DATA_BLOCK "Delay"
{InstructionName := 'IEC_TIMER'; LibVersion := '1.0'; S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
RETAIN
IEC_TIMER

BEGIN
   PT := T#5s;

END_DATA_BLOCK
`,
  `FUNCTION_BLOCK "Coded"
{ S7_Optimized_Access := 'TRUE'; Published := 'TRUE' }
KNOW_HOW_PROTECT
VERSION : 0.1
   VAR_INPUT
      a : Array[0..3] of Int := [1, 2, 2(3)];
      "Int" { ExternalVisible := 'False'} : Struct
         b : Bool;   // a bit
      END_STRUCT;
   END_VAR

   VAR CONSTANT
      K : Int := 3;
   END_VAR


BEGIN
	#"Int".b := TRUE;
END_FUNCTION_BLOCK
`,
]

/** The objects: SimaticML of V21, and sources. */
export function hardObjects(): ImportedObject[] {
  const read = documents.flatMap(
    (xml) => readSimaticMlText(`<Document><Engineering version="V21" />${xml}</Document>`).objects,
  )
  return [...read, ...sources.flatMap((text) => readSource(text).blocks.map(({ object }) => object))]
}
