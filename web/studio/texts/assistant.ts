/** Texts of the view "Assistant". Each row: English, German. */
export const assistant = {
  'assistant.title': ['Assistant', 'Assistent'],
  'assistant.ask': ['Your question or task', 'Ihre Frage oder Aufgabe'],
  'assistant.send': ['Send', 'Senden'],
  'assistant.stop': ['Stop', 'Anhalten'],
  'assistant.you': ['You', 'Sie'],
  'assistant.model': ['Model: {0}', 'Modell: {0}'],
  'assistant.hint': [
    'Ask about the project or say what is to be done. A change is tried out first and waits for your yes.',
    'Fragen Sie zum Projekt oder sagen Sie, was zu tun ist. Eine Änderung wird erst probiert und wartet auf Ihr Ja.',
  ],
  'assistant.job': ['Job', 'Auftrag'],
  'assistant.input': ['Input and answer', 'Eingabe und Antwort'],
  'call.read': ['read', 'gelesen'],
  'call.tried': ['tried out', 'probiert'],
  'call.done': ['done', 'erledigt'],
  'call.failed': ['failed', 'fehlgeschlagen'],
  'call.refused': ['refused', 'abgelehnt'],
  'call.waiting': ['waiting', 'wartet'],
} as const satisfies Record<string, readonly [string, string]>
