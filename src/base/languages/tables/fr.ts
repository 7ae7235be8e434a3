import type { LanguageTable } from "../types.ts";

export const FR: LanguageTable = {
  code: "fr",
  name: "French",
  script: "Latin",
  functionWords:
    "le la les l un une des du de d et ou mais est sont était été être suis es sommes êtes ai as a avons avez ont avait avoir j'ai j'aimerais c'est n'est qu'est s'il d'accord ne n pas non oui je j tu il elle nous vous ils elles on me m te se s lui leur mon ma mes votre vos notre nos son sa ses leurs ce cet cette ces ça c cela que qu qui quoi quand où comment pourquoi quel quelle quels quelles si parce car avec sans pour par dans sur sous chez vers entre depuis jusqu au aux en y à bonjour bonsoir merci beaucoup au revoir s'il plaît voulez voudrais voudrait veux veut peux peut pouvez pouvons pourrais pourriez dois doit faut fait faire dire dites demander rien plus encore aussi très bien tout tous toute toutes autre autres même puis alors ici là déjà aujourd'hui",
  letters: "ëîïœ",
  numbers: {
    small:
      "zéro un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
    tens: "vingt trente quarante cinquante soixante septante huitante|octante nonante",
    powers: { 100: "cent|cents", 1000: "mille" },
    and: "et",
    twenties: { soixante: 60, "quatre-vingt": 80, "quatre-vingts": 80 },
  },
  days: "aujourd['’]hui|après-demain|demain(?: matin| après-midi| soir)?|ce soir|la semaine prochaine|le mois prochain",
  times: [
    "# ?h(?:eures?)?(?: ?(?:#|et demie|et quart|moins le quart))?",
    "midi|minuit|dans la matinée|dans l['’]après-midi|en soirée",
  ],
  dates: ["(?:#(?:er)?|premier) @"],
};
