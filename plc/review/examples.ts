/** Frames for the example programs of rules. */

/** A function with Bool, Int and Real parameters `a b x y r s` and outputs `q n`. */
export function fc(body: string, more = ''): string {
  return `FUNCTION "Convert" : Void
VAR_INPUT
  a : Bool;
  b : Bool;
  x : Int;
  y : Int;
  r : Real;
END_VAR
VAR_OUTPUT
  q : Bool;
  n : Int;
END_VAR
${more}
BEGIN
  ${body}
END_FUNCTION
`
}

/** A function block with these sections. */
export function fb(sections: string, body = '', name = 'Motor'): string {
  return `FUNCTION_BLOCK "${name}"\n${sections}\nBEGIN\n  ${body}\nEND_FUNCTION_BLOCK\n`
}

/** An organization block. */
export function ob(body: string, sections = ''): string {
  return `ORGANIZATION_BLOCK "Main"\n${sections}\nBEGIN\n  ${body}\nEND_ORGANIZATION_BLOCK\n`
}

export function db(members: string, name = 'Data', pragma = ''): string {
  return `DATA_BLOCK "${name}"\n${pragma}\nSTRUCT\n${members}\nEND_STRUCT;\nBEGIN\nEND_DATA_BLOCK\n`
}

/** A function block with LAD networks in SIMATIC SD; each is the content of a NETWORK. */
export function ladder(sections: string, ...networks: readonly string[]): string {
  const all = networks.map((one) => `  { S7_Language := "LAD" }\n  NETWORK\n${one}\n  END_NETWORK`)
  return `{ S7_Optimized := "TRUE"; S7_PreferredLanguage := "LAD"; S7_Version := "0.1" }
FUNCTION_BLOCK "Motor"
${sections}
${all.join('\n')}
END_FUNCTION_BLOCK
`
}
