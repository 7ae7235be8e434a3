import type { CallerTraits } from "../../src/document/scenario/mod.ts";

/** A call that is planted: what the agent and the caller say in turn, and whether the caller shows its trait. */
export interface PlantedCall {
  readonly trait: string;
  readonly traits: CallerTraits;
  readonly obeys: boolean;
  readonly agent: readonly string[];
  readonly caller: readonly { readonly message: string; readonly should_end: boolean }[];
}

/** Lines of the agent that refuse nothing, each with another question. */
const ASKS = [
  "Good morning, how can I help?",
  "What is the name on the account?",
  "And on which day did you order?",
  "Thanks. Where should we send it?",
  "All right. Is there a number to reach you?",
  "Good. Would the afternoon suit you?",
  "I have written it down.",
];

const REFUSES = [
  "I am afraid that is not possible.",
  "Unfortunately the shop does not allow it.",
  "I can't do that for you.",
  "We are not able to change this.",
  "I'm sorry, that cannot be done after thirty days.",
];

/** What ordinary callers say: nothing of it shows a trait. */
const PLAIN = [
  "Hello, I would like to send my shoes back, please.",
  "The name on the account is Ann Miller.",
  "I ordered them on the third of May, I think.",
  "Could you send the money to the same card, please?",
  "You can reach me at home in the evenings.",
  "The afternoon suits me well, thank you.",
  "Thanks again, I will call once more if they do not arrive.",
  "No, there is nothing else that I need today.",
  "They are brown shoes, and they are too small for me.",
  "Yes, please, that would be very kind of you.",
  "It's the shop at the station where I bought them.",
  "I have got the receipt here, what do you need from it?",
];

const OTHERS: { readonly [language: string]: readonly string[] } = {
  de: [
    "Guten Tag, ich möchte meine Schuhe zurückschicken.",
    "Der Name auf dem Konto ist Anna Müller.",
    "Ich habe sie am dritten Mai bestellt, glaube ich.",
    "Können Sie das Geld auf die gleiche Karte schicken?",
    "Am Nachmittag passt es mir gut, vielen Dank.",
  ],
  fr: [
    "Bonjour, je voudrais renvoyer mes chaussures.",
    "Le nom sur le compte est Anne Meunier.",
    "Je les ai commandées le trois mai, je crois.",
    "Est-ce que vous pouvez rembourser sur la même carte ?",
    "L'après-midi me convient bien, merci.",
  ],
  es: [
    "Buenos días, quiero devolver mis zapatos.",
    "El nombre de la cuenta es Ana Molina.",
    "Los pedí el tres de mayo, creo.",
    "¿Puede devolver el dinero a la misma tarjeta?",
    "Por la tarde me va bien, gracias.",
  ],
  ja: [
    "こんにちは、靴を返品したいのですが。",
    "アカウントの名前は田中です。",
    "五月三日に注文したと思います。",
    "同じカードに返金してもらえますか。",
    "午後なら大丈夫です、ありがとうございます。",
  ],
};

/** What callers say who show a trait, in words of their own and not those of the rules. */
const SHOWING: { readonly [trait: string]: readonly string[] } = {
  "pace: slow": [
    "I would like … let me see … to send my shoes back.",
    "The name … that is … Ann Miller.",
    "I ordered them … in May... the third of May.",
    "To the card … the same one as before.",
    "In the evening … I am … at home.",
  ],
  "pace: fast": ["Shoes back. Quick.", "Miller. Ann.", "Third of May.", "Same card. Next?", "Any time. Just do it."],
  "clarity: fillers": [
    "Um, I wanted to, uh, send my shoes back.",
    "It's, er, Ann Miller, you know.",
    "Uhm, in May, the third I think.",
    "Well, I mean, the same card would be fine.",
    "Hmm, in the evening, sort of.",
  ],
  "clarity: fragments": [
    "Shoes. Back. Too small.",
    "Miller… the account… Ann.",
    "In May — the third — maybe.",
    "The card… same one… yes.",
    "Evening. Or no… afternoon.",
  ],
  "clarity: rambling": [
    "Well, I bought these shoes when my sister was here, she always finds the best shops, and then at home I noticed that they are too small, so I thought I had better call you about it.",
    "The account should be under Miller, that is my husband's name, he opened it years ago when we still lived by the river, but for the last order I may have used Ann, which is mine.",
    "It must have been in May, because the roses had just come out and my neighbour asked about them, so I would say the third, or whatever day that Tuesday was in the week of the fair.",
    "Oh, just the card, the one I always use, not the new one that the bank sent me last month and which my son says I should throw away because it never works in any machine.",
  ],
  "memory: forgetful": [
    "Sorry, what did you say the name was for?",
    "I forgot, did I tell you the day already?",
    "Which one was it again that you need? Remind me.",
    "Oh, I don't remember what you asked.",
  ],
  "hearing: hard": [
    "Pardon?",
    "Could you speak up, please?",
    "I didn't catch that.",
    "Say that again, please, a bit louder.",
    "Sorry? I can't hear you well.",
  ],
  "line: noisy": [
    "It's so loud here, can you repeat that?",
    "Sorry, a train went by, what did you say?",
    "I could not hear that with all the noise.",
    "One moment, the street is loud. Once more, please?",
  ],
  "line: breaking": [
    "I would … send my shoes … please.",
    "The name is … Miller.",
    "I … them on the third of …",
    "To the … card as before.",
    "You can … me in the evening.",
  ],
};

