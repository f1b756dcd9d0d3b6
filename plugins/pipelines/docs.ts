/** The documentation page on pipelines. */
export const pipelinesPage = `A pipeline is a list of operations that run one after the other: compile, test, save, commit. It belongs to the project
(\`pipelines/<name>.json\`) and runs when somebody starts it; there is no schedule.

    POST /api/pipelines
    {
      "name": "Nightly",
      "variables": { "plc": "PLC_1" },
      "steps": [
        { "name": "Compile", "action": "blocks.compile-device", "params": { "deviceName": "{{plc}}" } },
        { "name": "Test", "action": "plc-tests.run", "params": { "deviceName": "{{plc}}" } },
        { "name": "Save", "action": "projects.save" }
      ]
    }
    POST /api/pipelines/Nightly/run-sync

| request | does |
|---|---|
| \`GET /api/pipelines\`, \`GET /{name}\`, \`POST\`, \`DELETE /{name}\` | names, one, define or replace, delete |
| \`POST /{name}/run { variables }\` | runs it; a job (\`run-sync\` waits) |
| \`GET /executions?name=…&limit=20\`, \`GET /executions/{id}\` | the last hundred runs since the project was opened |
| \`GET /templates\`, \`POST /templates/{id}/instantiate { pipelineName, parameters }\` | pipelines to begin with |

**A step** calls the operation \`action\` with \`params\`, as a job of its own and with the access level of whoever runs the pipeline. \`{{name}}\` in
\`params\` stands for a variable; alone in a text it is the value itself. Operations that take a secret, streams and pipelines are no steps. Operations and
inputs are checked when the pipeline is saved (inputs with variables when it runs).

**A step has failed** when its operation is refused, when it takes longer than \`timeoutSeconds\`, or when its result says so: \`errorCount\` or
\`failed\` above 0, \`passed\` or \`success\` false. It is tried \`retryCount\` times more, \`retryDelayMs\` apart.

**Behind a failed step** the others are skipped, unless \`onFailure\` is \`continue\`. A step with \`condition\` \`always\` runs in any case, one with
\`onFailure\` only then. The job of a run with a failed step fails (\`pipeline_failed\`); the steps before it stay done. For *all or nothing*
send the commands as one batch (\`POST /api/jobs/execute-batch\`).
`
