/** The prompt about wrong outputs. It only reads, so that it also serves sessions and keys that may not write. */
import { deviceNames, type McpPrompt, steps } from '../../core/index.ts'

export const findOutput: McpPrompt = {
  name: 'find_output',
  title: 'Find why an output is off',
  description: 'Traces a tag back through the program and the values of a running virtual controller.',
  arguments: [
    {
      name: 'device',
      title: 'PLC',
      description: 'Name of the PLC in the open project',
      required: true,
      suggestions: deviceNames,
    },
    {
      name: 'output',
      title: 'Output',
      description: 'Name of the tag, e.g. Motor_Run',
      required: true,
      suggestions: {
        path: '/api/devices/{deviceName}/tags/all',
        list: 'tags',
        value: 'name',
        given: { deviceName: 'device' },
        typed: 'q',
      },
    },
    {
      name: 'instance',
      title: 'Virtual controller',
      description: 'Name of the virtual controller that runs the program',
      required: true,
      suggestions: { path: '/api/simulation/instances', list: 'instances', value: 'name', typed: 'q' },
    },
  ],
  uses: [
    'simulation.get-instance-state',
    'simulation.read-tags',
    'simulation.get-forces',
    'blocks.find-references',
    'blocks.content',
    'simulation.get-diagnostics',
  ],
  text({ device: deviceName, output = '', instance: name }, call) {
    const list = steps([
      `Does the program run? ${call('simulation.get-instance-state', { name })}. Outputs are off in Stop; then the diagnostics of the last step say why.`,
      `Read the output: ${call('simulation.read-tags', { name, tags: [output] })}, and see whether it is forced: ${call('simulation.get-forces', { name })}.`,
      `Find what writes it: ${call('blocks.find-references', { deviceName, name: output })}. Nothing: that is the cause. Several writers: the last one of the cycle wins.`,
      `Read each block that writes it: ${call('blocks.content', { deviceName, blockName: '<block>' })}.`,
      `Read the operands of the network that writes it, all in one call: ${call('simulation.read-tags', { name, tags: [output, '<operand>'] })}. Follow the operand that blocks it back to its own writer in the same way, until you come to an input, a constant or a missing call.`,
      `Look for errors of the controller: ${call('simulation.get-diagnostics', { name, limit: 50 })}.`,
    ])
    return `The output ${JSON.stringify(output)} of the PLC ${JSON.stringify(deviceName)} is not as it should be. Find out why on the virtual controller ${JSON.stringify(name)}.

${list}

Report the chain from the output to the cause: block, network, condition, value. Keep what you have read apart from what you suppose. Change nothing.`
  },
}
