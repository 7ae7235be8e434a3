import type { LanguageTable } from "../types.ts";

export const DE: LanguageTable = {
  code: "de",
  name: "German",
  script: "Latin",
  functionWords:
    "der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren bin bist sein haben habe hat hatte hätte werden wird wurde kann können könnte könnten muss müssen soll sollen will wollen möchte möchten würde würden darf nicht nein ja kein keine keinen ich du er sie es wir ihr mich mir uns euch ihn ihm ihnen ihre ihren ihrem ihrer mein meine meinen meinem meiner unser unsere dies diese dieser dieses was wann wo wer wie warum welche welcher welches wenn dass ob weil mit ohne für von zu zum zur im in an am auf aus bei nach vor über um bis seit durch bitte danke vielen dank hallo guten tag morgen abend auf wiederhören wiedersehen tschüss gern gerne noch schon auch nur sehr so dann da hier dort doch mal etwas alles nichts mehr als gibt geht gut machen sagen fragen",
  letters: "ßäöü",
  numbers: {
    small:
      "null eins|ein|eine|einen zwei|zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
    tens: "zwanzig dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig",
    powers: { 100: "hundert", 1000: "tausend" },
    and: "und",
    unitBeforeTens: "und",
  },
  days: "heute(?: abend| nachmittag)?|übermorgen|morgen (?:früh|vormittag|nachmittag|abend)|(?<!guten )morgen|nächste woche|nächsten monat",
  times: [
    "(?:halb |viertel (?:vor|nach) )?# uhr(?: #)?",
    "halb #",
    "viertel (?:vor|nach) #",
    "mittags?|mitternacht|vormittags?|nachmittags?|abends",
  ],
  dates: ["(?:ersten?|dritten?|siebten?|#(?:s?te[nr]?)?)\\.? @"],
  months: ["jänner"],
};
