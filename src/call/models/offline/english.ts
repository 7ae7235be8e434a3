import { ASKS_FOR_MORE, ASKS_YES_NO, personaParts } from "./caller.ts";
import { STATES_IN_ENGLISH, spokenInEnglish } from "./respond.ts";
import type { Tongue } from "./tongue.ts";
import {
  askedKind,
  findEntity,
  givenIn,
  moodOf,
  nameInReply,
  sameMeaning,
  significantWords,
  stem,
  withoutLeadIn,
} from "./words.ts";

const REASON =
  /\b(?:reason|problem|issue|concern|request|question|details?|why|what (?:they|he|she)|purpose|intent|need)\b/i;
const FINISHED =
  /\b(?:no (?:more|further|other) (?:questions?|help|assistance|requests?|needs?|issues?|concerns?|topics?)|nothing (?:else|more)|goodbye|says? bye|(?:is|are) (?:done|finished|satisfied|happy)|all set|hang(?:s)? up|ends? the call|does(?:n['’]t| not) need)\b/i;
const RESUMES = /\b(?:ready to|continue|resume|proceed|go(?:es)? back|(?:get|wants) back to)\b/i;
const RESUMED =
  /\b(?:continue|resume|ready|proceed|(?:go|carry|move|going) (?:on|back|ahead)|never ?mind|back to|fine)\b/i;
const AGREES = /\b(?:confirms?|confirmed|agrees?|agreed|accepts?|accepted|approves?|says? yes|yes)\b/i;
const DECLINES =
  /\b(?:declines?|declined|refuses?|refused|rejects?|rejected|denies|disagrees?|says? no|does(?:n['’]t| not) (?:want|agree|accept|confirm))\b/i;
const PEOPLE =
  /^(?:the |if (?:the )?|when (?:the )?)?(?:caller|user|customer|client|guest|patient|they|he|she) (?:wants?|needs?|has|have|is|are|was|would|will|can|cannot|does|did|gives?|gave|says?|said|tells?|told|asks?|asked|(?:confirm|provid|mention|agree|accept|declin|refus|respond|answer|choos|select|stat|request|indicat|describ|speak|call)\w*|replie[sd])\b/i;
const WORK_FAILED =
  /\b(?:fail(?:s|ed|ure)?|errors?|unavailable|unsuccessful|not (?:found|available|successful|possible)|no (?:results?|match(?:es)?|slots?))\b/i;
const WORK_DONE =
  /\b(?:complete[ds]?|done|loaded|extracted|finished|checked|collected|received|returned|retrieved|success(?:ful(?:ly)?)?|succe(?:eds|eded)|executed|available|found|sent|booked|saved|created|greeted)\b/i;

/** The words and forms of English. */
export const ENGLISH: Tongue = {
  significantWords,
  stem,
  sameMeaning,
  moodOf,
  askedKind,
  findEntity,
  nameInReply,
  asksName: /\bname\b/i,
  withoutLeadIn,
  wantsOwnWords: /\b(?:reason|problem|issue|message|summary|request|question|complaint|details?|purpose|why|what)\b/i,
  conditions: {
    given: givenIn,
    reason: REASON,
    finished: FINISHED,
    resumes: RESUMES,
    resumed: RESUMED,
    agrees: AGREES,
    declines: DECLINES,
    people: PEOPLE,
    workFailed: WORK_FAILED,
    workDone: WORK_DONE,
    anyReply: /\b(?:any|always|responds?|repl(?:y|ies)|answers?|speaks?)\b/i,
    denies: /\bnot\b/i,
    more: /\b(?:else|more|other)\b/i,
  },
  caller: {
    yes: "Yes, please.",
    unknown: "I do not know.",
    closing: "No, that is all, thank you.",
    bye: "Goodbye.",
    language: "en",
    traitLine: (line) => line,
    asksYesNo: ASKS_YES_NO,
    asksForMore: ASKS_FOR_MORE,
    personaParts,
  },
  agent: {
    what: "Hello, how can I help you?",
    next: "All right. What else can I do for you?",
    else: "Is there anything else?",
    again: "Sorry, I did not get that. #",
    found: "Here is what I found: #.",
    spoken: spokenInEnglish,
    states: STATES_IN_ENGLISH,
  },
  criterionAsks: /\b(?:asks?|asked|asking|inquires?|enquires?)\b/i,
  closing: /\b(?:anything|something) (?:else|more)\b|\bhelp you with\b/i,
};
