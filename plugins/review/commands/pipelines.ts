/** The files that `gantry init` writes. */

export type Service = 'github' | 'gitlab' | 'jenkins' | 'azure'

/** What pipelines run: a package that npm installs, or a container image. Without a name a variable has it. */
export type Source =
  | { readonly kind: 'package'; readonly name: string | undefined }
  | { readonly kind: 'image'; readonly name: string | undefined }

/** The first line of a file, for editors with a YAML language server. @param schema the path from the file */
const modeline = (schema: string): string => `# yaml-language-server: $schema=${schema}\n`

/** The settings to begin with. @param schema the path of their schema from the file */
export const settings = (
  schema: string,
): string => `${modeline(schema)}# Settings of "gantry check", "fmt", "doc" and "test": docs/gantry-yml.md.
# All rules: gantry rules; one of them: gantry rules case-without-else.

# The lowest severity that makes the check fail: error, warning, information or never.
failOn: error

# Severity of blocks, types and tags that the program uses and this folder does not hold.
missing: warning

# Names that libraries supply; * means any characters.
libraries: []

# Files that are left out, from this folder. Stubs of tests are no part of the program.
ignore: [tests/stubs/*]

# How "gantry fmt" writes sources. tia: as TIA Portal does, for folders that hold its exports.
# format: { style: tia }

# Controllers and their folders; without any they are those of the hardware (.aml), else all files are one program.
# devices:
#   - { name: PLC_1, folder: PLC_1 }

rules: {}
#  case-without-else: error
#  naming-block: off
#  block-size: { severity: warning, networks: 40 }
`

/** Shell words of a folder. */
const word = (program: string): string => (/^[\w./-]+$/.test(program) ? program : `'${program}'`)

const variables = { package: 'GANTRY_PACKAGE', image: 'GANTRY_IMAGE' } as const
const meanings = {
  package: 'what npm installs, e.g. the file of npm pack',
  image: 'the container image',
} as const

/** The variable that a pipeline needs; undefined: it has the name itself. */
export const variableOf = ({ kind, name }: Source): string | undefined =>
  name === undefined ? variables[kind] : undefined

/** The name in a shell command. A single quotation mark at its end would end the text of a Jenkinsfile too early. */
const named = ({ kind, name }: Source): string =>
  name === undefined ? `"\${${variables[kind]}:?is ${meanings[kind]}}"` : `"${name}"`

/** The folder is none of the system: agents may not write there. */
const installed = '.gantry/tool/bin/gantry'
const install = (source: Source): string =>
  `npm install --global --prefix .gantry/tool --no-audit --no-fund ${named(source)}`

/** How a command of Gantry begins on a machine with Docker, or with the package. */
const gantryOf = (source: Source): string =>
  source.kind === 'package'
    ? installed
    : `docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" --workdir /work ${named(source)}`

const cache = '--cache .gantry/cache'

interface Pipeline {
  readonly file: string
  readonly text: (program: string, source: Source) => string
}

