/** What the operations on design specs answer, word by word (fixtures/), with the blocks they generate. */
import { copyFile, writeFile } from 'node:fs/promises'
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'
import { newProject } from '../../test/online.ts'

const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url)

/** Five faults in one file. */
const wrong = `[CmTypes]
CmType;Variable;Direction;DataType;Description
Valve;Open;Up;Bool;
Valve;open;In;Bol;

[Phases]
PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep
Fill;1;Open;TRUE;;"Valve.Open:=1";"Tank.Level>=80";7
Fill;1;End;;;;;
`

for (const name of ['answers', 'generated'])
  testAnswers(`design specs answer as recorded: ${name}`, fixture(`${name}.yaml`), async (t) => {
    const at = await openTestGateway(t)
    await newProject(at, 'Line')
    for (const spec of ['conveyor', 'brewery', 'cip'])
      await copyFile(fixture(`${spec}.csv`), `${at.dir}/workspace/${spec}.csv`)
    await writeFile(`${at.dir}/workspace/wrong.csv`, wrong)
    return at
  })