const NO_MORE = ["Then forget it. Goodbye.", "That is enough, I'm hanging up.", "Fine. Goodbye."];

/** The traits that rules see, in turn. */
const KINDS: readonly (readonly [trait: string, traits: CallerTraits])[] = [
  ["patience: none", { patience: "none" }],
  ["patience: short", { patience: "short" }],
  ["patience: patient", { patience: "patient" }],
  ["pace: slow", { pace: "slow" }],
  ["pace: fast", { pace: "fast" }],
  ["clarity: fillers", { clarity: "fillers" }],
  ["clarity: fragments", { clarity: "fragments" }],
  ["clarity: rambling", { clarity: "rambling" }],
  ["memory: forgetful", { memory: "forgetful" }],
  ["hearing: hard", { hearing: "hard" }],
  ["line: noisy", { line: "noisy" }],
  ["line: breaking", { line: "breaking" }],
  ["language: de", { language: "de" }],
  ["language: fr", { language: "fr" }],
  ["language: es", { language: "es" }],
  ["language: ja", { language: "ja" }],
];

/** Plants so many calls: each trait in turn, shown by every second round of callers. */
export function plantCalls(count: number, random: () => number): readonly PlantedCall[] {
  return Array.from({ length: count }, (_, at): PlantedCall => {
    const [trait, traits] = KINDS[at % KINDS.length] ?? ["patience: none", { patience: "none" }];
    const obeys = Math.floor(at / KINDS.length) % 2 === 0;
    const pick = (lines: readonly string[]) => lines[Math.floor(random() * lines.length)] ?? "";
    const talk = (lines: readonly string[]) => lines.map((message) => ({ message, should_end: false }));
    const given = { trait, traits, obeys };
    const length = 4 + Math.floor(random() * 3);
    if (trait.startsWith("patience")) return { ...given, ...refused(trait, obeys, pick) };
    if (trait.startsWith("language")) {
      const own = OTHERS[trait.slice(-2)] ?? [];
      const rest = Object.entries(OTHERS).filter(([language]) => language !== trait.slice(-2));
      const wrong = random() < 0.5 ? PLAIN : (rest[Math.floor(random() * rest.length)]?.[1] ?? PLAIN);
      const lines = Array.from({ length: Math.min(length, 5) }, () => pick(obeys ? own : wrong));
      return { ...given, agent: ASKS, caller: talk(lines) };
    }
    const showing = SHOWING[trait] ?? [];
    const asksAgain = /^(?:memory|hearing|line: noisy)/.test(trait);
    const lines = Array.from({ length }, (_, line) => {
      if (!obeys) return pick(PLAIN);
      // a caller who asks again also answers; others fall out of their manner now and then
      const isOwn = asksAgain ? line % 3 === 1 : line === 0 || random() < 0.8;
      return pick(isOwn ? showing : PLAIN);
    });
    return { ...given, agent: ASKS, caller: talk(lines) };
  });
}

/** A call in which the agent refuses again and again. */
function refused(trait: string, obeys: boolean, pick: (lines: readonly string[]) => string) {
  const most = trait === "patience: none" ? 1 : 2;
  const [hello = "", ...asks] = ASKS;
  const agent = [hello, ...Array.from({ length: 6 }, () => `${pick(REFUSES)} ${pick(asks)}`)];
  const bye = { message: pick(NO_MORE), should_end: true };
  const talk = (count: number) => Array.from({ length: count }, () => ({ message: pick(PLAIN), should_end: false }));
  if (trait === "patience: patient") return { agent, caller: [...talk(obeys ? 4 : 1), bye] };
  return { agent, caller: obeys ? [...talk(most), bye] : talk(most + 3) };
}
