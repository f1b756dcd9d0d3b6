/** Prompts about programs: importing and checking one, writing a block and proving it. */
import { deviceNames, type McpPrompt, type PromptArgument, steps } from '../../core/index.ts'

const device: PromptArgument = {
  name: 'device',
  title: 'PLC',
  description: 'Name of the PLC in the open project',
  required: true,
  suggestions: deviceNames,
}

const importProgram: McpPrompt = {
  name: 'import_program',
  title: 'Import and check a program',
  description:
    'Checks a file or folder of exports in memory, imports it into a PLC, compiles it and explains each fault.',
  arguments: [
    {
      name: 'path',
      title: 'File or folder',
      description: 'File or folder of the workspace: SimaticML, SIMATIC SD, sources, tag tables',
      required: true,
    },
    device,
  ],
  uses: ['devices.list', 'review.check', 'blocks.import', 'blocks.compile-device', 'blocks.content'],
  text({ path, device: deviceName }, call) {
    const whole = { deviceName, filePath: path }
    const list = steps([
      `The PLC must be in the open project: ${call('devices.list', { q: deviceName })}.`,
      `Check the files without touching the project: ${call('review.check', { path, show: 'warning', mostFindings: 50 })}.`,
      `See what the import would do: ${call('blocks.import', { ...whole, dryRun: true })}. When it would replace blocks or leave something out, tell me and wait for my answer.`,
      `Import: ${call('blocks.import', whole)}. Read \`warnings\` and \`failed\` of the answer. An answer with a jobId goes on: follow it with \`get_job\`.`,
      `Compile: ${call('blocks.compile-device', { deviceName })}.`,
      `For each block with an error read its text: ${call('blocks.content', { deviceName, blockName: '<block>' })}.`,
    ])
    return `Import the program at ${JSON.stringify(path)} into the PLC ${JSON.stringify(deviceName)} and check it.

${list}

Report what was imported, what was left out and why, and for every error and warning: block, network, line, the cause in one sentence, and the correction that you propose. Change nothing else without my consent.`
  },
}

const writeBlock: McpPrompt = {
  name: 'write_block',
  title: 'Write and prove a block',
  description: 'Writes a function block in SCL, compiles it, and proves it step by step on a virtual controller.',
  arguments: [
    device,
    { name: 'name', title: 'Block', description: 'Name of the new function block', required: true },
    { name: 'task', title: 'Task', description: 'What the block must do, with its limits and times', required: true },
  ],
  uses: [
    'devices.list',
    'blocks.list',
    'blocks.import-and-generate',
    'blocks.compile-device',
    'projects.simulation-support',
    'simulation.create-instance',
    'simulation.start',
    'simulation.set-time',
    'simulation.write-tags',
    'simulation.advance',
    'simulation.read-tags',
    'simulation.delete-instance',
    'blocks.delete',
  ],
  text({ device: deviceName, name: block = '', task }, call) {
    const [data, proof, name] = [`${block}_DB`, `${block}_Proof`, `${block}_Proof`]
    const source = { deviceName, content: '<source>', overwrite: false }
    const list = steps([
      `Find the CPU of the PLC: ${call('devices.list', { q: deviceName })}, and see that the names are free: ${call('blocks.list', { deviceName, q: block })}.`,
      `Write down the cases that prove the task, before the code: inputs, time that passes, outputs expected. Include the limits and the wrong inputs.`,
      `Write one SCL source: the function block ${JSON.stringify(block)}, its instance data block ${JSON.stringify(data)}, and an organization block ${JSON.stringify(proof)} that calls the instance without parameters. Try it: ${call('blocks.import-and-generate', { ...source, dryRun: true })}. Correct it until it has no errors.`,
      `Keep it: ${call('blocks.import-and-generate', source)}.`,
      `Compile: ${call('blocks.compile-device', { deviceName })}.`,
      `Prepare a virtual controller: ${call('projects.simulation-support', {})}, then ${call('simulation.create-instance', { name, cpuType: '<CPU type, e.g. CPU1515>', ipAddress: '<free address, e.g. 192.168.0.77>' })}.`,
      `Load and start it: ${call('simulation.start', { name, deviceName })}, and let time stand: ${call('simulation.set-time', { name, mode: 'stepped' })}.`,
      `For each case write the inputs: ${call('simulation.write-tags', { name, tags: [{ name: `${data}.<input>`, value: '<value>' }] })}.`,
      `Let time pass: ${call('simulation.advance', { name, cycles: 1 })} (or \`milliseconds\`).`,
      `Read the outputs: ${call('simulation.read-tags', { name, tags: [`${data}.<output>`] })}. When one is wrong, correct the source and begin again at step 3 with \`overwrite\` true.`,
      `Tidy up: ${call('simulation.delete-instance', { name, force: true })} and ${call('blocks.delete', { deviceName, blockName: proof, force: true })}.`,
    ])
    return `Write the function block ${JSON.stringify(block)} for the PLC ${JSON.stringify(deviceName)} and prove that it works.

The task: ${task}

${list}

Report the source, and a table of the cases with inputs, expected and measured outputs. Say plainly which cases were not proved.`
  },
}

export const blockPrompts: readonly McpPrompt[] = [importProgram, writeBlock]
