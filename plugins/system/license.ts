/** `GET /api/license/features`: clients of this API family show only what it names as enabled. */
import { get, noInput, type Operation, query } from '../../core/index.ts'

/** Features and the operation without which a feature is not served. The first three keys are those clients read. */
const features = [
  ['ai', 'AI assistant', 'Chat with an assistant that calls operations.', 'assistant.chat'],
  ['hasVcs', 'Version control', 'Commits, branches and merges of the project.', 'version-control.commit'],
  ['hasTestHarness', 'Test harness', 'Tests of the program on virtual controllers.', 'plc-tests.run-harness-tests'],
  ['simulation', 'Simulation', 'Virtual controllers.', 'simulation.start'],
  ['online', 'Online functions', 'Go online, download, compare.', 'online.download'],
  ['undo', 'Undo', 'Commands taken back and done again.', 'history.undo'],
  ['review', 'Program review', 'Folders of exports compiled and checked in memory.', 'review.check'],
  [
    'blockGeneration',
    'Block generation',
    'Blocks from specifications, designs and templates.',
    'block-generation.generate-only',
  ],
  ['history', 'Snapshots', 'Snapshots of blocks and tag tables, and their comparison.', 'history.snapshot-block'],
  ['designSpec', 'Design specifications', 'Phases generated and verified from a design spec.', 'design-spec.load'],
  ['hmi', 'HMI', 'Screens, tags and scripts of stations, compiled and run in the browser.', 'hmi.compile'],
  ['libraries', 'Libraries', 'Master copies and types with versions.', 'libraries.tree'],
  ['hardware', 'Hardware', 'Modules, subnets, topology and connections.', 'hardware.plug-module'],
  ['security', 'Access protection', 'Access levels, passwords, users and roles.', 'security.configure'],
  ['cax', 'CAx data', 'Hardware as AML, both ways.', 'cax.import-hardware'],
] as const

export const licenseOperations: readonly Operation[] = [
  query({
    id: 'system.license-features',
    title: 'List the features that this gateway serves',
    description: 'Gantry needs no licence: a feature is enabled when its plugin is loaded.',
    input: noInput,
    output: (t) =>
      t.Object({
        edition: t.String(),
        isValid: t.Boolean(),
        features: t.Array(
          t.Object({ key: t.String(), name: t.String(), description: t.String(), enabled: t.Boolean() }),
        ),
      }),
    http: [get('/api/license/features')],
    mcp: false,
    live: true,
    run: (_, { gateway }) => ({
      edition: 'MIT',
      isValid: true,
      features: features.map(([key, name, description, operation]) => ({
        key,
        name,
        description,
        enabled: gateway.registry.operation(operation) !== undefined,
      })),
    }),
  }),
]
