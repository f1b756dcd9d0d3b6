/** The page of the manual about access to CPUs and UMAC users. */
import { matrixTable } from './access-matrix.ts'

export const securityPage =
  () => `Security settings belong to the devices of the project and to the project. They have an effect on a controller once the device is downloaded.

## Access levels of a CPU

| level | in TIA Portal |
|---|---|
| \`full\` | Full access (no protection) |
| \`read\` | Read access |
| \`hmi\` | HMI access |
| \`none\` | No access (complete protection) |

\`POST /api/devices/PLC_1/security/configure { "accessLevel": "read", "passwords": { "full": "Valve-42" } }\` lets everybody read and asks for a password for
more. \`"dryRun": true\` shows the plan. What is allowed at which level without a password (\`password\`: with one only):

${matrixTable()}

The operations below \`/api/simulation\` are the hands at the device (power, mode selector, the simulator's own access to tags); like those they are not
protected. Who may call them is a matter of API keys.

## Presenting a password

\`password\` with going online, download, upload, start, stop and the snapshots; \`userName\` too for a UMAC user. For comparing, live tables and
\`POST /api/simulation/start\` go online with it first. A right one holds for the API key that
presented it, for this controller, until the device goes offline, the controller is switched off or gets other passwords, or 30 minutes pass without
use. A wrong one is a 403 \`wrong_cpu_password\` after a delay that doubles with each wrong one in a row; it is entered in the diagnostics buffer of
the controller (\`password-wrong\`) and in the audit (\`simulation.password-refused\`).

S7 clients present their session password; the protocol has room for eight characters, so longer ones cannot be presented there. Reading and writing
variables (PUT/GET) needs \`putGetAccess\` and at least HMI access. With \`secureCommunication\` connections of programming devices and panels are refused,
because this protocol is not secure; those of other partners are not.

## Other settings

- **Display password**: 1 to 8 upper case letters and digits. It is loaded; virtual controllers have no display.
- **Master secret** (protection of confidential configuration data): a controller that was loaded with one refuses a download with another, or none, with 403
  \`master_secret_mismatch\`, unless the download presents its own as \`masterSecret\`. An upload to a new device brings the settings along only then.
- Passwords that nobody knows any more: delete the instance and create it again, as a memory card is formatted.

## UMAC users

Users, roles and the password policy belong to the project. Roles have rights, and rights map on the access levels of API keys and of CPUs
(\`GET /api/security/roles\`). With the setting \`security.umac\` a user may call with the API key that an administrator has given
(\`apiKey\` of \`POST /api/security/users\`), as long as the project is open: the key gives what the roles give, and never more than when it was given. In
the audit the user is \`umac:<name>\`.

## What is kept

Passwords as scrypt hashes, keys as digests. No answer, log line, audit record or dry run shows them. The files and archives of a project hold the scrypt
hashes, and no keys.
`
