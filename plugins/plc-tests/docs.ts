/** The page about tests. */
export const testsPage = `Tests are files \`*.test.yml\` beside the exports of a program. \`gantry test <folder>\` and the operation
\`plc-tests.run\` compile the program and run each case on a private virtual controller, from its start image, in virtual
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

## Variables

Names are those of virtual controllers: \`"Data".list[1].speed\`, a tag, an address \`%I0.0\`. With \`block:\`, the inputs,
outputs, in-outs and static members of the block have their names alone; the value of a function is \`Return\` or the
name of its member. Values are YAML values or constants: \`T#5s\`, \`16#FF\`, \`D#2024-01-31\`. A structure is a mapping with
some of its members, an array a list.

## Steps

A step does, in this order: \`set\` writes values; \`stimulus: curve.csv\` and \`run\` run cycles; \`expect\` compares.

| field | content |
|---|---|
| \`set\` | variables and values |
| \`run\` | \`3 cycles\`, or virtual time: \`T#5s\` |
| \`stimulus\` | a CSV file: a column \`time\` (seconds; \`time ms\`; or constants \`T#1s\`), then one column for each variable; empty cells change nothing. Without \`run\` the step lasts until the last row |
| \`expect\` | variables and what they must be |
| \`within\` | runs until all of \`expect\` is true, at most this time |
| \`never\` | a mapping whose conditions must not be true together after any cycle of the step; or a list of them |

A value to compare with is a value, or \`"> 3"\` (\`<\`, \`<=\`, \`>=\`, \`<>\`), \`{ near: 5.0, by: 0.1 }\`, \`{ between: [1, 5] }\`,
\`{ oneOf: [1, 2] }\`, \`{ not: 3 }\`, and \`{ is: "> 3" }\` for a text that looks like a comparison.

## What runs

With \`program: true\`: the startup organization blocks, then in each cycle the cyclic interrupts that are due and the
program cycle organization blocks. Values of inputs that are set stay until they are set again. Other events (time of
day, hardware interrupts), alarms and communication do not occur; instructions report that. A programming error without
an organization block for it ends the case with an error, as it stops a controller.

Objects that do not compile are left out: tests of other blocks run, and those that need them say why they do not.

## Results

\`failed\`: the program does something else; the report shows expected and actual value, the time, and the involved
variables over the last 40 cycles. \`error\`: the case could not be carried out. \`gantry test --format junit|json|tap\`
writes reports for other tools; JUnit times are virtual.
`
