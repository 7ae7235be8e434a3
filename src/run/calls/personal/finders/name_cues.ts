const RELATIVE =
  "wife|husband|son|daughter|mother|father|mom|mum|dad|sister|brother|friend|boss|partner|colleague|coworker|assistant|neighbou?r|roommate|girlfriend|boyfriend|fianc[eé]e?|aunt|uncle|cousin|nephew|niece|grandmother|grandfather|grandma|grandpa|doctor|dentist|landlord|tenant|lawyer|attorney|spouse|child|baby|kid|stepson|stepdaughter";
/** Names of things, not persons: "the company's name is…". */
const THING =
  "company|business|hotel|product|file|street|brand|pet|drug|medication|medicine|restaurant|clinic|user|domain|plan|school|bank|event|place|city|team|project|tool|function|variable|store|shop|practice|airline|model|road|node|agent|assistant|dog|cat|building|firm|organi[sz]ation|agency|group|department|album|song|book|movie|game|app|server|device";
const DE_RELATIVE =
  "(?:meine?[nmrs]?|unsere?[nmr]?) (?:frau|mann|ehefrau|ehemann|partner(?:in)?|sohn|tochter|mutter|vater|schwester|bruder|freund(?:in)?|kolleg(?:e|en|in)|chef(?:in)?|oma|opa|kind)";
const FR_RELATIVE =
  "(?:mon|ma|notre) (?:mari|femme|épouse|époux|fils|fille|mère|père|sœur|soeur|frère|ami|amie|compagne|compagnon|conjointe?|collègue|patronn?e?|enfant)";
const ES_RELATIVE =
  "(?:mi|nuestr[oa]) (?:marido|mujer|esposa|esposo|hijo|hija|madre|padre|hermana|hermano|amig[oa]|novi[oa]|pareja|compañer[oa]|jef[ea]|niñ[oa])";
const BETWEEN = "[\"'”]?\\s*[:=,-]?\\s*[\"'“]?(?:(?:um+|uh+|er+|is|was|it's|the)[ ,]+){0,2}";

/** Words before a name. */
export const NAME_CUE = new RegExp(
  `(?:(?<!\\b(?:${THING})(?:'s)? )\\bname(?:'s|s| is| was| would be)?|\\bnamed|\\b(?:they|you can|please|just|everyone) call me|\\bcalls? me|\\b(?:first|last|family|given|middle)[_ ]?name|\\bsurname|\\bnickname|\\bunder the name(?: of)?|\\bin the name of|\\b(?:go|goes) by|\\b(?:reservation|booking|appointment|order|account|table) (?:for|under)|\\bme llamo|\\bmi nombre es|\\bse llama|\\bje m['’]appelle|\\bmon nom est|\\bich hei(?:ß|ss)e|\\bmein name ist|\\bmeu nome [eé]|\\bme chamo|\\bmi chiamo|\\bil mio nome [eè]|\\b(?:mein|ihr|sein|dein|der) (?:voller |vollständiger )?name (?:ist|lautet|wäre|war)|\\b(?:ich|er|sie) hei(?:ß|ss)e?t?|\\bnamens|\\b(?:vor|nach|familien|zu|mädchen|ruf)name[ns]?(?: ist| lautet)?|\\b(?:auf|unter) (?:den|dem) namen|\\b(?:hier|es) spricht|\\b(?:${DE_RELATIVE})(?: heißt)?,?|\\bs['’]appelle|\\bm['’]appelle|\\b(?:mon|son|votre|le) (?:nom|prénom)(?: de famille| complet)? (?:est|c['’]est)|\\bpr[ée]nom|(?<=^|[.,;\\n] ?)nom(?: de famille)?|\\bau nom de|\\b(?:${FR_RELATIVE})(?: s['’]appelle)?,?|\\b(?:mi|su|el) (?:nombre|apellido)(?: completo)? (?:es|sería)|\\bnombre|\\bapellidos?|\\ba nombre de|\\b(?:${ES_RELATIVE})(?: se llama)?,?|\\bmy (?:${RELATIVE})(?:'s name)?(?: is| named)?,?)${BETWEEN}$`,
  "iu",
);

