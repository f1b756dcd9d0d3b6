/**
 * Cultures of texts by LCID ([MS-LCID], "Language ID"): the languages that TIA Portal offers for projects. 127 and
 * 65535 are texts without a language.
 */
import type { MultilingualText } from '../../model/multilingual-text.ts'
import type { TextByLcid } from './object.ts'

const cultures: Readonly<Record<number, string>> = {
  1025: 'ar-SA',
  1026: 'bg-BG',
  1027: 'ca-ES',
  1028: 'zh-TW',
  1029: 'cs-CZ',
  1030: 'da-DK',
  1031: 'de-DE',
  1032: 'el-GR',
  1033: 'en-US',
  1035: 'fi-FI',
  1036: 'fr-FR',
  1037: 'he-IL',
  1038: 'hu-HU',
  1039: 'is-IS',
  1040: 'it-IT',
  1041: 'ja-JP',
  1042: 'ko-KR',
  1043: 'nl-NL',
  1044: 'nb-NO',
  1045: 'pl-PL',
  1046: 'pt-BR',
  1048: 'ro-RO',
  1049: 'ru-RU',
  1050: 'hr-HR',
  1051: 'sk-SK',
  1052: 'sq-AL',
  1053: 'sv-SE',
  1054: 'th-TH',
  1055: 'tr-TR',
  1056: 'ur-PK',
  1057: 'id-ID',
  1058: 'uk-UA',
  1059: 'be-BY',
  1060: 'sl-SI',
  1061: 'et-EE',
  1062: 'lv-LV',
  1063: 'lt-LT',
  1065: 'fa-IR',
  1066: 'vi-VN',
  1068: 'az-Latn-AZ',
  1069: 'eu-ES',
  1071: 'mk-MK',
  1078: 'af-ZA',
  1079: 'ka-GE',
  1081: 'hi-IN',
  1086: 'ms-MY',
  1087: 'kk-KZ',
  2052: 'zh-CN',
  2055: 'de-CH',
  2057: 'en-GB',
  2058: 'es-MX',
  2060: 'fr-BE',
  2064: 'it-CH',
  2067: 'nl-BE',
  2068: 'nn-NO',
  2070: 'pt-PT',
  2074: 'sr-Latn-CS',
  2077: 'sv-FI',
  3076: 'zh-HK',
  3079: 'de-AT',
  3081: 'en-AU',
  3082: 'es-ES',
  3084: 'fr-CA',
  3098: 'sr-Cyrl-CS',
  4100: 'zh-SG',
  4105: 'en-CA',
  4108: 'fr-CH',
  11274: 'es-AR',
}
const withoutLanguage = new Set([127, 65535])

/**
 * A text by culture. A text without a language counts for a culture only where no other is there: then it is the
 * project's reference text.
 * @param reference culture of texts without a language
 */
export function cultureTexts(texts: TextByLcid | undefined, reference = 'en-US'): MultilingualText {
  const found: Record<string, string> = {}
  let neutral = ''
  for (const [lcid, stored] of texts ?? []) {
    const text = stored.replace(/\r\n?/g, '\n')
    if (text === '') continue
    if (withoutLanguage.has(lcid)) neutral = text
    else found[cultures[lcid] ?? `x-lcid-${lcid}`] = text
  }
  if (Object.keys(found).length === 0 && neutral !== '') found[reference] = neutral
  return found
}
