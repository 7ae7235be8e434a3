/** Languages of which the lexicon has phrases. Other languages are judged by a model. */
export const LEXICON_LANGUAGES: ReadonlySet<string> = new Set(["en", "de", "fr", "es", "pt", "it", "nl"]);

/** Whether a line of the caller asks for something again: because it was not heard, or is forgotten. */
export function asksAgain(line: string): boolean {
  return AGAIN.some((pattern) => pattern.test(line));
}

/** Number of hesitations in a line. */
export function hesitations(line: string): number {
  return line.match(FILLERS)?.length ?? 0;
}

/** Whether a line has a courtesy: a greeting, thanks or a please. */
export function isCourteous(line: string): boolean {
  return COURTESIES.test(line);
}

const AGAIN: readonly RegExp[] = [
  /\b(?:pardon|come again|say (?:that|it|this) again|repeat|once more(?=,? please|\?)|speak (?:up|louder|a bit louder)|louder|(?:did|do|could|can)(?: not|n['’]t) (?:quite )?(?:hear|catch|understand|get)|what did you (?:just )?say|what was (?:that|it|the)|have forgotten|(?:I|I've|I have) forgot(?:ten)?|do(?: not|n['’]t) remember|remind me|tell me again|which (?:one|day|time) (?:was|did))\b/i,
  /^\W*(?:sorry|what|huh|eh)\?/i,
  /(?:wie bitte|noch ?mal|noch einmal|wiederholen|lauter|nicht verstanden|vergessen|was haben sie gesagt|was war das)/i,
  /(?:pardon|répét|encore une fois|plus fort|pas (?:bien )?(?:entendu|compris)|oublié|vous avez dit quoi|qu['’]avez-vous dit)/i,
  /(?:¿cómo\?|perdón\?|repet|repit|otra vez|más alto|no le oigo|no (?:le |lo )?(?:oí|escuché|entendí)|olvid|qué dijo)/i,
  /(?:repet|repit|outra vez|de novo|mais alto|não (?:ouvi|entendi|percebi)|esquec|o que disse)/i,
  /(?:come\?|ripet|un['’]altra volta|più forte|non ho (?:sentito|capito)|dimenticat|cosa ha detto)/i,
  /(?:herhal|nog (?:een keer|eens)|harder|niet (?:gehoord|verstaan)|vergeten|wat zei u)/i,
];

const FILLERS =
  /(?<!\p{L})(?:u+m+|u+h+m*|e+r+m+|e+r(?=[,.…]| …)|h+m+|you know|I mean|sort of|kind of|ä+h+m*|ö+h+m*|sozusagen|eu+h+|heu|ben(?=[,.…])|eh+m*(?=[,.…]|\s)|este(?=[,…])|o sea|né(?=[,.…?])|tipo assim|cioè|nou ja|zeg maar)(?!\p{L})/giu;

const COURTESIES =
  /(?<!\p{L})(?:please|thanks?|thank you|hello|hi|good (?:morning|afternoon|evening|day)|kindly|bitte|danke|hallo|guten (?:tag|morgen|abend)|merci|bonjour|s['’]il vous plaît|gracias|por favor|hola|buenos días|obrigad[oa]|olá|bom dia|grazie|per favore|buongiorno|dank u|alstublieft|goedemorgen)(?!\p{L})/iu;
