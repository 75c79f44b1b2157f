/**
 * The form of a name under which a person is known: two names are the same if they differ in case, width, spaces,
 * invisible characters or the shape of quotes and dashes alone (PC-7). Accents count, since they tell people apart.
 */
export function foldName(name: string): string {
  const lower = tidyName(name).normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
  return lower
    .replace(/ς/g, 'σ')
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim()
}

/** A name as it is kept: without invisible characters, and with single spaces. */
export function tidyName(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
}

/** How transcripts name somebody they do not know, in the languages that Privity reads. */
const UNKNOWN =
  /^(?:(?:unknown|unidentified|unnamed)(?: (?:speaker|person|participant|caller))?|(?:speaker|spk|participant|caller|guest)[ _#-]*(?:\d{1,3}|[a-z])|unbekannt(?:er?|e?r sprecher|e sprecherin)?|sprecher(?:in)?[ _#-]*\d{1,3}|(?:inconnue?|locut(?:eur|rice)(?: inconnue?)?)(?:[ _#-]*\d{1,3})?|(?:desconocid[oa]|hablante(?: desconocid[oa])?)(?:[ _#-]*\d{1,3})?)(?:[ _#-]*\d{1,3})?$/

/** Whether a name says only that nobody knows who it was. */
export const isUnknownSpeaker = (name: string): boolean => UNKNOWN.test(foldName(name))

/**
 * The name of a participant within a recording. An unknown speaker of one recording is not the one of another, until
 * the owner says so (PC-7).
 */
export function nameInRecording(name: string, recording: string): string {
  return isUnknownSpeaker(name) ? `${tidyName(name)} (${recording})` : name
}

export const isEmailAddress = (name: string): boolean => /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(name)
