import type { LanguageTable } from "../types.ts";

export const NL: LanguageTable = {
  code: "nl",
  name: "Dutch",
  script: "Latin",
  functionWords:
    "de het een en of maar is zijn was waren ben bent wordt worden heb heeft hebben had hadden kan kunnen kunt kon zou zouden moet moeten mag wil wilt willen wilde niet nee ja geen ik jij je u hij zij ze wij we jullie mij me ons hem haar hun mijn jouw uw onze dit dat deze die wat wanneer waar wie hoe waarom welke welk als omdat met zonder voor van naar te in op aan bij uit om over tot sinds door tegen alstublieft alsjeblieft dank bedankt hallo goedendag goedemorgen goedemiddag goedenavond dag tot ziens graag nog al ook alleen heel zeer zo dan er hier daar toch even iets alles niets meer ander andere geef gaat goed doen zeggen vraag vragen zeg helpen",
  numbers: {
    small:
      "nul een|één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien",
    tens: "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    powers: { 100: "honderd", 1000: "duizend" },
    and: "en",
    unitBeforeTens: "en",
  },
  days: "vandaag|vanavond|vanmiddag|overmorgen|morgen(?:ochtend|middag|avond)?|volgende week|volgende maand",
  times: [
    "(?:half |kwart (?:voor|over) )?# uur(?: #)?",
    "half #",
    "kwart (?:voor|over) #",
    "middernacht|'?s (?:ochtends|middags|avonds)",
  ],
  dates: ["(?:#(?:de|ste|e)?|eerste|derde) @"],
};
