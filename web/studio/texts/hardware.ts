/** Texts of the view "Hardware". Each row: English, German. */
export const hardware = {
  'hardware.title': ['Hardware', 'Hardware'],
  'hardware.racks': ['Racks', 'Baugruppenträger'],
  'hardware.network': ['Network', 'Netz'],
  'hardware.noDevice': ['The project has no devices.', 'Das Projekt hat keine Geräte.'],
  'hardware.station': ['Station', 'Station'],
  'hardware.rack': ['Rack {0}', 'Baugruppenträger {0}'],
  'hardware.slot': ['Slot {0}', 'Steckplatz {0}'],
  'hardware.free': ['free', 'frei'],
  'hardware.catalog': ['Catalog', 'Katalog'],
  'hardware.search': ['Order number or name', 'Bestellnummer oder Name'],
  'hardware.hint': [
    'Drag an entry onto a slot, or choose it and press Enter on a free slot.',
    'Einen Eintrag auf einen Steckplatz ziehen, oder ihn wählen und auf einem freien Steckplatz Enter drücken.',
  ],
  'hardware.plugged': ['{0} is in slot {1}.', '{0} steckt in Steckplatz {1}.'],
  'hardware.unplug': ['Unplug', 'Ziehen'],
  'hardware.askUnplug': ['Unplug {0} from slot {1}?', '{0} aus Steckplatz {1} ziehen?'],
  'hardware.noSubnets': [
    'No subnets yet. Devices without a subnet stand alone.',
    'Noch keine Subnetze. Geräte ohne Subnetz stehen für sich.',
  ],
  'hardware.alone': ['Without a subnet', 'Ohne Subnetz'],
  'hardware.chosen': ['{0} is chosen: free slots take it.', '{0} ist gewählt: freie Steckplätze nehmen es auf.'],
} as const satisfies Record<string, readonly [string, string]>
