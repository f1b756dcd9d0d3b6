/** Texts of the view "Program". Each row: English, German. */
export const program = {
  'program.title': ['Program', 'Programm'],
} as const satisfies Record<string, readonly [string, string]>
