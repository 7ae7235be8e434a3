import type { LanguageTable } from "../types.ts";

export const EN: LanguageTable = {
  code: "en",
  name: "English",
  script: "Latin",
  functionWords:
    "the a an and or but is are was were be been am have has had do does did will would can could should may might must not no yes you your yours i i'm i'd i'll it's that's don't my me we our us they them their he she his her it its this that these those there here what when where which who why how if then than because with without for from of to in on at by about into after before please thank thanks hello hi okay ok sorry good morning afternoon evening bye goodbye let get give need want like know any some all more other just only very too also as so up out now",
  numbers: {
    small:
      "zero|oh one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    tens: "twenty thirty forty fifty sixty seventy eighty ninety",
    powers: { 100: "hundred", 1000: "thousand" },
    and: "and",
  },
  days: "today|tonight|tomorrow|the day after tomorrow|next week|next month",
  times: ["# ?(?:[ap]\\.?m\\.?|o['’]clock)", "noon|midnight|in the (?:morning|afternoon|evening)"],
  dates: ["@ #(?:st|nd|rd|th)?", "#(?:st|nd|rd|th)?(?: of)? @"],
};
