/** Pipelines to begin with. */
import type { Pipeline, PipelineStep } from './state.ts'

/** A pipeline that fits any project; `deviceName` is the PLC. */
export interface Template extends Pick<Pipeline, 'description' | 'variables'> {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly steps: readonly (Pick<PipelineStep, 'name' | 'action' | 'params'> & Partial<PipelineStep>)[]
}

const deviceName = '{{deviceName}}'
const compile = { name: 'Compile', action: 'blocks.compile-device', params: { deviceName } }

export const templates: readonly Template[] = [
  {
    id: 'compile-and-test',
    name: 'Compile and test',
    description: 'Compiles a PLC and runs its tests on private controllers.',
    category: 'Quality',
    variables: { deviceName: '' },
    steps: [compile, { name: 'Test', action: 'plc-tests.run', params: { deviceName } }],
  },
  {
    id: 'compile-and-download',
    name: 'Compile and download',
    description: 'Compiles a PLC and loads its program into the controller.',
    category: 'Commissioning',
    variables: { deviceName: '' },
    steps: [compile, { name: 'Download', action: 'online.download', params: { deviceName } }],
  },
  {
    id: 'save-and-commit',
    name: 'Save and commit',
    description: 'Compiles a PLC, saves the project and commits it.',
    category: 'Version control',
    variables: { deviceName: '', message: 'Saved by a pipeline' },
    steps: [
      compile,
      { name: 'Save', action: 'projects.save', params: {} },
      { name: 'Commit', action: 'version-control.commit', params: { message: '{{message}}' } },
    ],
  },
]