/** Words before a person. */
export const PERSON_CUE =
  /(?:\b(?:(?:put|transfer|get|connect)(?:ed|ting|ring)? (?:me|you|him|her)(?: through)?(?: over)? (?:to|with)|through to|speaking (?:with|to)|speak (?:with|to)|talk(?:ing|ed)? (?:with|to)|spoke (?:with|to)|spoken (?:with|to)|ask(?:ed)? for|on behalf of|dear|attention|attn|regards|sincerely|met|told|asked|(?:my|our|his|her|your) (?:passenger|customer|caller|patient|guest|client|contact))|\b(?:passenger|customer|caller|patient|guest|client|cardholder|contact|fahrer(?:in)?|mieter(?:in)?|chauffeur|conductora?|inquilin[oa]|locataire|tenant|traveler|traveller|driver|recipient|attendee|beneficiary|member|note|kundin|kunde|patientin|kontakt|client|cliente|paciente|contacto|asegurad[oa]|anrufer(?:in)?) ?:?)\s+$/iu;

/** Words before a person, and before much else. */
export const INTRODUCTION =
  /(?:\b(?:this is|i['’]m|i am|it['’]s|it is|speaking (?:with|to)|speak (?:with|to)|talk(?:ing|ed)? (?:with|to)|spoke (?:with|to)|spoken (?:with|to)|ask(?:ed)? for|on behalf of|connect(?:ed|ing)? (?:me |you )?(?:to|with)|dear|attention|attn|signed|regards|sincerely|soy|habla|je suis|ich bin|hier ist|hier spricht|sono|sou|aqui [eé]|met|meet|meeting|see|told|ask|asked|between|hier ist|hier|ich bin|spreche ich mit|mit (?:der |dem )?(?:frau|herrn)|am apparat ist|gesprochen mit|verbunden mit|im auftrag von|läuft auf|das wäre|ce serait|sería|karte steht|tarjeta pone|carte il y a|bin['’]s|(?:chef(?:in)?|jef[ea]|boss|kontakt|contact|contacto|titular|titulaire|inhaber(?:in)?|nehmer(?:in)?|holder)[^.,:;]{0,15} (?:ist|est|es|is)|(?:gebucht|reserviert) auf|liebe[r]?|c['’]est|ici|je suis|de la part de|parler (?:à|avec)|parlé (?:à|avec)|avec|chère?|appelez|le habla|aquí|de parte de|hablar con|hablé con|querid[oa]|estimad[oa]))[,.:]?\s+(?:also |again |actually |just )?$/iu;

/** Words before the name of someone who is addressed. */
export const VOCATIVE =
  /(?:\b(?:hi|hello|hey|dear|thanks|thank you|thank you so much|sorry|sure|okay|ok|great|perfect|welcome|goodbye|bye|morning|afternoon|evening|yes|no|right|wonderful|excellent|alright|got it|hola|bonjour|salut|coucou|hallo|ciao|gracias|merci|danke(?: schön)?|vielen dank|guten (?:tag|morgen|abend)|tschüss|auf wiederhören|ja|nein|gut|bonsoir|au revoir|oui|non|parfait|très bien|merci beaucoup|buenos días|buenas (?:tardes|noches)|muchas gracias|sí|adiós|perfecto|claro|there|much|you|day|moment)),?\s+$/iu;

/** Titles before a name. */
export const TITLE =
  /(?<!\p{L})(?:mr|mrs|ms|miss|mx|mister|missus|dr|doctor|prof|professor|señora?|señorita|sr(?:ta|a)?|don|doña|doctora|docteur|doctoresse|herrn?|hr|frau|fr|fräulein|monsieur|madame|mademoiselle|mme|mlle|maître|captain|judge|officer|nurse|sister|father|reverend|rabbi|sir|lord|lady|dra?|signora?)(?:\.|\b)\s*(?:\p{Lu}\.\s*)?$/iu;

const ASKED = new RegExp(
  `(?<!\\b(?:${THING})(?:'s)? )\\bnames?\\b(?! of (?:the|your) (?:${THING}))|\\bwho(?:m)? (?:am i|is this|is calling|do i have|is speaking|should i|shall i|would that be)|\\bwho's (?:calling|this)|\\bspeaking (?:with|to)\\?|\\bspell|\\bnombre\\b|\\bc[oó]mo se llama|\\bapellidos?\\b|\\bqui[eé]n (?:habla|llama)|\\bvotre (?:pré)?nom\\b|\\bcomment vous appelez|\\bqui est à l|\\bihr(?:en)? (?:vor|nach)?name|\\bwie hei(?:ß|ss)en|\\bmit wem spreche|\\bwer (?:spricht|ist am)|\\bseu nome`,
  "iu",
);

/** Whether a question asks for a name. */
export function asksName(asked: string): boolean {
  return asked !== "" && ASKED.test(asked);
}
