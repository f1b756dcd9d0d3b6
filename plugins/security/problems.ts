/** The errors of access to protected CPUs. */
import { type CodeTable, type ProblemDefinition, problemsOf } from '../../core/index.ts'

export const securityProblems = {
  cpu_access_denied: {
    status: 403,
    title: 'The access level of the CPU does not allow it',
    meaning:
      'The controller was loaded with an access level that does not allow the operation without a password. `needed` is the level it needs, `granted` the one that the caller has, `passwords` names the levels that have a password.',
    remedy:
      'Send `password` (with `userName` for a UMAC user) with the operation, or go online with it: it holds for this API key until the device goes offline, the controller is switched off, or 30 minutes pass without use.',
    example:
      'Operation online.download needs full access to the CPU of "Sim"; without a password it gives read access.',
  },
  wrong_cpu_password: {
    status: 403,
    title: 'The password is wrong',
    meaning:
      'The password is none of the access levels, or of the user, that were loaded into the controller. It is entered in the diagnostics buffer of the controller and in the audit; each wrong one in a row delays the next answer longer.',
    remedy: 'Send the right password. It is the one that was set when the device was last downloaded.',
    example: 'The password is wrong for instance "Sim".',
  },
  master_secret_mismatch: {
    status: 403,
    title: 'The controller has another master secret',
    meaning:
      'The confidential configuration data of the controller are protected by a master secret that is not the one of the device in the project, so its settings cannot be replaced.',
    remedy:
      'Send the secret of the controller as `masterSecret` with the download, or set the same secret in the project.',
    example: 'Instance "Sim" was loaded with another master secret than device "PLC_1" has.',
  },
} as const satisfies Record<string, ProblemDefinition>

/** Codes of entries of `errors`. */
export const securityCodes: CodeTable = {
  title: 'Faults of security settings',
  codes: () =>
    new Map([
      [
        'password-policy',
        {
          severity: 'fault',
          title: 'The password policy refuses the password',
          meaning: 'The password is too short, has too few classes of characters, or was used before.',
          remedy: 'Choose another one; GET /api/security/password-policy shows the rules.',
        },
      ],
    ]),
}

export const problem = problemsOf(securityProblems)
