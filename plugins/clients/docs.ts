/** The page on generated clients in the documentation. */
export const clientsPage = `# Generated clients

\`gantry client\` writes a typed client of a running gateway from its own OpenAPI document (\`/openapi.json\`), so operations of all its
plugins are in it.

    gantry client typescript --out gantry-client
    gantry client python --out tools --url http://127.0.0.1:9000

The gateway is found as for every command: \`--url\` and \`--key\`, \`GANTRY_URL\` and \`GANTRY_API_KEY\`, else the data directory. The same
gateway gives the same bytes. Files of the same names in the folder are replaced, others stay. Exit codes: 0 written, 1 the answer is
no document of a gateway, 2 the command line is wrong or the folder cannot be written, 3 no gateway, 4 the key is missing or unknown.

Names come from operation ids: the part before the first dot is the group, the others are the method. A route that answers with a job
has \`async\` at its end; further routes of the same operation have a number.

| operation id | TypeScript | Python |
|---|---|---|
| \`projects.create\` | \`gantry.projects.create({ name })\` | \`gantry.projects.create(name=…)\` |
| \`blocks.compile-device.async\` | \`gantry.blocks.compileDeviceAsync({ deviceName })\` | \`gantry.blocks.compile_device_async(device_name=…)\` |
| \`events.follow\` | \`gantry.events.follow()\` | \`gantry.events.follow()\` |

All fields of an operation are in one object, or are keyword arguments; the client puts each into the path, the query or the body. A file
is \`{ fileName, content }\` or \`{ fileName, contentBase64 }\`.

## TypeScript

A package: \`src/schema.ts\` has the types (\`paths\`, \`operations\`, \`components\`, as openapi-typescript makes them), \`src/operations.ts\` a method
for each operation, \`src/client.ts\` the layer by hand. Its one dependency is openapi-fetch; \`npm install\` compiles it. Node 18 or newer,
and browsers.

    import { Gantry, GantryProblem } from 'gantry-client'

    const gantry = new Gantry({ url: 'http://127.0.0.1:9000', key })
    const project = await gantry.projects.create({ name: 'Bottling' })

\`gantry.http\` is the client of openapi-fetch, typed by paths: \`gantry.http.GET('/api/jobs/{jobId}', …)\`. It returns errors and does not throw.
Types of results are \`Schema<'blocks.list.result'>\`.

## Python

One module, \`gantry_client.py\`, for Python 3.9 and newer, without other packages. Results are plain dictionaries with the names of the
wire, described as TypedDict. Arguments that are not given are not sent; \`None\` is the null of JSON (in a query, which
has none, it is not sent).

    from gantry_client import Gantry, GantryProblem

    gantry = Gantry('http://127.0.0.1:9000', key)
    project = gantry.projects.create(name='Bottling')

## Jobs

A method without \`async\` waits for its result, also when the gateway answers with a job because it takes long. Methods of asynchronous routes
return a \`Job\` with \`wait\`, \`get\`, \`events\` and \`cancel\`.

    const job = await gantry.blocks.compileDeviceAsync({ deviceName: 'PLC_1' })
    const result = await job.wait({ onProgress: ({ progress, message }) => show(progress, message), signal })

    job = gantry.blocks.compile_device_async(device_name='PLC_1')
    result = job.wait(on_progress=lambda now: print(now.progress), cancel=event, timeout=60)

The signal (in Python a \`threading.Event\`) cancels the job; \`JobCancelled\` is thrown then. After \`timeoutMs\` (\`timeout\`, seconds) waiting ends with
\`JobTimeout\` and the job goes on. Both are also options of commands that wait, as the second argument or as
\`options=CallOptions(…)\`, beside \`ifMatch\`, \`idempotencyKey\`, \`groupId\` and \`headers\`.

## Problems

What the gateway refuses, and a job that fails, is a \`GantryProblem\` with \`code\`, \`status\`, \`title\`, \`detail\`, \`errors\` and the whole \`problem\`.
All codes: \`GET /api/errors\`. A gateway that does not answer is the error of \`fetch\`, in Python \`GantryUnreachable\`.

## Events

Operations that stream are iterated; leaving the loop closes the connection. There is no reconnection: \`id\` of the last event is the
\`lastEventId\` to go on from.

    for await (const { event, data, id } of gantry.events.follow({ types: ['blocks.*'] })) …

    for event in gantry.events.follow(types=['blocks.*']): …
`
