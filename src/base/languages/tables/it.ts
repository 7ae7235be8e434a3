import type { LanguageTable } from "../types.ts";

export const IT: LanguageTable = {
  code: "it",
  name: "Italian",
  script: "Latin",
  functionWords:
    "il lo la i gli le l un uno una e ed o ma è sono era stato essere sei siamo ho hai ha abbiamo avete hanno avere posso può possono potrebbe potrei voglio vuole vorrei vorrebbe deve devo non no sì io tu lui lei noi voi loro mi ti si ci vi le gli mio mia miei mie suo sua suoi sue nostro nostra questo questa questi queste quello quella che chi cosa quando dove come quale quali quanto quante quanti perché per con senza di del della dei delle dello dell a al alla ai alle allo da dal dalla in nel nella su sul sulla tra fra fino buongiorno buonasera ciao salve grazie mille arrivederci prego favore molto più meno anche già qui lì tutto tutti tutta altro altra altri altre niente nulla qualcosa ogni allora poi fare dire dica chieda chiedi aiutarla c'è l'ho dell'ordine vuoi bisogno chiamo va bene",
  letters: "ìò",
  numbers: {
    small:
      "zero uno|un|una due tre|tré quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
    tens: "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    powers: { 100: "cento", 1000: "mille|mila" },
    and: "e",
  },
  days: "oggi|stasera|dopodomani|domani(?: mattina| pomeriggio| sera)?|la (?:prossima settimana|settimana prossima)|il mese prossimo",
  times: [
    "(?:alle|verso le|per le|dalle|intorno alle) #(?: e (?:mezza|un quarto|#))?",
    "ore #",
    "mezzogiorno|mezzanotte|di (?:mattina|pomeriggio|sera)",
  ],
  dates: ["#(?:º)? @", "primo @"],
};
