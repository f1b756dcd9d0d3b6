/** Programs of the tests of communication: one function block with its instance, called in each cycle. */

/** A data block with members as declared. */
export function dataBlock(name: string, members: string, access: 'optimized' | 'standard' = 'optimized'): string {
  const isOptimized = access === 'optimized' ? 'TRUE' : 'FALSE'
  return `DATA_BLOCK "${name}"\n{ S7_Optimized_Access := '${isOptimized}' }\nVAR\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
}

/**
 * A program whose OB 1 calls a function block.
 * @param members of the data block "Data", which the test reads and writes
 * @param statics declarations of the function block
 * @param body its statements
 * @param more other blocks
 */
export function workProgram(members: string, statics: string, body: string, more = ''): string {
  return `${dataBlock('Data', members)}${more}
FUNCTION_BLOCK "Work"
{ S7_Optimized_Access := 'TRUE' }
VAR
${statics}
END_VAR
BEGIN
${body}
END_FUNCTION_BLOCK
DATA_BLOCK "Work_DB"
"Work"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
"Work_DB"();
END_ORGANIZATION_BLOCK
`
}

/** Statements that make the static `#connection`, a TCON_IP_v4, an active TCP connection to a port of an address. */
export function activeConnection(id: number, address: string, port: number): string {
  return `${described(id, true, address)} #connection.RemotePort := ${port}; #connection.LocalPort := 0;`
}

/** Statements that make the static `#connection`, a TCON_IP_v4, wait for a partner at a port. */
export function passiveConnection(id: number, port: number): string {
  return `${described(id, false, '0.0.0.0')} #connection.RemotePort := 0; #connection.LocalPort := ${port};`
}

function described(id: number, isActive: boolean, address: string): string {
  const parts = address.split('.').map((part, i) => `#connection.RemoteAddress.ADDR[${i + 1}] := ${part};`)
  return `#connection.ID := ${id}; #connection.ConnectionType := 16#0B; #connection.ActiveEstablished := ${isActive ? 'TRUE' : 'FALSE'};
${parts.join(' ')}`
}
