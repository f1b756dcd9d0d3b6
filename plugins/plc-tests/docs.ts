/** The page about tests. */
export const testsPage = `Tests are files \`*.test.yml\` beside the exports of a program, and function blocks and functions of the program whose
name begins with \`Test_\`. \`gantry test <folder>\` and the operation \`plc-tests.run\` compile the program and run each case on a private virtual controller, from its start image, in virtual
time: a minute of the program takes milliseconds. The project and the virtual controllers of the gateway stay as they
are.

    block: Motor              # an FB, FC or OB that is called alone; or  program: true
    cycle: T#10ms             # virtual time between two cycles (default T#10ms)
    stubs: [stubs/Valve.scl]  # sources whose blocks take the places of those of the program
    limits: { cycles: 100000, seconds: 10 }   # of each case
    tags: [motor]
    cases:
      - name: runs after the delay
        tags: [fast]
        given: { Delay: T#500ms }             # before the first cycle
        steps:
          - set: { Start: true }
            run: 3 cycles
            expect: { Running: false }
          - expect: { Running: true }
            within: T#1s
            never: { Fault: true }
      - name: scales \${raw}
        table:
          - { raw: 0, value: 0.0 }
          - { raw: 27648, value: 100.0 }
        steps:
          - set: { Raw: "\${raw}" }
            run: 1 cycle
            expect: { Value: { near: "\${value}", by: 0.01 } }

A case may say it in three words instead of \`steps\`:

      - name: runs at once without a delay
        given: { Delay: T#0s }
        when: { Start: true }
        then: { Running: true }

\`when\` has the values that are set, or steps; \`then\` what must be true, or steps with \`expect\`, \`within\`, \`never\`. One
cycle runs between them where neither says how long. A variable with the name of a field of a step (\`run\`) is written
below \`set\` or \`expect\`.

## In a project

A project keeps test files for its PLCs too: \`plc-tests.write\` (\`PUT /api/devices/{deviceName}/plc-tests/{testName}\`) checks a text and
answers its faults with line and column; \`plc-tests.list\`, \`plc-tests.get\` and \`plc-tests.delete\` do what they say, and undo takes each back.
\`plc-tests.run\` with \`deviceName\` runs them with the program of that PLC; without \`deviceName\` and \`path\` those of the only PLC with tests.
They are saved as \`devices/<device>/tests/<name>.test.yml\`. \`plc-tests.export\` writes them with the program to a folder that \`gantry test\` takes,
\`plc-tests.import\` reads those of a folder. Stubs, stimuli and several controllers need files of a folder: a test with them stays there.

## Variables

Names are those of virtual controllers: \`"Data".list[1].speed\`, a tag, an address \`%I0.0\`. With \`block:\`, the inputs,
outputs, in-outs and static members of the block have their names alone; the value of a function is \`Return\` or the
name of its member. Values are YAML values or constants: \`T#5s\`, \`16#FF\`, \`D#2024-01-31\`. A structure is a mapping with
some of its members, an array a list.

## Cases that go on

\`after: <name of a case above>\` runs the steps of that case first. A case with a \`table\` is named with its row.

## Several controllers

    controllers: { line: PLC_1, store: PLC_2 }   # name: folder of the program, from the test file
    connect:
      - { from: 'line/Data.done', to: 'store/Data.start' }
    cases:
      - name: handed over
        steps: [{ set: { 'line/Data.go': true }, run: 3 cycles, expect: { 'store/Data.start': true } }]

All run in one time, each its cycle; then the connections are copied. Variables begin with the name of their controller.
Communication by GET, PUT or TSEND does not occur. Coverage counts blocks whose name is in one of the programs only.

## Steps

A step does, in this order: \`set\` writes values; \`stimulus: curve.csv\` and \`run\` run cycles; \`expect\` compares.

| field | content |
|---|---|
| \`set\` | variables and values |
| \`wait\` | time that passes first without a cycle: \`T#5s\` |
| \`event\` | organization blocks that run next, by name or number: \`OB40\`, \`[Alarm, 41]\` |
| \`run\` | \`3 cycles\`, or virtual time: \`T#5s\` |
| \`stimulus\` | a CSV file: a column \`time\` (seconds; \`time ms\`; or constants \`T#1s\`), then one column for each variable; empty cells change nothing. Without \`run\` the step lasts until the last row |
| \`expect\` | variables and what they must be |
| \`within\` | runs until all of \`expect\` is true, at most this time |
| \`never\` | a mapping whose conditions must not be true together after any cycle of the step; or a list of them |

A value to compare with is a value, or \`"> 3"\` (\`<\`, \`<=\`, \`>=\`, \`<>\`), \`{ near: 5.0, by: 0.1 }\`, \`{ between: [1, 5] }\`,
\`{ oneOf: [1, 2] }\`, \`{ not: 3 }\`, and \`{ is: "> 3" }\` for a text that looks like a comparison.

## What runs

With \`program: true\`: the startup organization blocks, then in each cycle the interrupts that are due (cyclic, time of
day, and delays of SRT_DINT) and the program cycle organization blocks. Values of inputs that are set stay until they
are set again. Other events run where a step has \`event\`; alarms and communication do not occur, and instructions
report that. A programming error without
an organization block for it ends the case with an error, as it stops a controller.

Objects that do not compile are left out: tests of other blocks run, and those that need them say why they do not.

## Blocks of tests

    FUNCTION_BLOCK "Test_Motor"
    FAMILY : fast                         // its tag
    VAR
      motor : "Motor";
    END_VAR
    BEGIN
      Stub(BLOCK := 'Valve', BY := 'Valve_Stub');
      #motor(start := TRUE);
      Assert_False(#motor.running);
      Advance(T#2s);
      #motor(start := TRUE);
      Assert_True(#motor.running, 'runs after its delay');
      Assert_Equal(EXPECTED := 2, ACTUAL := #motor.calls);
    END_FUNCTION_BLOCK

A function block or function whose name begins with \`Test_\` and that uses a function of the library GantryTest, or calls
a block that does, is a test: it is called once, from the start image, and its assertions decide. All of them are told,
each with its line; a test that reached none has an error. A block with parameters that other tests call is a part of
these. A block that has the name of a test, that nothing calls and that can assert nothing is \`skipped\`, with the reason.

| function | effect |
|---|---|
| \`Assert_Equal(EXPECTED, ACTUAL, MESSAGE)\` | both are equal: elementary types, texts, structures, arrays |
| \`Assert_Near(EXPECTED, ACTUAL, TOLERANCE, MESSAGE)\` | numbers and times that differ by at most the tolerance |
| \`Assert_True(CONDITION, MESSAGE)\`, \`Assert_False\` | |
| \`Run_Cycles(CYCLES)\` | cycles of the program run, 10 ms each, with its interrupts |
| \`Advance(DURATION)\` | time passes; interrupts run, cycles do not |
| \`Stub(BLOCK, BY)\` | in this test the second block takes the place of the first, wherever it is called |

\`MESSAGE\` is a constant text and may be left out, and so may names of parameters. On other controllers the functions do
nothing. \`examples/GantryTest.scl\` has them as blocks for TIA Portal, where they are called in quotes; both are understood,
and \`gantry check\` reports nothing about that file.

## Coverage

\`--coverage\` prints for each block what the tests ran: statements (networks and boxes of LAD and FBD, actions of GRAPH), branches (each way of
IF and CASE; the condition of WHILE and REPEAT both ways; a FOR that had a round and one that had none), conditions (contacts, comparisons and gates that were TRUE and FALSE; steps and transitions of GRAPH).
\`--coverage-html\` writes the code and the drawn networks with what ran, \`--coverage-lcov\` and \`--coverage-cobertura\` the
lines of the files. Blocks of tests and stubs are not counted.

## Mutation testing

\`--mutate\` changes the program in one place after the other: comparisons, operators, contacts, constants; statements, coils
and calls are left out. The tests that reach the block run, and changes that none notices are listed with their place.
It takes as long as all of these tests together, a change each.

## Made tests

\`--generate spec.csv\` writes a test file for each phase of a design spec: each row of the state table in each step (start,
entry action, each condition both ways, Hold, Abort …). \`--generate trace.csv\` writes a regression test from the trace of a
controller (\`GET /api/simulation/instances/{name}/trace?format=csv\`): tags with an input address, or those that \`--inputs\`
names, are set as they were, and all others must be as they were. The operation \`plc-tests.generate\` does the same with the
loaded design spec and with a running controller.

## Tests defined over the API

\`/api/testharness\` serves tests that clients define by steps: write tags, let time run, compare. They are kept in the open
project (\`tests/harness/<name>.json\`) and run its program on a private controller, as test files do: from the start
values, in virtual time, whatever real controllers do.

| request | does |
|---|---|
| \`GET /api/testharness/tests\` | names |
| \`POST /api/testharness/tests { name, description, instanceName, setup, steps, teardown }\` | defines or replaces a test |
| \`GET\`, \`DELETE /api/testharness/tests/{name}\` | shows or deletes one |
| \`POST /api/testharness/run?testName=…\` | runs one, or all with \`*\`: a job; \`run-sync\` waits for it |
| \`POST /api/tests/run { deviceName }\` | runs all on one PLC and answers the results |
| \`GET /api/testharness/results\` | the last run |

A step is \`{ description, write: { tag: value }, waitMs, assert: { tag: { expected, tolerance, min, max, notEqual } } }\`;
\`setup\` and \`teardown\` are values of tags. Without \`waitMs\` one cycle runs. \`instanceName\` is the PLC, or the controller
with its address; without it the project must have one PLC. The first step that fails ends the test.

## Which tests run

\`--name\`, \`--tag\`, and \`--changed-since <git ref>\`: tests whose files changed, or whose block uses what changed. When files of
the program were removed, or \`gantry.yml\` changed, all run. Cases that take long run in several threads (\`--jobs\`).

## Results

\`failed\`: the program does something else; the report shows expected and actual value, the time, and the involved
variables over the last 40 cycles. Cases that pass are counted; \`--verbose\` lists them. \`error\`: the case could not be carried out. \`skipped\`: a block that is no test. A run
in which no test ran, because none is selected or there is none, has not passed: exit code 2, with a note. \`gantry test --format junit|json|tap\`
writes reports for other tools, \`html\` one for people; JUnit times are virtual. JUnit, TAP, lcov and Cobertura name files
from the root of the git repository; text, HTML and JSON name them from the folder.
`