export const pipelines: Readonly<Record<Service, Pipeline>> = {
  github: {
    file: '.github/workflows/gantry.yml',
    text: (program, source) => {
      const gantry = gantryOf(source)
      const variable = variableOf(source)
      return `name: PLC program
on:
  push:
  pull_request:
permissions:
  contents: read
  security-events: write
jobs:
  check:
    runs-on: ubuntu-latest
${variable === undefined ? '' : `    env:\n      ${variable}: \${{ vars.${variable} }}\n`}    steps:
      - uses: actions/checkout@v4
${
  source.kind === 'image'
    ? ''
    : `      - uses: actions/setup-node@v4
        with:
          node-version: 20
`
}      - uses: actions/cache@v4
        with:
          path: .gantry/cache
          key: gantry-\${{ github.sha }}
          restore-keys: gantry-
${
  source.kind === 'image'
    ? ''
    : `      - name: Install Gantry
        run: |
          ${install(source)}
`
}      - name: Check
        run: |
          ${gantry} check ${word(program)} --format github ${cache}
      - name: Test
        run: |
          ${gantry} test ${word(program)} --format junit --out gantry-tests.xml
      - name: Report for code scanning
        if: always()
        run: |
          ${gantry} check ${word(program)} --format sarif --out gantry.sarif --fail-on never ${cache}
      - name: Code scanning, where the repository has it
        if: always()
        continue-on-error: true
        uses: github/codeql-action/upload-sarif@v3
        with:
          sarif_file: gantry.sarif
          category: gantry
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: gantry
          path: |
            gantry.sarif
            gantry-tests.xml
`
    },
  },
  gitlab: {
    file: '.gitlab-ci.yml',
    text: (program, source) => {
      const isImage = source.kind === 'image'
      const gantry = isImage ? 'gantry' : installed
      return `plc-check:
${isImage ? `  image:\n    name: ${source.name ?? '$GANTRY_IMAGE'}\n    entrypoint: ['']` : '  image: node:20'}
  cache:
    key: gantry
    paths: [.gantry/cache]
${isImage ? '' : `  before_script:\n    - ${install(source)}\n`}  script:
    - ${gantry} check ${word(program)} --format gitlab --out gl-code-quality-report.json --fail-on never ${cache}
    - ${gantry} check ${word(program)} ${cache}
    - ${gantry} test ${word(program)} --format junit --out gantry-tests.xml
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json
      junit: gantry-tests.xml
`
    },
  },
  jenkins: {
    file: 'Jenkinsfile',
    text: (program, source) => {
      const gantry = gantryOf(source)
      return `pipeline {
${
  source.kind === 'image'
    ? '  agent any'
    : `  agent { docker { image 'node:20' } }
  environment { HOME = "\${env.WORKSPACE}" }`
}
  stages {
${
  source.kind === 'image'
    ? ''
    : `    stage('Install') {
      steps {
        sh '''${install(source)}'''
      }
    }
`
}    stage('Test') {
      steps {
        sh '''${gantry} test ${word(program)} --format junit --out gantry-tests.xml'''
      }
    }
    stage('Check') {
      steps {
        sh '''${gantry} check ${word(program)} --format sarif --out gantry.sarif --fail-on never ${cache}'''
        sh '''${gantry} check ${word(program)} ${cache}'''
      }
    }
  }
  post {
    always {
      archiveArtifacts artifacts: 'gantry.sarif', allowEmptyArchive: true
      junit testResults: 'gantry-tests.xml', allowEmptyResults: true
    }
  }
}
`
    },
  },
  azure: {
    file: 'azure-pipelines.yml',
    text: (program, source) => {
      const gantry = gantryOf(source)
      return `trigger:
  - '*'
pool:
  vmImage: ubuntu-latest
steps:
${
  source.kind === 'image'
    ? ''
    : `  - task: NodeTool@0
    inputs:
      versionSpec: '20.x'
  - script: |
      ${install(source)}
    displayName: Install Gantry
`
}  - script: |
      ${gantry} check ${word(program)} --format sarif --out gantry.sarif --fail-on never ${cache}
    displayName: Report
  - script: |
      ${gantry} check ${word(program)} ${cache}
    displayName: Check
  - script: |
      ${gantry} test ${word(program)} --format junit --out gantry-tests.xml
    displayName: Test
  - task: PublishTestResults@2
    condition: always()
    inputs:
      testResultsFormat: JUnit
      testResultsFiles: gantry-tests.xml
  - task: PublishBuildArtifacts@1
    condition: always()
    inputs:
      pathToPublish: gantry.sarif
      artifactName: CodeAnalysisLogs
`
    },
  },
}

/** A test to begin with, and what it tests: it runs as it stands, whatever the program is. */
export const sampleTest = (schema: string): Readonly<Record<string, string>> => ({
  'tests/sample.test.yml': `${modeline(schema)}# A test to begin with. "block" names an FB, FC or OB of the program; here it is one of the stubs.
block: Sample_Motor
stubs: [stubs/Sample_Motor.scl]
tags: [sample]
cases:
  - name: runs after its delay
    given: { delay: T#500ms }
    steps:
      - { set: { start: true }, run: 3 cycles, expect: { running: false } }
      - { expect: { running: true }, within: T#1s }
      - { set: { start: false }, run: 1 cycle, expect: { running: false } }
`,
  'tests/stubs/Sample_Motor.scl': `FUNCTION_BLOCK "Sample_Motor"
{ S7_Optimized_Access := 'TRUE' }
VAR_INPUT
  start : Bool;
  delay : Time;
END_VAR
VAR_OUTPUT
  running : Bool;
END_VAR
VAR
  timer : TON_TIME;
END_VAR
BEGIN
  #timer(IN := #start, PT := #delay);
  #running := #timer.Q;
END_FUNCTION_BLOCK
`,
})
