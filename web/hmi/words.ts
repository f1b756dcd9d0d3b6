/**
 * The words of the page itself in the language of the station. A key is the English text; what is not here stays as it
 * is, as messages of the gateway do.
 */

type Words = Readonly<Record<string, string>>

const german: Words = {
  Screen: 'Bild',
  Language: 'Sprache',
  Open: 'Öffnen',
  'API key': 'API-Schlüssel',
  'Loading …': 'Wird geladen …',
  connected: 'verbunden',
  alarms: 'Meldungen',
  'Acknowledge all': 'Alle quittieren',
  Acknowledge: 'Quittieren',
  Time: 'Zeit',
  Class: 'Klasse',
  Text: 'Text',
  State: 'Zustand',
  Operation: 'Bedienung',
  incoming: 'gekommen',
  acknowledged: 'quittiert',
  outgoing: 'gegangen',
  Trend: 'Kurve',
  values: 'Werte',
  'No value yet.': 'Noch kein Wert.',
  'The stream has ended.': 'Die Verbindung ist beendet.',
  'The gateway does not answer.': 'Das Gateway antwortet nicht.',
}
const french: Words = {
  Screen: 'Vue',
  Language: 'Langue',
  Open: 'Ouvrir',
  'API key': 'Clé API',
  'Loading …': 'Chargement …',
  connected: 'connecté',
  alarms: 'alarmes',
  'Acknowledge all': 'Tout acquitter',
  Acknowledge: 'Acquitter',
  Time: 'Heure',
  Class: 'Classe',
  Text: 'Texte',
  State: 'État',
  Operation: 'Commande',
  incoming: 'apparue',
  acknowledged: 'acquittée',
  outgoing: 'disparue',
  Trend: 'Courbe',
  values: 'valeurs',
  'No value yet.': 'Pas encore de valeur.',
  'The stream has ended.': 'La connexion est terminée.',
  'The gateway does not answer.': 'La passerelle ne répond pas.',
}
const spanish: Words = {
  Screen: 'Imagen',
  Language: 'Idioma',
  Open: 'Abrir',
  'API key': 'Clave API',
  'Loading …': 'Cargando …',
  connected: 'conectado',
  alarms: 'avisos',
  'Acknowledge all': 'Acusar todos',
  Acknowledge: 'Acusar',
  Time: 'Hora',
  Class: 'Clase',
  Text: 'Texto',
  State: 'Estado',
  Operation: 'Manejo',
  incoming: 'entrante',
  acknowledged: 'acusado',
  outgoing: 'saliente',
  Trend: 'Curva',
  values: 'valores',
  'No value yet.': 'Aún sin valor.',
  'The stream has ended.': 'La conexión ha terminado.',
  'The gateway does not answer.': 'La pasarela no responde.',
}
const italian: Words = {
  Screen: 'Pagina',
  Language: 'Lingua',
  Open: 'Apri',
  'API key': 'Chiave API',
  'Loading …': 'Caricamento …',
  connected: 'connesso',
  alarms: 'segnalazioni',
  'Acknowledge all': 'Tacita tutte',
  Acknowledge: 'Tacita',
  Time: 'Ora',
  Class: 'Classe',
  Text: 'Testo',
  State: 'Stato',
  Operation: 'Comando',
  incoming: 'entrante',
  acknowledged: 'tacitata',
  outgoing: 'uscente',
  Trend: 'Curva',
  values: 'valori',
  'No value yet.': 'Ancora nessun valore.',
  'The stream has ended.': 'La connessione è terminata.',
  'The gateway does not answer.': 'Il gateway non risponde.',
}

const languages: Readonly<Record<string, Words>> = { de: german, fr: french, es: spanish, it: italian }

/** A text of the page in the language of a culture: `say('Screen', 'de-AT')` is `Bild`. */
export function say(text: string, culture: string): string {
  return languages[culture.slice(0, 2).toLowerCase()]?.[text] ?? text
}

/** The language that the texts of the page have in a culture: `en` where it has none of its own. */
export function spoken(culture: string): string {
  const language = culture.slice(0, 2).toLowerCase()
  return languages[language] === undefined ? 'en' : language
}
