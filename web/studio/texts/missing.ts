/** Texts of places that are not there. Each row: English, German. */
export const missing = {
  'missing.project': ['To the project', 'Zum Projekt'],
  'missing.station': ['The project has no station "{0}".', 'Das Projekt hat keine Station „{0}“.'],
  'missing.controller': ['"{0}" has no program: it is no PLC.', '„{0}“ hat kein Programm: Es ist keine SPS.'],
  'missing.block': ['{1} has no block "{0}".', '{1} hat keinen Baustein „{0}“.'],
  'missing.blockHint': [
    'It was deleted or renamed since the link was made, or it was never there.',
    'Er wurde gelöscht oder umbenannt, seit es den Link gibt, oder er war nie da.',
  ],
  'missing.draft': [
    'What was typed in it and not stored is still here:',
    'Was darin getippt und nicht gespeichert wurde, ist noch hier:',
  ],
  'missing.blocks': ['To the blocks of {0}', 'Zu den Bausteinen von {0}'],
  'missing.jobs': ['To the jobs', 'Zu den Aufträgen'],
  'missing.search': [
    'Deleted things are in the jobs that deleted them.',
    'Gelöschtes steht in den Aufträgen, die es löschten.',
  ],
  'missing.place': ['There is no such place in {0}.', 'Diesen Ort gibt es in {0} nicht.'],
  'missing.list': ['To what {0} has', 'Zu dem, was {0} hat'],
  'missing.screen': ['{1} has no screen "{0}".', '{1} hat kein Bild „{0}“.'],
  'missing.library': ['The project library has no "{0}".', 'Die Projektbibliothek hat kein „{0}“.'],
  'missing.phase': ['To the design spec', 'Zum Entwurf'],
  'missing.running': [
    'No controller runs the program of "{0}". Create one in the simulation and load the program into it.',
    'Keine Steuerung führt das Programm von „{0}“ aus. Legen Sie in der Simulation eine an und laden Sie es.',
  ],
} as const satisfies Record<string, readonly [string, string]>
