/** Texts of the view "Project". Each row: English, German. */
export const project = {
  'project.title': ['Project', 'Projekt'],
} as const satisfies Record<string, readonly [string, string]>
