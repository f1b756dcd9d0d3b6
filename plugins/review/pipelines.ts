/** The files that `gantry init` writes. */

export type Service = 'github' | 'gitlab' | 'jenkins' | 'azure'

/** The settings to begin with. */
export const settings = `# Settings of "gantry check". All rules: gantry rules; one of them: gantry rules case-without-else.

# The lowest severity that makes the check fail: error, warning, information or never.
failOn: error

# Severity of blocks, types and tags that the program uses and this folder does not hold.
missing: warning

# Names that libraries supply; * means any characters.
libraries: []

# Files that are left out, from this folder. Stubs of tests are no part of the program.
ignore: [tests/stubs/*]

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

/** The command line is built in each job: the package is in no registry. Without an address a variable has it. */
const installFrom = (repository: string | undefined): readonly string[] => [
  `git clone --depth 1 ${repository === undefined ? `"\${GANTRY_REPOSITORY:?is the address of the repository of Gantry}"` : `'${repository}'`} .gantry/tool`,
  'npm ci --prefix .gantry/tool',
  'npm run build --prefix .gantry/tool',
]
const check = 'node .gantry/tool/core/cli/gantry.mjs check'
const test = 'node .gantry/tool/core/cli/gantry.mjs test'

export const pipelines: Readonly<
  Record<Service, { readonly file: string; readonly text: (program: string, repository?: string) => string }>
> = {
  github: {
    file: '.github/workflows/gantry.yml',
    text: (program, repository) => `name: PLC program
on:
  push:
  pull_request:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    env:
      GANTRY_REPOSITORY: \${{ vars.GANTRY_REPOSITORY }}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 20
      - uses: actions/cache@v4
        with:
          path: .gantry/cache
          key: gantry-\${{ github.sha }}
          restore-keys: gantry-
      - name: Install Gantry
        run: |
${installFrom(repository)
  .map((line) => `          ${line}`)
  .join('\n')}
      - name: Check
        run: ${check} ${word(program)} --format github --cache .gantry/cache
      - name: Test
        run: ${test} ${word(program)} --format junit --out gantry-tests.xml
      - name: Report for code scanning
        if: always()
        run: ${check} ${word(program)} --format sarif --out gantry.sarif --fail-on never --cache .gantry/cache
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: gantry
          path: |
            gantry.sarif
            gantry-tests.xml
`,
  },
  gitlab: {
    file: '.gitlab-ci.yml',
    text: (program, repository) => `plc-check:
  image: node:20
  cache:
    key: gantry
    paths: [.gantry/cache]
  before_script:
${installFrom(repository)
  .map((line) => `    - ${line}`)
  .join('\n')}
  script:
    - ${check} ${word(program)} --format gitlab --out gl-code-quality-report.json --fail-on never --cache .gantry/cache
    - ${check} ${word(program)} --cache .gantry/cache
    - ${test} ${word(program)} --format junit --out gantry-tests.xml
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json
      junit: gantry-tests.xml
`,
  },
  jenkins: {
    file: 'Jenkinsfile',
    text: (program, repository) => `pipeline {
  agent { docker { image 'node:20' } }
  environment { HOME = "\${env.WORKSPACE}" }
  stages {
    stage('Install') {
      steps {
${installFrom(repository)
  .map((line) => `        sh '''${line}'''`)
  .join('\n')}
      }
    }
    stage('Test') {
      steps {
        sh '''${test} ${word(program)} --format junit --out gantry-tests.xml'''
      }
    }
    stage('Check') {
      steps {
        sh '''${check} ${word(program)} --format sarif --out gantry.sarif --fail-on never --cache .gantry/cache'''
        sh '''${check} ${word(program)} --cache .gantry/cache'''
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
`,
  },
  azure: {
    file: 'azure-pipelines.yml',
    text: (program, repository) => `trigger:
  - '*'
pool:
  vmImage: ubuntu-latest
steps:
  - task: NodeTool@0
    inputs:
      versionSpec: '20.x'
  - script: |
${installFrom(repository)
  .map((line) => `      ${line}`)
  .join('\n')}
    displayName: Install Gantry
  - script: ${check} ${word(program)} --format sarif --out $(Build.ArtifactStagingDirectory)/gantry.sarif --fail-on never --cache .gantry/cache
    displayName: Report
  - script: ${check} ${word(program)} --cache .gantry/cache
    displayName: Check
  - script: ${test} ${word(program)} --format junit --out $(Build.ArtifactStagingDirectory)/gantry-tests.xml
    displayName: Test
  - task: PublishTestResults@2
    condition: always()
    inputs:
      testResultsFormat: JUnit
      testResultsFiles: $(Build.ArtifactStagingDirectory)/gantry-tests.xml
  - task: PublishBuildArtifacts@1
    condition: always()
    inputs:
      pathToPublish: $(Build.ArtifactStagingDirectory)
      artifactName: CodeAnalysisLogs
`,
  },
}

/** A test to begin with, and what it tests: it runs as it stands, whatever the program is. */
export const sampleTest: Readonly<Record<string, string>> = {
  'tests/sample.test.yml': `# A test to begin with. "block" names an FB, FC or OB of the program; here it is one of the stubs.
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
}
