/** The errors of version control beside those of the core. */
import { type ProblemDefinition, problemsOf } from '../../core/index.ts'

export const versionControlProblems = {
  no_repository: {
    status: 409,
    title: 'The project is in no repository',
    meaning:
      'Neither the folder of the open project nor a folder of the workspace above it is a git repository. A repository that begins above the workspace is not used.',
    remedy: 'POST /api/source-control/init makes one in the folder of the project.',
    example: 'Project "Line" (/work/Line) is in no git repository.',
  },
  git_failed: {
    status: 409,
    title: 'Git refused',
    meaning: 'Git is not installed for the gateway, or did not do what was asked. The detail has its words.',
    remedy: 'Do what git says, in the folder of the project if need be.',
    example: "git: detected dubious ownership in repository at '/work/Line'",
  },
} satisfies Record<string, ProblemDefinition>

export const refusal = problemsOf(versionControlProblems)
